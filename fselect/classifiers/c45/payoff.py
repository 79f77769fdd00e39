"""Payoffs of C4.5: trees are grown and looked at in one piece of compiled code, from columns that are sorted once."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.bits import bit_prefixes_right, make_bit_table, make_bit_workspace
from fselect.classifiers.c45.kept_payoff import KeptTrees
from fselect.classifiers.c45.prefixes import prefixes_right
from fselect.classifiers.c45.row_table import fits_rows, make_row_table, make_row_workspace, narrow_table
from fselect.classifiers.c45.rows_prune import errors_of_perfect, rows_right
from fselect.classifiers.c45.tree import Rules, Table, make_table
from fselect.classifiers.c45.workspace import Workspace, make_workspace
from fselect.classifiers.folds import majority_share

__all__ = ["BitPayoff", "RowPayoff", "TreePayoff", "c45_payoff", "count_right", "occurring_values"]


def occurring_values(values: np.ndarray, sizes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Count the values of nominal columns that occur in rows with a weight.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; NaN where missing.
    sizes : ndarray of shape (d,), int64
        Number of values of a nominal column, 0 for a numeric one.
    weights : ndarray of shape (n,)
        Weights of rows.

    Returns
    -------
    ndarray of shape (d,), int64
        Numbers, 0 for a numeric column.

    Examples
    --------
    >>> occurring_values(np.array([[0.0, 7.5], [2.0, 8.5], [1.0, 9.0]]), np.array([3, 0]), np.array([1, 1, 0]))
    array([2, 0])
    """
    found = np.zeros(len(sizes), dtype=np.int64)
    rows = values[np.asarray(weights) > 0]
    for column in np.flatnonzero(sizes):
        known = rows[~np.isnan(rows[:, column]), column]
        found[column] = np.count_nonzero(np.bincount(known.astype(np.int64)))
    return found


def count_right(
    table: Table,
    permutation: np.ndarray,
    weights: np.ndarray,
    predicted: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    start: int = 0,
    n_classes: int | None = None,
) -> tuple[np.ndarray, Workspace]:
    """Call `prefixes_right` with larger and larger workspaces until there is room; its parameters are told there.

    Parameters
    ----------
    table : Table
        All columns and rows.
    permutation : ndarray of shape (l,), int64
        Columns.
    weights, predicted : ndarray of shape (folds, n)
        Rows that are trained on, and rows that are predicted.
    occurring : ndarray of shape (folds, d), int64
        From `occurring_values`.
    rules : Rules
        When to split, and how to prune.
    start : int, default=0
        Length of the shortest prefix that is wanted.
    n_classes : int, optional
        Number of classes, if the last may have no row.

    Returns
    -------
    right : ndarray of shape (l,), int64
        How many rows are predicted right, 0 for prefixes that were not wanted.
    workspace : Workspace
        The one that holds the last tree.
    """
    # memory is made for each call, so that calls can run side by side
    scale, right = 1, np.empty(len(permutation), dtype=np.int64)
    n_classes = int(table.codes.max()) + 1 if n_classes is None else n_classes
    several = start < len(permutation)
    while True:
        room = make_workspace(table, n_classes, len(permutation), scale=scale, remember=several)
        if prefixes_right(table, permutation, weights, predicted, occurring, rules, start, right, room):
            return right, room
        scale *= 2


class TreePayoff:
    """Payoffs of subsets for C4.5, of any columns; a tree is built for every fold and prefix.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; NaN where missing, nominal columns as codes.
    sizes : ndarray of shape (d,), int64
        Number of values of a nominal column, 0 for a numeric one.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.
    rules : Rules
        When to split, and how to prune.

    Examples
    --------
    >>> X, rules = np.array([[0.1, 0.0], [0.0, 1.0], [1.0, 0.0], [1.1, 1.0]] * 4), Rules(1.0, 99, False, 0.25, 0.67)
    >>> payoff = TreePayoff(X, np.array([0, 2]), X[:, 1].astype(int), np.arange(16) // 8, rules)
    >>> payoff.accuracies(np.array([1, 0]))
    array([0.5, 1. , 1. ])
    """

    def __init__(
        self, values: np.ndarray, sizes: np.ndarray, codes: np.ndarray, folds: np.ndarray, rules: Rules
    ) -> None:
        self._table = make_table(values, sizes, codes)
        self._rules = rules
        numbers = np.arange(folds.max() + 1)[:, None]
        self._predicted, self._weights = folds == numbers, (folds != numbers).astype(np.float64)
        self._occurring = np.array([occurring_values(values, sizes, one) for one in self._weights])
        self._nothing = majority_share(codes, folds)
        known = self._table, self._weights, self._predicted, self._occurring, rules
        fits = not np.isnan(values).any() and KeptTrees.fits(len(codes), len(numbers))
        self._kept = KeptTrees(*known) if fits else None

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        right = self._kept.right(columns, start) if self._kept is not None else None
        if right is None:
            known = self._weights, self._predicted, self._occurring, self._rules
            right, _ = count_right(self._table, columns, *known, start)
        return np.append(self._nothing, right / np.count_nonzero(self._predicted))[start:]


