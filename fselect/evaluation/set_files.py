"""Feature sets from files of any tool."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np

from fselect.datasets.wording import did_you_mean
from fselect.errors import InputError

__all__ = ["read_importances", "read_named_sets", "read_sets"]


def read_sets(path: Path | str, features: str | None = None) -> np.ndarray:
    """Read feature sets.

    Parameters
    ----------
    path : Path or str
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


def read_named_sets(path: Path | str, features: str | None = None) -> tuple[np.ndarray, list[str]]:
    """Read feature sets as `read_sets` does, and the names of the features (numbers from 1 where they have none)."""
    path = Path(path)
    filled = _filled_lines(path)
    return _indicator_rows(path, filled) if features is None else _listed_sets(path, filled, features)


def read_importances(path: Path | str) -> tuple[np.ndarray, list[str]]:
    """Read the importances of the features of sets.

    Parameters
    ----------
    path : Path or str
        A comma-, semicolon- or tab-separated table with a header of feature names, a row a set: numbers from 0 on, 0
        or nothing for a feature that is not in the set.

    Returns
    -------
    importances : ndarray of float64, shape (sets, features)
    names : list of str

    Raises
    ------
    InputError
        Naming the line that cannot be read.
    """
    path = Path(path)
    header, rows = _table(path, _filled_lines(path))
    _check_distinct(path, header)
    return np.array([[_importance(path, number, cell) for cell in row] for number, row in rows]), header


def _importance(path: Path, number: int, cell: str) -> float:
    try:
        value = float(cell or 0)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < np.inf:
        raise InputError(f"{path}, line {number}: {cell!r} is no importance, which is a number from 0 on")
    return value


def _filled_lines(path: Path) -> list[tuple[int, str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if len(filled) < 2:
        raise InputError(f"{path} holds fewer than two lines; stability needs two sets or more")
    return filled


def _table(path: Path, lines: list[tuple[int, str]]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Split lines at their delimiter: the header, and the rows with their line numbers, all of one length."""
    delimiter = next((mark for mark in "\t;," if mark in lines[0][1]), ",")
    rows = [[cell.strip() for cell in row] for row in csv.reader((line for _, line in lines), delimiter=delimiter)]
    numbered = [(number, row) for (number, _), row in zip(lines[1:], rows[1:], strict=True)]
    for number, row in numbered:
        if len(row) != len(rows[0]):
            raise InputError(f"{path}, line {number}: {len(row)} values under {len(rows[0])} names")
    return rows[0], numbered


def _indicator_rows(path: Path, lines: list[tuple[int, str]]) -> tuple[np.ndarray, list[str]]:
    header, rows = _table(path, lines)
    if set(header) <= {"0", "1"}:
        raise InputError(f"{path} has no header of feature names; add one, or give one set a line with --features")
    _check_distinct(path, header)
    for number, row in rows:
        bad = next((cell for cell in row if cell not in ("0", "1")), None)
        if bad is not None:
            raise InputError(
                f"{path}, line {number}: {bad!r} is neither 0 nor 1; for one set a line give --features, for "
                "importances --importances"
            )
    return np.array([[cell == "1" for cell in row] for _, row in rows], dtype=bool), header


def _check_distinct(path: Path, header: list[str]) -> None:
    seen = Counter(header)
    twice = next((name for name in header if seen[name] > 1), None)
    if twice is not None:
        raise InputError(f"{path}: the feature name {twice!r} occurs more than once; rename or drop the copies")


def _listed_sets(path: Path, lines: list[tuple[int, str]], features: str) -> tuple[np.ndarray, list[str]]:
    places = _feature_places(features)
    Z = np.zeros((len(lines), len(places)), dtype=bool)
    for row, (number, line) in enumerate(lines):
        for mark in "\t;,":
            line = line.replace(mark, " ")
        for name in line.split():
            if name not in places:
                raise InputError(f"{path}, line {number}: {_unknown(name, places)}")
            if Z[row, places[name]]:
                raise InputError(f"{path}, line {number}: {name!r} stands there twice; name a feature once a set")
            Z[row, places[name]] = True
    return Z, list(places)


def _unknown(name: str, places: dict[str, int]) -> str:
    if "1" in places and len(places) == int(list(places)[-1]):
        return f"{name!r} is no feature number from 1 to {len(places)}; for names give --features FILE"
    return f"{name!r} is none of the {len(places)} features{did_you_mean(name, list(places))}"


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
