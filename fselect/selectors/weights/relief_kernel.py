"""Relief's weights on plain arrays: how columns differ between a row and its nearest rows of each class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.kernel import kernel

__all__ = ["Differences", "make_differences", "relief_weights"]

_TIED = 1e-9  # relative: distances nearer than this are equal, and differ by rounding only
_AT_ONCE = 4  # rows whose distances are summed together
_LARGEST_SQUARE = 4096  # rows up to which all distances are kept, 128 MB, so that each is summed once


class Differences(NamedTuple):
    """What the difference of two rows in a column is computed from.

    Attributes
    ----------
    rows : ndarray of shape (n, d), float64
        Numbers on the range 0 … 1, names as they are; NaN where missing.
    columns : ndarray of shape (d, n), float64
        The same, transposed.
    nominal : ndarray of shape (d,), bool
        Columns of names.
    missing : ndarray of shape (d,), int64
        A number from 0 for each column that lacks values, -1 for the others.
    to_missing : ndarray of shape (number of such columns, C, n), float64
        Mean difference of each row's value to the values of a class.
    both_missing : ndarray of shape (number of such columns, C, C), float64
        Mean difference of the values of two classes.
    codes : ndarray of shape (n,), int64
        Classes.
    plain, other : ndarray of int64
        Columns of numbers that lack none, and the others.
    """

    rows: np.ndarray
    columns: np.ndarray
    nominal: np.ndarray
    missing: np.ndarray
    to_missing: np.ndarray
    both_missing: np.ndarray
    codes: np.ndarray
    plain: np.ndarray
    other: np.ndarray


def make_differences(X: np.ndarray, codes: np.ndarray, n_classes: int, nominal: np.ndarray) -> Differences:
    """Scale numbers to the range 0 … 1, and work out what stands for missing values.

    A missing value is taken as a random one of its class, so that the difference is its mean over the class's known
    values (Kononenko 1994, section 2: for names, one minus a conditional probability; for numbers the same mean,
    decided here). Where a class knows none, all known values stand in; where nothing is known, the difference is 0.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        Values, NaN where missing.
    codes : ndarray of shape (n,), int64
        Classes from 0.
    n_classes : int
        Number of classes.
    nominal : ndarray of shape (d,), bool
        Columns of names.

    Returns
    -------
    Differences

    Examples
    --------
    >>> made = make_differences(np.array([[1.0], [3.0], [np.nan]]), np.array([0, 0, 1]), 2, np.array([False]))
    >>> made.rows[:2, 0], made.to_missing[0, 1, :2]
    (array([0., 1.]), array([0.5, 0.5]))
    """
    known = ~np.isnan(X)
    low = np.min(X, axis=0, initial=np.inf, where=known)
    high = np.max(X, axis=0, initial=-np.inf, where=known)
    span = np.where(high > low, high - low, 1.0)
    rows = np.where(nominal, X, (X - np.where(np.isfinite(low), low, 0.0)) / span)
    lacking = np.flatnonzero(~known.all(axis=0))
    missing = np.full(X.shape[1], -1)
    missing[lacking] = np.arange(len(lacking))
    to_missing = np.zeros((len(lacking), n_classes, len(X)))
    both = np.zeros((len(lacking), n_classes, n_classes))
    for place, column in enumerate(lacking):
        to_missing[place], both[place] = _expected(rows[:, column], codes, n_classes, bool(nominal[column]))
    plain = ~nominal & (missing < 0)
    kinds = np.flatnonzero(plain), np.flatnonzero(~plain)
    return Differences(np.ascontiguousarray(rows), rows.T.copy(), nominal, missing, to_missing, both, codes, *kinds)


def _expected(x: np.ndarray, codes: np.ndarray, n_classes: int, nominal: bool) -> tuple[np.ndarray, np.ndarray]:
    known = ~np.isnan(x)
    to_missing, both = np.zeros((n_classes, len(x))), np.zeros((n_classes, n_classes))
    if not known.any():
        return to_missing, both
    of_class = [known & (codes == c) if (known & (codes == c)).any() else known for c in range(n_classes)]
    for c, others in enumerate(of_class):
        differ = x[known, None] != x[others] if nominal else np.abs(x[known, None] - x[others])
        to_missing[c, known] = differ.mean(axis=1)
    for c, mine in enumerate(of_class):
        both[c] = to_missing[:, mine].mean(axis=1)
    return to_missing, both


@kernel
def _difference(d: Differences, f: int, i: int, j: int) -> float:
    one, other = d.columns[f, i], d.columns[f, j]
    if np.isnan(one):
        if np.isnan(other):
            return d.both_missing[d.missing[f], d.codes[i], d.codes[j]]
        return d.to_missing[d.missing[f], d.codes[i], j]
    if np.isnan(other):
        return d.to_missing[d.missing[f], d.codes[j], i]
    if d.nominal[f]:
        return 1.0 if one != other else 0.0
    return abs(one - other)


@kernel
def _sum_distances(d: Differences, chosen: np.ndarray, far: np.ndarray, from_: int) -> None:
    """Sum the differences of some rows to the rows from one on over the columns, each sum in the same order."""
    four = d.plain.size // 4 * 4
    far[:, from_:] = 0.0
    for at in range(0, four, 4):
        # four columns at once: the sums are fetched and stored a quarter as often
        p, q, r, s = d.plain[at], d.plain[at + 1], d.plain[at + 2], d.plain[at + 3]
        first, second = d.columns[p, from_:], d.columns[q, from_:]
        third, fourth = d.columns[r, from_:], d.columns[s, from_:]
        for place in range(chosen.size):
            i, sums = chosen[place], far[place, from_:]
            a, b, c, e = d.columns[p, i], d.columns[q, i], d.columns[r, i], d.columns[s, i]
            for j in range(sums.size):
                sums[j] += (abs(first[j] - a) + abs(second[j] - b)) + (abs(third[j] - c) + abs(fourth[j] - e))
    for f in d.plain[four:]:
        column = d.columns[f, from_:]
        for place in range(chosen.size):
            here, sums = d.columns[f, chosen[place]], far[place, from_:]
            for j in range(sums.size):
                sums[j] += abs(column[j] - here)
    for f in d.other:
        _sum_other(d, f, chosen, far, from_)


@kernel
def _sum_other(d: Differences, f: int, chosen: np.ndarray, far: np.ndarray, from_: int) -> None:
    """Add the differences in a column of names, or in one that lacks values."""
    column = d.columns[f, from_:]
    for place in range(chosen.size):
        i, sums = chosen[place], far[place, from_:]
        if d.missing[f] >= 0:
            for j in range(sums.size):
                sums[j] += _difference(d, f, i, j + from_)
        else:
            here = d.columns[f, i]
            for j in range(sums.size):
                sums[j] += 1.0 if column[j] != here else 0.0


@kernel
def _all_distances(d: Differences) -> np.ndarray:
    """Sum the distances of all pairs of rows, each once."""
    n = d.codes.size
    rows, far = np.arange(n), np.empty((n, n))
    for start in range(0, n, _AT_ONCE):
        end = min(start + _AT_ONCE, n)
        _sum_distances(d, rows[start:end], far[start:end], start)
        for i in range(start, end):
            for j in range(end, n):
                far[j, i] = far[i, j]
    return far


@kernel
def _kth_smallest(far: np.ndarray, codes: np.ndarray, of_class: int, self_: int, nearest: np.ndarray) -> float:
    """Find the distance of the k-th nearest row of a class, k being the length of the array to work in."""
    held = 0
    for j in range(far.size):
        if codes[j] != of_class or j == self_ or (held == nearest.size and far[j] >= nearest[held - 1]):
            continue
        place = held if held < nearest.size else held - 1
        while place > 0 and nearest[place - 1] > far[j]:
            nearest[place] = nearest[place - 1]
            place -= 1
        nearest[place] = far[j]
        held = min(held + 1, nearest.size)
    return nearest[held - 1]


@kernel
def _add_differences(d: Differences, i: int, j: int, share: float, weights: np.ndarray) -> None:
    one, other = d.rows[i], d.rows[j]
    for f in range(weights.size):
        if d.missing[f] >= 0:
            weights[f] += share * _difference(d, f, i, j)
        elif d.nominal[f]:
            weights[f] += share if one[f] != other[f] else 0.0
        else:
            weights[f] += share * abs(one[f] - other[f])


@kernel
def _add_class(
    d: Differences, i: int, of_class: int, factor: float, far: np.ndarray, nearest: np.ndarray, weights: np.ndarray
) -> None:
    """Add the mean difference to the nearest rows of a class; rows that are tied for the last places share them."""
    last = _kth_smallest(far, d.codes, of_class, i, nearest)
    slack = _TIED * last
    nearer, tied = 0, 0
    for j in range(far.size):
        if d.codes[j] == of_class and j != i:
            nearer += far[j] < last - slack
            tied += abs(far[j] - last) <= slack
    share = (nearest.size - nearer) / tied
    for j in range(far.size):
        if d.codes[j] == of_class and j != i and far[j] <= last + slack:
            part = share if far[j] >= last - slack else 1.0
            _add_differences(d, i, j, factor * part / nearest.size, weights)


@kernel
def _add_row(
    d: Differences, i: int, far: np.ndarray, sizes: np.ndarray, nearest: np.ndarray, weights: np.ndarray
) -> None:
    """Add the differences of a row to its nearest misses, and subtract those to its nearest hits."""
    own, n = d.codes[i], d.codes.size
    for c in range(sizes.size):
        members = sizes[c] - 1 if c == own else sizes[c]
        if members > 0:
            # misses are weighted by the share of their class among the other classes
            factor = -1.0 if c == own else sizes[c] / (n - sizes[own])
            _add_class(d, i, c, factor, far, nearest[: min(nearest.size, members)], weights)


@kernel
def relief_weights(d: Differences, chosen: np.ndarray, sizes: np.ndarray, k: int) -> np.ndarray:
    """Weigh columns by how they differ to the nearest misses less how they differ to the nearest hits.

    Parameters
    ----------
    d : Differences
        The table.
    chosen : ndarray of int64
        Rows that are looked at.
    sizes : ndarray of shape (C,), int64
        Rows of each class.
    k : int
        Nearest rows of each class; where a class has fewer, all of them.

    Returns
    -------
    ndarray of shape (d,), float64
        Weights, between -1 and 1.
    """
    n = d.codes.size
    weights, nearest = np.zeros(d.columns.shape[0]), np.empty(k)
    if chosen.size == n and n <= _LARGEST_SQUARE:
        square = _all_distances(d)
        for i in range(n):
            _add_row(d, i, square[i], sizes, nearest, weights)
        return weights / n
    far = np.empty((_AT_ONCE, n))
    for start in range(0, chosen.size, _AT_ONCE):
        part = chosen[start : start + _AT_ONCE]
        _sum_distances(d, part, far[: part.size], 0)
        for place in range(part.size):
            _add_row(d, part[place], far[place], sizes, nearest, weights)
    return weights / chosen.size
