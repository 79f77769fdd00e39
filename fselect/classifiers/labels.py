"""Labels as codes and weights as numbers, checked, for the classifiers of this package."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from fselect.errors import InputError

__all__ = ["read_labels", "read_weights"]


def read_labels(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check labels.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table they belong to.
    y : array-like of shape (n,)
        The labels.

    Returns
    -------
    classes : ndarray of shape (C,)
        The different labels, sorted.
    codes : ndarray of shape (n,), int64
        Each label's place among them.

    Raises
    ------
    InputError
        Missing labels, labels of several types, or numbers that are no classes.

    Examples
    --------
    >>> read_labels(np.zeros((3, 1)), ["b", "a", "b"])
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
    """
    if y is None:
        raise InputError("this classifier requires y to be passed, but the target y is None; pass the labels")
    labels = column_or_1d(_without_nullable_type(y), warn=True)
    check_consistent_length(X, labels)
    if labels.dtype.kind == "O":
        _refuse_missing(labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise InputError("y contains NaN or inf; drop the rows without a label")
    try:
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise InputError("y mixes labels of several types; make them all text or all numbers") from error
    return classes, codes.astype(np.int64)


def _without_nullable_type(y: Any) -> Any:
    """Give nullable whole numbers and booleans of pandas as numpy's; scikit-learn would turn them into floats."""
    plain = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if plain is None or plain.kind not in "iub":
        return y
    _refuse_missing(y)
    return y.to_numpy(dtype=plain)


def _refuse_missing(labels: Any) -> None:
    missing = np.flatnonzero(pd.isna(labels))
    if missing.size:
        raise InputError(f"y has no label in row {missing[0]}; drop the rows without a label")


def read_weights(sample_weight: Any, n: int) -> np.ndarray:
    """Check the weights of rows.

    Parameters
    ----------
    sample_weight : array-like of shape (n,), number, or None
        Weights; ``None`` is 1 each.
    n : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n,), float64
        Finite, at least 0, not all 0.

    Raises
    ------
    InputError
        Any other weights; the row is named.

    Examples
    --------
    >>> read_weights(None, 2)
    array([1., 1.])
    """
    if sample_weight is None:
        return np.ones(n)
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n, float(sample_weight))
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise InputError(f"sample_weight must hold one weight a row, so have shape ({n},), not {weight.shape}")
    wrong = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if wrong.size:
        raise InputError(f"sample_weight of row {wrong[0]} is {weight[wrong[0]]}; weights are finite and at least 0")
    if not weight.any():
        raise InputError("every sample_weight is zero; give some rows a weight above 0")
    return weight
