"""scikit-learn's newton-cholesky."""

from __future__ import annotations

from benchmarks.rfe.rival import Rival


class Solver(Rival):
    """Newton's method with a factor of the whole Hessian, for many more rows than columns."""

    name = solver = "newton-cholesky"
    parameters = {"tol": [1e-4, 1e-10]}  # noqa: RUF012
