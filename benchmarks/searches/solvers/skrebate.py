"""skrebate: ReliefF."""

from __future__ import annotations

from skrebate import ReliefF

from benchmarks.rfe.base import BaseSolver


class Solver(BaseSolver):
    """`skrebate.ReliefF`."""

    name = "skrebate"

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        model = ReliefF(n_features_to_select=p["keep"], n_neighbors=p["neighbours"])
        self.answer = model.fit(p["X"], p["y"]).feature_importances_

    def get_result(self):
        return {"answer": self.answer}
