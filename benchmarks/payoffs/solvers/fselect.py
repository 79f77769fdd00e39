"""This package: one pass."""

from __future__ import annotations

from benchmarks.rfe.base import BaseSolver
from fselect.classifiers import nested_payoff


class Solver(BaseSolver):
    """`fselect.classifiers.nested_payoff`; tables of terms, sorting and bits are made once, beforehand."""

    name = "fselect"

    def __init__(self, model):
        self.model = model

    def set_objective(self, X, y, folds, permutation):
        self.payoff, self.permutation = nested_payoff(self.model, X, y, folds), permutation

    def run(self, _):
        self.accuracies = self.payoff.accuracies(self.permutation)

    def get_result(self):
        return {"accuracies": self.accuracies}
