"""Nodes of C4.5's trees that are kept from tree to tree: what the same tests lead to is looked at once.

Trees of sets of columns that overlap, grown from the same rows, have most of their nodes in common. A node is known by
the tests above it, and its tests by node and column: the scores of large nodes, and the children that a test leads to,
are looked up and not computed again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.c45.gain import nominal_gain, numeric_gain
from fselect.classifiers.c45.grow import branch_of, threshold_of
from fselect.classifiers.c45.tree import COUNTS, Table, node_weight
from fselect.classifiers.c45.workspace import CUT, GAIN, RATIO, Workspace
from fselect.kernel import bare

__all__ = ["N_ROWS", "START", "KeptNodes", "children_of", "empty_nodes", "make_nodes", "score_tests"]

START, N_ROWS = range(2)
"""Columns of `KeptNodes.places`: where the rows of a node start, and how many they are."""

_NODES, _ROWS, _TESTS = range(3)
"""Places of `KeptNodes.filled`."""

_SCRAMBLE = -7046029254386353131
"""An odd number near 2⁶⁴ over the golden ratio, as a signed one: products with it are spread evenly (Knuth)."""

_WORTH = 64
"""Tests of nodes of so many rows or fewer are scored anew: that takes hardly longer than to look for what is seldom
there."""

_FULL = 0.75
"""A table of tests that is fuller than this is slow to look things up in."""


class KeptNodes(NamedTuple):
    """Nodes with their rows, and tests with their scores and children, until there is no more room.

    Attributes
    ----------
    numbers : ndarray of shape (nodes, 2 + C), float64
        The rows of each class, where `fselect.classifiers.c45.tree.Tree` has them. The first nodes are the roots, one a
        fold.
    places : ndarray of shape (nodes, 2), int64
        See `START`.
    rows : ndarray of shape (room,), uint32
        Rows of the nodes, one after the other.
    keys : ndarray of shape (tests,), int64
        The tests that are known: node × columns + column, -1 where none is. A power of 2.
    scores : ndarray of shape (tests, 3), float64
        See `fselect.classifiers.c45.workspace.GAIN`.
    children : ndarray of shape (tests,), int64
        The first of the nodes that a test leads to, side by side; -1 if they were not asked for.
    thresholds : ndarray of shape (tests,), float64
        Of numeric columns, where children are known.
    filled : ndarray of shape (3,), int64
        How many nodes, rows and tests there are.
    """

    numbers: np.ndarray
    places: np.ndarray
    rows: np.ndarray
    keys: np.ndarray
    scores: np.ndarray
    children: np.ndarray
    thresholds: np.ndarray
    filled: np.ndarray


def make_nodes(n_classes: int, *, nodes: int, rows: int, tests: int) -> KeptNodes:
    """Make room.

    Parameters
    ----------
    n_classes : int
        Number of classes.
    nodes, rows, tests : int
        How much of each; tests are a power of 2.

    Returns
    -------
    KeptNodes
        To be emptied before its first use.
    """
    return KeptNodes(
        np.empty((nodes, COUNTS + n_classes)),
        np.empty((nodes, 2), dtype=np.int64),
        np.empty(rows, dtype=np.uint32),
        np.empty(tests, dtype=np.int64),
        np.empty((tests, 3)),
        np.empty(tests, dtype=np.int64),
        np.empty(tests),
        np.zeros(3, dtype=np.int64),
    )


def empty_nodes(nodes: KeptNodes, codes: np.ndarray, weights: np.ndarray) -> None:
    """Forget all but the roots.

    Parameters
    ----------
    nodes : KeptNodes
        Changed in place.
    codes : ndarray of shape (n,), int
        Classes.
    weights : ndarray of shape (folds, n), float64
        For each fold 1 for the rows that are trained on, else 0.
    """
    nodes.keys[:] = -1
    start = 0
    for fold, one in enumerate(weights):
        rows = np.flatnonzero(one)
        nodes.numbers[fold] = 0.0
        nodes.numbers[fold, COUNTS:] = np.bincount(codes[rows], minlength=nodes.numbers.shape[1] - COUNTS)
        nodes.places[fold] = start, len(rows)
        nodes.rows[start : start + len(rows)] = rows
        start += len(rows)
    nodes.filled[:] = len(weights), start, 0


@bare
def _place_of(keys: np.ndarray, key: int) -> int:
    """Give where a test is, or the free place where it belongs."""
    last = keys.size - 1
    place = ((key * _SCRAMBLE) >> 24) & last
    while keys[place] != key and keys[place] >= 0:
        place = (place + 1) & last
    return place


@bare
def _present(nodes: KeptNodes, node: int, weight: float, w: Workspace) -> None:
    """Give the rows of a node a weight in the workspace."""
    start = nodes.places[node, START]
    for p in range(nodes.places[node, N_ROWS]):
        w.rows[p] = nodes.rows[start + p]
        w.present[w.rows[p]] = weight


@bare
def score_tests(
    table: Table,
    columns: np.ndarray,
    first: int,
    k: int,
    node: int,
    least: float,
    n_present: int,
    nodes: KeptNodes,
    scores: np.ndarray,
    w: Workspace,
) -> bool:
    """Write the scores of the tests of columns first … k - 1 at a node; those that are not known become known.

    Parameters
    ----------
    table : Table
        All columns, complete.
    columns : ndarray of shape (l,), int64
        The permutation.
    first, k : int
        Which of its columns.
    node : int
        Which node.
    least : float
        What two branches hold at least.
    n_present : int
        Number of classes at the root.
    nodes : KeptNodes
        All of them.
    scores : ndarray of shape (l, 3), float64
        Where they are written, by place in the permutation.
    w : Workspace
        Memory, whose tree has the numbers of `nodes`, and whose weights are 1.

    Returns
    -------
    bool
        False if there is no more room for tests.
    """
    m, seen, room = nodes.places[node, N_ROWS], False, _FULL * nodes.keys.size
    for place in range(first, k):
        column = columns[place]
        found = -1
        if m > _WORTH:
            found = _place_of(nodes.keys, node * table.sizes.size + column)
            if nodes.keys[found] >= 0:
                for score in range(3):
                    scores[place, score] = nodes.scores[found, score]
                continue
        if not seen:
            _present(nodes, node, 1.0, w)
            seen = True
        _score(table, column, node, m, least, n_present, scores[place], w)
        if found >= 0 and nodes.filled[_TESTS] < room:
            _keep(nodes, found, node * table.sizes.size + column, scores[place])
    if seen:
        _present(nodes, node, 0.0, w)
    return nodes.filled[_TESTS] < room


@bare
def _score(
    table: Table, column: int, node: int, m: int, least: float, n_present: int, scores: np.ndarray, w: Workspace
) -> None:
    """Write the scores of one test of a node whose rows are present."""
    cut = 0
    if table.sizes[column] > 0:
        gain, ratio = nominal_gain(table, column, m, float(m), least, w)
    else:
        gain, ratio, cut = numeric_gain(table, column, node, m, float(m), least, n_present, True, w)
    scores[GAIN], scores[RATIO], scores[CUT] = gain, ratio, cut


@bare
def _keep(nodes: KeptNodes, found: int, key: int, scores: np.ndarray) -> None:
    """Put a test in the free place that was found."""
    nodes.keys[found], nodes.children[found] = key, -1
    for score in range(3):
        nodes.scores[found, score] = scores[score]
    nodes.filled[_TESTS] += 1


@bare
def children_of(
    table: Table, column: int, node: int, scores: np.ndarray, weights: np.ndarray, nodes: KeptNodes, w: Workspace
) -> tuple:
    """Give the first child of a node by a test whose scores are known, and the threshold; -1 if there is no room.

    Parameters
    ----------
    table : Table
        All columns, complete.
    column : int
        The tested one.
    node : int
        Which node.
    scores : ndarray of shape (3,), float64
        Of the test.
    weights : ndarray of shape (n,), float64
        1 for the rows of the root, else 0.
    nodes : KeptNodes
        All of them.
    w : Workspace
        Memory, as for `score_tests`.

    Returns
    -------
    first : int
        The others follow it.
    threshold : float
        0 of a nominal column.
    """
    key = node * table.sizes.size + column
    found = _place_of(nodes.keys, key)
    if nodes.keys[found] < 0:
        if nodes.filled[_TESTS] >= _FULL * nodes.keys.size:
            return np.int64(-1), 0.0
        _keep(nodes, found, key, scores)
    m, first, branches = nodes.places[node, N_ROWS], nodes.filled[_NODES], max(2, table.sizes[column])
    if nodes.children[found] >= 0:
        return nodes.children[found], nodes.thresholds[found]
    if first + branches > nodes.places.shape[0] or nodes.filled[_ROWS] + m > nodes.rows.size:
        return np.int64(-1), 0.0
    threshold = 0.0
    if table.sizes[column] == 0:
        _present(nodes, node, 1.0, w)
        cut: Any = np.int64(scores[CUT])
        threshold = threshold_of(table, column, m, cut, weights, w)
        _present(nodes, node, 0.0, w)
    _part(table, column, threshold, node, first, branches, nodes)
    nodes.children[found], nodes.thresholds[found] = first, threshold
    return first, threshold


@bare
def _part(table: Table, column: int, threshold: float, node: int, first: int, branches: int, nodes: KeptNodes) -> None:
    """Hand the rows of a node down to new ones."""
    start, m, top = nodes.places[node, START], nodes.places[node, N_ROWS], nodes.filled[_ROWS]
    for child in range(first, first + branches):
        for k in range(nodes.numbers.shape[1]):
            nodes.numbers[child, k] = 0.0
    for p in range(start, start + m):
        child = first + branch_of(table, column, threshold, nodes.rows[p])
        nodes.numbers[child, COUNTS + table.codes[nodes.rows[p]]] += 1.0
    for child in range(first, first + branches):
        nodes.places[child, START], nodes.places[child, N_ROWS] = top, 0
        top += int(node_weight(nodes.numbers, child))
    for p in range(start, start + m):
        child = first + branch_of(table, column, threshold, nodes.rows[p])
        nodes.rows[nodes.places[child, START] + nodes.places[child, N_ROWS]] = nodes.rows[p]
        nodes.places[child, N_ROWS] += 1
    nodes.filled[_NODES], nodes.filled[_ROWS] = first + branches, top
