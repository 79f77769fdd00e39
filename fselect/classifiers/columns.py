"""The columns of a weighted sample, standardised and laid out one after the other for the solvers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.kernel import kernel

__all__ = ["Columns", "Standardised", "make_columns", "standardise", "swap_columns"]

_TILE = 64  # columns at a time: their 64 × n numbers stay in the first cache levels
_SMALL, _LARGE = 1e-100, 1e100  # between them neither squares nor differences leave the range of a double


class Standardised(NamedTuple):
    """A sample's columns with weighted mean 0 and variance 1, and the numbers that made them so.

    Attributes
    ----------
    Z : ndarray of shape (d, m), float64
        A row a column of X, over the m rows of positive weight. A constant column is all zeros.
    mean : ndarray of shape (d,), float64
        Weighted means, in the units of X.
    log_scale : ndarray of shape (d,), float64
        Natural logarithms of the weighted standard deviations; -inf for a constant column.
    norm : ndarray of shape (d,), float64
        Euclidean norms of the rows of Z.
    """

    Z: np.ndarray
    mean: np.ndarray
    log_scale: np.ndarray
    norm: np.ndarray


class Columns(NamedTuple):
    """What a solver knows of each column; all arrays are permuted together when columns leave.

    Attributes
    ----------
    Z : ndarray of shape (d, m), float64
        Standardised columns, a row each.
    place : ndarray of shape (d,), int64
        Position in X.
    log_ratio : ndarray of shape (d,), float64
        Logarithm of q = 1 / (2 λ β), the variance that the ridge grants to the standardised weight.
    log_unit : ndarray of shape (d,), float64
        Logarithm of what a standardised weight is divided by before it is ranked (0 where columns are
        standardised).
    norm : ndarray of shape (d,), float64
        Euclidean norms of the rows of Z, to tell a weight from rounding errors.
    group : ndarray of shape (d,), int64
        Columns that are equal up to sign and rounding bear the same number; -1 where not looked at.
    sign : ndarray of shape (d,), float64
        Sign of the column within its group.
    free : ndarray of shape (d,), bool
        Whether the weight is an unknown of its own in the dual solver (see `dual_newton`).
    weight : ndarray of shape (n_problems, d), float64
        Last known standardised weights of free columns: where the next fit starts.
    """

    Z: np.ndarray
    place: np.ndarray
    log_ratio: np.ndarray
    log_unit: np.ndarray
    norm: np.ndarray
    group: np.ndarray
    sign: np.ndarray
    free: np.ndarray
    weight: np.ndarray


def make_columns(standardised: Standardised, log_ratio: np.ndarray, log_unit: np.ndarray, n_problems: int) -> Columns:
    """Collect the columns that are not constant.

    Parameters
    ----------
    standardised : Standardised
        The sample.
    log_ratio, log_unit : ndarray of shape (d,), float64
        See `Columns`.
    n_problems : int
        Number of one-vs-rest problems, 1 for two classes.

    Returns
    -------
    Columns
        In the order of X.
    """
    place = np.flatnonzero(np.isfinite(standardised.log_scale))
    Z = standardised.Z if place.size == standardised.mean.size else standardised.Z[place]
    p = place.size
    return Columns(
        Z=Z,
        place=place,
        log_ratio=log_ratio[place],
        log_unit=log_unit[place],
        norm=standardised.norm[place],
        group=np.full(p, -1, dtype=np.int64),
        sign=np.ones(p),
        free=np.zeros(p, dtype=np.bool_),
        weight=np.zeros((n_problems, p)),
    )


@kernel
def swap_columns(columns: Columns, a: int, b: int) -> None:
    """Exchange two columns in all arrays."""
    for i in range(columns.Z.shape[1]):
        columns.Z[a, i], columns.Z[b, i] = columns.Z[b, i], columns.Z[a, i]
    columns.place[a], columns.place[b] = columns.place[b], columns.place[a]
    columns.log_ratio[a], columns.log_ratio[b] = columns.log_ratio[b], columns.log_ratio[a]
    columns.log_unit[a], columns.log_unit[b] = columns.log_unit[b], columns.log_unit[a]
    columns.norm[a], columns.norm[b] = columns.norm[b], columns.norm[a]
    columns.group[a], columns.group[b] = columns.group[b], columns.group[a]
    columns.sign[a], columns.sign[b] = columns.sign[b], columns.sign[a]
    columns.free[a], columns.free[b] = columns.free[b], columns.free[a]
    for c in range(columns.weight.shape[0]):
        columns.weight[c, a], columns.weight[c, b] = columns.weight[c, b], columns.weight[c, a]


def standardise(X: np.ndarray, rows: np.ndarray, counts: np.ndarray) -> Standardised:
    """Standardise the columns of a weighted sample, whatever their scale.

    A column is constant iff all its rows hold the same value (an exact test). Values are taken relative to
    the first row before anything is summed, so that a large common offset costs no digits, and columns of
    enormous or minute values are first multiplied by a power of two, which is exact.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64, C-ordered
        The table.
    rows : ndarray of shape (m,), int64
        The rows that enter.
    counts : ndarray of shape (m,), float64
        Their positive weights.

    Returns
    -------
    Standardised
        Columns, means and scales.

    Examples
    --------
    >>> X = np.array([[0.0, 1e300, 7.0], [2.0, -1e300, 7.0]])
    >>> sample = standardise(X, np.arange(2), np.ones(2))
    >>> sample.Z
    array([[-1.,  1.],
           [ 1., -1.],
           [ 0.,  0.]])
    >>> sample.mean
    array([1., 0., 7.])
    """
    d, m = X.shape[1], rows.size
    found = Standardised(np.empty((d, m)), np.empty(d), np.empty(d), np.empty(d))
    _standardise(X, rows, counts, found)
    return found


@kernel
def _standardise(X: np.ndarray, rows: np.ndarray, counts: np.ndarray, out: Standardised) -> None:
    d, m = out.Z.shape
    tile = np.empty((m, _TILE))
    factor = np.ones(_TILE)
    share = counts / counts.sum()
    for start in range(0, d, _TILE):
        width = min(_TILE, d - start)
        mean, norm = out.mean[start : start + width], out.norm[start : start + width]
        _load(X, rows, start, width, tile, factor)
        _centre(tile, width, share, mean)
        _scale(tile, width, share, factor, out.log_scale[start : start + width], norm)
        for j in range(width):
            mean[j] /= factor[j]
            for i in range(m):
                out.Z[start + j, i] = tile[i, j]


@kernel
def _load(X: np.ndarray, rows: np.ndarray, start: int, width: int, tile: np.ndarray, factor: np.ndarray) -> None:
    """Copy some columns, each multiplied by a power of two where its scale is out of the ordinary."""
    largest = np.zeros(width)
    for i in range(rows.size):
        for j in range(width):
            tile[i, j] = X[rows[i], start + j]
            largest[j] = max(largest[j], abs(tile[i, j]))
    for j in range(width):
        factor[j] = 1.0
        if largest[j] > _LARGE or 0.0 < largest[j] < _SMALL:
            # at most 2**1022: a subnormal column then reaches about 2**-50, which is enough
            factor[j] = math.ldexp(1.0, min(1022, -math.frexp(largest[j])[1]))
            for i in range(rows.size):
                tile[i, j] *= factor[j]


@kernel
def _centre(tile: np.ndarray, width: int, share: np.ndarray, mean: np.ndarray) -> None:
    """Take values relative to the first row, then to the weighted mean of these differences."""
    shift = np.zeros(width)
    varies = np.zeros(width)
    for j in range(width):
        mean[j] = tile[0, j]
    for i in range(share.size):
        for j in range(width):
            tile[i, j] -= mean[j]
            shift[j] += share[i] * tile[i, j]
            varies[j] = max(varies[j], abs(tile[i, j]))
    for j in range(width):
        if varies[j] == 0.0:
            shift[j] = 0.0
    for i in range(share.size):
        for j in range(width):
            tile[i, j] -= shift[j]
    for j in range(width):
        mean[j] += shift[j]


@kernel
def _scale(
    tile: np.ndarray,
    width: int,
    share: np.ndarray,
    factor: np.ndarray,
    log_scale: np.ndarray,
    norm: np.ndarray,
) -> None:
    """Divide by the weighted standard deviation."""
    variance, squares, inverse = np.zeros(width), np.zeros(width), np.zeros(width)
    for i in range(share.size):
        for j in range(width):
            square = tile[i, j] * tile[i, j]
            squares[j] += square
            variance[j] += share[i] * square
    for j in range(width):
        log_scale[j] = -np.inf
        if variance[j] > 0.0:
            inverse[j] = 1.0 / math.sqrt(variance[j])
            log_scale[j] = 0.5 * math.log(variance[j]) - math.log(factor[j])
        norm[j] = inverse[j] * math.sqrt(squares[j])
    for i in range(share.size):
        for j in range(width):
            tile[i, j] *= inverse[j]
