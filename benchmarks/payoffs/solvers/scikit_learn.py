"""scikit-learn: a fit and a prediction for each prefix and fold."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from benchmarks.rfe.base import BaseSolver


class Solver(BaseSolver):
    """Plain refits."""

    name = "scikit-learn"

    def __init__(self, model):
        self.model = model

    def set_objective(self, X, y, folds, permutation):
        self.problem = X, y, folds, permutation

    def run(self, _):
        X, y, folds, permutation = self.problem
        right = np.zeros(len(permutation) + 1)
        right[0] = np.bincount(y).max()
        for k in range(1, len(permutation) + 1):
            table = np.ascontiguousarray(X[:, np.sort(permutation[:k])])
            for fold in range(folds.max() + 1):
                rows = folds == fold
                model = clone(self.model).fit(table[~rows], y[~rows])
                right[k] += np.count_nonzero(model.predict(table[rows]) == y[rows])
        self.accuracies = right / len(y)

    def get_result(self):
        return {"accuracies": self.accuracies}
