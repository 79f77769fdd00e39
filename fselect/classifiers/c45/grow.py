"""Growing C4.5's trees (Quinlan 1993, with release 8's correction for numeric columns, 1996)."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.c45.gain import nominal_gain, numeric_gain, sort_known
from fselect.classifiers.c45.tree import (
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
    leaf_errors,
    node_weight,
)
from fselect.classifiers.c45.workspace import (
    CHILDREN,
    CHOSEN,
    CUT,
    GAIN,
    RATIO,
    STARTS,
    TWIN,
    WAITING,
    Memo,
    Workspace,
)
from fselect.kernel import hot

__all__ = ["branch_of", "choose", "grow", "is_final", "push", "recall", "tally", "threshold_of", "value_limit"]

_MANY_VALUES = 0.3
"""Nominal columns with this share of the rows as values, or more, are left out of the average gain."""

SLACK = 1e-3
"""A test may gain this much less than the average."""


@hot
def recall(memo: Memo, now: int, node: int, k: int) -> int:
    """Copy the scores of the first k columns from the node's twin; give how many are known, 0 where none is."""
    twin, last = memo.tests[now, node, TWIN], memo.scores.shape[1] - 1
    if twin < 0 or twin >= last:
        return 0
    for place in range(k):
        for score in range(memo.scores.shape[3]):
            memo.scores[now, min(node, last), place, score] = memo.scores[1 - now, twin, place, score]
    return k


@hot
def _score(
    table: Table,
    columns: np.ndarray,
    first: int,
    k: int,
    scores: np.ndarray,
    node: int,
    m: int,
    least: float,
    w: Workspace,
) -> None:
    """Write the scores of the tests of columns first … k - 1 at a node of m rows, whose weights are `present`."""
    unit, n_present, total = True, 0, node_weight(w.tree.numbers, node)
    for p in range(m):
        unit = unit and w.weights[p] == 1.0
    for c in range(COUNTS, w.tree.numbers.shape[1]):
        n_present += w.tree.numbers[0, c] > 0.0
    for place in range(first, k):
        column = columns[place]
        cut = 0
        if table.sizes[column] > 0:
            gain, ratio = nominal_gain(table, column, m, total, least, w)
        else:
            gain, ratio, cut = numeric_gain(table, column, node, m, total, least, n_present, unit, w)
        scores[place, GAIN], scores[place, RATIO], scores[place, CUT] = gain, ratio, cut


@hot
def value_limit(occurring: np.ndarray, columns: np.ndarray, k: int, weight_of_all: float) -> float:
    """Give the number of values from which a nominal column is left out of the average; none if all k would be."""
    for place in range(k):
        if occurring[columns[place]] < _MANY_VALUES * weight_of_all:
            return _MANY_VALUES * weight_of_all
    return np.inf


@hot
def choose(
    scores: np.ndarray, order: np.ndarray, k: int, occurring: np.ndarray, columns: np.ndarray, limit: float
) -> int:
    """Give the place of the best gain ratio among tests of at least about average gain, the first of equals; or -1.

    `scores` has a row a column (see `fselect.classifiers.c45.workspace.GAIN`), and `order` the k places to look at.
    """
    total, counted = 0.0, 0
    for p in range(k):
        gain = scores[order[p], GAIN]
        counts = (gain >= 0.0) & (occurring[columns[order[p]]] < limit)
        total += gain if counts else 0.0
        counted += counts
    enough = max(total / counted - SLACK if counted > 0 else -SLACK, 0.0)
    chosen, beaten = -1, -1.0 + TINY
    for p in range(k):
        ratio = scores[order[p], RATIO]
        # one condition that seldom holds is faster than two of which one often does
        if (scores[order[p], GAIN] >= enough) & (ratio > beaten):
            chosen, beaten = order[p], ratio + TINY
    return chosen


@hot
def threshold_of(table: Table, column: int, m: int, cut: int, present_at_root: np.ndarray, w: Workspace) -> float:
    """Give the largest value of a training row that is not above the middle of the cut."""
    sort_known(table, column, m, w)
    row, above = w.ordered[cut], table.values[column, w.ordered[cut + 1]]
    low = table.values[column, row]
    middle, threshold = low + 0.5 * (above - low), low
    for p in range(table.place[column, row], table.known[column]):
        row = table.order[column, p]
        value = table.values[column, row]
        if value > middle or value >= above:
            break
        if present_at_root[row] > 0.0:
            threshold = value
    return threshold


@hot
def branch_of(table: Table, column: int, threshold: float, row: int) -> Any:
    """Give the branch of a row at a test: -1 where its value is missing, -2 where the test has no branch for it."""
    value = table.values[column, row]
    if value != value:
        return -1
    if table.sizes[column] > 0:
        return np.int64(value) if value >= 0.0 else -2
    return 0 if value <= threshold else 1


@hot
def is_final(tree: Tree, node: int, rules: Rules) -> bool:
    """Tell whether a node is a leaf, whatever the columns."""
    total = node_weight(tree.numbers, node)
    pure = leaf_errors(tree.numbers, node) <= TINY
    return tree.links[node, DEPTH] >= rules.max_depth or total < 2.0 * rules.min_weight - TINY or pure


