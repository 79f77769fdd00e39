"""The columns of a weighted sample, standardised and laid out one after the other for the solvers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import copy_row, matrix, vector
from fselect.kernel import bare, inner, kernel

__all__ = ["Columns", "Standardised", "copy_column", "make_columns", "root_of", "standardise"]

_TILE = 65536  # numbers at a time: they stay in the second cache level
_MOST = 1_048_576  # of them where rows are so many that they do not stay there anyway: it bounds the memory
_GAP = 8  # between rows of the tile: a power of two from row to row would send a column to few places of the cache
_LEAST_LOG_ROOT = math.log(1e-60)
_SMALL, _LARGE = 1e-100, 1e100  # between them neither squares nor differences leave the range of a double


class Standardised(NamedTuple):
    """A sample's columns with weighted mean 0 and variance 1, and the numbers that made them so.

    Attributes
    ----------
    Z : ndarray of shape (p + 1, m), float64
        A row a column of X that is not constant, over the m rows of positive weight, times the column's root;
        and one row to spare, which holds nothing yet.
    place : ndarray of shape (p,), int64
        Their positions in X.
    norm : ndarray of shape (p,), float64
        Euclidean norms of the rows of Z.
    mean : ndarray of shape (d,), float64
        Weighted means, in the units of X.
    log_scale : ndarray of shape (d,), float64
        Natural logarithms of the weighted standard deviations; -inf for a constant column.
    """

    Z: np.ndarray
    place: np.ndarray
    norm: np.ndarray
    mean: np.ndarray
    log_scale: np.ndarray


class Columns(NamedTuple):
    """What a solver knows of each column; when columns leave, others take their places in all arrays.

    Attributes
    ----------
    Z : ndarray of shape (p + 1, m), float64
        Standardised columns times their roots, a row each: their Gram matrix is that of the dual solver. One
        row more than there are columns leaves room for an intercept.
    place : ndarray of shape (p,), int64
        Position in X.
    root : ndarray of shape (p,), float64
        What the rows of Z are multiplied by: √q, or a minute number where q is more minute than that.
    log_ratio : ndarray of shape (p,), float64
        Logarithm of q = 1 / (2 λ β), the variance that the ridge grants to the standardised weight.
    log_factor : ndarray of shape (p,), float64
        Logarithm of what the product of a row of Z and the residuals is multiplied by to be ranked.
    norm : ndarray of shape (p,), float64
        Euclidean norms of the rows of Z, to tell a weight from rounding errors.
    group : ndarray of shape (p,), int64
        Columns that are equal up to sign and rounding bear the same number; -1 where not looked at.
    sign : ndarray of shape (p,), float64
        Sign of the column within its group.
    free : ndarray of shape (p,), bool
        Whether the weight is an unknown of its own in the dual solver (see `dual_newton`).
    weight : ndarray of shape (n_problems, p), float64
        Last known standardised weights of free columns: where the next fit starts.
    """

    Z: np.ndarray
    place: np.ndarray
    root: np.ndarray
    log_ratio: np.ndarray
    log_factor: np.ndarray
    norm: np.ndarray
    group: np.ndarray
    sign: np.ndarray
    free: np.ndarray
    weight: np.ndarray


def root_of(log_ratio: np.ndarray) -> np.ndarray:
    """Return √q from log q, or 1e-60 where it is smaller.

    A column that small beside the largest q (which the lift keeps near 1 or above wherever q is that uneven)
    adds nothing to a Gram matrix of doubles; its own weight is read off in logarithms, whatever its root.
    """
    return np.exp(_log_root(log_ratio))


def _log_root(log_ratio: np.ndarray) -> np.ndarray:
    return 0.5 * np.maximum(log_ratio, 2.0 * _LEAST_LOG_ROOT)


def make_columns(
    standardised: Standardised, root: np.ndarray, log_ratio: np.ndarray, log_unit: np.ndarray, n_problems: int
) -> Columns:
    """Put together what the solvers know of the columns that are not constant.

    Parameters
    ----------
    standardised : Standardised
        The sample.
    root : ndarray of shape (d,), float64
        What its columns were multiplied by; where that is not yet the root of their q, they are now.
    log_ratio : ndarray of shape (d,), float64
        See `Columns`.
    log_unit : ndarray of shape (d,), float64
        Logarithm of what a standardised weight is divided by before it is ranked (0 where columns are
        standardised).
    n_problems : int
        Number of one-vs-rest problems, 1 for two classes.

    Returns
    -------
    Columns
        In the order of X; Z and norm are those of the sample.
    """
    place, p = standardised.place, standardised.place.size
    if p < log_ratio.size:
        root, log_ratio, log_unit = root[place], log_ratio[place], log_unit[place]
    log_root = _log_root(log_ratio)
    wanted = np.exp(log_root)
    factor = wanted / root
    if (factor != 1.0).any():
        standardised.Z[:p] *= factor[:, None]
        standardised.norm[...] *= factor
    return Columns(
        Z=standardised.Z,
        place=place,
        root=wanted,
        log_ratio=log_ratio,
        log_factor=log_ratio - log_root - log_unit,
        norm=standardised.norm,
        group=np.full(p, -1, dtype=np.int64),
        sign=np.ones(p),
        free=np.zeros(p, dtype=np.bool_),
        weight=np.zeros((n_problems, p)),
    )


@bare
def copy_column(columns: Columns, source: int, target: int) -> None:
    """Put a column in the place of another, which is lost."""
    copy_row(columns.Z, source, columns.Z, target)
    columns.place[target] = columns.place[source]
    columns.root[target] = columns.root[source]
    columns.log_ratio[target] = columns.log_ratio[source]
    columns.log_factor[target] = columns.log_factor[source]
    columns.norm[target] = columns.norm[source]
    columns.free[target] = columns.free[source]
    if columns.free[source]:  # else the rest means nothing
        columns.group[target] = columns.group[source]
        columns.sign[target] = columns.sign[source]
        for c in range(columns.weight.shape[0]):
            columns.weight[c, target] = columns.weight[c, source]


def standardise(X: np.ndarray, rows: np.ndarray, counts: np.ndarray, root: np.ndarray | None = None) -> Standardised:
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
    root : ndarray of shape (d,), float64, optional
        What to multiply the standardised columns by; by default 1.

    Returns
    -------
    Standardised
        Columns, means and scales.

    Examples
    --------
    >>> X = np.array([[0.0, 1e300, 7.0], [2.0, -1e300, 7.0]])
    >>> sample = standardise(X, np.arange(2), np.ones(2))
    >>> sample.Z[:-1], sample.place
    (array([[-1.,  1.],
           [ 1., -1.]]), array([0, 1]))
    >>> sample.mean
    array([1., 0., 7.])
    """
    d = X.shape[1]
    found = Standardised(
        np.empty((d + 1, rows.size)), np.empty(d, dtype=np.int64), np.empty(d), np.empty(d), np.empty(d)
    )
    factor = np.ones(d)
    root = np.ones(d) if root is None else root
    X = X.view()
    X.flags.writeable = False  # tables are read-only or not: one kind of array is compiled once
    p = _standardise(X, rows, counts / counts.sum(), root, factor, found)
    with np.errstate(divide="ignore"):
        log_scale = 0.5 * np.log(found.log_scale)  # variances until now
    if (factor != 1.0).any():
        log_scale -= np.log(factor)
    return Standardised(found.Z[: p + 1], found.place[:p], found.norm[:p], found.mean, log_scale)


