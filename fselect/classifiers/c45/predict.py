"""What a tree says about rows."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.grow import branch_of
from fselect.classifiers.c45.tree import (
    BRANCHES,
    COUNTS,
    FEATURE,
    FIRST,
    SHARE,
    THRESHOLD,
    Table,
    Tree,
    node_weight,
)
from fselect.kernel import bare, kernel

__all__ = ["distribution", "distributions"]

_ALMOST = 1e-9
"""Probabilities this near are equal, and the first class is predicted."""


@bare
def distribution(table: Table, tree: Tree, row: int, nodes: np.ndarray, weights: np.ndarray, out: np.ndarray) -> int:
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
        elif b >= 0 and node_weight(tree.numbers, first + b) > 0.0:
            nodes[waiting], weights[waiting] = first + b, weight
            waiting += 1
        else:
            total = node_weight(tree.numbers, node)
            for c in range(out.size):
                out[c] += weight * tree.numbers[node, COUNTS + c] / total
    best = 0
    for c in range(1, out.size):
        if out[c] > out[best] + _ALMOST:
            best = c
    return best


@kernel
def distributions(table: Table, tree: Tree, rows: np.ndarray, out: np.ndarray, predicted: np.ndarray) -> None:
    """Write class distributions of rows, and the classes that are predicted.

    Parameters
    ----------
    table : Table
        Where the rows are; only values and sizes are looked at.
    tree : Tree
        A tree.
    rows : ndarray of shape (m,), int64
        Which rows.
    out : ndarray of shape (m, C), float64
        Where distributions are written.
    predicted : ndarray of shape (m,), int64
        Where classes are written.
    """
    size = tree.links.shape[0]
    nodes, weights = np.empty(size, np.int64), np.empty(size)
    for p in range(rows.size):
        predicted[p] = distribution(table, tree, rows[p], nodes, weights, out[p])
