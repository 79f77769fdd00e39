"""C4.5 on complete nominal columns, pruned: rows of one weight, those of a node side by side, values counted together.

Trees and their numbers are those of `fselect.classifiers.c45_grow`, bit for bit: counts are whole, and sums of their
logarithms are made in the same order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.classifiers.c45_grow import choose, value_limit
from fselect.classifiers.c45_tree import (
    BRANCHES,
    COUNTS,
    DEPTH,
    FEATURE,
    FIRST,
    PARENT,
    TINY,
    Rules,
    Tree,
    leaf_errors,
    node_weight,
)
from fselect.classifiers.c45_workspace import GAIN, RATIO
from fselect.kernel import inner, kernel

__all__ = [
    "RowTable",
    "RowWorkspace",
    "fits_rows",
    "grow_rows",
    "make_row_table",
    "make_row_workspace",
    "narrow_table",
    "part",
]

_LARGEST = 2**24
"""Numbers in the tables of counts; beyond, a value of a column is rather looked for than counted with all others."""


class RowTable(NamedTuple):
    """Complete nominal columns.

    Attributes
    ----------
    starts : ndarray of shape (d + 1,), int64
        Where the values of each column, but its last one, start among those of all.
    values : ndarray of shape (d, n), int32
        Values from 0, a column a row.
    is_one : ndarray of shape (n, number of these values), uint8
        Whether a row has a value.
    codes : ndarray of shape (n,), uint32
        Classes.
    powers : ndarray of shape (n + 2,), float64
        k log2 k.
    """

    starts: np.ndarray
    values: np.ndarray
    is_one: np.ndarray
    codes: np.ndarray
    powers: np.ndarray


class RowWorkspace(NamedTuple):
    """Memory in which trees are grown one after the other.

    Attributes
    ----------
    tree, draft : Tree
        As in `fselect.classifiers.c45_tree.Workspace`.
    ends : ndarray of shape (nodes, 2), int64
        Where the rows of each node start and end.
    rows, spare : ndarray of shape (n,), uint32
        The rows of all nodes, and room to sort them.
    waiting : ndarray, int64
        Nodes that are not done.
    counts : ndarray of shape (waiting + 1, C, values), int32
        Rows by class and value (not the last ones) of each of these nodes; the last one is that of the node at work.
    sizes : ndarray, int64
        Rows by branch.
    of_class : ndarray of shape (C,), int64
        Rows of the node at work by class.
    scores : ndarray of shape (d, 2), float64
        See `fselect.classifiers.c45_workspace.GAIN`.
    """

    tree: Tree
    draft: Tree
    ends: np.ndarray
    rows: np.ndarray
    spare: np.ndarray
    waiting: np.ndarray
    counts: np.ndarray
    sizes: np.ndarray
    of_class: np.ndarray
    scores: np.ndarray


def make_row_table(values: np.ndarray, sizes: np.ndarray, codes: np.ndarray) -> RowTable:
    """Mark the values of each row.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        Codes from 0.
    sizes : ndarray of shape (d,), int64
        Number of values of each column.
    codes : ndarray of shape (n,), int
        Classes.

    Returns
    -------
    RowTable
        The columns.

    Examples
    --------
    >>> make_row_table(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([2, 3]), np.array([0, 1])).is_one
    array([[0, 1, 0],
           [1, 0, 0]], dtype=uint8)
    """
    starts = np.append(0, np.cumsum(sizes - 1))
    whole = np.ascontiguousarray(values.T, dtype=np.int32)
    is_one = np.zeros((len(codes), int(starts[-1])), dtype=np.uint8)
    for column, size in enumerate(sizes):
        is_one[:, starts[column] : starts[column + 1]] = whole[column][:, None] == np.arange(size - 1)
    powers = np.arange(len(codes) + 2)
    return RowTable(starts, whole, is_one, codes.astype(np.uint32), powers * np.log2(np.maximum(powers, 1)))


@kernel
def narrow_table(table: RowTable, columns: np.ndarray) -> RowTable:
    """Give the table of some columns.

    Parameters
    ----------
    table : RowTable
        All columns.
    columns : ndarray of shape (l,), int64
        Which.

    Returns
    -------
    RowTable
        The same rows.
    """
    n = table.codes.size
    starts, values = np.zeros(columns.size + 1, np.int64), np.empty((columns.size, n), np.int32)
    for k in range(columns.size):
        starts[k + 1] = starts[k] + table.starts[columns[k] + 1] - table.starts[columns[k]]
        values[k] = table.values[columns[k]]
    kept = np.empty(starts[-1], np.int64)
    for k in range(columns.size):
        for v in range(starts[k], starts[k + 1]):
            kept[v] = table.starts[columns[k]] + v - starts[k]
    is_one = np.empty((n, kept.size), np.uint8)
    for row in range(n):
        for v in range(kept.size):
            is_one[row, v] = table.is_one[row, kept[v]]
    return RowTable(starts, values, is_one, table.codes, table.powers)


def _most_waiting(n: int, sizes: np.ndarray) -> int:
    """Nodes wait on one path at most, whose columns differ, and each holds two rows or more."""
    return int(min(n, sizes.sum() + 1)) + 1


def fits_rows(n: int, sizes: np.ndarray, n_classes: int) -> bool:
    """Tell whether the counts of a table's values have room.

    Examples
    --------
    >>> fits_rows(4000, np.full(100, 2), 2), fits_rows(4000, np.full(100, 4000), 2)
    (True, False)
    """
    return (_most_waiting(n, sizes) + n) * n_classes * int(sizes.sum()) <= _LARGEST


def make_row_workspace(n: int, sizes: np.ndarray, n_classes: int, *, scale: int = 1) -> RowWorkspace:
    """Make room for trees of some columns.

    Parameters
    ----------
    n : int
        Number of rows.
    sizes : ndarray of shape (l,), int64
        Number of values of each column.
    n_classes : int
        Number of classes.
    scale : int, default=1
        How much more room than usual; empty branches can ask for more.

    Returns
    -------
    RowWorkspace
        Arrays.
    """
    largest, waiting = max(2, int(sizes.max(initial=0))), _most_waiting(n, sizes)
    nodes = scale * (2 * n + 4 * largest + 16)
    tree = Tree(np.empty((nodes, 5), dtype=np.int64), np.empty((nodes, COUNTS + n_classes)))
    return RowWorkspace(
        tree,
        Tree(tree.links, np.empty_like(tree.numbers)),
        ends=np.empty((nodes, 2), dtype=np.int64),
        rows=np.empty(n, dtype=np.uint32),
        spare=np.empty(n, dtype=np.uint32),
        waiting=np.empty(waiting, dtype=np.int64),
        counts=np.empty((waiting + 1, n_classes, int((sizes - 1).sum())), dtype=np.int32),
        sizes=np.empty(largest, dtype=np.int64),
        of_class=np.empty(n_classes, dtype=np.int64),
        scores=np.empty((len(sizes), 2)),
    )


@inner
def _count(table: RowTable, start: int, end: int, w: RowWorkspace, counts: np.ndarray) -> None:
    """Count the rows of a node by class and value."""
    counts[:] = 0
    for p in range(start, end):
        row = w.rows[p]
        c = table.codes[row]
        for v in range(counts.shape[1]):
            counts[c, v] += table.is_one[row, v]


@inner
def _copy(source: np.ndarray, target: np.ndarray) -> None:
    for c in range(source.shape[0]):
        for v in range(source.shape[1]):
            target[c, v] = source[c, v]


@inner
def _sums(table: RowTable, column: int, counts: np.ndarray, total: int, least: int, w: RowWorkspace) -> tuple:
    """Give (whether two branches or more have enough rows, Σ F over branches and classes, Σ F over branches)."""
    powers, parts, branches, filled, left = table.powers, 0.0, 0.0, 0, total
    start, end = table.starts[column], table.starts[column + 1]
    for v in range(start, end):
        weight = 0
        for c in range(counts.shape[0]):
            weight += counts[c, v]
            parts += powers[np.uint32(counts[c, v])]
        branches += powers[np.uint32(weight)]
        filled += weight >= least
        left -= weight
    for c in range(counts.shape[0]):  # the last value
        found = w.of_class[c]
        for v in range(start, end):
            found -= counts[c, v]
        parts += powers[np.uint32(found)]
    return filled + (left >= least) >= 2, parts, branches + powers[np.uint32(left)]


@inner
def _sums_of_two(powers: np.ndarray, zeros: int, ones: int, rest_zeros: int, rest_ones: int, least: int) -> tuple:
    """Give the same for two classes and two values: no loops, whose lengths are known when they run only."""
    parts = powers[np.uint32(zeros)] + powers[np.uint32(ones)]
    parts = parts + powers[np.uint32(rest_zeros)] + powers[np.uint32(rest_ones)]
    branches = powers[np.uint32(zeros + ones)] + powers[np.uint32(rest_zeros + rest_ones)]
    return zeros + ones >= least and rest_zeros + rest_ones >= least, parts, branches


@inner
def _score(table: RowTable, counts: np.ndarray, least: int, w: RowWorkspace) -> None:
    """Write the scores of each column's test at a node, of whose rows `counts` are those by class and value."""
    of_all, total, starts = 0.0, 0, table.starts
    for c in range(counts.shape[0]):
        of_all += table.powers[np.uint32(w.of_class[c])]
        total += w.of_class[c]
    before = table.powers[np.uint32(total)] - of_all
    for k in range(starts.size - 1):
        if counts.shape[0] == 2 and starts[k + 1] - starts[k] == 1:
            zeros, ones = np.int64(counts[0, starts[k]]), np.int64(counts[1, starts[k]])
            rest_zeros, rest_ones = w.of_class[0] - zeros, w.of_class[1] - ones
            valid, parts, branches = _sums_of_two(table.powers, zeros, ones, rest_zeros, rest_ones, least)
        else:
            valid, parts, branches = _sums(table, k, counts, total, least, w)
        gain, split = max((before - branches + parts) / total, 0.0), (table.powers[np.uint32(total)] - branches) / total
        w.scores[k, GAIN] = gain if valid else -1.0
        w.scores[k, RATIO] = gain / split if split > 0.0 else 0.0


