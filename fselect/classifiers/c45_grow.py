"""Growing C4.5's trees (Quinlan 1993, with release 8's correction for numeric columns, 1996)."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.c45_gain import nominal_gain, numeric_gain, sort_known
from fselect.classifiers.c45_tree import (
    BRANCHES,
    COUNTS,
    DEPTH,
    FEATURE,
    FIRST,
    PARENT,
    SHARE,
    THRESHOLD,
    TINY,
    Rules,
    Table,
    Tree,
    Workspace,
    leaf_errors,
    node_weight,
)
from fselect.kernel import kernel

__all__ = ["branch_of", "choose", "grow", "push", "root_scores", "tally", "value_limit"]

_MANY_VALUES = 0.3
"""Nominal columns with this share of the rows as values, or more, are left out of the average gain."""

_SLACK = 1e-3
"""A test may gain this much less than the average."""


@kernel
def _score(table: Table, columns: np.ndarray, node: int, m: int, least: float, n_classes: int, w: Workspace) -> None:
    """Write the scores of each column's test at a node of m rows."""
    unit, total = True, node_weight(w.tree, node)
    for p in range(m):
        w.present[w.rows[p]] = w.weights[p]
        unit = unit and w.weights[p] == 1.0
    for k in range(columns.size):
        column = columns[k]
        size = table.sizes[column]
        valid, gain, split, cut = False, 0.0, 1.0, 0
        if size > 0:
            valid, gain, split = nominal_gain(table, column, w.rows[:m], w.weights[:m], w.counts[:size], total, least)
        else:
            found = sort_known(table, column, w.rows[:m], w.present, w.ordered)
            valid, gain, split, cut = numeric_gain(
                table,
                column,
                w.ordered[:found],
                w.tree.numbers[node, COUNTS:],
                m,
                total,
                least,
                n_classes,
                unit,
                w,
            )
        w.scores[k, 0], w.scores[k, 1], w.scores[k, 2], w.scores[k, 3] = valid, gain, split, cut


@kernel
def value_limit(occurring: np.ndarray, columns: np.ndarray, weight_of_all: float) -> float:
    """Give the number of values from which a nominal column is left out of the average; none if all would be."""
    for k in range(columns.size):
        if occurring[columns[k]] < _MANY_VALUES * weight_of_all:
            return _MANY_VALUES * weight_of_all
    return np.inf


@kernel
def choose(scores: np.ndarray, occurring: np.ndarray, columns: np.ndarray, limit: float) -> int:
    """Give the place of the best gain ratio among tests of at least about average gain, the first of equals; or -1."""
    total, counted = 0.0, 0
    for k in range(columns.size):
        if scores[k, 0] > 0.0 and occurring[columns[k]] < limit:
            total += scores[k, 1]
            counted += 1
    enough = total / counted - _SLACK if counted > 0 else -_SLACK
    best, chosen = -1.0, -1
    for k in range(columns.size):
        if scores[k, 0] > 0.0 and scores[k, 1] >= enough:
            ratio = scores[k, 1] / scores[k, 2] if scores[k, 2] > 0.0 else 0.0
            if ratio > best + TINY:
                best, chosen = ratio, k
    return chosen


@kernel
def _threshold(table: Table, column: int, ordered: np.ndarray, cut: int, present_at_root: np.ndarray) -> float:
    """Give the largest value of a training row that is not above the middle of the cut."""
    values, order, place = table.values[column], table.order[column], table.place[column]
    low = values[ordered[cut]]
    middle = low + 0.5 * (values[ordered[cut + 1]] - low)
    p = place[ordered[cut]]
    threshold = low
    while p < table.known[column] and values[order[p]] <= middle and values[order[p]] < values[ordered[cut + 1]]:
        if present_at_root[order[p]] > 0.0:
            threshold = values[order[p]]
        p += 1
    return threshold


