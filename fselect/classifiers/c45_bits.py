"""C4.5 on complete nominal columns, unpruned: rows as bits, so that a count is a few instructions for 64 rows.

The rows to predict are sent down with those to train on, so that no tree is kept. Trees are those of
`fselect.classifiers.c45_grow`, to which the scores of tests are the same up to rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.c45_grow import choose, value_limit
from fselect.classifiers.c45_tree import TINY, Rules
from fselect.kernel import kernel

__all__ = ["BitTable", "BitWorkspace", "bit_prefixes_right", "make_bit_table", "make_bit_workspace"]

_FEWER = 1e-3
"""As in collapsing: a subtree has to make fewer training errors than a leaf by more than this."""


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


class BitWorkspace(NamedTuple):
    """Memory in which trees are grown: for each node its rows, and what a leaf there does."""

    train: np.ndarray
    test: np.ndarray
    numbers: np.ndarray
    active: np.ndarray
    classes: np.ndarray
    counts: np.ndarray
    scores: np.ndarray


def _pack(masks: np.ndarray) -> np.ndarray:
    rows = np.zeros((len(masks), -(-masks.shape[1] // 64) * 64), dtype=bool)
    rows[:, : masks.shape[1]] = masks
    return np.packbits(rows, axis=1, bitorder="little").view(np.uint64)


def make_bit_table(values: np.ndarray, sizes: np.ndarray, codes: np.ndarray, folds: np.ndarray) -> BitTable:
    """Pack complete nominal columns.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        Codes from 0.
    sizes : ndarray of shape (d,), int64
        Number of values of each column.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.

    Returns
    -------
    BitTable
        The columns.

    Examples
    --------
    >>> table = make_bit_table(np.array([[1.0], [0.0]]), np.array([2]), np.array([0, 1]), np.array([0, -1]))
    >>> table.values.tolist(), table.classes.tolist(), table.train.tolist()
    ([[2], [1]], [[1], [2]], [[2]])
    """
    starts = np.append(0, np.cumsum(sizes))
    whole = values.astype(np.int64).T
    masks = np.concatenate([column == np.arange(size)[:, None] for column, size in zip(whole, sizes, strict=True)])
    numbers = np.arange(folds.max() + 1)[:, None]
    powers = np.arange(len(codes) + 2)
    return BitTable(
        starts,
        _pack(masks),
        _pack(codes == np.arange(codes.max() + 1)[:, None]),
        _pack(folds != numbers),
        _pack(folds == numbers),
        powers * np.log2(np.maximum(powers, 1)),
    )


def make_bit_workspace(table: BitTable, n_columns: int) -> BitWorkspace:
    """Make room for trees: inner nodes have two children with rows or more, so nodes are fewer than twice the rows.

    Parameters
    ----------
    table : BitTable
        The columns.
    n_columns : int
        How many columns are tested at most.

    Returns
    -------
    BitWorkspace
        Arrays.
    """
    n, words, n_classes = len(table.powers) - 2, table.values.shape[1], len(table.classes)
    return BitWorkspace(
        np.empty((2 * n + 2, words), dtype=np.uint64),
        np.empty((2 * n + 2, words), dtype=np.uint64),
        np.empty((2 * n + 2, 7), dtype=np.int64),
        np.empty(words, dtype=np.uint32),
        np.empty((n_classes, words), dtype=np.uint64),
        np.empty((2, n_classes), dtype=np.int64),
        np.empty((n_columns, 4)),
    )


_PARENT, _DEPTH, _WEIGHT, _LEAF_ERRORS, _LEAF_RIGHT, _ERRORS, _RIGHT = range(7)


@kernel
def _ones(word: Any) -> Any:
    """Count the bits of a word; compiled to one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _both(a: np.ndarray, b: np.ndarray) -> int:
    total = 0
    for q in range(a.size):
        total += _ones(a[q] & b[q])
    return total


@kernel
def _open(table: BitTable, node: int, parent: int, w: BitWorkspace) -> int:
    """Look at a node: what a leaf would do there; give its largest class."""
    total, largest, label = 0, -1, 0
    for c in range(table.classes.shape[0]):
        found = 0
        for q in range(w.classes.shape[1]):
            w.classes[c, q] = w.train[node, q] & table.classes[c, q]
            found += _ones(w.classes[c, q])
        w.counts[1, c] = found
        total += found
        if found > largest:
            largest, label = found, c
    numbers = w.numbers[node]
    numbers[_PARENT], numbers[_DEPTH] = parent, w.numbers[parent, _DEPTH] + 1 if parent >= 0 else 0
    numbers[_WEIGHT], numbers[_LEAF_ERRORS] = total, total - largest
    numbers[_LEAF_RIGHT] = _both(w.test[node], table.classes[label])
    numbers[_ERRORS], numbers[_RIGHT] = -1, 0
    return label


