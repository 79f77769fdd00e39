"""C4.5's trees as two plain arrays, and the table they are grown from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.kernel import bare

__all__ = [
    "BRANCHES",
    "COUNTS",
    "DEPTH",
    "FEATURE",
    "FIRST",
    "PARENT",
    "SHARE",
    "THRESHOLD",
    "TINY",
    "Rules",
    "Table",
    "Tree",
    "compact",
    "leaf_errors",
    "make_rows",
    "make_table",
    "node_weight",
]

FEATURE, FIRST, BRANCHES, PARENT, DEPTH = range(5)
"""Columns of `Tree.links`: the tested column (-1 at a leaf), the first child, how many, the parent, the depth."""

THRESHOLD, SHARE, COUNTS = 0, 1, 2
"""Columns of `Tree.numbers`: the threshold, the share of the parent's known weight, then the weight of each class."""

TINY = 1e-6
"""Differences up to this are none: gains of equal tests differ by rounding."""


class Rules(NamedTuple):
    """When to split, and how to prune.

    Attributes
    ----------
    min_weight : float
        m: two branches of a test hold at least this.
    max_depth : int
        Depth at which every node is a leaf; the root has depth 0.
    pruned : bool
        Whether subtrees are replaced by leaves or raised where the pessimistic errors are not more.
    confidence : float
        Of the upper limit of a leaf's error rate; small prunes more.
    quantile : float
        The normal quantile that belongs to it.
    """

    min_weight: float
    max_depth: int
    pruned: bool
    confidence: float
    quantile: float


class Table(NamedTuple):
    """Columns in the form in which trees are grown from them again and again.

    Attributes
    ----------
    values : ndarray of shape (d, n), float64
        NaN where missing; nominal columns as codes from 0, below 0 for a value that training rows do not have.
    sizes : ndarray of shape (d,), int64
        Number of values of a nominal column, 0 for a numeric one.
    order : ndarray of shape (d, n), uint32
        Rows by value, the missing ones last.
    place : ndarray of shape (d, n), int64
        Where a row is in `order`.
    known : ndarray of shape (d,), int64
        Number of rows with a value.
    codes : ndarray of shape (n,), uint32
        Classes.
    powers : ndarray of shape (n + 2,), float64
        k log2 k for whole weights k.
    """

    values: np.ndarray
    sizes: np.ndarray
    order: np.ndarray
    place: np.ndarray
    known: np.ndarray
    codes: np.ndarray
    powers: np.ndarray


class Tree(NamedTuple):
    """A tree; node 0 is the root, and children come after their parent, side by side.

    Attributes
    ----------
    links : ndarray of shape (nodes, 5), int64
        See `FEATURE`.
    numbers : ndarray of shape (nodes, 2 + C), float64
        See `THRESHOLD`.
    """

    links: np.ndarray
    numbers: np.ndarray


def make_table(values: np.ndarray, sizes: np.ndarray, codes: np.ndarray) -> Table:
    """Sort the columns once.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; NaN where missing.
    sizes : ndarray of shape (d,), int64
        Number of values of a nominal column, 0 for a numeric one.
    codes : ndarray of shape (n,), int64
        Classes.

    Returns
    -------
    Table
        The columns.

    Examples
    --------
    >>> table = make_table(np.array([[2.0], [np.nan], [1.0]]), np.array([0]), np.array([0, 1, 1]))
    >>> table.order.tolist(), table.place.tolist(), table.known.tolist()
    ([[2, 0, 1]], [[1, 2, 0]], [2])
    """
    columns = np.ascontiguousarray(values.T)
    n = columns.shape[1]
    order = np.argsort(columns, axis=1, kind="stable")  # NaN comes last
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(n), order.shape), axis=1)
    known = np.count_nonzero(~np.isnan(columns), axis=1)
    whole = np.arange(n + 2)
    powers = whole * np.log2(np.maximum(whole, 1))
    rows = order.astype(np.uint32)  # numba need not look whether such an index counts from the end
    return Table(columns, np.ascontiguousarray(sizes), rows, place, known, codes.astype(np.uint32), powers)


def make_rows(values: np.ndarray, sizes: np.ndarray) -> Table:
    """Give rows that are only predicted the form that is read by compiled code.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        Rows.
    sizes : ndarray of shape (d,), int64
        As in `make_table`.

    Returns
    -------
    Table
        Without an order of rows and without classes.
    """
    order, place = np.empty((0, 0), dtype=np.uint32), np.empty((0, 0), dtype=np.int64)
    codes = np.empty(0, dtype=np.uint32)
    known = np.empty(0, dtype=np.int64)
    return Table(np.ascontiguousarray(values.T), np.ascontiguousarray(sizes), order, place, known, codes, np.empty(0))


def compact(tree: Tree) -> Tree:
    """Leave out the nodes that cannot be reached, and count depths anew.

    Parameters
    ----------
    tree : Tree
        As it was left in a workspace.

    Returns
    -------
    Tree
        Children after their parent.

    Examples
    --------
    >>> links = np.array([[0, 3, 2, -1, 0], [-1] * 5, [-1] * 5, [-1, -1, 0, 0, 7], [-1, -1, 0, 0, 7]])
    >>> compact(Tree(links, np.zeros((5, 4)))).links.tolist()
    [[0, 1, 2, -1, 0], [-1, -1, 0, 0, 1], [-1, -1, 0, 0, 1]]
    """
    kept, links = [0], []
    for node in kept:  # grows while it is gone through
        feature, first, branches = tree.links[node, : BRANCHES + 1] if tree.links[node, FEATURE] >= 0 else (-1, -1, 0)
        links.append([feature, len(kept) if feature >= 0 else -1, branches, -1, 0])
        kept.extend(range(first, first + branches))
    made = Tree(np.array(links, dtype=np.int64), tree.numbers[kept].copy())
    for node, (_, first, branches, _, depth) in enumerate(made.links):
        made.links[first : first + branches, PARENT] = node
        made.links[first : first + branches, DEPTH] = depth + 1
    return made


@bare
def node_weight(numbers: np.ndarray, node: int) -> float:
    """Give the weight of the rows at a node."""
    total = 0.0
    for k in range(COUNTS, numbers.shape[1]):
        total += numbers[node, k]
    return total


@bare
def leaf_errors(numbers: np.ndarray, node: int) -> float:
    """Give the weight at a node that its largest class does not hold."""
    total, largest = 0.0, 0.0
    for k in range(COUNTS, numbers.shape[1]):
        total += numbers[node, k]
        largest = max(largest, numbers[node, k])
    return total - largest