@kernel
def branch_of(table: Table, column: int, threshold: float, row: int) -> Any:
    """Give the branch of a row at a test: -1 where its value is missing, -2 where the test has no branch for it."""
    value = table.values[column, row]
    if value != value:
        return -1
    if table.sizes[column] > 0:
        return np.int64(value) if value >= 0.0 else -2
    return 0 if value <= threshold else 1


@kernel
def _is_final(tree: Tree, node: int, rules: Rules) -> bool:
    total = node_weight(tree, node)
    pure = leaf_errors(tree, node) <= TINY
    return tree.links[node, DEPTH] >= rules.max_depth or total < 2.0 * rules.min_weight - TINY or pure


@kernel
def _add_node(tree: Tree, node: int, parent: int, depth: int) -> None:
    for k in range(tree.numbers.shape[1]):
        tree.numbers[node, k] = 0.0
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = -1, -1, 0
    tree.links[node, PARENT], tree.links[node, DEPTH] = parent, depth


@kernel
def _plant(table: Table, all_weights: np.ndarray, w: Workspace) -> tuple:
    """Make the root and put its rows on the stack; give their number and the number of classes they have."""
    _add_node(w.tree, 0, -1, 0)
    w.tree.numbers[0, SHARE] = 1.0
    top, n_present = 0, 0
    for row in range(all_weights.size):
        if all_weights[row] > 0.0:
            w.stack_rows[top], w.stack_weights[top] = row, all_weights[row]
            w.tree.numbers[0, COUNTS + table.codes[row]] += all_weights[row]
            top += 1
    for k in range(COUNTS, w.tree.numbers.shape[1]):
        n_present += w.tree.numbers[0, k] > 0.0
    w.stack_nodes[0], w.stack_starts[0] = 0, 0
    return top, n_present


@kernel
def _attach(tree: Tree, node: int, first: int, branches: int) -> None:
    """Make the children of a node, side by side."""
    tree.links[node, FIRST], tree.links[node, BRANCHES] = first, branches
    for b in range(branches):
        _add_node(tree, first + b, node, tree.links[node, DEPTH] + 1)


@kernel
def tally(table: Table, tree: Tree, node: int, m: int, w: Workspace) -> int:
    """Write the children's shares and weights of classes, and their numbers of rows in `sizes`; give the sum of these.

    Rows whose value is missing go to all branches that have a share.
    """
    column, threshold = tree.links[node, FEATURE], tree.numbers[node, THRESHOLD]
    first, branches = tree.links[node, FIRST], tree.links[node, BRANCHES]
    for b in range(branches):
        w.sizes[b] = 0
        for k in range(SHARE, tree.numbers.shape[1]):
            tree.numbers[first + b, k] = 0.0
    missing, known, rows = 0, 0.0, 0
    for p in range(m):
        b = branch_of(table, column, threshold, w.rows[p])
        if b < 0:
            missing += 1
        else:
            w.sizes[b] += 1
            known += w.weights[p]
            tree.numbers[first + b, SHARE] += w.weights[p]
            tree.numbers[first + b, COUNTS + table.codes[w.rows[p]]] += w.weights[p]
    for b in range(branches):
        tree.numbers[first + b, SHARE] = tree.numbers[first + b, SHARE] / known if known > 0.0 else 1.0 / branches
        w.sizes[b] += missing if tree.numbers[first + b, SHARE] > 0.0 else 0
        rows += w.sizes[b]
    if missing > 0:
        _tally_missing(table, tree, node, m, w)
    return rows


@kernel
def _tally_missing(table: Table, tree: Tree, node: int, m: int, w: Workspace) -> None:
    first = tree.links[node, FIRST]
    for p in range(m):
        if branch_of(table, tree.links[node, FEATURE], tree.numbers[node, THRESHOLD], w.rows[p]) < 0:
            for child in range(first, first + tree.links[node, BRANCHES]):
                part = w.weights[p] * tree.numbers[child, SHARE]
                tree.numbers[child, COUNTS + table.codes[w.rows[p]]] += part


