"""The checks that every table passes before anything is computed from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from fselect.datasets.sparse_tables import dense_columns
from fselect.datasets.wording import listing, plural
from fselect.errors import InputError

__all__ = [
    "check_classes",
    "check_finite",
    "check_labels_look_like_classes",
    "check_names",
    "check_table",
    "is_constant",
]

MINIMUM_ROWS = 3
_CELLS = 4_000_000  # looked at at a time


def check_table(
    X: np.ndarray,
    y: np.ndarray,
    names: Sequence[str],
    *,
    table: str,
    rows: np.ndarray | None = None,
    allow_missing: bool = False,
) -> None:
    """Refuse a table from which no selection can be made.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        The values.
    y : ndarray of shape (n,)
        The labels, none missing.
    names : sequence of str
        The d column names.
    table : str
        What to call the table in a sentence.
    rows : ndarray of int, shape (n,), optional
        Position of each row in the table as loaded, from 0. Default: 0 .. n−1.
    allow_missing : bool, default=False
        Let NaN pass (for methods that can work with missing values). Infinite values never pass.

    Raises
    ------
    InputError
        Two columns of one name, no column, fewer than 3 rows, labels that look like measurements, one
        class, a class with one member, a missing or infinite value, or nothing but constant columns.

    Examples
    --------
    >>> check_table(np.eye(3), np.array(["a", "a", "b"]), ["x", "y", "z"], table="t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: class 'b' has a single row (row 3); every class needs two or more: ...
    """
    check_names(names, table)
    if len(y) < MINIMUM_ROWS:
        rows_needed = f"a selection needs {MINIMUM_ROWS} or more"
        raise InputError(f"{table} has {plural(len(y), 'row')}; {rows_needed}")
    check_labels_look_like_classes(y, table)
    check_classes(y, table, rows)
    check_finite(X, names, table, rows, allow_missing=allow_missing)
    _check_not_all_constant(X, table)


def check_names(names: Sequence[str], table: str) -> None:
    """Refuse a table without columns, or with two columns of one name.

    Parameters
    ----------
    names : sequence of str
        Column names.
    table : str
        What to call the table in a sentence.

    Raises
    ------
    InputError
        No column at all, or a name that occurs twice.

    Examples
    --------
    >>> check_names(["a", "b", "a"], "t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: two columns or more share a name: 'a' (columns 1, 3); rename them
    """
    if not names:
        raise InputError(f"{table} has no column to select from; it needs the target and at least one other")
    counts = Counter(names)
    repeated = [name for name in counts if counts[name] > 1]
    if repeated:
        places = [position for position, name in enumerate(names, 1) if name == repeated[0]]
        others = f", also {listing(repeated[1:])}" if repeated[1:] else ""
        where = f"{repeated[0]!r} (columns {listing(places)}){others}"
        raise InputError(f"{table}: two columns or more share a name: {where}; rename them")


def check_labels_look_like_classes(y: np.ndarray, table: str) -> None:
    """Refuse a numeric target with so many values that it is a measurement and not a class.

    A target counts as a measurement if it is numeric and (a) has fractions and more than 10 different
    values, or more than half as many as rows, or (b) is whole and has more than 20 different values and
    more than a fifth as many as rows. (Decided here: no rule is right for every table, and this one lets
    every classification table that ships with scikit-learn pass.)

    Parameters
    ----------
    y : ndarray of shape (n,)
        The labels.
    table : str
        What to call the table in a sentence.

    Raises
    ------
    InputError
        The target looks like one for regression.

    Examples
    --------
    >>> check_labels_look_like_classes(np.linspace(0.0, 1.0, 50), "t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: the target holds 50 different numbers in 50 rows (0.0 … 1.0): it ...
    """
    if y.dtype.kind not in "if":
        return
    distinct = np.unique(y)
    many = len(distinct) > (10 if y.dtype.kind == "f" else 20)
    dense = len(distinct) > len(y) * (0.5 if y.dtype.kind == "f" else 0.2)
    if (many or dense) if y.dtype.kind == "f" else (many and dense):
        what = f"{len(distinct)} different numbers in {len(y)} rows ({distinct[0]} … {distinct[-1]})"
        way_out = "it looks like a measurement, not a class; cut it into classes first"
        raise InputError(f"{table}: the target holds {what}: {way_out}")


def check_classes(y: np.ndarray, table: str, rows: np.ndarray | None = None) -> None:
    """Refuse a target with one class, or with a class of one member.

    Parameters
    ----------
    y : ndarray of shape (n,)
        The labels.
    table : str
        What to call the table in a sentence.
    rows : ndarray of int, shape (n,), optional
        Position of each row in the table as loaded, from 0.

    Raises
    ------
    InputError
        Fewer than two classes, or a class with a single row (a bootstrap could not keep it and leave a
        row out for testing).

    Examples
    --------
    >>> check_classes(np.array(["a", "a", "a"]), "t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: the target holds one class only ('a'); a selection needs two or more
    """
    classes, first, counts = np.unique(y, return_index=True, return_counts=True)
    if len(classes) < 2:
        only = classes.tolist()[0]
        raise InputError(f"{table}: the target holds one class only ({only!r}); a selection needs two or more")
    alone = np.flatnonzero(counts == 1)
    if len(alone):
        label = classes.tolist()[alone[0]]
        more = f" (as have {plural(len(alone) - 1, 'other')})" if len(alone) > 1 else ""
        row = _row(first[alone[0]], rows)
        way_out = "every class needs two or more: join it with another class or leave the row out"
        raise InputError(f"{table}: class {label!r} has a single row (row {row}){more}; {way_out}")


def check_finite(
    X: np.ndarray,
    names: Sequence[str],
    table: str,
    rows: np.ndarray | None = None,
    *,
    allow_missing: bool = False,
) -> None:
    """Refuse infinite values, and missing ones unless they are allowed.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        The values.
    names : sequence of str
        The d column names.
    table : str
        What to call the table in a sentence.
    rows : ndarray of int, shape (n,), optional
        Position of each row in the table as loaded, from 0.
    allow_missing : bool, default=False
        Let NaN pass.

    Raises
    ------
    InputError
        Names the first such cell by column and row, and what can be done.

    Examples
    --------
    >>> check_finite(np.array([[1.0], [np.inf]]), ["age"], "t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: column 'age' is infinite in row 2 (inf); correct the cell or drop ...
    """
    if issparse(X):
        matrix: Any = X
        bad = np.unique(matrix.indices[~np.isfinite(matrix.data)])
        X, names = dense_columns(X, bad), [names[column] for column in bad.tolist()]
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()) or np.isfinite(X).all():
            return
    infinite = np.isinf(X)
    if infinite.any():
        row, column = _first_cell(infinite)
        where = f"column {names[column]!r} is infinite in row {_row(row, rows)} ({X[row, column]})"
        raise InputError(f"{table}: {where}; correct the cell or drop the column")
    if not allow_missing:
        raise InputError(_missing_sentence(np.isnan(X), names, table, rows))


def _missing_sentence(missing: np.ndarray, names: Sequence[str], table: str, rows: np.ndarray | None) -> str:
    row, column = _first_cell(missing)
    others = int(missing.sum()) - 1
    columns = plural(int(missing.any(axis=0).sum()), "column")
    more = f" (and {plural(others, 'more cell')} in {columns})" if others else ""
    where = f"column {names[column]!r} has no value in row {_row(row, rows)}{more}"
    way_out = "fill it in, or choose missing (--missing): drop (rows), impute (median), or category (text columns)"
    return f"{table}: {where}; {way_out}"


def _first_cell(mask: np.ndarray) -> tuple[int, int]:
    row, column = divmod(int(np.argmax(mask)), mask.shape[1])
    return row, column


def _row(position: int, rows: np.ndarray | None) -> int:
    return int(position if rows is None else rows[position]) + 1


def _check_not_all_constant(X: np.ndarray, table: str) -> None:
    if is_constant(X).all():
        raise InputError(f"{table}: every column is constant, so there is nothing to select from")


def is_constant(X: np.ndarray) -> np.ndarray:
    """Find the columns that hold one value only; missing values do not count.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
        The values, n ≥ 1.

    Returns
    -------
    ndarray of bool, shape (d,)
        True where all values that are there are exactly equal.

    Examples
    --------
    >>> is_constant(np.array([[1.0, 2.0], [np.nan, 3.0], [1.0, 2.0]])).tolist()
    [True, False]
    """
    if issparse(X):
        matrix: Any = X
        entries = np.bincount(matrix.indices, minlength=X.shape[1])
        full = np.flatnonzero(entries == X.shape[0])
        constant = np.asarray(entries == 0)
        constant[full] = is_constant(dense_columns(X, full))
        return constant
    constant, holey = np.ones(X.shape[1], dtype=bool), np.zeros(X.shape[1], dtype=bool)
    few = max(1, _CELLS // max(1, X.shape[1]))
    for start in range(0, X.shape[0], few):  # a mask of a large table would be an eighth of its size
        part = X[start : start + few]
        constant &= (part == X[0]).all(axis=0)
        holey |= np.isnan(part).any(axis=0)
    for column in np.flatnonzero(holey).tolist():
        values = X[~np.isnan(X[:, column]), column]
        constant[column] = len(values) == 0 or bool((values == values[0]).all())
    return constant
