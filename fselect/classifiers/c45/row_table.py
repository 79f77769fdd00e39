"""Complete nominal columns as trees of rows side by side read them, and the memory in which such trees are grown."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.classifiers.c45.tree import COUNTS, Tree
from fselect.kernel import kernel

__all__ = ["RowTable", "RowWorkspace", "fits_rows", "make_row_table", "make_row_workspace", "narrow_table"]

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
        As in `fselect.classifiers.c45.tree.Workspace`.
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
        See `fselect.classifiers.c45.workspace.GAIN`.
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
