"""C4.5's trees on the prefixes of a permutation of columns, in one piece of compiled code."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.grow import grow
from fselect.classifiers.c45.predict import distribution
from fselect.classifiers.c45.prune import collapse, prune
from fselect.classifiers.c45.tree import Rules, Table
from fselect.classifiers.c45.workspace import TWIN, WAITING, Workspace
from fselect.kernel import bare, kernel

__all__ = ["insert", "prefixes_right"]


@bare
def insert(order: np.ndarray, place: int, columns: np.ndarray) -> None:
    """Put a place among the earlier ones by its column: ties go to the table's first, whatever the path."""
    p = place
    while p > 0 and columns[order[p - 1]] > columns[place]:
        order[p] = order[p - 1]
        p -= 1
    order[p] = place


@kernel
def prefixes_right(
    table: Table,
    permutation: np.ndarray,
    weights: np.ndarray,
    predicted: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    start: int,
    right: np.ndarray,
    w: Workspace,
) -> bool:
    """Count, for each prefix, the rows that trees of other rows predict right.

    Parameters
    ----------
    table : Table
        All columns and rows.
    permutation : ndarray of shape (l,), int64
        Columns.
    weights : ndarray of shape (folds, n), float64
        For each fold the weights of the rows, 0 for those that are not trained on.
    predicted : ndarray of shape (folds, n), bool
        For each fold the rows that are predicted.
    occurring : ndarray of shape (folds, d), int64
        How many values of each nominal column the rows that are trained on have, 0 for a numeric one.
    rules : Rules
        When to split, and how to prune.
    start : int
        Length of the shortest prefix that is wanted; for shorter ones no trees are grown.
    right : ndarray of shape (l,), int64
        Where the numbers are written.
    w : Workspace
        Memory; the last tree is left in it.

    Returns
    -------
    bool
        False if there is not enough room.
    """
    right[:] = 0
    shares = np.empty(w.sides.shape[1])
    for fold in range(weights.shape[0]):
        for k in range(permutation.size):
            insert(w.memo.order, k, permutation)
            if k + 1 < start:
                continue
            w.memo.tests[k & 1, 0, TWIN] = 0 if k > 0 and k >= start else -1
            used = grow(table, permutation, k + 1, weights[fold], occurring[fold], rules, k & 1, w)
            if used < 0:
                return False
            collapse(w.tree, used, w.estimates)
            if rules.pruned and not prune(table, weights[fold], rules, w):
                return False
            for row in range(predicted.shape[1]):
                if predicted[fold, row]:
                    label = distribution(table, w.tree, row, w.lists[WAITING], w.estimates, shares)
                    right[k] += label == table.codes[row]
    return True
