"""This package."""

from __future__ import annotations

import numpy as np

from benchmarks.rfe.base import BaseSolver
from fselect import FloatingSearch, ReliefF
from fselect.classifiers import NaiveBayesClassifier
from fselect.measures.measure import Evaluator


class Folded:
    """Accuracy of Gaussian naive Bayes on given folds."""

    monotone = False

    def __init__(self, folds):
        self.folds = folds

    def prepare(self, table, rng):
        payoff = NaiveBayesClassifier("gaussian").nested_payoff(table.X, table.codes, self.folds)
        return _Payoff(payoff)


class _Payoff(Evaluator):
    def __init__(self, payoff):
        self.payoff = payoff

    def value(self, columns):
        return self.payoff.accuracies(columns)[-1]


class Solver(BaseSolver):
    """`fselect.ReliefF` and `fselect.FloatingSearch`."""

    name = "fselect"

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        if p["task"] == "relieff":
            self.answer = ReliefF(k=p["neighbours"], nominal="none").fit(p["X"], p["y"]).weights_
        else:
            search = FloatingSearch(n_features=p["keep"], measure=Folded(p["folds"]), random_state=0)
            self.answer = np.flatnonzero(search.fit(p["X"], p["y"]).support_)

    def get_result(self):
        return {"answer": self.answer}