@inner
def part(table: RowTable, tree: Tree, node: int, w: RowWorkspace) -> None:
    """Put the rows of a node side by side by branch, and write where those of each child are."""
    values, first = table.values[tree.links[node, FEATURE]], tree.links[node, FIRST]
    branches, start, end = tree.links[node, BRANCHES], w.ends[node, 0], w.ends[node, 1]
    for b in range(branches):
        w.sizes[b] = 0
    for p in range(start, end):
        w.spare[p] = w.rows[p]
        w.sizes[values[w.rows[p]]] += 1
    place = start
    for b in range(branches):
        w.ends[first + b, 0] = place
        place += w.sizes[b]
        w.ends[first + b, 1], w.sizes[b] = place, w.ends[first + b, 0]
    for p in range(start, end):
        row = w.spare[p]
        w.rows[w.sizes[values[row]]] = row
        w.sizes[values[row]] += 1


@inner
def _add_node(table: RowTable, tree: Tree, node: int, parent: int, w: RowWorkspace) -> None:
    """Write a node whose rows are known."""
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = -1, -1, 0
    tree.links[node, PARENT], tree.links[node, DEPTH] = parent, tree.links[parent, DEPTH] + 1 if parent >= 0 else 0
    for k in range(tree.numbers.shape[1]):
        tree.numbers[node, k] = 0.0
    for p in range(w.ends[node, 0], w.ends[node, 1]):
        tree.numbers[node, COUNTS + table.codes[w.rows[p]]] += 1.0


