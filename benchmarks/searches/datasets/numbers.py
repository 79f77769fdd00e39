"""Made-up numbers without ties: eight columns tell the class together."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseDataset


class Dataset(BaseDataset):
    """Standard normal columns, and five stratified folds.

    For weights, the sum of the first eight and noise has the sign of the class. For searches, each of the first eight
    sets another part of class 1 apart, of falling size, and all else is the same in both classes, so that no tie of
    accuracies decides what is found.
    """

    name = "numbers"
    parameters = {"task": ["relieff", "floating"], "shape": [(1000, 1000), (200, 60)], "seed": [0]}  # noqa: RUF012

    def get_data(self):
        rng = np.random.default_rng(self.seed)
        n, d = self.shape
        X = rng.normal(size=(n, d))
        if self.task == "relieff":
            y = (X[:, :8].sum(axis=1) + rng.normal(size=n) > 0).astype(np.int64)
        else:
            y = np.arange(n) % 2
            X[y == 1] = X[y == 0]
            parts = np.split(np.flatnonzero(y), np.cumsum([18, 16, 15, 13, 12, 10, 9]))
            for column, rows in enumerate(parts):
                X[rows, column] += 10.0
        folds = np.empty(n, dtype=np.int64)
        folds[np.argsort(y, kind="stable")] = np.arange(n) % 5  # a row and its double in one fold
        return {"X": X, "y": y, "folds": folds, "task": self.task}
