"""What a tree says about rows, and whether it is right."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45_grow import branch_of, grow
from fselect.classifiers.c45_prune import collapse, prune
from fselect.classifiers.c45_tree import (
    BRANCHES,
    COUNTS,
    FEATURE,
    FIRST,
    SHARE,
    THRESHOLD,
    Rules,
    Table,
    Tree,
    Workspace,
    node_weight,
)
from fselect.kernel import kernel

__all__ = ["build", "distributions", "insert", "prefixes_right"]

_ALMOST = 1e-9
"""Probabilities this near are equal, and the first class is predicted."""


@kernel
def _distribution(table: Table, tree: Tree, row: int, nodes: np.ndarray, weights: np.ndarray, out: np.ndarray) -> int:
    """Write the class distribution for a row, and give the most probable class.

    A missing value is followed down all branches by their shares. At a branch without training rows, and at a value
    that has no branch, the distribution is that of the node.
    """
    for c in range(out.size):
        out[c] = 0.0
    nodes[0], weights[0], waiting = 0, 1.0, 1
    while waiting > 0:
        waiting -= 1
        node, weight = nodes[waiting], weights[waiting]
        column, first = tree.links[node, FEATURE], tree.links[node, FIRST]
        b = branch_of(table, column, tree.numbers[node, THRESHOLD], row) if column >= 0 else -2
        if b == -1:
            for child in range(first, first + tree.links[node, BRANCHES]):
                if tree.numbers[child, SHARE] > 0.0:
                    nodes[waiting], weights[waiting] = child, weight * tree.numbers[child, SHARE]
                    waiting += 1
        elif b >= 0 and node_weight(tree, first + b) > 0.0:
            nodes[waiting], weights[waiting] = first + b, weight
            waiting += 1
        else:
            total = node_weight(tree, node)
            for c in range(out.size):
                out[c] += weight * tree.numbers[node, COUNTS + c] / total
    best = 0
    for c in range(1, out.size):
        if out[c] > out[best] + _ALMOST:
            best = c
    return best


@kernel
def distributions(table: Table, tree: Tree, out: np.ndarray, predicted: np.ndarray) -> None:
    """Write each row's class distribution, and the class that is predicted.

    Parameters
    ----------
    table : Table
        Rows to predict; only values and sizes are looked at.
    tree : Tree
        A tree.
    out : ndarray of shape (n, C), float64
        Where distributions are written.
    predicted : ndarray of shape (n,), int64
        Where classes are written.
    """
    size = tree.links.shape[0]
    nodes, weights = np.empty(size, np.int64), np.empty(size)
    for row in range(out.shape[0]):
        predicted[row] = _distribution(table, tree, row, nodes, weights, out[row])


@kernel
def build(
    table: Table, columns: np.ndarray, all_weights: np.ndarray, occurring: np.ndarray, rules: Rules, w: Workspace
) -> int:
    """Grow, collapse and (if the rules say so) prune a tree in a workspace; give its nodes, or -1 for lack of room."""
    used = grow(table, columns, all_weights, occurring, rules, w)
    if used > 0:
        collapse(w.tree, used)
        if rules.pruned and not prune(table, used, all_weights, rules, w):
            return -1
    return used


@kernel
def insert(columns: np.ndarray, size: int, column: int) -> None:
    """Put a column in its place among the first, sorted ones: ties go to the first of the table, whatever the path."""
    while size > 0 and columns[size - 1] > column:
        columns[size] = columns[size - 1]
        size -= 1
    columns[size] = column


@kernel
def prefixes_right(
    table: Table,
    permutation: np.ndarray,
    weights: np.ndarray,
    occurring: np.ndarray,
    folds: np.ndarray,
    rules: Rules,
    w: Workspace,
    right: np.ndarray,
    start: int,
) -> bool:
    """Count, for each prefix, the rows that trees of the other folds' rows predict right; False for lack of room.

    Parameters
    ----------
    table : Table
        All columns and rows.
    permutation : ndarray of shape (l,), int64
        Columns.
    weights : ndarray of shape (folds, n), float64
        For each fold 1 where a row is trained on, else 0.
    occurring : ndarray of shape (folds, d), int64
        How many values of each nominal column the rows that are trained on have.
    folds : ndarray of shape (n,), int64
        In which fold a row is predicted, or -1.
    rules : Rules
        When to split, and how to prune.
    w : Workspace
        Memory.
    right : ndarray of shape (l,), int64
        Where the numbers are written.
    start : int
        Length of the shortest prefix that is wanted; for shorter ones no trees are grown.

    Returns
    -------
    bool
        Whether there was room.
    """
    out, columns = np.empty(w.counts.shape[1]), np.empty(permutation.size, np.int64)
    for k in range(permutation.size):
        insert(columns, k, permutation[k])
        right[k] = 0
        if k + 1 < start:
            continue
        for fold in range(weights.shape[0]):
            if build(table, columns[: k + 1], weights[fold], occurring[fold], rules, w) < 0:
                return False
            for row in range(folds.size):
                if folds[row] == fold:
                    found = _distribution(table, w.tree, row, w.stack_nodes, w.stack_weights, out)
                    right[k] += found == table.codes[row]
    return True