@inner
def _is_final(tree: Tree, node: int, rules: Rules) -> bool:
    total = node_weight(tree.numbers, node)
    pure = leaf_errors(tree.numbers, node) <= TINY
    return tree.links[node, DEPTH] >= rules.max_depth or total < 2.0 * rules.min_weight - TINY or pure


@inner
def _hand_down(table: RowTable, node: int, waiting: int, rules: Rules, w: RowWorkspace) -> int:
    """Let the children wait that are not leaves; counts of the one with the most rows are what the others leave."""
    tree, here = w.tree, w.counts[w.counts.shape[0] - 1]
    first, branches = tree.links[node, FIRST], tree.links[node, BRANCHES]
    largest = first
    for child in range(first, first + branches):
        size = w.ends[child, 1] - w.ends[child, 0]
        if size > w.ends[largest, 1] - w.ends[largest, 0]:
            largest = child
    single = not _is_final(tree, largest, rules)
    for child in range(first, first + branches):
        final = _is_final(tree, child, rules)
        if child != largest and (single or not final):
            _count(table, w.ends[child, 0], w.ends[child, 1], w, w.counts[waiting])
            if single:
                for c in range(here.shape[0]):
                    for v in range(here.shape[1]):
                        here[c, v] -= w.counts[waiting, c, v]
            if not final:
                w.waiting[waiting] = child
                waiting += 1
    if single:
        _copy(here, w.counts[waiting])
        w.waiting[waiting] = largest
        waiting += 1
    return waiting


@inner
def grow_rows(
    table: RowTable, n_train: int, occurring: np.ndarray, columns: np.ndarray, rules: Rules, w: RowWorkspace
) -> int:
    """Grow a tree, unpruned, from the first rows in ``w.rows``; give its nodes, or -1 if there is not enough room.

    Parameters
    ----------
    table : RowTable
        The columns that may be tested, all of them.
    n_train : int
        How many rows.
    occurring : ndarray of shape (l,), int64
        How many values of each column occur in them.
    columns : ndarray of shape (l,), int64
        0 … l - 1.
    rules : Rules
        When to split.
    w : RowWorkspace
        Where it is grown.
    """
    tree, here = w.tree, w.counts[w.counts.shape[0] - 1]
    w.ends[0, 0], w.ends[0, 1] = 0, n_train
    _add_node(table, tree, 0, -1, w)
    limit = value_limit(occurring, columns, columns.size, node_weight(tree.numbers, 0))
    least = np.int64(np.ceil(rules.min_weight - TINY))
    waiting, used = 0, 1
    if not _is_final(tree, 0, rules):
        _count(table, 0, n_train, w, w.counts[0])
        w.waiting[0], waiting = 0, 1
    while waiting > 0:
        waiting -= 1
        node = w.waiting[waiting]
        _copy(w.counts[waiting], here)
        for c in range(w.of_class.size):
            w.of_class[c] = np.int64(tree.numbers[node, COUNTS + c])
        _score(table, here, least, w)
        chosen = choose(w.scores, columns, columns.size, occurring, columns, limit)
        if chosen < 0:
            continue
        branches = table.starts[chosen + 1] - table.starts[chosen] + 1
        if used + branches > tree.links.shape[0]:
            return -1
        tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = chosen, used, branches
        part(table, tree, node, w)
        for child in range(used, used + branches):
            _add_node(table, tree, child, node, w)
        used += branches
        waiting = _hand_down(table, node, waiting, rules, w)
    return used
