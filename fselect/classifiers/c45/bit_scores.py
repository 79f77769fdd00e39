"""Scores of the tests at a node whose rows are bits, and the test that is best: columns stand in the table's order.

What is known of a node that holds the same rows in the tree before, which had a column fewer, is taken over.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.c45.grow import SLACK
from fselect.classifiers.c45.tree import TINY
from fselect.kernel import bare, hot

__all__ = [
    "BitTable",
    "Scores",
    "choose",
    "insert_column",
    "make_scores",
    "number_of_ones",
    "score_all",
    "score_some",
    "take_over",
]

GAIN, RATIO = range(2)

_REMEMBERED = 64 * 2**20 // (2 * 2 * 8)  # scores of columns, both trees together


class BitTable(NamedTuple):
    """Columns as bits of rows.

    Attributes
    ----------
    starts : ndarray of shape (d + 1,), int64
        Where the values of each column start in `values`.
    values : ndarray of shape (values, words), uint64
        For each value of each column the rows that have it.
    classes : ndarray of shape (C, words), uint64
        For each class its rows.
    train, test : ndarray of shape (folds, words), uint64
        For each fold the rows that are trained on and those that are predicted.
    powers : ndarray of shape (n + 2,), float64
        k log2 k.
    """

    starts: np.ndarray
    values: np.ndarray
    classes: np.ndarray
    train: np.ndarray
    test: np.ndarray
    powers: np.ndarray


class Scores(NamedTuple):
    """The columns of a prefix, and what their tests are worth at each node of two trees, which take turns.

    Attributes
    ----------
    columns : ndarray of shape (l,), int64
        In the table's order, by which ties are decided.
    first : ndarray of shape (words, l), uint64
        The rows that have the first value of each.
    sums : ndarray of shape (2, l), int64
        Rows of the first value by class, where there are two of both.
    known : ndarray of shape (2, nodes that are remembered + 1, 2, l), float64
        Gains (-1 where a test is not valid) and gain ratios; of a node beyond, the last place is used and nothing is
        remembered.
    """

    columns: np.ndarray
    first: np.ndarray
    sums: np.ndarray
    known: np.ndarray


def make_scores(nodes: int, words: int, n_columns: int) -> Scores:
    """Make room for two trees, of as many nodes as 64 MB hold.

    Parameters
    ----------
    nodes : int
        How many nodes a tree has at most.
    words : int
        Of 64 rows each.
    n_columns : int
        How many columns are tested at most.

    Returns
    -------
    Scores
        Arrays.
    """
    remembered = max(1, min(nodes, _REMEMBERED // max(n_columns, 1)))
    return Scores(
        np.empty(n_columns, dtype=np.int64),
        np.empty((words, n_columns), dtype=np.uint64),
        np.empty((2, n_columns), dtype=np.int64),
        np.empty((2, remembered + 1, 2, n_columns)),
    )


@hot
def number_of_ones(word: Any) -> Any:
    """Count the bits of a word; compiled to one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@bare
def insert_column(table: BitTable, s: Scores, k: int, column: int) -> int:
    """Put a column among the k before it; give its place."""
    place = k
    while place > 0 and s.columns[place - 1] > column:
        s.columns[place] = s.columns[place - 1]
        place -= 1
    s.columns[place] = column
    for q in range(s.first.shape[0]):
        for p in range(k, place, -1):
            s.first[q, p] = s.first[q, p - 1]
        s.first[q, place] = table.values[table.starts[column], q]
    return place


@hot
def score_some(
    table: BitTable,
    columns: np.ndarray,
    start: int,
    stop: int,
    total: int,
    counts: np.ndarray,
    classes: np.ndarray,
    filled: np.ndarray,
    least: float,
    known: np.ndarray,
) -> None:
    """Write the gains and the gain ratios of columns from one place up to another.

    Rows of the node come by class, in words that have rows (`filled` leads through them); counts[1] are their numbers.
    """
    n_classes, words, powers, of_classes = classes.shape[0], np.uint64(classes.shape[1]), table.powers, 0.0
    for c in range(n_classes):
        of_classes += powers[counts[1, c]]
    for place in range(start, stop):
        first, end = table.starts[columns[place]], table.starts[columns[place] + 1]
        parts, branches, several, left = 0.0, 0.0, 0, total
        for c in range(n_classes):
            counts[0, c] = counts[1, c]
        for v in range(first, end):
            weight = 0
            for c in range(n_classes):
                found, q = 0 if v < end - 1 else counts[0, c], filled[words] if v < end - 1 else words
                while q < words:
                    found += number_of_ones(classes[c, q] & table.values[v, q])
                    q = filled[q]
                counts[0, c] -= found
                weight += found
                parts += powers[np.uint64(found)]
            branches += powers[np.uint64(weight)]
            several += weight >= least - TINY
            left -= weight
            if left == 0:
                break
        gain = max((powers[total] - of_classes - branches + parts) / total, 0.0)
        split = (powers[total] - branches) / total
        known[GAIN, place] = gain if several >= 2 else -1.0
        known[RATIO, place] = gain / split if split > 0.0 else 0.0


