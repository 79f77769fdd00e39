"""This package."""

from __future__ import annotations

from benchmarks.rfe.base import BaseSolver
from fselect.selectors.elimination import eliminate


class Solver(BaseSolver):
    """`fselect.selectors.elimination.eliminate`, whose sets are those of the exact optimum."""

    name = "fselect"

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        found = eliminate(
            p["X"],
            p["codes"],
            p["counts"],
            n_features=p["keep"],
            step=p["step"],
            penalty=p["penalty"],
            n_classes=2,
            log_shrinkage=p["log_beta"],
        )
        self.support = found.support

    def get_result(self):
        return {"support": self.support}