@kernel
def _standardise(
    X: np.ndarray, rows: np.ndarray, share: np.ndarray, root: np.ndarray, factor: np.ndarray, out: Standardised
) -> int:
    """Fill out, with variances of columns times their factors in log_scale; return how many columns vary."""
    d = X.shape[1]
    width = min(512, max(32, _TILE // rows.size))
    width = max(1, min(width, d, max(8, _MOST // rows.size)))
    tile, sums = matrix(rows.size, width + _GAP), matrix(3, width)
    p = 0
    for start in range(0, d, width):
        stop = min(start + width, d)
        first, scaling = out.mean[start:stop], factor[start:stop]
        _load(X, rows, start, share, scaling, first, tile, sums)
        if not _ordinary(sums[2, : stop - start]) and _rescale(X, rows, start, scaling):
            _load(X, rows, start, share, scaling, first, tile, sums)
        for j in range(stop - start):
            out.mean[start + j] /= scaling[j]
            out.log_scale[start + j] = sums[1, j]
            if sums[1, j] > 0.0:
                scale = root[start + j] / math.sqrt(sums[1, j])
                out.norm[p] = scale * math.sqrt(sums[2, j])
                out.place[p] = start + j
                _write(tile, j, scale, out.Z, p)
                p += 1
    return p


@bare
def _write(tile: np.ndarray, j: int, scale: float, out: np.ndarray, row: int) -> None:
    """Write a column of the tile, scaled, to a row."""
    for i in range(out.shape[1]):
        out[row, i] = tile[i, j] * scale


@inner
def _load(
    X: np.ndarray,
    rows: np.ndarray,
    start: int,
    share: np.ndarray,
    factor: np.ndarray,
    mean: np.ndarray,
    tile: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Copy some columns relative to their first rows; find their means, centre them, and sum their squares."""
    width = mean.size
    first, sum_ = vector(width), sums[0]
    for j in range(width):
        first[j] = X[rows[0], start + j] * factor[j]
        sum_[j] = 0.0
    for i in range(rows.size):
        source, line, weight = X[rows[i], start : start + width], tile[i], share[i]
        for j in range(width):
            line[j] = source[j] * factor[j] - first[j]
        for j in range(width):
            sum_[j] += weight * line[j]
    for j in range(width):
        mean[j] = first[j] + sum_[j]
    _moments(tile, share, width, sums)


@bare
def _ordinary(squares: np.ndarray) -> bool:
    """Tell from their sums whether all squares are in the range of a double; none is where a column is constant."""
    ordinary = True
    for size in squares:
        ordinary &= _SMALL * _SMALL <= size <= _LARGE * _LARGE
    return ordinary


@bare
def _rescale(X: np.ndarray, rows: np.ndarray, start: int, factor: np.ndarray) -> bool:
    """Choose a power of two for each column whose values are out of the ordinary; tell whether there is one."""
    found = False
    for j in range(factor.size):
        largest = 0.0
        for i in range(rows.size):
            largest = max(largest, abs(X[rows[i], start + j]))
        if largest > _LARGE or 0.0 < largest < _SMALL:
            # at most 2**1022: a subnormal column then reaches about 2**-50, which is enough
            factor[j] = math.ldexp(1.0, min(1022, -math.frexp(largest)[1]))
            found = True
    return found


@bare
def _moments(tile: np.ndarray, share: np.ndarray, width: int, sums: np.ndarray) -> None:
    """Centre the columns; sum their squares with weights to sums[1] and without to sums[2]."""
    shift, variance, squares = sums[0], sums[1], sums[2]
    for j in range(width):
        variance[j] = 0.0
        squares[j] = 0.0
    for i in range(share.size):
        weight = share[i]
        line = tile[i]
        for j in range(width):
            value = line[j] - shift[j]
            line[j] = value
            square = value * value
            squares[j] += square
            variance[j] += weight * square
