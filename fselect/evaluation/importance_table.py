"""The checked table of importances that measures of what models rely on start from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.floats import as_floats

__all__ = ["as_importances"]


def as_importances(W: ArrayLike) -> NDArray[np.float64]:
    """Check a table of importances, one row a set.

    Parameters
    ----------
    W : array-like of shape (M, d)
        The importances; 0 for features that are not in the set.

    Returns
    -------
    ndarray of float64, shape (M, d)
        The same.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two rows, or an importance is negative or not finite.

    Examples
    --------
    >>> as_importances([[1, 0], [2, 1]])
    array([[1., 0.],
           [2., 1.]])
    """
    table = as_floats(W, "the importances in W")
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"W must have one row a set and one column a feature, not the shape {table.shape}")
    if len(table) < 2:
        raise InputError(f"stability compares sets: W needs at least 2 rows, it has {len(table)}")
    wrong = ~(np.isfinite(table) & (table >= 0))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"an importance is a finite number from 0 on, but row {row}, column {column} (from 0) is "
            f"{table[row, column]}; take absolute values, and 0 where a feature was not selected"
        )
    return table
