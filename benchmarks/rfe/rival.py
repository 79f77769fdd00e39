"""The same loop around the logistic regression of scikit-learn; each of its solvers has a file of its own."""

from __future__ import annotations

import math
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from benchmarks.rfe.base import BaseSolver
from fselect.selectors.shrinkage import lift


class Rival(BaseSolver):
    """Columns standardised and divided by √β, so that C = 1 / (2 λ) is the same problem; each fit starts anew.

    max_iter is out of reach, so that the tolerance alone says when a fit ends.
    """

    package = "scikit-learn"
    solver: str
    tol: float

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        rows = p["counts"] > 0
        X, codes, counts = p["X"][rows], p["codes"][rows], p["counts"][rows]
        share = counts / counts.sum()
        Z = X - share @ X
        Z /= np.sqrt(share @ Z**2)
        # the problem that is posed has the lift; it is 0 for shapes of 1 and more
        root = np.exp(-0.5 * lift(p["log_beta"], np.zeros(X.shape[1]), p["penalty"]))
        left = np.arange(X.shape[1])
        Z *= root
        model = LogisticRegression(C=0.5 / p["penalty"], solver=self.solver, tol=self.tol, max_iter=100_000)
        while left.size > p["keep"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(Z, codes, sample_weight=counts)
            number = min(max(1, math.floor(p["step"] * left.size + 1e-9)), left.size - p["keep"])
            stays = np.ones(left.size, dtype=bool)
            stays[np.argsort(np.abs(model.coef_[0]) * root[left])[:number]] = False
            left, Z = left[stays], Z[:, stays]
        self.support = np.zeros(X.shape[1], dtype=bool)
        self.support[left] = True

    def get_result(self):
        return {"support": self.support}
