"""C4.5 on complete nominal columns, pruned: rows of one weight, those of a node side by side, values counted together.

Trees and their numbers are those of `fselect.classifiers.c45.grow`, bit for bit: counts are whole, and sums of their
logarithms are made in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.c45.grow import choose, value_limit
from fselect.classifiers.c45.row_table import RowTable, RowWorkspace
from fselect.classifiers.c45.tree import (
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
from fselect.classifiers.c45.workspace import GAIN, RATIO
from fselect.kernel import bare

__all__ = ["grow_rows", "part"]


@bare
def _count(table: RowTable, start: int, end: int, w: RowWorkspace, counts: np.ndarray) -> None:
    """Count the rows of a node by class and value."""
    counts[:] = 0
    for p in range(start, end):
        row = w.rows[p]
        c = table.codes[row]
        for v in range(counts.shape[1]):
            counts[c, v] += table.is_one[row, v]


@bare
def _copy(source: np.ndarray, target: np.ndarray) -> None:
    for c in range(source.shape[0]):
        for v in range(source.shape[1]):
            target[c, v] = source[c, v]


@bare
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


@bare
def _sums_of_two(powers: np.ndarray, zeros: int, ones: int, rest_zeros: int, rest_ones: int, least: int) -> tuple:
    """Give the same for two classes and two values: no loops, whose lengths are known when they run only."""
    parts = powers[np.uint32(zeros)] + powers[np.uint32(ones)]
    parts = parts + powers[np.uint32(rest_zeros)] + powers[np.uint32(rest_ones)]
    branches = powers[np.uint32(zeros + ones)] + powers[np.uint32(rest_zeros + rest_ones)]
    return zeros + ones >= least and rest_zeros + rest_ones >= least, parts, branches


@bare
def _score(table: RowTable, counts: np.ndarray, least: int, w: RowWorkspace) -> None:
    """Write the scores of each column's test at a node, of whose rows `counts` are those by class and value."""
    of_all, total, starts = 0.0, 0, table.starts
    for c in range(counts.shape[0]):
        of_all += table.powers[np.uint32(w.of_class[c])]
        total += w.of_class[c]
    before = table.powers[np.uint32(total)] - of_all
    for k in range(starts.size - 1):
        if counts.shape[0] == 2 and starts[k + 1] - starts[k] == 1:
            zeros: Any = np.int64(counts[0, starts[k]])
            ones: Any = np.int64(counts[1, starts[k]])
            rest_zeros, rest_ones = w.of_class[0] - zeros, w.of_class[1] - ones
            valid, parts, branches = _sums_of_two(table.powers, zeros, ones, rest_zeros, rest_ones, least)
        else:
            valid, parts, branches = _sums(table, k, counts, total, least, w)
        gain, split = max((before - branches + parts) / total, 0.0), (table.powers[np.uint32(total)] - branches) / total
        w.scores[k, GAIN] = gain if valid else -1.0
        w.scores[k, RATIO] = gain / split if split > 0.0 else 0.0


@bare
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


@bare
def _add_node(table: RowTable, tree: Tree, node: int, parent: int, w: RowWorkspace) -> None:
    """Write a node whose rows are known."""
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = -1, -1, 0
    tree.links[node, PARENT], tree.links[node, DEPTH] = parent, tree.links[parent, DEPTH] + 1 if parent >= 0 else 0
    for k in range(tree.numbers.shape[1]):
        tree.numbers[node, k] = 0.0
    for p in range(w.ends[node, 0], w.ends[node, 1]):
        tree.numbers[node, COUNTS + table.codes[w.rows[p]]] += 1.0


@bare
def _is_final(tree: Tree, node: int, rules: Rules) -> bool:
    total = node_weight(tree.numbers, node)
    pure = leaf_errors(tree.numbers, node) <= TINY
    return tree.links[node, DEPTH] >= rules.max_depth or total < 2.0 * rules.min_weight - TINY or pure


@bare
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


@bare
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
    least: Any = np.int64(np.ceil(rules.min_weight - TINY))
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
