"""Payoffs of the nearest neighbour: squared distances grow column by column, and nothing is computed twice.

A row is predicted right if its nearest row among those of its own class is nearer than that of the other classes, so
that with rows sorted by class two minima tell, and no place of a minimum is needed. Distances are added up in single
precision; where their rounding could matter, the few rows that are near enough are compared in double precision, in
the order of the columns, so that accuracies are those of a plain fit and prediction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.folds import majority_share
from fselect.classifiers.nearest_neighbour.lists import ListedNeighbours
from fselect.kernel import bare, kernel

__all__ = ["NearestNeighbourPayoff"]

_FAR = 1e30
"""Added to the squared distance of rows that are not trained on; larger than any that scaled values have."""

_PADDING = -2
"""The fold of what is no row."""

_WIDTH = 16
"""Numbers of single precision that the widest vectors hold."""

_KEPT = 64 * 2**20
"""Bytes of the distances between all rows that are kept at most."""

_LARGEST_SQUARE = 2.0**24
"""Whole numbers up to this are exact in single precision."""


class NearestNeighbourPayoff:
    """Nested payoffs of the nearest neighbour.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [0.2, 5.0], [3.0, 1.1], [3.1, 4.9]] * 2)
    >>> payoff = NearestNeighbourPayoff(X, np.array([0, 0, 1, 1] * 2), np.repeat([0, 1], 4))
    >>> payoff.accuracies(np.array([0]))
    array([0.5, 1. ])
    """

    def __init__(self, values: np.ndarray, codes: np.ndarray, folds: np.ndarray) -> None:
        order, self._ends = _padded_order(codes)
        self._place = np.where(order < 0, len(codes), order)
        self._folds = np.where(order < 0, _PADDING, folds[order])
        self._values = np.ascontiguousarray(np.where(order < 0, 0.0, values[order].T))
        self._single, self._error, self._square = _single_precision(self._values)
        self._nothing = majority_share(codes, folds)
        self._n_predicted = np.count_nonzero(folds >= 0)
        self._base = np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32)
        self._lists = ListedNeighbours(values, codes, folds)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns, first = np.asarray(permutation, dtype=np.int64), max(start - 1, 0)
        right = np.zeros(len(columns), dtype=np.int64)
        if self._lists.takes(columns, first):
            right[first:] = self._lists.count_right(columns, first)
        elif len(columns):
            absolute, relative = _margins(self._error[columns], self._square[columns])
            single, before = self._single[columns], self._distances(columns[:first])
            paths = columns, np.argsort(columns)
            rows = self._place, self._folds, self._ends
            _count_right(single, before, first, absolute, relative, self._values, *paths, *rows, right)
        out = np.empty(len(columns) + 1)
        out[0] = self._nothing
        out[1:] = right / self._n_predicted
        return out[start:]

    def _distances(self, base: np.ndarray) -> np.ndarray:
        """Squared distances by the columns that all sets of a round have, of no rows where they are not kept."""
        known, distances = self._base  # one pair: calls can run side by side
        n = len(self._folds)
        if not len(base) or 4 * n * n > _KEPT:
            return distances[:0]
        if not np.array_equal(known, base):
            distances = np.empty((n, n), dtype=np.float32)
            _add_up(self._single[base], self._folds, distances)
            self._base = base.copy(), distances
        return distances

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_base": (np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32))}


def _padded_order(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the rows by class, each class filled up with -1 to whole vectors of the processor, and the classes' ends."""
    rows = [np.flatnonzero(codes == c) for c in range(codes.max() + 1)]
    filled = [np.append(one, np.full(-len(one) % _WIDTH, -1)).astype(np.int64) for one in rows]
    return np.concatenate(filled), np.cumsum([len(one) for one in filled])


