"""The checked 0/1 matrix that every measure of stability starts from."""

from __future__ import annotations

from numbers import Number

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError

__all__ = ["as_selections"]


def as_selections(Z: ArrayLike, minimum: int = 2) -> NDArray[np.bool_]:
    """Check a table of feature sets and return it as booleans.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, one column a feature: booleans, or the numbers 0 and 1. A pandas or polars table
        or a list of rows will do.
    minimum : int, default=2
        The fewest rows accepted; one set alone has no stability.

    Returns
    -------
    ndarray of bool, shape (M, d)
        The same table; not copied if it was boolean already.

    Raises
    ------
    fselect.errors.InputError
        If the table is not two-dimensional, is too small, or holds anything but 0 and 1.

    Examples
    --------
    >>> as_selections([[1, 0], [0, 1]])
    array([[ True, False],
           [False,  True]])
    """
    table = _rectangle(Z)
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"Z must have one row a set and one column a feature, not the shape {table.shape}")
    if len(table) < minimum:
        raise InputError(f"stability compares sets: Z needs at least {minimum} rows, it has {len(table)}")
    return table if table.dtype == bool else _binary(_numbers(table))


def _rectangle(Z: ArrayLike) -> NDArray:
    try:
        return np.asarray(Z)
    except ValueError as error:
        raise InputError("the rows of Z differ in length; give each set one 0 or 1 a feature") from error


def _numbers(table: NDArray) -> NDArray:
    """Turn nullable columns, which numpy sees as objects, into numbers; refuse text."""
    if table.dtype.kind in "iuf":
        return table
    if table.dtype.kind == "O":
        flat = [value if isinstance(value, (Number, np.bool_)) else np.nan for value in table.flat]
        return np.array(flat, dtype=float).reshape(table.shape)
    raise InputError(f"Z must hold booleans or the numbers 0 and 1, not values of type {table.dtype}")


def _binary(table: NDArray) -> NDArray[np.bool_]:
    chosen = table == 1
    wrong = ~(chosen | (table == 0))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"Z must hold only 0 and 1, but row {row}, column {column} (from 0) is {table[row, column]}; "
            "turn weights or ranks into selected or not first"
        )
    return chosen
