"""mlxtend's floating search around scikit-learn's naive Bayes."""

from __future__ import annotations

import numpy as np
from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import PredefinedSplit
from sklearn.naive_bayes import GaussianNB

from benchmarks.rfe.base import BaseSolver


class Solver(BaseSolver):
    """`SequentialFeatureSelector(floating=True)` on the same folds."""

    name = "mlxtend"

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        cv = PredefinedSplit(p["folds"])
        search = SequentialFeatureSelector(GaussianNB(), k_features=p["keep"], floating=True, scoring="accuracy", cv=cv)
        self.answer = np.array(search.fit(p["X"], p["y"]).k_feature_idx_)

    def get_result(self):
        return {"answer": self.answer}