@kernel
def push(table: Table, tree: Tree, node: int, m: int, waiting: int, top: int, w: Workspace) -> tuple:
    """Hand the rows down to the children; give how many nodes wait, and the new top of the stack."""
    column, threshold = tree.links[node, FEATURE], tree.numbers[node, THRESHOLD]
    first, branches = tree.links[node, FIRST], tree.links[node, BRANCHES]
    for b in range(branches):
        if w.sizes[b] > 0:
            w.stack_nodes[waiting], w.stack_starts[waiting] = first + b, top
            waiting += 1
            top += w.sizes[b]
        w.sizes[b] = top - w.sizes[b]
    for p in range(m):
        b = branch_of(table, column, threshold, w.rows[p])
        for child in range(max(b, 0), b + 1 if b >= 0 else branches):
            share = 1.0 if b >= 0 else tree.numbers[first + child, SHARE]
            if share > 0.0:
                w.stack_rows[w.sizes[child]] = w.rows[p]
                w.stack_weights[w.sizes[child]] = w.weights[p] * share
                w.sizes[child] += 1
    return waiting, top


@kernel
def grow(
    table: Table, columns: np.ndarray, all_weights: np.ndarray, occurring: np.ndarray, rules: Rules, w: Workspace
) -> int:
    """Grow a tree, unpruned, in a workspace.

    Parameters
    ----------
    table : Table
        The columns.
    columns : ndarray of shape (l,), int64
        Which columns may be tested, in the order in which ties are decided.
    all_weights : ndarray of shape (n,), float64
        Weight of each row, 0 for one that is not trained on.
    occurring : ndarray of shape (d,), int64
        How many values of each nominal column occur in training rows, 0 for a numeric one.
    rules : Rules
        When to split.
    w : Workspace
        Where it is grown; ``w.tree`` is the tree.

    Returns
    -------
    int
        Number of nodes, or -1 if there is not enough room.
    """
    top, n_present = _plant(table, all_weights, w)
    limit = value_limit(occurring, columns, node_weight(w.tree, 0))
    waiting, used, enough = 1, 1, True
    while waiting > 0 and enough:
        waiting -= 1
        node, start = w.stack_nodes[waiting], w.stack_starts[waiting]
        m, top = top - start, start
        if _is_final(w.tree, node, rules):
            continue
        for p in range(m):
            w.rows[p], w.weights[p] = w.stack_rows[start + p], w.stack_weights[start + p]
        _score(table, columns, node, m, rules.min_weight, n_present, w)
        chosen = choose(w.scores, occurring, columns, limit)
        if chosen >= 0:
            column = columns[chosen]
            branches = max(2, table.sizes[column])
            enough = used + branches <= w.tree.links.shape[0]
            if enough:
                w.tree.links[node, FEATURE] = column
                if table.sizes[column] == 0:
                    sort_known(table, column, w.rows[:m], w.present, w.ordered)
                    cut: Any = np.int64(w.scores[chosen, 3])
                    w.tree.numbers[node, THRESHOLD] = _threshold(table, column, w.ordered, cut, all_weights)
                _attach(w.tree, node, used, branches)
                enough = top + tally(table, w.tree, node, m, w) <= w.stack_rows.size
            if enough:
                waiting, top = push(table, w.tree, node, m, waiting, top, w)
            used += branches
        for p in range(m):
            w.present[w.rows[p]] = 0.0
    return used if enough else -1


@kernel
def root_scores(table: Table, columns: np.ndarray, all_weights: np.ndarray, least: float, w: Workspace) -> None:
    """Write (valid, gain, split information, cut) of each column's test at the root into ``w.scores``."""
    m, n_present = _plant(table, all_weights, w)
    for p in range(m):
        w.rows[p], w.weights[p] = w.stack_rows[p], w.stack_weights[p]
    _score(table, columns, 0, m, least, n_present, w)
    for p in range(m):
        w.present[w.rows[p]] = 0.0