@hot
def score_all(
    table: BitTable,
    start: int,
    stop: int,
    total: int,
    counts: np.ndarray,
    classes: np.ndarray,
    filled: np.ndarray,
    least: float,
    s: Scores,
    known: np.ndarray,
) -> None:
    """Write the gains and ratios of k columns of two values, for two classes; the processor takes many at a time."""
    words, zeros, ones, powers = np.uint64(classes.shape[1]), s.sums[0], s.sums[1], table.powers
    gains, ratios = known[GAIN], known[RATIO]
    for p in range(start, stop):
        zeros[p], ones[p] = 0, 0
    q = filled[words]
    while q < words:
        these, those, first = classes[0, q], classes[1, q], s.first[q]
        for p in range(start, stop):
            zeros[p] += number_of_ones(these & first[p])
            ones[p] += number_of_ones(those & first[p])
        q = filled[q]
    n_zeros, n_ones = counts[1, 0], counts[1, 1]
    of_all, of_classes, bound = powers[total], powers[n_zeros] + powers[n_ones], least - TINY
    for p in range(start, stop):  # what is looked up first: the rest is done for many at a time
        a, b = zeros[p], ones[p]
        c, d = n_zeros - a, n_ones - b
        gains[p] = powers[np.uint64(a)] + powers[np.uint64(b)] + powers[np.uint64(c)] + powers[np.uint64(d)]
        ratios[p] = powers[np.uint64(a + b)] + powers[np.uint64(c + d)]
    for p in range(start, stop):
        parts, branches, weight = gains[p], ratios[p], zeros[p] + ones[p]
        gain, split = max((of_all - of_classes - branches + parts) / total, 0.0), (of_all - branches) / total
        gains[p] = gain if (weight >= bound) & (total - weight >= bound) else -1.0
        ratios[p] = gain / split if split > 0.0 else 0.0


@hot
def take_over(before: np.ndarray, known: np.ndarray, place: int, k: int) -> None:
    """Copy the scores of k - 1 columns to where they are now that one has come at a place."""
    for score in range(2):
        old, new = before[score], known[score]
        for p in range(place):
            new[p] = old[p]
        for p in range(place, k - 1):
            new[p + 1] = old[p]


@hot
def choose(known: np.ndarray, k: int, occurring: np.ndarray, columns: np.ndarray, limit: float) -> int:
    """Give the place of the best gain ratio among tests of at least about average gain, the first of equals; or -1.

    A column of `limit` values or more does not count for the average; none does at a limit that is infinite.
    """
    gains, ratios = known[GAIN], known[RATIO]
    total, counted = 0.0, 0
    if limit == np.inf:
        # four sums, none of which waits for another
        first, second, third, fourth, whole = 0.0, 0.0, 0.0, 0.0, k // 4 * 4
        for p in range(k):
            counted += gains[p] >= 0.0
        for p in range(0, whole, 4):
            first += max(gains[p], 0.0)
            second += max(gains[p + 1], 0.0)
            third += max(gains[p + 2], 0.0)
            fourth += max(gains[p + 3], 0.0)
        for p in range(whole, k):
            first += max(gains[p], 0.0)
        total = (first + second) + (third + fourth)
    else:
        for p in range(k):
            counts = (gains[p] >= 0.0) & (occurring[columns[p]] < limit)
            total += gains[p] if counts else 0.0
            counted += counts
    enough = max(total / counted - SLACK if counted > 0 else -SLACK, 0.0)
    chosen, beaten = -1, -1.0 + TINY
    for p in range(k):
        # one condition that seldom holds is faster than two of which one often does
        if (gains[p] >= enough) & (ratios[p] > beaten):
            chosen, beaten = p, ratios[p] + TINY
    return chosen
