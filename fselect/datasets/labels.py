"""Class labels: any column of labels becomes a numpy array of text, whole numbers or booleans."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["as_labels", "missing_labels"]


def missing_labels(values: Any) -> np.ndarray:
    """Find the rows that have no label.

    Parameters
    ----------
    values : array-like of shape (n,)
        Labels of any type. ``None``, NaN, ``pandas.NA`` and blank text count as missing.

    Returns
    -------
    ndarray of bool, shape (n,)
        True where the label is missing.

    Examples
    --------
    >>> missing_labels(["a", None, " ", float("nan")]).tolist()
    [False, True, True, True]
    """
    flat = _flat(values)
    if flat.dtype.kind in "biu":
        return np.zeros(flat.shape, dtype=bool)
    if flat.dtype.kind == "f":
        return np.isnan(flat)
    return np.array([_is_missing(value) for value in flat.tolist()], dtype=bool)


def as_labels(values: Any) -> np.ndarray:
    """Turn labels of any type into a plain array, never one of Python objects.

    Whole numbers stay whole numbers (also where a missing neighbour once made floats of them), booleans
    stay booleans, bytes are decoded, and a column of mixed types becomes text.

    Parameters
    ----------
    values : array-like of shape (n,) or (n, 1)
        Labels without missing ones (see `missing_labels`).

    Returns
    -------
    ndarray of shape (n,)
        Of int64, bool, float64 (only if some label is not whole) or fixed-width text.

    Examples
    --------
    >>> as_labels([2.0, 1.0, 2.0])
    array([2, 1, 2])
    >>> as_labels([b"yes", b"no"])
    array(['yes', 'no'], dtype='<U3')
    """
    flat = _flat(values)
    if flat.dtype.kind in "OSM":
        flat = _from_objects(flat.tolist())
    if flat.dtype.kind in "iu":
        return flat.astype(np.int64)
    if flat.dtype.kind == "f" and _are_whole(flat):
        return flat.astype(np.int64)
    return flat.astype(np.float64) if flat.dtype.kind == "f" else flat.copy()


def _are_whole(flat: np.ndarray) -> bool:
    # Beyond 2**53 a float names no single whole number.
    return bool(np.all(flat == np.floor(flat)) and np.all(np.abs(flat) <= 2.0**53))


def _flat(values: Any) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values.ravel() if values.ndim == 2 and values.shape[1] == 1 else values
    import pandas as pd  # here, because a worker, whose labels are an array, need not have it in its memory

    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if isinstance(values, (pd.Series, pd.Index)):
        keeps = isinstance(values.dtype, np.dtype)
        return values.to_numpy() if keeps else values.astype(object).to_numpy()
    # Through objects: numpy alone would turn ["a", nan] into the text "nan".
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array


def _is_missing(value: object) -> bool:
    if isinstance(value, (str, bytes)):
        return not value.strip()
    import pandas as pd

    missing = pd.isna(value)  # type: ignore[call-overload]
    return isinstance(missing, (bool, np.bool_)) and bool(missing)


def _from_objects(items: list[Any]) -> np.ndarray:
    items = [item.decode(errors="replace") if isinstance(item, bytes) else item for item in items]
    if all(isinstance(item, (bool, np.bool_)) for item in items):
        return np.array(items, dtype=bool)
    if all(_is_number(item) for item in items) and all(abs(item) < 2**53 for item in items):
        return np.array([float(item) for item in items])
    return np.array([str(item) for item in items], dtype=str)


def _is_number(item: object) -> bool:
    return isinstance(item, (int, float, np.integer, np.floating)) and not isinstance(item, bool)
