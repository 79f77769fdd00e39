"""Columns that are not plain numbers: each becomes numbers, or texts that name a level, or an error."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from fselect.datasets.delimited import MISSING_WORDS
from fselect.datasets.whole_numbers import holds_too_long, refuse_too_long
from fselect.datasets.wording import shortened
from fselect.errors import InputError

__all__ = ["is_plain_number_type", "parse_column", "why_unusable"]

_WAY_OUT = "correct the cell, leave it empty (the option missing says what becomes of it), or drop the column"

_GROUPED = re.compile(r"[+-]?\d{1,3}([ ,.'’\u00a0\u202f]\d{3})+([.,]\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")


def is_plain_number_type(dtype: Any) -> bool:
    """Tell whether a pandas or numpy type holds real numbers (booleans are none).

    Parameters
    ----------
    dtype : dtype
        Type of a column.

    Returns
    -------
    bool
        True for whole and floating numbers, nullable and Arrow-backed ones too.

    Examples
    --------
    >>> is_plain_number_type(pd.Int64Dtype()), is_plain_number_type(np.dtype(bool))
    (True, False)
    """
    types = pd.api.types
    return types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype) and not types.is_complex_dtype(dtype)


def why_unusable(dtype: Any) -> str | None:
    """Tell what is wrong with a type whose values would become numbers that nobody meant, and the way out.

    Parameters
    ----------
    dtype : dtype
        Type of a column.

    Returns
    -------
    str or None
        The end of a sentence about dates, times or complex numbers; None for other types.

    Examples
    --------
    >>> why_unusable(np.dtype("M8[ns]")), why_unusable(np.dtype(float))
    ('holds dates or times; drop it or turn it into numbers first', None)
    """
    kind = getattr(dtype, "kind", "O")
    if kind in "Mm":
        return "holds dates or times; drop it or turn it into numbers first"
    return "holds complex numbers; drop it or split it first" if kind == "c" else None


def parse_column(column: pd.Series, name: str, table: str, rows: np.ndarray, *, way_out: str = _WAY_OUT) -> np.ndarray:
    """Turn a column that is not of a plain number type into numbers or into texts.

    Categoricals and booleans become texts. A column of text becomes numbers if all its cells are numbers;
    if most are and some are not, that is an error (text in a numeric column); else it stays text.

    Parameters
    ----------
    column : pandas.Series of length n
        The column.
    name : str
        Its name.
    table : str
        What to call the table in a sentence.
    rows : ndarray of int, shape (n,)
        Position of each row in the table as loaded, from 0.
    way_out : str, optional
        What to do about a text in a numeric column, for the sentence.

    Returns
    -------
    ndarray of shape (n,)
        float64 with NaN, or objects (str, ``None`` where missing). A column without any value is float64.

    Raises
    ------
    InputError
        Text in a numeric column, dates, or cells that are neither text nor number.

    Examples
    --------
    >>> parse_column(pd.Series(["1", "2.5", None]), "a", "t.csv", np.arange(3)).tolist()
    [1.0, 2.5, nan]
    >>> parse_column(pd.Series(["1", "2,5", "3"]), "a", "t.csv", np.arange(3))
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: numeric column 'a' holds the text '2,5' in row 2; write numbers with ...
    """
    wrong = why_unusable(column.dtype)
    if wrong:
        raise InputError(f"{table}: column {name!r} {wrong}")
    # Declared categories mean what they say; in free text NA, ? and their like are no values.
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    absent = ("",) if declared else MISSING_WORDS
    values = column.astype(object).tolist()
    cells = [_cell(value, name, table, row, absent) for value, row in zip(values, rows, strict=True)]
    present = [cell for cell in cells if cell is not None]
    if not present:
        return np.full(len(cells), np.nan)
    if declared or any(isinstance(cell, bool) for cell in present):
        return _texts(cells)
    readable = [_number(cell) is not None for cell in present]
    if all(readable):
        if holds_too_long(values):  # read as text, because no type of numpy takes them
            refuse_too_long(name, table)
        return np.array([np.nan if cell is None else _number(cell) for cell in cells], dtype=np.float64)
    if sum(map(_is_meant_as_number, present)) * 2 > len(present):
        _refuse_text(cells, name, table, rows, way_out)
    return _texts(cells)


def _cell(value: Any, name: str, table: str, row: int, absent: tuple[str, ...]) -> str | float | bool | None:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return None if value.strip() in absent else value
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    missing = pd.isna(value)
    if isinstance(missing, (bool, np.bool_)) and missing:
        return None
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        what = f"holds a {type(value).__name__} in row {row + 1}"
        raise InputError(f"{table}: column {name!r} {what}, neither number nor text; drop the column") from error


def _number(cell: str | float | bool) -> float | None:
    if not isinstance(cell, str):
        return float(cell)
    try:
        return None if "_" in cell else float(cell)  # Python reads 1_000, no table means it
    except ValueError:
        return None


def _is_meant_as_number(cell: str | float | bool) -> bool:
    if _number(cell) is not None:
        return True
    text = str(cell).strip()
    return bool(_GROUPED.fullmatch(text) or _DECIMAL_COMMA.fullmatch(text))


def _refuse_text(cells: list[Any], name: str, table: str, rows: np.ndarray, way_out: str) -> None:
    first = next(i for i, cell in enumerate(cells) if cell is not None and _number(cell) is None)
    text = str(cells[first])
    where = f"numeric column {name!r} holds the text {shortened(text)!r} in row {rows[first] + 1}"
    if _is_meant_as_number(text):
        way_out = "write numbers with a decimal point and without thousands separators"
    raise InputError(f"{table}: {where}; {way_out}")


def _texts(cells: list[Any]) -> np.ndarray:
    texts = np.empty(len(cells), dtype=object)
    texts[:] = [None if cell is None else _text(cell) for cell in cells]
    return texts


def _text(cell: str | float | bool) -> str:
    # Whole numbers as categories read "3", not "3.0".
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
