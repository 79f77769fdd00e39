"""Gradients by walks through the columns, a part of the rows at a time, and a Hessian on the way where one is due."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import fill, total, vector
from fselect.classifiers.newton.kept_hessian import Hessian, add_rows, begin_anew
from fselect.classifiers.newton.lapack import combine_columns, combine_rows, dot, dot_columns
from fselect.classifiers.newton.loss import derivatives, residuals
from fselect.kernel import bare, inner

__all__ = ["Model", "find_gradient", "linearise", "null_curvature"]

_CACHE = 100_000  # doubles of the columns that are handled at a time


class Model(NamedTuple):
    """What is fitted.

    Attributes
    ----------
    U, D, targets, counts
        See `solve_primal`; the last row of U is the intercept's.
    scale : ndarray of shape (k - 1,)
        What the standardised columns are multiplied by in U.
    groups : ndarray of shape (k - 1,), int64
        Numbers of the columns, the same ones from fit to fit.
    c : int
        Number of the problem.
    """

    U: np.ndarray
    D: np.ndarray
    scale: np.ndarray
    groups: np.ndarray
    targets: np.ndarray
    counts: np.ndarray
    c: int


@bare
def null_curvature(model: Model, curvature: np.ndarray) -> None:
    """Write the diagonal of the Hessian at the best fit without columns."""
    mass, scale = total(model.counts), model.scale
    share = dot(model.targets, model.counts) / mass
    for j in range(model.D.size):
        size = scale[j] if j < scale.size else 1.0
        curvature[j] = share * (1.0 - share) * mass * size * size + model.D[j]


@inner
def linearise(
    model: Model, omega: np.ndarray, margins: np.ndarray, gradient: np.ndarray, hessian: Hessian, every: int
) -> None:
    """Write the gradient at omega of the quadratic model of the objective at margins, which need not be omega's."""
    m, last, weights = margins.size, omega.size - 1, 0
    for j in range(last):
        weights += omega[j] != 0.0
    residual, root, current = vector(m), vector(m), vector(m)
    derivatives(margins, model.targets, model.counts, residual, root)
    if weights > 0:
        combine_rows(omega, model.U, current)
    else:
        fill(current, omega[last])
    for i in range(m):
        residual[i] += root[i] * root[i] * (margins[i] - current[i])
    for j in range(omega.size):
        gradient[j] = -model.D[j] * omega[j]
    if every > 0:
        begin_anew(model.groups, hessian, model.c, every)
    width = _width(model)
    block = np.empty((omega.size, width if every > 0 else 0), dtype=np.float32)
    for start in range(0, m, width):
        stop = min(m, start + width)
        dot_columns(model.U, start, residual[start:stop], gradient)
        if every > 0 and start // width % every == 0:
            add_rows(model.U, model.scale, start, root[start:stop], block, hessian, model.c)


@inner
def find_gradient(
    model: Model, omega: np.ndarray, margins: np.ndarray, gradient: np.ndarray, hessian: Hessian, renews: bool
) -> None:
    """Write the margins of omega, and how fast the objective falls with each weight, in one walk through U.

    While the columns are at hand the Hessian is renewed, too, if it is to be.
    """
    U, targets, counts = model.U, model.targets, model.counts
    k, m = U.shape
    residual, root = vector(m), vector(m)
    for j in range(k):
        gradient[j] = -model.D[j] * omega[j]
    if renews:
        begin_anew(model.groups, hessian, model.c, 1)
    width = _width(model)
    block = np.empty((k, width if renews else 0), dtype=np.float32)
    for start in range(0, m, width):
        stop = min(m, start + width)
        part, rest = margins[start:stop], residual[start:stop]
        combine_columns(omega, U, start, part)
        if renews:
            derivatives(part, targets[start:stop], counts[start:stop], rest, root[start:stop])
        else:
            residuals(part, targets[start:stop], counts[start:stop], rest)
        dot_columns(U, start, rest, gradient)
        if renews:
            add_rows(U, model.scale, start, root[start:stop], block, hessian, model.c)


@bare
def _width(model: Model) -> int:
    """Return how many rows are handled at a time."""
    k, m = model.U.shape
    return min(m, max(64, _CACHE // k))
