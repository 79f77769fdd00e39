"""Weka's ARFF files, dense and sparse (scipy's reader knows neither sparse rows nor text attributes)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from fselect.datasets.delimited import text_of
from fselect.datasets.wording import listing
from fselect.errors import InputError

__all__ = ["read_arff"]

# A value is quoted (either quote, backslash escapes) or runs to the next comma.
_VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)""")
_ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s*(.+)""", re.I)
_Row = list[str | None]
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class _Attribute:
    name: str
    kind: str  # "numeric", "text" or "nominal"
    levels: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """What a sparse row means by leaving the value out."""
        return self.levels[0] if self.levels else "0"


def read_arff(path: Path) -> pd.DataFrame:
    r"""Read an ARFF file.

    Numeric attributes become float64, nominal ones categoricals with the declared levels, strings and
    dates text. In a sparse row, what is left out is 0, or the first declared level (Weka's rule).

    Parameters
    ----------
    path : pathlib.Path
        The file; may be compressed.

    Returns
    -------
    pandas.DataFrame
        One column an attribute.

    Raises
    ------
    InputError
        No header or no data, a row of another length, a value that is not of its attribute's kind.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "a.arff"
    >>> _ = place.write_text("@relation r\n@attribute 'a b' real\n@attribute c {x,y}\n@data\n1,x\n?,y")
    >>> read_arff(place)["a b"].tolist()
    [1.0, nan]
    """
    lines = text_of(path).splitlines()
    starts = [i for i, line in enumerate(lines) if line.strip().lower() == "@data"]
    if not starts:
        raise InputError(f"{path.name} has no @data line, so it is no ARFF file")
    header = [line.strip() for line in lines[: starts[0]]]
    attributes = [_attribute(line, path) for line in header if line.lower().startswith("@attribute")]
    rows = list(_rows(lines, starts[0] + 1, attributes, path))
    columns = zip(*rows, strict=True) if rows else [() for _ in attributes]
    series = [_column(a, list(values), path) for a, values in zip(attributes, columns, strict=True)]
    frame = pd.concat(series, axis=1) if series else pd.DataFrame()
    frame.columns = pd.Index([attribute.name for attribute in attributes])
    return frame


def _attribute(line: str, path: Path) -> _Attribute:
    match = _ATTRIBUTE.match(line)
    if not match:
        raise InputError(f"{path.name}: cannot read the attribute line {line!r}; it needs a name and a type")
    *names, kind = match.groups()
    name = _unquoted(*names)
    if kind.startswith("{"):
        levels = [value for value in _values(kind.strip().strip("{}")) if value is not None]
        return _Attribute(name, "nominal", tuple(levels))
    word = kind.split()[0].lower()
    if word not in (*_NUMERIC, "string", "date"):
        raise InputError(f"{path.name}: attribute {name!r} has the type {word!r}, which is not supported; drop it")
    return _Attribute(name, "numeric" if word in _NUMERIC else "text")


def _unquoted(single: str | None, double: str | None, plain: str | None) -> str:
    quoted = single if single is not None else double
    return (plain or "").strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _values(text: str) -> list[str | None]:
    if "'" not in text and '"' not in text:
        return [None if value.strip() == "?" else value.strip() for value in text.split(",")]
    values: list[str | None] = []
    place = 0
    while place < len(text):
        match = _VALUE.match(text, place)
        if match is None or match.end() == place:
            raise ValueError(text)
        value = _unquoted(*match.groups())
        values.append(None if match.group(3) is not None and value == "?" else value)
        place = match.end()
    return values


def _rows(lines: list[str], start: int, attributes: list[_Attribute], path: Path) -> Iterator[list[str | None]]:
    for number, raw in enumerate(lines[start:], start + 1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        try:
            row = _sparse(line, attributes) if line.startswith("{") else _values(line)
        except (ValueError, IndexError) as error:
            raise InputError(f"{path.name}: line {number} cannot be read ({line[:40]!r}); check it") from error
        if len(row) != len(attributes):
            counts = f"{len(row)} values for {len(attributes)} attributes"
            raise InputError(f"{path.name}: line {number} has {counts}; check it")
        yield row


def _sparse(line: str, attributes: list[_Attribute]) -> list[str | None]:
    row: list[str | None] = [attribute.default for attribute in attributes]
    inside = line[1 : line.rindex("}")]
    for pair in re.findall(r"""\d+\s+(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+)""", inside):
        position, value = pair.split(None, 1)
        row[int(position)] = _values(value)[0]
    return row


def _column(attribute: _Attribute, values: list[str | None], path: Path) -> pd.Series:
    if attribute.kind == "numeric":
        return pd.Series([_number(value, row, attribute, path) for row, value in enumerate(values, 1)], dtype=float)
    if attribute.kind == "text":
        return pd.Series(values, dtype=object)
    known = set(attribute.levels)
    for row, value in enumerate(values, 1):
        if value is not None and value not in known:
            declared = f"which is not among the declared values ({listing(attribute.levels)})"
            raise InputError(f"{path.name}: column {attribute.name!r} holds {value!r} in row {row}, {declared}")
    return pd.Series(pd.Categorical(values, categories=list(dict.fromkeys(attribute.levels))))


def _number(value: str | None, row: int, attribute: _Attribute, path: Path) -> float:
    if value is None:
        return np.nan
    try:
        return float(value)
    except ValueError as error:
        where = f"column {attribute.name!r} holds {value!r} in row {row}"
        way_out = "but is declared numeric; correct the cell, or write ? where it is missing"
        raise InputError(f"{path.name}: {where} {way_out}") from error
