"""Feature sets from files of any tool."""

from __future__ import annotations

import csv
import difflib
from pathlib import Path

import numpy as np

from fselect.errors import InputError

__all__ = ["read_named_sets", "read_sets"]


def read_sets(path: Path, features: str | None = None) -> np.ndarray:
    """Read feature sets.

    Parameters
    ----------
    path : Path
        Without `features`: a comma- or tab-separated table with a header of feature names and rows of 0 and 1. With
        it: one set a line, names or 1-based numbers separated by commas, tabs, semicolons or spaces.
    features : str, optional
        How many features there were to choose from, or a file of their names, a name a line.

    Returns
    -------
    ndarray of bool, shape (sets, features)

    Raises
    ------
    InputError
        Naming the line that cannot be read.
    """
    return read_named_sets(path, features)[0]


def read_named_sets(path: Path, features: str | None = None) -> tuple[np.ndarray, list[str]]:
    """Read feature sets as `read_sets` does, and the names of the features (numbers from 1 where they have none)."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if len(filled) < 2:
        raise InputError(f"{path} holds fewer than two lines; stability needs two sets or more")
    return _indicator_rows(path, filled) if features is None else _listed_sets(path, filled, features)


def _indicator_rows(path: Path, lines: list[tuple[int, str]]) -> tuple[np.ndarray, list[str]]:
    delimiter = next((mark for mark in "\t;," if mark in lines[0][1]), ",")
    rows = list(csv.reader((line for _, line in lines), delimiter=delimiter))
    header, values = rows[0], rows[1:]
    if {cell.strip() for cell in header} <= {"0", "1"}:
        raise InputError(f"{path} has no header of feature names; add one, or give one set a line with --features")
    for (number, _), row in zip(lines[1:], values, strict=True):
        if len(row) != len(header):
            raise InputError(f"{path}, line {number}: {len(row)} values under {len(header)} names")
        bad = next((cell for cell in row if cell.strip() not in ("0", "1")), None)
        if bad is not None:
            raise InputError(
                f"{path}, line {number}: {bad.strip()!r} is neither 0 nor 1; for one set a line give --features"
            )
    return np.array([[cell.strip() == "1" for cell in row] for row in values], dtype=bool), [
        cell.strip() for cell in header
    ]


def _listed_sets(path: Path, lines: list[tuple[int, str]], features: str) -> tuple[np.ndarray, list[str]]:
    places = _feature_places(features)
    Z = np.zeros((len(lines), len(places)), dtype=bool)
    for row, (number, line) in enumerate(lines):
        for mark in "\t;,":
            line = line.replace(mark, " ")
        for name in line.split():
            if name not in places:
                raise InputError(f"{path}, line {number}: {_unknown(name, places)}")
            Z[row, places[name]] = True
    return Z, list(places)


def _unknown(name: str, places: dict[str, int]) -> str:
    if "1" in places and len(places) == int(list(places)[-1]):
        return f"{name!r} is no feature number from 1 to {len(places)}; for names give --features FILE"
    close = difflib.get_close_matches(name, list(places), n=1)
    return f"{name!r} is none of the {len(places)} features" + (f"; did you mean {close[0]!r}?" if close else "")


def _feature_places(features: str) -> dict[str, int]:
    if features.isdigit():
        if int(features) < 1:
            raise InputError("--features 0: give how many features there were to choose from")
        return {str(number + 1): number for number in range(int(features))}
    try:
        lines = Path(features).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--features {features}: neither a number nor a readable file ({error})") from None
    names = [line.strip() for line in lines if line.strip()]
    if len(set(names)) < len(names):
        raise InputError(f"--features {features}: a name stands there twice")
    return {name: place for place, name in enumerate(names)}
