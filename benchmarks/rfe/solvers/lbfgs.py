"""scikit-learn's lbfgs."""

from __future__ import annotations

from benchmarks.rfe.rival import Rival


class Solver(Rival):
    """A quasi-Newton method; the default of LogisticRegression, whose default tolerance is 1e-4."""

    name = solver = "lbfgs"
    parameters = {"tol": [1e-4, 1e-6, 1e-10]}  # noqa: RUF012
