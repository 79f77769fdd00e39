"""What is asked for: the ten-fold accuracies of all prefixes of a permutation."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseObjective


class Objective(BaseObjective):
    """Accuracies of the first 0, 1, …, `length` columns of a permutation."""

    name = "payoffs"
    length = 20

    def set_data(self, X, y, folds):
        self.problem = {"X": X, "y": y, "folds": folds}

    def get_objective(self):
        columns = np.random.default_rng(1).permutation(self.problem["X"].shape[1])
        return self.problem | {"permutation": columns[: self.length]}

    def evaluate_result(self, accuracies, reference=None):
        """Return the largest difference from the reference."""
        return {"value": 0.0 if reference is None else float(np.abs(accuracies - reference).max())}

    def get_one_result(self):
        return {"accuracies": np.zeros(self.length + 1)}