@hot
def _add_node(tree: Tree, node: int, parent: int, depth: int) -> None:
    for k in range(tree.numbers.shape[1]):
        tree.numbers[node, k] = 0.0
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = -1, -1, 0
    tree.links[node, PARENT], tree.links[node, DEPTH] = parent, depth


@hot
def _plant(codes: np.ndarray, all_weights: np.ndarray, w: Workspace) -> int:
    """Make the root and put its rows on the stack; give their number."""
    _add_node(w.tree, 0, -1, 0)
    w.tree.numbers[0, SHARE] = 1.0
    top = 0
    for row in range(all_weights.size):
        if all_weights[row] > 0.0:
            w.stack_rows[top], w.stack_weights[top] = row, all_weights[row]
            w.tree.numbers[0, COUNTS + codes[row]] += all_weights[row]
            top += 1
    w.lists[WAITING, 0], w.lists[STARTS, 0] = 0, 0
    return top


@hot
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
    for p in range(m if missing > 0 else 0):
        if branch_of(table, column, threshold, w.rows[p]) < 0:
            for child in range(first, first + branches):
                part = w.weights[p] * tree.numbers[child, SHARE]
                tree.numbers[child, COUNTS + table.codes[w.rows[p]]] += part
    return rows


@hot
def push(table: Table, tree: Tree, node: int, m: int, waiting: int, top: int, w: Workspace) -> tuple:
    """Hand the rows down to the children; give how many nodes wait, and the new top of the stack."""
    column, threshold = tree.links[node, FEATURE], tree.numbers[node, THRESHOLD]
    first, branches = tree.links[node, FIRST], tree.links[node, BRANCHES]
    for b in range(branches):
        if w.sizes[b] > 0:
            w.lists[WAITING, waiting], w.lists[STARTS, waiting] = first + b, top
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


@hot
def _attach(table: Table, column: int, node: int, used: int, chosen: int, now: int, w: Workspace) -> int:
    """Make the children of a node, side by side; give the number of nodes, or -1 if there is not enough room."""
    tree, tests = w.tree, w.memo.tests
    branches, twin, children = max(2, table.sizes[column]), tests[now, node, TWIN], -1
    if used + branches > tree.links.shape[0]:
        return -1
    if twin >= 0 and tests[1 - now, twin, CHOSEN] == chosen:
        children = tests[1 - now, twin, CHILDREN]
    tests[now, node, CHOSEN], tests[now, node, CHILDREN] = chosen, used
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = column, used, branches
    for b in range(branches):
        _add_node(tree, used + b, node, tree.links[node, DEPTH] + 1)
        tests[now, used + b, TWIN] = children + b if children >= 0 else -1
    return used + branches


@hot
def grow(
    table: Table,
    columns: np.ndarray,
    k: int,
    all_weights: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    now: int,
    w: Workspace,
) -> int:
    """Grow a tree, unpruned, in a workspace.

    Parameters
    ----------
    table : Table
        The columns.
    columns : ndarray of shape (l,), int64
        The permutation.
    k : int
        How many of its columns may be tested; ``w.memo.order`` has them in the table's order.
    all_weights : ndarray of shape (n,), float64
        Weight of each row, 0 for one that is not trained on.
    occurring : ndarray of shape (d,), int64
        How many values of each nominal column occur in training rows, 0 for a numeric one.
    rules : Rules
        When to split.
    now : int
        Where in the memo this tree goes, 0 or 1; the other is that of k - 1 columns if the root has a twin.
    w : Workspace
        Where it is grown; ``w.tree`` is the tree. The root is scored in any case.

    Returns
    -------
    int
        Number of nodes, or -1 if there is not enough room.
    """
    top = _plant(table.codes, all_weights, w)
    limit = value_limit(occurring, columns, k, node_weight(w.tree.numbers, 0))
    waiting, used = 1, 1
    while waiting > 0 and used > 0:
        waiting -= 1
        node, start = w.lists[WAITING, waiting], w.lists[STARTS, waiting]
        m, top = top - start, start
        final = is_final(w.tree, node, rules)
        w.memo.tests[now, node, CHOSEN] = -1
        if final and node > 0:
            continue
        for p in range(m):
            w.rows[p], w.weights[p] = w.stack_rows[start + p], w.stack_weights[start + p]
            w.present[w.rows[p]] = w.weights[p]
        known = recall(w.memo, now, node, k - 1)
        scores = w.memo.scores[now, min(node, w.memo.scores.shape[1] - 1)]
        _score(table, columns, known, k, scores, node, m, rules.min_weight, w)
        chosen = -1 if final else choose(scores, w.memo.order, k, occurring, columns, limit)
        if chosen >= 0:
            column = columns[chosen]
            if table.sizes[column] == 0:
                cut: Any = np.int64(scores[chosen, CUT])
                w.tree.numbers[node, THRESHOLD] = threshold_of(table, column, m, cut, all_weights, w)
            used = _attach(table, column, node, used, chosen, now, w)
            if used > 0 and top + tally(table, w.tree, node, m, w) <= w.stack_rows.size:
                waiting, top = push(table, w.tree, node, m, waiting, top, w)
            else:
                used = -1
        for p in range(m):
            w.present[w.rows[p]] = 0.0
    return used
