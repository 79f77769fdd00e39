"""Second derivatives that are kept from fit to fit while columns leave, in single precision, and what they tell."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import copy_to, fill, integers, vector
from fselect.classifiers.newton.lapack import add_scaled
from fselect.classifiers.newton.lapack_single import add_outer_single, cholesky_single, solve_single
from fselect.classifiers.newton.loss import derivatives
from fselect.kernel import bare, inner

__all__ = [
    "EXACT",
    "Hessian",
    "add_rows",
    "begin_anew",
    "follow",
    "is_known",
    "make_hessian",
    "precondition",
    "remember",
    "renew",
    "solve_scaled",
]

EXACT = 1e-12
"""Errors of margins and of weights, relative to the largest, that a solution may have."""

_LEAST_PIVOT = 1e-5  # of a diagonal element: below, single precision knows too little of a direction
_BLOCK = 512  # rows at a time in the Hessian


class Hessian(NamedTuple):
    """Second derivatives of the loss by the weights of standardised columns, kept from fit to fit.

    Attributes
    ----------
    values : ndarray of shape (n_problems, k, k), float32
        Lower triangles; the last row is the intercept's.
    owner : ndarray of shape (n_problems, k), int64
        Which column each row belongs to, by the number of its group, -1 for the intercept.
    made : ndarray of shape (n_problems,), int64
        Number of rows that hold something; 0 where nothing has been computed.
    every : ndarray of shape (n_problems,), int64
        Of how many parts of the sample one went into it: 1 where all did.
    weight : ndarray of shape (n_problems, k)
        Weights of the standardised columns in the last fit, 0 of those that were not in it; the intercept's, behind
        them, is NaN where that fit was not finished here.
    asked : ndarray of shape (n_problems,)
        Errors that the next fit may have, relative to the largest weight; `EXACT`, but for who can do with less.
    error : ndarray of shape (n_problems,)
        What the weights of standardised columns may be wrong by if the last fit ended before it was exact, else 0.
    """

    values: np.ndarray
    owner: np.ndarray
    made: np.ndarray
    every: np.ndarray
    weight: np.ndarray
    asked: np.ndarray
    error: np.ndarray


def make_hessian(n_problems: int, k: int) -> Hessian:
    """Make room for so many columns, the intercept among them."""
    return Hessian(
        np.empty((n_problems, k, k), dtype=np.float32),
        np.empty((n_problems, k), dtype=np.int64),
        np.zeros(n_problems, dtype=np.int64),
        np.ones(n_problems, dtype=np.int64),
        np.full((n_problems, k), np.nan),
        np.full(n_problems, EXACT),
        np.zeros(n_problems),
    )


@inner
def renew(
    U: np.ndarray,
    scale: np.ndarray,
    groups: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    margins: np.ndarray,
    hessian: Hessian,
    c: int,
) -> None:
    """Compute the Hessian of the loss at the margins given."""
    k, m = U.shape
    begin_anew(groups, hessian, c, 1)
    residual, root = vector(m), vector(m)
    derivatives(margins, targets, counts, residual, root)
    block = np.empty((k, min(_BLOCK, m)), dtype=np.float32)
    for start in range(0, m, _BLOCK):
        add_rows(U, scale, start, root[start : start + _BLOCK], block, hessian, c)


@bare
def begin_anew(groups: np.ndarray, hessian: Hessian, c: int, every: int) -> None:
    """Put a Hessian of zeros in the place of the kept one, for every so manieth part of the rows to be added."""
    k, H = groups.size + 1, hessian.values[c]
    for j in range(k):
        for i in range(k):
            H[j, i] = 0.0
    hessian.made[c], hessian.every[c] = k, every
    copy_to(groups, hessian.owner[c])
    hessian.owner[c, k - 1] = -1


@bare
def add_rows(
    U: np.ndarray, scale: np.ndarray, start: int, root: np.ndarray, block: np.ndarray, hessian: Hessian, c: int
) -> None:
    """Add the rows from start on, as many as there are roots of curvatures, which the block has room for."""
    k, more = U.shape[0], math.sqrt(hessian.every[c])
    for j in range(k):
        factor = more / scale[j] if j < k - 1 else more
        line, out = U[j, start : start + root.size], block[j]
        for i in range(root.size):
            out[i] = line[i] * (root[i] * factor)
    add_outer_single(hessian.values[c], block, root.size)


@inner
def precondition(
    D: np.ndarray, scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, L: np.ndarray, curvature: np.ndarray
) -> bool:
    """Factorise the part of the kept Hessian that belongs to the columns, with the penalties; False if singular."""
    k, H = D.size, hessian.values[c]
    row, size = _rows_of(groups, hessian, c), vector(k)
    size[k - 1] = 1.0
    copy_to(scale, size)
    for j in range(k):
        for i in range(j + 1):
            high, low = max(row[i], row[j]), min(row[i], row[j])
            L[j, i] = H[high, low] * (size[i] * size[j])
        curvature[j] = L[j, j] + D[j]
        L[j, j] = curvature[j]
    if cholesky_single(L) != 0:
        return False
    worst = np.inf
    for j in range(k):
        worst = min(worst, L[j, j] * L[j, j] / curvature[j])
    return worst > _LEAST_PIVOT


@inner
def _rows_of(groups: np.ndarray, hessian: Hessian, c: int) -> np.ndarray:
    """Return the rows of the kept Hessian that belong to the columns, and at last the intercept's."""
    made, last = hessian.made[c], 0
    for r in range(made):
        last = max(last, hessian.owner[c, r])
    row_of, rows = integers(last + 1, -1), integers(groups.size + 1, made - 1)
    for r in range(made - 1):
        row_of[hessian.owner[c, r]] = r
    for j in range(groups.size):
        rows[j] = row_of[groups[j]]
    return rows


