"""fast-select: ReliefF in single precision, on one thread."""

from __future__ import annotations

from fast_select import ReliefF

from benchmarks.rfe.base import BaseSolver


class Solver(BaseSolver):
    """`fast_select.ReliefF` on the processor."""

    name = "fast-select"

    def set_objective(self, **problem):
        self.problem = problem

    def run(self, _):
        p = self.problem
        model = ReliefF(n_features_to_select=p["keep"], n_neighbors=p["neighbours"], backend="cpu", n_jobs=1)
        self.answer = model.fit(p["X"], p["y"]).feature_importances_

    def get_result(self):
        return {"answer": self.answer}
