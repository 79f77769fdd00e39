"""What a column of a frame holds: numbers, texts, or something that no classifier of this package can use."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from fselect.datasets.text_values import why_unusable
from fselect.errors import InputError

__all__ = ["check_type", "has_declared_values", "holds_texts"]

_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal")
_TEXTS = ("string", "bytes", "boolean", "empty")
_TIMES = ("datetime64", "datetime", "date", "timedelta64", "timedelta", "time", "period")


def has_declared_values(series: Any) -> bool:
    """Tell whether the type of a column says which values it may have."""
    return isinstance(series.dtype, pd.CategoricalDtype)


def check_type(dtype: Any, name: str) -> None:
    """Refuse dates, times and complex numbers by the type of a column or an array.

    Parameters
    ----------
    dtype : dtype
        The type; anything that is none passes.
    name : str
        What it is the type of, for the sentence.

    Raises
    ------
    InputError
        Not to be turned into numbers silently.

    Examples
    --------
    >>> check_type(np.dtype("m8[s]"), "column 'wait'")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: column 'wait' holds dates or times; drop it or turn it into numbers first
    """
    wrong = why_unusable(dtype)
    if wrong:
        raise InputError(f"{name} {wrong}")


def holds_texts(series: pd.Series, name: str) -> bool:
    """Tell whether a column holds categories, text or booleans, so that it is nominal.

    A column of objects is looked at: where all of them are numbers it is numeric.

    Parameters
    ----------
    series : pandas.Series
        The column.
    name : str
        Its name.

    Returns
    -------
    bool
        False for numbers.

    Raises
    ------
    InputError
        Dates, complex numbers, objects such as lists, or numbers among texts.

    Examples
    --------
    >>> holds_texts(pd.Series([1, 2.5, None], dtype=object), "size"), holds_texts(pd.Series(["1", None]), "size")
    (False, True)
    >>> holds_texts(pd.Series([1, "big"]), "size")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: column 'size' holds numbers and in row 1 the text 'big'; make it all numbers or all text
    """
    if has_declared_values(series):
        return True
    check_type(series.dtype, f"column {name!r}")
    if series.dtype.kind != "O":
        return series.dtype.kind in "USb" or pd.api.types.is_bool_dtype(series.dtype)
    found = pd.api.types.infer_dtype(series, skipna=True)
    if found in _TIMES or found == "complex":
        check_type(np.dtype("M8[s]" if found in _TIMES else complex), f"column {name!r}")
    return found in _TEXTS or (found not in _NUMBERS and _all_texts(series, name))


def _all_texts(series: pd.Series, name: str) -> bool:
    """Look at each cell: True where all are texts or booleans, False where all are numbers, else an error."""
    present = series[series.notna()]
    texts = np.array([isinstance(cell, str | bytes | bool | np.bool_) for cell in present], dtype=bool)
    others = np.array([isinstance(cell, numbers.Real | Decimal) for cell in present], dtype=bool) & ~texts
    rows = np.flatnonzero(series.notna())
    strange = np.flatnonzero(~texts & ~others)
    if strange.size:
        what = type(present.iloc[strange[0]]).__name__
        raise InputError(
            f"column {name!r} holds a {what} in row {rows[strange[0]]}, neither number nor text; convert or drop it"
        )
    if texts.any() and others.any():
        first = np.flatnonzero(texts)[0]
        cell = present.iloc[first]
        kind = "text" if isinstance(cell, str | bytes) else "boolean"
        raise InputError(
            f"column {name!r} holds numbers and in row {rows[first]} the {kind} {cell!r}; "
            "make it all numbers or all text"
        )
    return bool(texts.all())
