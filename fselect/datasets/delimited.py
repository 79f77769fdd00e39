"""Delimited text: CSV, TSV and their like, also compressed; the header is read by us, the rows by pandas."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from fselect.errors import InputError

__all__ = ["COMPRESSIONS", "MISSING_WORDS", "read_delimited", "text_of"]

COMPRESSIONS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
"""File endings of compressed text, with what opens each."""

MISSING_WORDS = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-nan", "<NA>", "NULL", "null", "?")
"""Cells that count as missing. "None" is not among them: it is a category in many tables."""

_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2])
DELIMITERS = (",", ";", "\t", "|")


def text_of(path: Path) -> str:
    r"""Read a text file, decompressed by its ending.

    Parameters
    ----------
    path : pathlib.Path
        A file of UTF-8 text, with or without a byte order mark.

    Returns
    -------
    str
        Its text.

    Raises
    ------
    InputError
        It is empty, not UTF-8, or its compression is broken.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = place.write_bytes(b"\xef\xbb\xbfa,b")
    >>> text_of(place)
    'a,b'
    """
    opener = COMPRESSIONS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            content = file.read()
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path.name} is not UTF-8 text (line {line}); save it as UTF-8") from error
    except (EOFError, lzma.LZMAError, OSError) as error:
        raise InputError(f"{path.name} cannot be read ({error}); check the file") from error
    if not text.strip():
        raise InputError(f"{path.name} is empty; it needs a header and rows")
    return text


def read_delimited(path: Path) -> pd.DataFrame:
    r"""Read a CSV or TSV file with a header line.

    The delimiter is the one of comma, semicolon, tab and bar that the header has most of. Numbers are read
    exactly. A header with one name less than the rows have values (as R writes) means that the first
    column holds row names; it gets the empty name.

    Parameters
    ----------
    path : pathlib.Path
        The file.

    Returns
    -------
    pandas.DataFrame
        Column names as in the file: repeated ones stay repeated, empty ones empty.

    Raises
    ------
    InputError
        Not UTF-8, empty, a single column, or a row with more values than the header has names.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = place.write_text("a;b;a\n1;2;3")
    >>> list(read_delimited(place).columns)
    ['a', 'b', 'a']
    """
    text = text_of(path)
    delimiter = _delimiter(text)
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    lines = (record for record in records if record)
    try:
        names = [name.strip() for name in next(lines)]
        first = next(lines, [])
    except csv.Error as error:
        raise InputError(f"{path.name} cannot be read as delimited text ({error}); check the file") from error
    if len(first) == len(names) + 1:
        # Either row names, or a delimiter at the end of every row.
        names = ["", *names] if first[-1].strip() else [*names, ""]
    if len(names) == 1:
        raise InputError(f"{path.name} has one column only; separate columns by comma, semicolon, tab or bar")
    return _rows(text, path, names, delimiter)


def _delimiter(text: str) -> str:
    header = text.lstrip("\r\n").splitlines()[0]
    bare = re.sub(r'"[^"]*"', "", header)
    return max(DELIMITERS, key=bare.count)


def _rows(text: str, path: Path, names: list[str], delimiter: str) -> pd.DataFrame:
    # Numbers are to be read exactly; from 3.1 on pandas always does, and warns of the option.
    exact = {} if _PANDAS >= (3, 1) else {"float_precision": "round_trip"}
    options: dict[str, Any] = {
        "sep": delimiter,
        "header": 0,
        "names": range(len(names)),  # pandas would rename repeated names without a word
        "index_col": False,
        "na_values": list(MISSING_WORDS),
        "keep_default_na": False,
        "skipinitialspace": True,
        "low_memory": False,
        **exact,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(io.StringIO(text), **options)
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise InputError(_uneven(text, path, len(names), delimiter, str(error))) from error
    frame.columns = pd.Index(names)
    return frame


def _uneven(text: str, path: Path, width: int, delimiter: str, reason: str) -> str:
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    for record in records:
        if len(record) > width:
            counts = f"line {records.line_num} has {len(record)} values, the header has {width} names"
            return f"{path.name}: {counts}; quote values that hold the delimiter"
    return f"{path.name} cannot be read as delimited text ({reason.strip()}); check the file"