class BitPayoff:
    """Payoffs of subsets for C4.5, of complete nominal columns and unpruned; the parameters are those of `TreePayoff`.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; codes from 0.
    sizes : ndarray of shape (d,), int64
        Number of values of each column.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.
    rules : Rules
        When to split.

    Examples
    --------
    >>> X, rules = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 4), Rules(1.0, 99, False, 0.25, 0.67)
    >>> payoff = BitPayoff(X, np.array([2, 2]), X[:, 1].astype(int), np.arange(16) // 8, rules)
    >>> payoff.accuracies(np.array([1, 0]))
    array([0.5, 1. , 1. ])
    """

    def __init__(
        self, values: np.ndarray, sizes: np.ndarray, codes: np.ndarray, folds: np.ndarray, rules: Rules
    ) -> None:
        self._table = make_bit_table(values, sizes, codes, folds)
        self._rules = rules
        masks = [folds != fold for fold in range(folds.max() + 1)]
        self._occurring = np.array([occurring_values(values, sizes, mask) for mask in masks])
        self._n_predicted = np.count_nonzero(folds >= 0)
        self._nothing = majority_share(codes, folds)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        right = np.empty(len(columns), dtype=np.int64)
        room = make_bit_workspace(self._table, len(columns))
        bit_prefixes_right(self._table, columns, self._occurring, self._rules, start, right, room)
        return np.append(self._nothing, right / self._n_predicted)[start:]


class RowPayoff:
    """Payoffs of subsets for C4.5, of complete nominal columns; the parameters are those of `TreePayoff`.

    Examples
    --------
    >>> X, rules = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 4), Rules(2.0, 99, True, 0.25, 0.67)
    >>> payoff = RowPayoff(X, np.array([2, 2]), X[:, 1].astype(int), np.arange(16) // 8, rules)
    >>> payoff.accuracies(np.array([1, 0]))
    array([0.5, 1. , 1. ])
    """

    def __init__(
        self, values: np.ndarray, sizes: np.ndarray, codes: np.ndarray, folds: np.ndarray, rules: Rules
    ) -> None:
        self._table = make_row_table(values, sizes, codes)
        self._sizes, self._rules, self._folds = sizes, rules, folds
        self._perfect = errors_of_perfect(len(codes), rules)
        masks = [folds != fold for fold in range(folds.max() + 1)]
        self._occurring = np.array([occurring_values(values, sizes, mask) for mask in masks])
        self._n_classes = int(codes.max()) + 1
        self._nothing = majority_share(codes, folds)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        right = np.zeros(len(columns))
        for k in range(max(start - 1, 0), len(columns)):
            # in the table's order: ties go to its first column, whatever the path
            right[k] = self._right(np.sort(columns[: k + 1]))
        return np.append(self._nothing, right / np.count_nonzero(self._folds >= 0))[start:]

    def _right(self, columns: np.ndarray) -> int:
        part, places = narrow_table(self._table, columns), np.arange(len(columns))
        sizes, occurring = self._sizes[columns], np.ascontiguousarray(self._occurring[:, columns])
        found, scale = -1, 1
        while found < 0:
            # memory is made for each call, so that calls can run side by side
            room = make_row_workspace(len(self._folds), sizes, self._n_classes, scale=scale)
            found = rows_right(part, self._folds, occurring, places, self._rules, self._perfect, room)
            scale *= 2
        return found


def c45_payoff(
    values: np.ndarray, sizes: np.ndarray, codes: np.ndarray, folds: np.ndarray, rules: Rules
) -> TreePayoff | BitPayoff | RowPayoff:
    """Make the fastest one that fits; the parameters are those of `TreePayoff`.

    Parameters
    ----------
    values, sizes, codes, folds : ndarray
        The table.
    rules : Rules
        When to split, and how to prune.

    Returns
    -------
    TreePayoff, BitPayoff or RowPayoff
        The payoff.
    """
    complete = sizes.all() and not np.isnan(values).any()
    if complete and not rules.pruned:
        return BitPayoff(values, sizes, codes, folds, rules)
    rows = complete and fits_rows(len(codes), sizes, int(codes.max()) + 1)
    return (RowPayoff if rows else TreePayoff)(values, sizes, codes, folds, rules)