def _single_precision(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give the columns in single precision, each one's rounding, and the square of each one's range.

    The square is inf for a column that holds other than whole numbers. All are divided by one power of 2, which
    rounds nothing.
    """
    shifted = values - np.median(values, axis=1, keepdims=True).round()
    whole = np.all(shifted == shifted.round(), axis=1)
    square = np.where(whole, np.ptp(shifted, axis=1) ** 2, np.inf)
    _, exponent = np.frexp(np.abs(shifted).max(initial=0.0))
    scaled = np.ldexp(shifted, -int(exponent))
    single = scaled.astype(np.float32)
    return single, np.abs(scaled - single).max(axis=1, initial=0.0), square


def _margins(error: np.ndarray, square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give, for each prefix, how wrong a squared distance s in single precision can be: a √s + a² + b s.

    With e the roundings of the values and D a pair's differences, Σ 2 |D| 2e ≤ 4 √s √Σe², and each of the k + 2
    operations on a term rounds by 2^-24 of it; both are taken twice. Whole numbers round nowhere.
    """
    absolute = 8.0 * np.sqrt(np.cumsum(error**2))
    relative = 2.0 * (np.arange(len(error)) + 4.0) * 2.0**-24
    return absolute, np.where(np.cumsum(square) <= _LARGEST_SQUARE, 0.0, relative)


@kernel
def _margin(square: float, absolute: float, relative: float) -> float:
    return absolute * np.sqrt(square) + absolute * absolute + relative * square


@kernel
def _least(bits: np.ndarray, least: int) -> Any:
    # floats that are not negative are ordered as the integers of the same bits, whose minimum is vectorised
    smallest = np.int32(least)
    for j in range(bits.size):
        smallest = min(smallest, bits[j])
    return smallest


@bare
def _begin(folds: np.ndarray, i: int, squares: np.ndarray) -> None:
    for j in range(squares.size):
        squares[j] = _FAR if folds[j] == folds[i] or folds[j] == _PADDING else 0.0


@bare
def _add(single: np.ndarray, k: int, i: int, squares: np.ndarray) -> None:
    here = single[k, i]
    for j in range(squares.size):
        squares[j] += (here - single[k, j]) * (here - single[k, j])


@kernel
def _add_up(single: np.ndarray, folds: np.ndarray, distances: np.ndarray) -> None:
    for i in range(folds.size):
        if folds[i] >= 0:
            _begin(folds, i, distances[i])
            for k in range(single.shape[0]):
                _add(single, k, i, distances[i])


@kernel
def _count_right(
    single: np.ndarray,
    before: np.ndarray,
    first: int,
    absolute: np.ndarray,
    relative: np.ndarray,
    values: np.ndarray,
    columns: np.ndarray,
    order: np.ndarray,
    place: np.ndarray,
    folds: np.ndarray,
    ends: np.ndarray,
    right: np.ndarray,
) -> None:
    n = folds.size
    squares, least = np.empty(n, np.float32), np.empty(2, np.float32)
    bits, least_bits = squares.view(np.int32), least.view(np.int32)
    start = 0
    for end in ends:
        for i in range(start, end):
            if folds[i] < 0:
                continue
            if before.shape[0] > 0:
                squares[:] = before[i]
            else:
                _begin(folds, i, squares)
            for k in range(first if before.shape[0] > 0 else 0, columns.size):
                _add(single, k, i, squares)
                if k < first:
                    continue
                # a row's own place is far, so that it can start either minimum
                least_bits[0] = _least(bits[start:end], bits[i])
                least_bits[1] = _least(bits[end:], _least(bits[:start], bits[i]))
                low, high = np.float64(min(least[0], least[1])), np.float64(max(least[0], least[1]))
                reach = low + _margin(low, absolute[k], relative[k])
                if high >= _FAR or high - _margin(high, absolute[k], relative[k]) > reach:
                    right[k] += least[0] < least[1]
                elif absolute[k] + relative[k] == 0.0:
                    right[k] += _first(squares, least[0], place, ends, start)
                else:
                    reach += _margin(reach, absolute[k], relative[k])
                    right[k] += _nearest_is_own(squares, reach, values, columns, order, k, i, place, start, end)
        start = end


@kernel
def _first(squares: np.ndarray, least: float, place: np.ndarray, ends: np.ndarray, own: int) -> bool:
    """Whether the first row at the least distance is of the class whose rows start at `own`."""
    best, found, start = place.size, -1, 0
    for end in ends:
        for j in range(start, end):
            if squares[j] == least:
                if place[j] < best:
                    best, found = place[j], start
                break
        start = end
    return found == own


@kernel
def _nearest_is_own(
    squares: np.ndarray,
    reach: float,
    values: np.ndarray,
    columns: np.ndarray,
    order: np.ndarray,
    k: int,
    i: int,
    place: np.ndarray,
    start: int,
    end: int,
) -> bool:
    """Whether, in double precision, the nearest row (of equals the first) is of the class from start to end.

    The columns up to k are added up in the table's order, as in a plain prediction, so that both round alike.
    """
    best, first, found = np.inf, place.size, False
    for j in range(squares.size):
        if squares[j] <= reach:
            exact = 0.0
            for position in order:
                if position <= k:
                    column = columns[position]
                    difference = values[column, i] - values[column, j]
                    exact += difference * difference
            if exact < best or (exact == best and place[j] < first):
                best, first, found = exact, place[j], start <= j < end
    return found
