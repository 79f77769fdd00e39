"""The nearest neighbour on columns of zeros and ones that most rows agree in, by lists of neighbours.

A row's distance to another is the number of columns in which they differ. While columns are added it can only grow, so
the nearest row stays the nearest until it differs in the column that is added; where most rows agree, that is seldom.
Then the next one is looked for among the rows in the order of their distances by the columns that all sets of a round
have: the search ends where these alone are larger than what was found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.arrays import fill
from fselect.kernel import bare, kernel

__all__ = ["ListedNeighbours"]

_MOST_COLUMNS = 64
"""Columns that are added, each a bit of a word."""

_MOST_ROWS = 4096
"""Rows up to which all lists are kept: 128 MB."""

_SELDOM = 0.06
"""Share of pairs of rows that differ, on average over columns, up to which a search through all rows for each that did
takes no longer than to add up all distances, of which a vector holds many."""


class _Lists(NamedTuple):
    """All rows that each row may be predicted by, nearest first, of equals by place.

    Attributes
    ----------
    places, distances : ndarray of shape (n, n), int32
        Rows, and the number of columns in which they differ.
    ends : ndarray of shape (n,), int64
        How many there are in each list; 0 for rows that are not predicted.
    """

    places: np.ndarray
    distances: np.ndarray
    ends: np.ndarray


class ListedNeighbours:
    """Rows that are predicted right along a permutation of columns that hold two numbers, one apart.

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
    >>> X = np.zeros((40, 2))
    >>> X[[3, 4], 0] = 1
    >>> lists = ListedNeighbours(X, X[:, 0].astype(int), np.arange(40) % 2)
    >>> lists.takes(np.array([1, 0]), 0)
    True
    >>> lists.count_right(np.array([1, 0]), 0)
    array([38, 40])
    """

    def __init__(self, values: np.ndarray, codes: np.ndarray, folds: np.ndarray) -> None:
        low, high = values.min(axis=0), values.max(axis=0)
        self._ones = values == high
        with np.errstate(invalid="ignore"):
            plain = (self._ones | (values == low)).all(axis=0) & ((high - low == 1.0) | (high == low))
        share = self._ones.mean(axis=0)
        self._differing = np.where(plain & (len(values) <= _MOST_ROWS), 2.0 * share * (1.0 - share), np.inf)
        self._codes, self._folds = codes.astype(np.int64), folds.astype(np.int64)
        self._kept: tuple[np.ndarray, _Lists] | None = None

    def takes(self, columns: np.ndarray, first: int) -> bool:
        """Tell whether this is the fastest way for prefixes of more than `first` columns."""
        differing = self._differing[columns]
        added = differing[first:]
        return 0 < len(added) <= _MOST_COLUMNS and bool(np.isfinite(differing).all() and added.mean() <= _SELDOM)

    def count_right(self, columns: np.ndarray, first: int) -> np.ndarray:
        """Count the rows that are predicted right.

        Parameters
        ----------
        columns : ndarray of shape (l,), int64
            A permutation of columns that this `takes`.
        first : int
            How many of them all sets have.

        Returns
        -------
        ndarray of shape (l - first,), int64
            At k the rows that are predicted right by the first + k + 1 first columns.
        """
        right = np.zeros(len(columns) - first, dtype=np.int64)
        lists, bits = self._lists(columns[:first]), _packed(self._ones[:, columns[first:]])[:, 0]
        _count_right(bits, lists, self._codes, right)
        return right

    def _lists(self, base: np.ndarray) -> _Lists:
        kept = self._kept  # one pair: calls can run side by side
        if kept is None or not np.array_equal(kept[0], base):
            n = len(self._codes)
            lists = _Lists(np.empty((n, n), np.int32), np.empty((n, n), np.int32), np.zeros(n, np.int64))
            _sort(_packed(self._ones[:, base]), self._folds, lists)
            kept = self._kept = base.copy(), lists
        return kept[1]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": None}


def _packed(ones: np.ndarray) -> np.ndarray:
    """Give the rows as words of 64 bits, one at least."""
    whole = np.zeros((len(ones), max(1, -(-ones.shape[1] // 64)) * 64), dtype=bool)
    whole[:, : ones.shape[1]] = ones
    words: np.ndarray = np.packbits(whole, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return words


@bare
def _number_of_ones(word: np.uint64) -> int:
    """Count the ones of a word, at first in pairs of bits, then in fours, then in bytes, whose sum a product gives."""
    pairs = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + ((pairs >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bytes_ = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((bytes_ * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _sort(words: np.ndarray, folds: np.ndarray, lists: _Lists) -> None:
    """Fill the lists, by counting, since distances are whole numbers up to the number of columns."""
    n, n_words = words.shape
    distance, at = np.empty(n, np.int64), np.empty(64 * n_words + 2, np.int64)
    for i in range(n):
        if folds[i] < 0:
            continue
        fill(at, 0)
        for j in range(n):
            differing = 0
            for word in range(n_words):
                differing += _number_of_ones(words[i, word] ^ words[j, word])
            distance[j] = differing
            if folds[j] != folds[i]:
                at[differing + 1] += 1
        for size in range(1, at.size):
            at[size] += at[size - 1]
        lists.ends[i] = at[at.size - 1]
        for j in range(n):
            if folds[j] != folds[i]:
                r = at[distance[j]]
                lists.places[i, r], lists.distances[i, r] = j, distance[j]
                at[distance[j]] += 1


@kernel
def _count_right(bits: np.ndarray, lists: _Lists, codes: np.ndarray, right: np.ndarray) -> None:
    for i in range(bits.size):
        if lists.ends[i] == 0:
            continue
        places, distances = lists.places[i, : lists.ends[i]], lists.distances[i]
        nearest, mask = int(places[0]), np.uint64(0)
        for k in range(right.size):
            column = np.uint64(1) << np.uint64(k)
            mask |= column
            if (bits[i] ^ bits[nearest]) & column != np.uint64(0):
                nearest = _nearest(bits, places, distances, bits[i], mask)
            right[k] += codes[nearest] == codes[i]


@bare
def _nearest(bits: np.ndarray, places: np.ndarray, distances: np.ndarray, here: np.uint64, mask: np.uint64) -> int:
    """Find the nearest row, of equals the first."""
    least, found = 2**31, -1
    for r in range(places.size):
        if distances[r] > least or (distances[r] == least and places[r] > found):
            break
        distance = distances[r] + _number_of_ones((here ^ bits[places[r]]) & mask)
        if distance < least or (distance == least and places[r] < found):
            least, found = distance, int(places[r])
    return found
