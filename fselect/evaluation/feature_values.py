"""The checked table of the features' values that correlations are worked out from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.floats import as_floats

__all__ = ["as_feature_values"]


def as_feature_values(X: ArrayLike) -> NDArray[np.float64]:
    """Check the values of features that are to be correlated.

    Parameters
    ----------
    X : array-like of shape (n, d)
        A row an object, a column a feature.

    Returns
    -------
    ndarray of float64, shape (n, d)
        The same; not copied if it was such already.

    Raises
    ------
    fselect.errors.InputError
        If it is no such table of finite numbers, or has fewer than two rows.

    Examples
    --------
    >>> as_feature_values([[1, 0], [2, 1]])
    array([[1., 0.],
           [2., 1.]])
    """
    values = as_floats(X, "the features' values")
    if values.ndim != 2 or values.shape[1] == 0:
        raise InputError(f"the features' values need one row an object, one column a feature, not shape {values.shape}")
    if len(values) < 2:
        raise InputError(f"features are correlated over rows: at least 2 are needed, there are {len(values)}")
    if not np.isfinite([values.min(), values.max()]).all():  # both are nan where anything is, and need no memory
        row, column = np.argwhere(~np.isfinite(values))[0]
        raise InputError(
            f"the features' values must be finite, but row {row}, column {column} (from 0) is {values[row, column]}; "
            "fill or drop it first"
        )
    return values
