"""A table as measures see it: values, classes, which columns are nominal, and how the others are cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fselect.errors import InputError
from fselect.measures.discretise import check_strategy, is_nominal, to_levels
from fselect.measures.patterns import Patterns, pack

__all__ = ["Table", "column_positions", "nominal_mask"]


@dataclass(frozen=True, eq=False)
class Table:
    """Values and classes, with what measures of nominal columns derive from them once.

    Attributes
    ----------
    X : ndarray of shape (n, d), float64
        Finite values.
    codes : ndarray of shape (n,), int64
        Classes 0 … n_classes - 1.
    n_classes : int
        Number of classes.
    nominal : ndarray of shape (d,), bool
        Columns whose values are names.
    discretize : str or None
        How the others are cut; see `fselect.measures.discretise.cut_points`.
    n_bins : int
        Into how many parts.
    names : list of str
        What columns are called in sentences.

    Examples
    --------
    >>> table = Table(np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([0, 1]), 2, np.array([True, True]))
    >>> table.levels.tolist()
    [[0, 0], [1, 0]]
    """

    X: np.ndarray
    codes: np.ndarray
    n_classes: int
    nominal: np.ndarray
    discretize: str | None = None
    n_bins: int = 5
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.discretize is not None:
            check_strategy(self.discretize, self.n_bins)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    @cached_property
    def levels(self) -> np.ndarray:
        """All columns as whole numbers from 0: int64, shape (n, d)."""
        names = self.names or [str(column) for column in range(self.n_columns)]
        return to_levels(self.X, self.codes, self.nominal, self.discretize, self.n_bins, names)

    @cached_property
    def patterns(self) -> Patterns:
        """The same, packed."""
        return pack(self.levels, self.codes, self.n_classes)

    @cached_property
    def class_shares(self) -> np.ndarray:
        """Share of each class: float64, shape (C,)."""
        counts = np.bincount(self.codes, minlength=self.n_classes)
        shares: np.ndarray = counts / counts.sum()
        return shares

    @cached_property
    def scaled(self) -> np.ndarray:
        """All columns on the range 0 … 1, constant ones 0; nominal ones as they are."""
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        span = np.where(high > low, high - low, 1.0)
        return np.where(self.nominal, self.X, (self.X - low) / span)

    def rows(self, chosen: np.ndarray) -> Table:
        """Give the table of some rows; columns keep the levels of the whole one."""
        part = Table(
            self.X[chosen], self.codes[chosen], self.n_classes, self.nominal, self.discretize, self.n_bins, self.names
        )
        part.__dict__["levels"] = self.levels[chosen]
        return part


def nominal_mask(nominal: Any, X: np.ndarray, names: list[str]) -> np.ndarray:
    """Work out which columns are nominal.

    Parameters
    ----------
    nominal : "auto", "all", "none", or sequence of names or positions
        ``"auto"`` takes those that `fselect.measures.discretise.is_nominal` does.
    X : ndarray of shape (n, d), float64
        The values.
    names : list of str
        Names of the columns.

    Returns
    -------
    ndarray of shape (d,), bool

    Raises
    ------
    InputError
        A word, name or position that is none.

    Examples
    --------
    >>> X = np.array([[0.0, 0.5], [1.0, 0.25]])
    >>> nominal_mask("auto", X, ["a", "b"]).tolist(), nominal_mask(["b"], X, ["a", "b"]).tolist()
    ([True, False], [False, True])
    """
    d = X.shape[1]
    if isinstance(nominal, str):
        if nominal not in ("auto", "all", "none"):
            raise InputError(f"nominal must be 'auto', 'all', 'none', or a list of columns, not {nominal!r}")
        if nominal != "auto":
            return np.full(d, nominal == "all")
        return np.array([is_nominal(X[:, column]) for column in range(d)], dtype=bool)
    mask = np.zeros(d, dtype=bool)
    mask[column_positions(nominal, d, names, "nominal")] = True
    return mask


def column_positions(columns: Any, d: int, names: list[str], parameter: str) -> list[int]:
    """Turn names or positions of columns into positions.

    Parameters
    ----------
    columns : iterable of str or int, or None
        Names, or positions from 0; None is no column.
    d : int
        Number of columns.
    names : list of str
        Their names.
    parameter : str
        What the list is called in a sentence.

    Returns
    -------
    list of int
        Positions, each once, in the order given.

    Raises
    ------
    InputError
        A name or position that is not there, or no list at all.

    Examples
    --------
    >>> column_positions(["b", 0], 2, ["a", "b"], "must_include")
    [1, 0]
    """
    if columns is None:
        return []
    if isinstance(columns, str) or not hasattr(columns, "__iter__"):
        raise InputError(f"{parameter} must be a list of column names or positions, not {columns!r}")
    given = list(columns)
    if len(given) == d and all(isinstance(one, bool | np.bool_) for one in given):
        return np.flatnonzero(given).tolist()
    return list(dict.fromkeys(_position(one, d, names, parameter) for one in given))


def _position(column: Any, d: int, names: list[str], parameter: str) -> int:
    if isinstance(column, str):
        if column in names:
            return names.index(column)
        raise InputError(f"{parameter} names {column!r}, and there is no such column")
    if isinstance(column, bool) or not isinstance(column, int | np.integer) or not 0 <= column < d:
        raise InputError(f"{parameter} holds {column!r}; give column names or positions from 0 to {d - 1}")
    return int(column)
