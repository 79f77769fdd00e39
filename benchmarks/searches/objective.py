"""What is asked of each solver: weights of columns, or a set of them."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseObjective


class Objective(BaseObjective):
    """ReliefF's weights with ten neighbours, or the eight columns that a floating forward search ends with."""

    name = "searches"
    neighbours = 10
    keep = 8

    def set_data(self, X, y, folds, task):
        self.problem = {"X": X, "y": y, "folds": folds, "task": task}

    def get_objective(self):
        return self.problem | {"neighbours": self.neighbours, "keep": self.keep}

    def evaluate_result(self, answer, reference=None):
        """Return the largest difference of weights, or the share of columns that differ."""
        if reference is None:
            return {"value": 0.0}
        if self.problem["task"] == "relieff":
            return {"value": float(np.abs(np.asarray(answer) - np.asarray(reference)).max())}
        return {"value": len(set(answer) ^ set(reference)) / (2 * self.keep)}

    def get_one_result(self):
        return {"answer": np.zeros(self.problem["X"].shape[1])}
