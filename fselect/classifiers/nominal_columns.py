"""Which columns are nominal, and tables with such columns as plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

from fselect.classifiers.column_types import check_type, has_declared_values, holds_texts
from fselect.errors import InputError

__all__ = ["UNSEEN", "Columns", "read_again", "read_columns", "take_rows"]

UNSEEN = -1.0
"""What stands for a value of a nominal column that was not there when the classifier was fitted."""


@dataclass(frozen=True, eq=False)
class Columns:
    """What is remembered of the columns of a table.

    Attributes
    ----------
    names : tuple of str
        As the table calls them, else x0, x1, …
    categories : tuple of (ndarray or None)
        The values of each nominal column, whose places are its codes; ``None`` for a numeric column.
    declared : tuple of bool
        Whether the type of a column says which values it may have, so that all rows or some give the same.
    """

    names: tuple[str, ...]
    categories: tuple[np.ndarray | None, ...]
    declared: tuple[bool, ...] = ()

    @property
    def sizes(self) -> np.ndarray:
        """Number of values of each column, 0 for a numeric one: int64, shape (d,)."""
        return np.array([0 if values is None else len(values) for values in self.categories], dtype=np.int64)


def read_columns(estimator: Any, X: Any, nominal: Any, *, allow_nan: bool) -> tuple[np.ndarray, Columns]:
    """Turn a table into numbers, and remember how.

    Parameters
    ----------
    estimator : estimator
        Which gets ``n_features_in_`` and ``feature_names_in_``.
    X : array-like or frame of shape (n, d)
        A pandas or polars frame may hold text and categories, an array numbers only.
    nominal : {"auto", "all", "none"} or array-like
        ``"auto"``: the columns of a frame that hold categories, text or booleans. Else names or positions of
        columns, or a mask of shape (d,); columns that hold text are nominal in any case.
    allow_nan : bool
        Whether values may be missing.

    Returns
    -------
    values : ndarray of shape (n, d), float64
        Nominal columns as codes from 0; NaN where missing.
    columns : Columns
        For `read_again`.

    Raises
    ------
    InputError
        An unknown column in ``nominal``, a missing value where none may be, or a column that holds neither numbers
        nor text.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> frame = pd.DataFrame({"size": [3.5, 1.0], "colour": ["red", "blue"]})
    >>> values, columns = read_columns(BaseEstimator(), frame, "auto", allow_nan=True)
    >>> values.tolist(), columns.categories[1].tolist(), columns.sizes.tolist()
    ([[3.5, 1.0], [1.0, 0.0]], ['blue', 'red'], [0, 2])
    """
    frame = _as_frame(X)
    if frame is None:
        checked = _checked(estimator, X, reset=True, allow_nan=allow_nan)
        names = _names_of(checked)
        mask = _mask(nominal, names, np.zeros(len(names), dtype=bool))
        series: list[Any] = [checked[:, column] for column in range(len(names))]
    else:
        _record(estimator, frame, reset=True)
        names = tuple(map(str, frame.columns))
        series = [frame.iloc[:, column] for column in range(len(names))]
        texts = np.array([holds_texts(one, name) for one, name in zip(series, names, strict=True)], dtype=bool)
        mask = _mask(nominal, names, texts)
    categories = tuple(_categories(one) if chosen else None for one, chosen in zip(series, mask, strict=True))
    columns = Columns(names, categories, tuple(has_declared_values(one) for one in series))
    return _numbers(series, columns, allow_nan=allow_nan), columns


def read_again(estimator: Any, X: Any, columns: Columns, *, allow_nan: bool) -> np.ndarray:
    """Turn another table into the numbers that the first was turned into.

    Parameters
    ----------
    estimator : estimator
        As fitted: the number and names of its columns are asked for.
    X : array-like or frame of shape (n, d)
        The table.
    columns : Columns
        From `read_columns`.
    allow_nan : bool
        Whether values may be missing.

    Returns
    -------
    ndarray of shape (n, d), float64
        Nominal columns as codes, `UNSEEN` for a value that the first table did not have; NaN where missing.

    Raises
    ------
    InputError
        A missing value where none may be.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> one = BaseEstimator()
    >>> _, columns = read_columns(one, pd.DataFrame({"colour": ["red", "blue"]}), "auto", allow_nan=True)
    >>> read_again(one, pd.DataFrame({"colour": ["green", "red", None]}), columns, allow_nan=True).ravel()
    array([-1.,  1., nan])
    """
    frame = _as_frame(X)
    if frame is None:
        checked = _checked(estimator, X, reset=False, allow_nan=allow_nan)
        series: list[Any] = [checked[:, column] for column in range(checked.shape[1])]
    else:
        _record(estimator, frame, reset=False)
        series = [frame.iloc[:, column] for column in range(frame.shape[1])]
    return _numbers(series, columns, allow_nan=allow_nan)


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Give some rows of a table, which may be a pandas or polars frame or an array.

    Examples
    --------
    >>> take_rows([[1, 2], [3, 4]], np.array([1])).tolist()
    [[3, 4]]
    """
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "to_pandas") else np.asarray(X)[rows]


