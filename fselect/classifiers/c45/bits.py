"""C4.5 on complete nominal columns, unpruned: rows as bits, so that a count is a few instructions for 64 rows.

The rows to predict are sent down with those to train on, so that no tree is kept. Trees are those of
`fselect.classifiers.c45.grow`, to which the scores of tests are the same up to rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.c45.bit_scores import (
    BitTable,
    Scores,
    choose,
    insert_column,
    make_scores,
    number_of_ones,
    score_all,
    score_some,
    take_over,
)
from fselect.classifiers.c45.grow import value_limit
from fselect.classifiers.c45.tree import TINY, Rules
from fselect.kernel import hot, kernel

__all__ = ["BitTable", "BitWorkspace", "bit_prefixes_right", "make_bit_table", "make_bit_workspace"]

_FEWER = 1e-3
"""As in collapsing: a subtree has to make fewer training errors than a leaf by more than this."""


class BitWorkspace(NamedTuple):
    """Memory in which trees are grown.

    Attributes
    ----------
    train, test : ndarray of shape (2, nodes, words), uint64
        The rows of each node of two trees, which take turns.
    numbers : ndarray of shape (2, nodes, 8), int64
        What a leaf does at each node, and what the subtree does.
    classes : ndarray of shape (C, words), uint64
        The rows of the node at work by class, in words that have rows.
    filled : ndarray of shape (words + 1,), uint64
        After each word the next that has rows, at the end the first: a way through them that is not vectorised,
        which for a handful of words would be slower.
    counts : ndarray of shape (2, C), int64
        Rows left at a test, and rows of the node at work.
    tests : ndarray of shape (2, nodes, 3), int64
        For each node the column it tests (-1 where it does not), its first child, and the node of the tree before that
        holds the same rows (-1 where none does).
    scores : Scores
        What tests are worth.
    """

    train: np.ndarray
    test: np.ndarray
    numbers: np.ndarray
    classes: np.ndarray
    filled: np.ndarray
    counts: np.ndarray
    tests: np.ndarray
    scores: Scores


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
    nodes = 2 * n + 2
    return BitWorkspace(
        np.empty((2, nodes, words), dtype=np.uint64),
        np.empty((2, nodes, words), dtype=np.uint64),
        np.empty((2, nodes, 8), dtype=np.int64),
        np.empty((n_classes, words), dtype=np.uint64),
        np.empty(words + 1, dtype=np.uint64),
        np.empty((2, n_classes), dtype=np.int64),
        np.empty((2, nodes, 3), dtype=np.int64),
        make_scores(nodes, words, n_columns),
    )


_CHOSEN, _CHILDREN, _TWIN = range(3)
_PARENT, _DEPTH, _WEIGHT, _LEAF_ERRORS, _LEAF_RIGHT, _LABEL, _ERRORS, _RIGHT = range(8)


@hot
def _count_classes(table: BitTable, now: int, node: int, w: BitWorkspace) -> None:
    """Write the node's rows of each class, their numbers, and which words have rows, for most nodes have few."""
    words = table.classes.shape[1]
    first: Any = np.uint64(words)
    for back in range(words):
        q = np.uint64(words - 1 - back)
        w.filled[q] = first
        first = q if w.train[now, node, q] != 0 else first
    w.filled[words] = first
    for c in range(table.classes.shape[0]):
        found, q = 0, first
        while q < np.uint64(words):
            w.classes[c, q] = w.train[now, node, q] & table.classes[c, q]
            found += number_of_ones(w.classes[c, q])
            q = w.filled[q]
        w.counts[1, c] = found


@hot
def _open(table: BitTable, now: int, node: int, w: BitWorkspace) -> None:
    """Write what a leaf would do at a node whose classes are counted."""
    total, largest, label, right = 0, -1, 0, 0
    for c in range(w.counts.shape[1]):
        total += w.counts[1, c]
        if w.counts[1, c] > largest:
            largest, label = w.counts[1, c], c
    for q in range(table.classes.shape[1]):
        right += number_of_ones(w.test[now, node, q] & table.classes[label, q])
    w.numbers[now, node, _WEIGHT], w.numbers[now, node, _LEAF_ERRORS] = total, total - largest
    w.numbers[now, node, _LABEL], w.numbers[now, node, _LEAF_RIGHT] = label, right


@hot
def _score(
    table: BitTable, newest: int, k: int, plain: bool, now: int, node: int, least: float, w: BitWorkspace
) -> int:
    """Write the scores of the tests of k columns, of all but the newest as they were if known; give where they are."""
    scores, total, last = w.scores, w.numbers[now, node, _WEIGHT], w.scores.known.shape[1] - 1
    slot, twin = min(node, last), w.tests[now, node, _TWIN]
    known = scores.known[now, slot]
    if 0 <= twin < last:
        take_over(scores.known[1 - now, twin], known, newest, k)
        if plain:
            score_all(table, newest, newest + 1, total, w.counts, w.classes, w.filled, least, scores, known)
        else:
            score_some(table, scores.columns, newest, newest + 1, total, w.counts, w.classes, w.filled, least, known)
    elif plain:
        score_all(table, 0, k, total, w.counts, w.classes, w.filled, least, scores, known)
    else:
        score_some(table, scores.columns, 0, k, total, w.counts, w.classes, w.filled, least, known)
    return slot