@bare
def is_known(hessian: Hessian, c: int) -> bool:
    """Tell whether the weights of the last fit were written down."""
    return hessian.made[c] > 0 and math.isfinite(hessian.weight[c, hessian.made[c] - 1])


@inner
def remember(scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, omega: np.ndarray) -> None:
    """Write down the weights that a fit ended with, for the next one to follow."""
    weight = hessian.weight[c]
    fill(weight, 0.0)
    if hessian.made[c] > 0:
        rows = _rows_of(groups, hessian, c)
        for j in range(omega.size):
            weight[rows[j]] = omega[j] * scale[j] if j < scale.size else omega[j]


@inner
def follow(scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, L: np.ndarray, omega: np.ndarray) -> None:
    """Move omega to where the minimum of the last fit goes, by the kept Hessian, when columns leave.

    Only ratios of its elements count, so it may well be one of smaller or larger curvatures.
    """
    rows, made, H = _rows_of(groups, hessian, c), hessian.made[c], hessian.values[c]
    lost = vector(made)
    copy_to(hessian.weight[c, :made], lost)
    hessian.weight[c, made - 1] = np.nan
    step = vector(omega.size)
    for j in range(omega.size):
        lost[rows[j]] -= omega[j] * scale[j] if j < scale.size else omega[j]
    for j in range(omega.size):
        r, product = rows[j], 0.0
        for i in range(made):
            if lost[i] != 0.0:
                product += H[max(r, i), min(r, i)] * lost[i]
        step[j] = product * scale[j] if j < scale.size else product
    solve_scaled(L, step)
    add_scaled(omega, 1.0, step)


@inner
def solve_scaled(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of ``L L.T y = x``, whatever its size."""
    largest = 1e-300
    for j in range(x.size):
        largest = max(largest, abs(x[j]))
    single = np.empty(x.size, dtype=np.float32)
    for j in range(x.size):
        single[j] = x[j] / largest
    solve_single(L, single)
    for j in range(x.size):
        x[j] = single[j] * largest
