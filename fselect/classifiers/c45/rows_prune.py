"""Pruning, and predicting with, trees whose rows are side by side: see `fselect.classifiers.c45.prune`."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.prune import (
    collapse,
    largest_child,
    list_below,
    pessimistic_errors,
    settle,
)
from fselect.classifiers.c45.row_table import RowTable, RowWorkspace
from fselect.classifiers.c45.rows import grow_rows, part
from fselect.classifiers.c45.tree import COUNTS, FEATURE, FIRST, Rules, Tree, leaf_errors, node_weight
from fselect.kernel import bare, inner, kernel

__all__ = ["errors_of_perfect", "leaf_of_rows", "rows_right"]


@kernel
def errors_of_perfect(n: int, rules: Rules) -> np.ndarray:
    """Estimate the errors of leaves that make none on 0 … n rows: most leaves are such, and powers are dear.

    Parameters
    ----------
    n : int
        The largest number of rows.
    rules : Rules
        Confidence and its quantile.

    Returns
    -------
    ndarray of shape (n + 1,), float64
        By number of rows.
    """
    perfect = np.empty(n + 1)
    for weight in range(n + 1):
        perfect[weight] = pessimistic_errors(float(weight), 0.0, rules.confidence, rules.quantile)
    return perfect


@bare
def leaf_of_rows(numbers: np.ndarray, node: int, rules: Rules, perfect: np.ndarray) -> float:
    """Estimate the errors of a node as a leaf, where rows weigh 1."""
    weight, errors = node_weight(numbers, node), leaf_errors(numbers, node)
    if errors == 0.0:
        return perfect[np.uint32(weight)]
    return pessimistic_errors(weight, errors, rules.confidence, rules.quantile)


@bare
def _send_down(table: RowTable, top: int, start: int, end: int, w: RowWorkspace) -> None:
    """Add some rows to the draft's numbers, all the way down from a node."""
    tree, numbers = w.tree, w.draft.numbers
    for p in range(start, end):
        row, node = w.rows[p], top
        place = COUNTS + table.codes[row]
        numbers[node, place] += 1.0
        while tree.links[node, FEATURE] >= 0:
            node = tree.links[node, FIRST] + table.values[tree.links[node, FEATURE], row]
            numbers[node, place] += 1.0


@bare
def _branch_errors(
    table: RowTable, node: int, child: int, rules: Rules, perfect: np.ndarray, below: np.ndarray, w: RowWorkspace
) -> float:
    """Estimate the errors if the child's subtree took the node's place, whose numbers are left in the draft."""
    end = list_below(w.tree, child, below, 0)
    for q in range(end):
        for k in range(w.tree.numbers.shape[1]):
            w.draft.numbers[below[q], k] = w.tree.numbers[below[q], k]
    _send_down(table, child, w.ends[node, 0], w.ends[child, 0], w)
    _send_down(table, child, w.ends[child, 1], w.ends[node, 1], w)
    errors = 0.0
    for q in range(end):
        if w.tree.links[below[q], FEATURE] < 0:
            errors += leaf_of_rows(w.draft.numbers, below[q], rules, perfect)
    return errors


@inner
def _prune(table: RowTable, used: int, rules: Rules, perfect: np.ndarray, w: RowWorkspace) -> None:
    """Prune from the leaves upward, as `fselect.classifiers.c45.prune.prune` does."""
    tree = w.tree
    estimates = np.zeros(used)
    todo, below = np.empty(used + 1, np.int64), np.empty(used + 1, np.int64)
    waiting = list_below(tree, 0, todo, 0)
    while waiting > 0:
        waiting -= 1
        node = todo[waiting]
        estimates[node] = leaf_of_rows(tree.numbers, node, rules, perfect)
        if tree.links[node, FEATURE] < 0:
            continue
        child = largest_child(tree, node)
        branch = _branch_errors(table, node, child, rules, perfect, below, w)
        if settle(tree, w.draft.numbers, node, child, branch, estimates, below):
            waiting = list_below(tree, node, todo, waiting)
            _part_again(table, node, below, w)


@bare
def _part_again(table: RowTable, node: int, below: np.ndarray, w: RowWorkspace) -> None:
    for q in range(list_below(w.tree, node, below, 0)):
        if w.tree.links[below[q], FEATURE] >= 0:
            part(table, w.tree, below[q], w)


@bare
def _predicts(table: RowTable, tree: Tree, row: int) -> int:
    """Give the class of a row: the largest one of the last node on its way that has rows, of equals the first."""
    node = 0
    while tree.links[node, FEATURE] >= 0:
        child = tree.links[node, FIRST] + table.values[tree.links[node, FEATURE], row]
        if node_weight(tree.numbers, child) == 0.0:
            break
        node = child
    best = 0
    for c in range(1, tree.numbers.shape[1] - COUNTS):
        if tree.numbers[node, COUNTS + c] > tree.numbers[node, COUNTS + best]:
            best = c
    return best


@kernel
def rows_right(
    table: RowTable,
    folds: np.ndarray,
    occurring: np.ndarray,
    columns: np.ndarray,
    rules: Rules,
    perfect: np.ndarray,
    w: RowWorkspace,
) -> int:
    """Count the rows that trees of the other folds' rows predict right; -1 if there is not enough room.

    Parameters
    ----------
    table : RowTable
        The columns that may be tested, all of them.
    folds : ndarray of shape (n,), int64
        Folds from 0, -1 for rows that are only trained on.
    occurring : ndarray of shape (folds, l), int64
        How many values of each column the rows that are trained on have.
    columns : ndarray of shape (l,), int64
        0 … l - 1.
    rules : Rules
        When to split, and how to prune.
    perfect : ndarray of shape (n + 1,), float64
        From `errors_of_perfect`.
    w : RowWorkspace
        Memory.

    Returns
    -------
    int
        Over all folds.
    """
    right, errors = 0, np.empty(w.tree.links.shape[0])
    for fold in range(occurring.shape[0]):
        n_train = 0
        for row in range(folds.size):
            if folds[row] != fold:
                w.rows[n_train] = row
                n_train += 1
        used = grow_rows(table, n_train, occurring[fold], columns, rules, w)
        if used < 0:
            return -1
        collapse(w.tree, used, errors)
        if rules.pruned:
            _prune(table, used, rules, perfect, w)
        for row in range(folds.size):
            if folds[row] == fold:
                right += _predicts(table, w.tree, row) == table.codes[row]
    return right