def _as_frame(X: Any) -> pd.DataFrame | None:
    if isinstance(X, pd.DataFrame):
        return X
    if hasattr(X, "to_pandas") and hasattr(X, "columns"):
        frame: pd.DataFrame = X.to_pandas()
        return frame
    return None


def _checked(estimator: Any, X: Any, *, reset: bool, allow_nan: bool) -> np.ndarray:
    """Read what is no frame."""
    if getattr(getattr(X, "dtype", None), "kind", "f") in "mM":
        check_type(X.dtype, "X")  # scikit-learn refuses complex numbers itself, but not these
    checked: np.ndarray = validate_data(estimator, X, reset=reset, dtype=np.float64, ensure_all_finite=False)
    _check_finite(checked, _names_of(checked), allow_nan=allow_nan)
    return checked


def _names_of(values: np.ndarray) -> tuple[str, ...]:
    return tuple(f"x{column}" for column in range(values.shape[1]))


def _record(estimator: Any, frame: pd.DataFrame, *, reset: bool) -> None:
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"column name {twice[0]!r} occurs more than once; rename or drop the copies")
    if not frame.shape[1]:
        raise InputError(f"X has {len(frame)} rows and no columns; give at least one column")
    if not len(frame):
        validate_data(estimator, frame, reset=reset)  # scikit-learn's own words about an empty table
    validate_data(estimator, frame, reset=reset, skip_check_array=True)


def _mask(nominal: Any, names: tuple[str, ...], texts: np.ndarray) -> np.ndarray:
    if isinstance(nominal, str) and nominal in ("auto", "all", "none"):
        return np.ones_like(texts) if nominal == "all" else texts
    chosen = np.asarray([] if nominal is None else nominal)
    if chosen.ndim != 1:
        raise InputError(f"nominal must be 'auto', 'all', 'none', or a list of columns, not {nominal!r}")
    if chosen.dtype.kind == "b":
        if chosen.shape != texts.shape:
            raise InputError(f"nominal is a mask of {chosen.size} columns, but the table has {texts.size}")
        return chosen | texts
    mask = texts.copy()
    for one in chosen.tolist():
        mask[_position(one, names)] = True
    return mask


def _position(column: Any, names: tuple[str, ...]) -> int:
    if isinstance(column, int) and 0 <= column < len(names):
        return column
    if str(column) in names:
        return names.index(str(column))
    raise InputError(f"nominal names the column {column!r}, which is not there; the table has {', '.join(names[:5])}…")


def _categories(series: Any) -> np.ndarray:
    if isinstance(series, np.ndarray):
        return np.unique(series[~np.isnan(series)])
    if has_declared_values(series):
        return np.asarray(series.dtype.categories)
    present = series.dropna().unique()
    try:
        return np.asarray(sorted(present))
    except TypeError:
        return np.asarray(sorted(present, key=str), dtype=object)


def _numbers(series: list[Any], columns: Columns, *, allow_nan: bool) -> np.ndarray:
    made = [_coded(*part) for part in zip(series, columns.categories, columns.names, strict=True)]
    values = np.ascontiguousarray(np.column_stack(made), dtype=np.float64)
    _check_finite(values, columns.names, allow_nan=allow_nan)
    return values


def _coded(series: Any, categories: np.ndarray | None, name: str) -> np.ndarray:
    missing = np.isnan(series) if isinstance(series, np.ndarray) else series.isna().to_numpy()
    if categories is None:
        check_type(series.dtype, f"column {name!r}")
        try:
            # objects have several signs for what is missing, of which numpy knows one
            return np.asarray(series.mask(missing, np.nan) if series.dtype == object else series, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"column {name!r} was numeric when fitted but holds something else; convert it") from error
    try:
        codes = pd.Index(categories).get_indexer(pd.Index(series)).astype(np.float64)
    except TypeError as error:
        raise InputError(f"column {name!r} holds values that are neither numbers nor text; convert it") from error
    if series.dtype.kind == "f":
        codes[np.isinf(np.asarray(series, dtype=np.float64))] = np.inf  # no value of a column, and told as such
    return np.where(missing, np.nan, codes)


def _check_finite(values: np.ndarray, names: tuple[str, ...], *, allow_nan: bool) -> None:
    wrong = np.isinf(values) if allow_nan else ~np.isfinite(values)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        what = "NaN" if np.isnan(values[row, column]) else "inf (infinity)"
        raise InputError(
            f"column {names[column]!r} holds {what} in row {row}; impute it, or drop the row or the column"
        )
