"""Memory in which C4.5's trees are grown, and what is remembered from one to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.classifiers.c45.tree import COUNTS, Table, Tree

__all__ = [
    "BELOW",
    "CHILDREN",
    "CHOSEN",
    "CUT",
    "FEW",
    "GAIN",
    "RATIO",
    "STARTS",
    "TWIN",
    "UNSEEN",
    "WAITING",
    "Memo",
    "Workspace",
    "make_memo",
    "make_workspace",
]

CHOSEN, CHILDREN, TWIN = range(3)
"""Columns of `Memo.tests`: the chosen column's place in the permutation (-1 where there is none), the first child, and
the node of the tree before that holds the same rows (-1 where there is none)."""

GAIN, RATIO, CUT = range(3)
"""Scores of a column's test: the gain (-1 where it is not valid), the gain ratio, the place of the cut among rows."""

WAITING, STARTS, UNSEEN, BELOW = range(4)
"""Rows of `Workspace.lists`: nodes that are not done, where the rows of each start; nodes to prune, and those below."""

FEW = 32
"""So many rows are sorted by counting."""

_REMEMBERED = 64 * 2**20 // (2 * 3 * 8)  # scores of columns, both trees together


class Memo(NamedTuple):
    """The tests of the tree that grows and of the one before, which had a column fewer.

    Where a node holds the same rows in both, only the new column is scored.

    Attributes
    ----------
    tests : ndarray of shape (2, nodes, 3), int64
        See `TEST`; the trees take turns.
    scores : ndarray of shape (2, nodes that are remembered + 1, l, 3), float64
        See `GAIN`; of a node beyond, the last place is used and nothing is remembered.
    order : ndarray of shape (l,), int64
        The columns by their place in the table, as places in the permutation: in this order ties are decided.
    """

    tests: np.ndarray
    scores: np.ndarray
    order: np.ndarray


class Workspace(NamedTuple):
    """Memory in which trees are grown one after the other.

    Compiled code that makes no arrays compiles in a part of the time, and runs faster on small tables.

    Attributes
    ----------
    tree : Tree
        Where the tree comes to be.
    draft : ndarray of shape (nodes, 2 + C), float64
        The numbers of the tree as they would be if a branch were raised.
    memo : Memo
        What is known of the tree before.
    lists : ndarray of shape (4, nodes), int64
        See `WAITING`.
    estimates : ndarray of shape (nodes,), float64
        Errors of subtrees, or weights of a row on its ways down.
    stack_rows, stack_weights : ndarray
        Rows of the nodes that are not done.
    rows, weights, ordered : ndarray of shape (n,)
        The rows of the node at work, and those that are known by value.
    keys : ndarray of shape (`FEW`,), int64
        What few rows are sorted by.
    present : ndarray of shape (n,), float64
        The weights of the node at work, by row; 0 elsewhere.
    counts : ndarray of shape (values, C), float64
        Weights by branch and class.
    sides : ndarray of shape (2, C), int64
        Rows by side of a cut and class.
    sizes : ndarray of shape (values,), int64
        Rows by branch.
    """

    tree: Tree
    draft: np.ndarray
    memo: Memo
    lists: np.ndarray
    estimates: np.ndarray
    stack_rows: np.ndarray
    stack_weights: np.ndarray
    rows: np.ndarray
    weights: np.ndarray
    ordered: np.ndarray
    keys: np.ndarray
    present: np.ndarray
    counts: np.ndarray
    sides: np.ndarray
    sizes: np.ndarray


def make_workspace(table: Table, n_classes: int, n_columns: int, *, scale: int = 1, remember: bool = True) -> Workspace:
    """Make room for trees of a table.

    Parameters
    ----------
    table : Table
        The columns.
    n_classes : int
        Number of classes.
    n_columns : int
        How many columns are tested at most.
    scale : int, default=1
        How much more room than usual; missing values and empty branches can ask for more.
    remember : bool, default=True
        Whether there will be another tree, of a column more.

    Returns
    -------
    Workspace
        Arrays.
    """
    n = table.values.shape[1]
    values = max(2, int(table.sizes.max(initial=0)))
    nodes, rows = scale * (2 * n + 4 * values + 16), scale * (2 * n + 16)
    numbers = np.empty((nodes, COUNTS + n_classes))
    return Workspace(
        Tree(np.empty((nodes, 5), dtype=np.int64), numbers),
        np.empty_like(numbers),
        make_memo(nodes, n_columns, nodes if remember else 1),
        lists=np.empty((4, nodes), dtype=np.int64),
        estimates=np.empty(nodes),
        stack_rows=np.empty(rows, dtype=np.uint32),
        stack_weights=np.empty(rows),
        rows=np.empty(n, dtype=np.uint32),
        weights=np.empty(n),
        ordered=np.empty(n + 1, dtype=np.uint32),
        keys=np.empty(FEW, dtype=np.int64),
        present=np.zeros(n),
        counts=np.empty((values, n_classes)),
        sides=np.empty((2, n_classes), dtype=np.int64),
        sizes=np.empty(values, dtype=np.int64),
    )


def make_memo(nodes: int, n_columns: int, remembered: int) -> Memo:
    """Make room for what is remembered of two trees, of as many nodes as 64 MB hold.

    Parameters
    ----------
    nodes : int
        How many nodes a tree has at most.
    n_columns : int
        How many columns are tested at most.
    remembered : int
        Of how many nodes scores are remembered at most; 1 is the root.

    Returns
    -------
    Memo
        Arrays.
    """
    remembered = max(1, min(remembered, _REMEMBERED // max(n_columns, 1)))
    return Memo(
        np.empty((2, nodes, 3), dtype=np.int64),
        np.empty((2, remembered + 1, n_columns, 3)),
        np.empty(n_columns, dtype=np.int64),
    )
