"""Text columns as numbers: two values become 0 and 1, more become one column a value if that is asked for."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from fselect.datasets.options import DataOptions
from fselect.datasets.wording import plural
from fselect.errors import InputError

__all__ = ["MISSING_LEVEL", "check_levels", "fill_texts", "indicator_columns", "levels_of"]

MISSING_LEVEL = "missing"
"""The level that stands for a missing text under ``missing: category``."""


def levels_of(columns: Sequence[np.ndarray]) -> tuple[str, ...]:
    """Collect the levels of a text column over all tables that have it.

    Parameters
    ----------
    columns : sequence of ndarray of objects
        The column in each table; ``None`` where missing.

    Returns
    -------
    tuple of str
        All texts that occur, sorted: as numbers if all are numbers, else as text.

    Examples
    --------
    >>> levels_of([np.array(["10", "9", None], dtype=object)])
    ('9', '10')
    """
    found = {text for column in columns for text in column.tolist() if text is not None}
    try:
        return tuple(sorted(found, key=lambda text: (float(text), text)))
    except ValueError:
        return tuple(sorted(found))


def check_levels(levels: Mapping[str, tuple[str, ...]], options: DataOptions, table: str, n_rows: int) -> None:
    """Refuse text columns with more than two values unless they are to become one column a value.

    Parameters
    ----------
    levels : mapping of str to tuple of str
        Levels of each text column.
    options : DataOptions
        The choices; only ``nominal`` counts here.
    table : str
        What to call the table in a sentence.
    n_rows : int
        Number of rows, to recognise identifiers.

    Raises
    ------
    InputError
        Names the first such column and how many more there are.

    Examples
    --------
    >>> check_levels({"sex": ("f", "m")}, DataOptions(), "t.csv", 9)
    >>> check_levels({"stage": ("I", "II", "III")}, DataOptions(), "t.csv", 9)
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: column 'stage' holds 3 different texts ('I', 'II', 'III'); ...
    """
    many = [name for name, values in levels.items() if len(values) > 2]
    if options.nominal == "onehot" or not many:
        return
    values = levels[many[0]]
    shown = ", ".join(map(repr, values[:3])) + (", …" if len(values) > 3 else "")
    others = f" ({plural(len(many) - 1, 'more column')} of texts)" if len(many) > 1 else ""
    what = f"column {many[0]!r} holds {len(values)} different texts ({shown}){others}"
    onehot = "choose nominal: onehot (--nominal onehot) or "
    hint = "it looks like an identifier: " if len(values) == n_rows else onehot
    raise InputError(f"{table}: {what}; {hint}drop it (drop: [{many[0]}], --drop {shlex.quote(many[0])})")


def fill_texts(column: np.ndarray, options: DataOptions) -> np.ndarray:
    """Deal with the missing cells of a text column, as far as that is done before it becomes numbers.

    Parameters
    ----------
    column : ndarray of objects, shape (n,)
        Texts, ``None`` where missing.
    options : DataOptions
        The choices; only ``missing`` counts here.

    Returns
    -------
    ndarray of objects, shape (n,)
        Under ``category`` with the level "missing", under ``impute`` with the most frequent text (the
        first in sorted order, of several), else as it was.

    Examples
    --------
    >>> fill_texts(np.array(["b", None, "b", "a"], dtype=object), DataOptions(missing="impute")).tolist()
    ['b', 'b', 'b', 'a']
    """
    absent = np.array([text is None for text in column.tolist()], dtype=bool)
    if options.missing not in ("category", "impute") or not absent.any() or absent.all():
        return column
    counts = Counter(column[~absent].tolist())
    usual = min(counts, key=lambda text: (-counts[text], text))
    filled = column.copy()
    filled[absent] = MISSING_LEVEL if options.missing == "category" else usual
    return filled


def indicator_columns(column: np.ndarray, name: str, levels: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Turn a text column into columns of 0 and 1.

    Parameters
    ----------
    column : ndarray of objects, shape (n,)
        Texts, ``None`` where missing.
    name : str
        Its name.
    levels : sequence of str
        Its levels over all tables.

    Returns
    -------
    values : ndarray of float64, shape (n, 1) or (n, number of levels)
        One column, 1 for the second level, if there are at most two levels; else one column a level. NaN
        throughout a row whose text is missing.
    names : list of str
        ``name``, or ``name=level`` for each level.

    Examples
    --------
    >>> values, names = indicator_columns(np.array(["y", None, "n"], dtype=object), "ill", ["n", "y"])
    >>> values.ravel().tolist(), names
    ([1.0, nan, 0.0], ['ill'])
    """
    place = {level: position for position, level in enumerate(levels)}
    codes = np.array([-1 if text is None else place[text] for text in column.tolist()], dtype=np.int64)
    if len(levels) <= 2:
        values, names = codes[:, None].astype(np.float64), [name]
    else:
        values = (codes[:, None] == np.arange(len(levels))).astype(np.float64)
        names = [f"{name}={level}" for level in levels]
    values[codes < 0] = np.nan
    return values, names