@hot
def _split(table: BitTable, column: int, now: int, node: int, used: int, children: int, w: BitWorkspace) -> int:
    """Make the children that have rows; what comes to a branch without is predicted as the node's largest class."""
    label = w.numbers[now, node, _LABEL]
    for v in range(table.starts[column], table.starts[column + 1]):
        some = np.uint64(0)
        for q in range(table.values.shape[1]):
            w.train[now, used, q] = w.train[now, node, q] & table.values[v, q]
            w.test[now, used, q] = w.test[now, node, q] & table.values[v, q]
            some |= w.train[now, used, q]
        if some != 0:
            w.numbers[now, used, _PARENT], w.numbers[now, used, _DEPTH] = node, w.numbers[now, node, _DEPTH] + 1
            w.tests[now, used, _TWIN] = children
            children += children >= 0
            used += 1
        else:
            for q in range(table.values.shape[1]):
                w.numbers[now, node, _RIGHT] += number_of_ones(w.test[now, used, q] & table.classes[label, q])
    w.numbers[now, node, _ERRORS] = 0
    return used


@hot
def _look_back(now: int, node: int, chosen: int, w: BitWorkspace) -> int:
    """Give the first child of the node's twin if it tests the same column, or -1."""
    twin = w.tests[now, node, _TWIN]
    same = twin >= 0 and w.tests[1 - now, twin, _CHOSEN] == chosen
    return w.tests[1 - now, twin, _CHILDREN] if same else -1


@hot
def _collapse(numbers: np.ndarray, now: int, used: int) -> int:
    """Make leaves of subtrees that make no fewer errors; give how many rows the tree predicts right."""
    for node in range(used - 1, -1, -1):
        leaf = numbers[now, node, _LEAF_ERRORS]
        if numbers[now, node, _ERRORS] < 0 or numbers[now, node, _ERRORS] >= leaf - _FEWER:
            numbers[now, node, _ERRORS], numbers[now, node, _RIGHT] = leaf, numbers[now, node, _LEAF_RIGHT]
        if node > 0:
            parent = numbers[now, node, _PARENT]
            numbers[now, parent, _ERRORS] += numbers[now, node, _ERRORS]
            numbers[now, parent, _RIGHT] += numbers[now, node, _RIGHT]
    return numbers[now, 0, _RIGHT]


@hot
def _limit(occurring: np.ndarray, columns: np.ndarray, k: int, total: int) -> float:
    """Give the number of values from which a column does not count for the average; infinite where all do."""
    limit, below = value_limit(occurring, columns, k, total), 0
    for place in range(k):
        below += occurring[columns[place]] < limit
    return limit if below < k else np.inf


@hot
def _count_right(
    table: BitTable, newest: int, k: int, occurring: np.ndarray, plain: bool, rules: Rules, now: int, w: BitWorkspace
) -> int:
    """Grow and collapse a tree from the rows of node 0; give how many of its rows to predict are predicted right."""
    numbers, tests, columns = w.numbers, w.tests, w.scores.columns
    numbers[now, 0, _PARENT], numbers[now, 0, _DEPTH] = -1, 0
    node, used, limit = 0, 1, np.inf
    while node < used:
        twin = tests[now, node, _TWIN]
        if twin >= 0:
            for place in (_WEIGHT, _LEAF_ERRORS, _LEAF_RIGHT, _LABEL):
                numbers[now, node, place] = numbers[1 - now, twin, place]
        else:
            _count_classes(table, now, node, w)
            _open(table, now, node, w)
        numbers[now, node, _ERRORS], numbers[now, node, _RIGHT], tests[now, node, _CHOSEN] = -1, 0, -1
        total = numbers[now, node, _WEIGHT]
        if node == 0:
            limit = _limit(occurring, columns, k, total)
        final = numbers[now, node, _LEAF_ERRORS] == 0 or total < 2.0 * rules.min_weight - TINY
        if not final and numbers[now, node, _DEPTH] < rules.max_depth:
            if twin >= 0:
                _count_classes(table, now, node, w)
            slot = _score(table, newest, k, plain, now, node, rules.min_weight, w)
            place = choose(w.scores.known[now, slot], k, occurring, columns, limit)
            if place >= 0:
                chosen = columns[place]
                tests[now, node, _CHOSEN], tests[now, node, _CHILDREN] = chosen, used
                children = _look_back(now, node, chosen, w)
                used = _split(table, chosen, now, node, used, children, w)
        node += 1
    return _collapse(numbers, now, used)


@hot
def _are_plain(table: BitTable, columns: np.ndarray) -> bool:
    """Tell whether all columns have two values, and there are two classes."""
    more = 0
    for column in columns:
        more += table.starts[column + 1] - table.starts[column] != 2
    return more == 0 and table.classes.shape[0] == 2


@kernel
def bit_prefixes_right(
    table: BitTable,
    permutation: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    start: int,
    right: np.ndarray,
    w: BitWorkspace,
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
    start : int
        Length of the shortest prefix that is wanted; for shorter ones no trees are grown.
    right : ndarray of shape (l,), int64
        Where the numbers are written.
    w : BitWorkspace
        Memory.
    """
    right[:] = 0
    plain = _are_plain(table, permutation)
    for fold in range(table.train.shape[0]):
        for k in range(permutation.size):
            newest = insert_column(table, w.scores, k, permutation[k])
            if k + 1 < start:
                continue
            w.tests[k & 1, 0, _TWIN] = 0 if k > 0 and k >= start else -1
            for q in range(table.train.shape[1]):
                w.train[k & 1, 0, q], w.test[k & 1, 0, q] = table.train[fold, q], table.test[fold, q]
            right[k] += _count_right(table, newest, k + 1, occurring[fold], plain, rules, k & 1, w)
