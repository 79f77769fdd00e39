"""scikit-learn's newton-cg."""

from __future__ import annotations

from benchmarks.rfe.rival import Rival


class Solver(Rival):
    """Newton's method with conjugate gradients, for problems that are badly scaled."""

    name = solver = "newton-cg"
    parameters = {"tol": [1e-4, 1e-10]}  # noqa: RUF012