@kernel
def _score(table: BitTable, columns: np.ndarray, node: int, least: float, w: BitWorkspace) -> None:
    total, powers, classes, n_classes = w.numbers[node, _WEIGHT], table.powers, 0.0, table.classes.shape[0]
    active = 0
    for q in range(w.active.size):  # most nodes have few rows, so that many words are empty
        if w.train[node, q] != 0:
            w.active[active] = q
            active += 1
    for c in range(n_classes):
        classes += powers[w.counts[1, c]]
    for k in range(columns.size):
        start, end = table.starts[columns[k]], table.starts[columns[k] + 1]
        parts, branches, left, filled = 0.0, 0.0, total, 0
        for c in range(n_classes):
            w.counts[0, c] = w.counts[1, c]
        for v in range(start, end):
            weight = 0
            for c in range(n_classes):
                found = 0 if v < end - 1 else w.counts[0, c]
                for p in range(active if v < end - 1 else 0):
                    found += _ones(w.classes[c, w.active[p]] & table.values[v, w.active[p]])
                w.counts[0, c] -= found
                weight += found
                parts += powers[found]
            branches += powers[weight]
            filled += weight >= least - TINY
            left -= weight
            if left == 0:
                break
        w.scores[k, 0] = filled >= 2
        w.scores[k, 1] = max((powers[total] - classes - branches + parts) / total, 0.0)
        w.scores[k, 2] = (powers[total] - branches) / total


@kernel
def _split(table: BitTable, column: int, node: int, label: int, used: int, w: BitWorkspace) -> int:
    """Make the children that have rows; what comes to a branch without is predicted as the node's largest class."""
    for v in range(table.starts[column], table.starts[column + 1]):
        if _both(w.train[node], table.values[v]) > 0:
            for q in range(table.values.shape[1]):
                w.train[used, q] = w.train[node, q] & table.values[v, q]
                w.test[used, q] = w.test[node, q] & table.values[v, q]
            w.numbers[used, _PARENT] = node
            used += 1
        else:
            for q in range(table.values.shape[1]):
                w.numbers[node, _RIGHT] += _ones(w.test[node, q] & table.values[v, q] & table.classes[label, q])
    w.numbers[node, _ERRORS] = 0
    return used


@kernel
def _count_right(table: BitTable, columns: np.ndarray, occurring: np.ndarray, rules: Rules, w: BitWorkspace) -> int:
    """Grow and collapse a tree from the rows of node 0; give how many of its rows to predict are predicted right."""
    w.numbers[0, _PARENT] = -1
    node, used, limit = 0, 1, np.inf
    while node < used:
        label = _open(table, node, w.numbers[node, _PARENT], w)
        total = w.numbers[node, _WEIGHT]
        if node == 0:
            limit = value_limit(occurring, columns, total)
        final = w.numbers[node, _LEAF_ERRORS] == 0 or total < 2.0 * rules.min_weight - TINY
        if not final and w.numbers[node, _DEPTH] < rules.max_depth:
            _score(table, columns, node, rules.min_weight, w)
            chosen = choose(w.scores, occurring, columns, limit)
            if chosen >= 0:
                used = _split(table, columns[chosen], node, label, used, w)
        node += 1
    for node in range(used - 1, -1, -1):
        numbers = w.numbers[node]
        if numbers[_ERRORS] < 0 or numbers[_ERRORS] >= numbers[_LEAF_ERRORS] - _FEWER:
            numbers[_ERRORS], numbers[_RIGHT] = numbers[_LEAF_ERRORS], numbers[_LEAF_RIGHT]
        if node > 0:
            w.numbers[numbers[_PARENT], _ERRORS] += numbers[_ERRORS]
            w.numbers[numbers[_PARENT], _RIGHT] += numbers[_RIGHT]
    return w.numbers[0, _RIGHT]


@kernel
def _insert(columns: np.ndarray, size: int, column: int) -> None:
    """Put a column in its place among the first, sorted ones: ties go to the first of the table, whatever the path."""
    while size > 0 and columns[size - 1] > column:
        columns[size] = columns[size - 1]
        size -= 1
    columns[size] = column


@kernel
def bit_prefixes_right(
    table: BitTable,
    permutation: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    w: BitWorkspace,
    right: np.ndarray,
    start: int,
) -> None:
    """Count, for each prefix, the rows that trees of the other folds' rows predict right.

    Parameters
    ----------
    table : BitTable
        All columns and rows.
    permutation : ndarray of shape (l,), int64
        Columns.
    occurring : ndarray of shape (folds, d), int64
        How many values of each column the rows that are trained on have.
    rules : Rules
        When to split; not pruned.
    w : BitWorkspace
        Memory.
    right : ndarray of shape (l,), int64
        Where the numbers are written.
    start : int
        Length of the shortest prefix that is wanted; for shorter ones no trees are grown.
    """
    columns = np.empty(permutation.size, np.int64)
    for k in range(permutation.size):
        _insert(columns, k, permutation[k])
        right[k] = 0
        if k + 1 < start:
            continue
        for fold in range(table.train.shape[0]):
            for q in range(table.train.shape[1]):
                w.train[0, q], w.test[0, q] = table.train[fold, q], table.test[fold, q]
            right[k] += _count_right(table, columns[: k + 1], occurring[fold], rules, w)
