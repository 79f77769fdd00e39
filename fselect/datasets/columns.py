"""One table, taken apart: labels on one side, plain numbers and texts on the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from fselect.datasets.checks import check_names
from fselect.datasets.labels import as_labels, missing_labels
from fselect.datasets.text_values import is_plain_number_type, parse_column
from fselect.datasets.whole_numbers import LARGEST_WHOLE, refuse_too_long
from fselect.datasets.wording import did_you_mean, listing, plural
from fselect.errors import InputError

__all__ = ["Columns", "Table", "take_apart"]


@dataclass(frozen=True)
class Table:
    """A frame with what is needed to speak about it.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns.
    label : str
        What to call it in a sentence.
    name : str
        Name of the dataset that it becomes.
    rows : ndarray of int, optional
        Position of each row in the file, from 0. Default: 0 .. n−1.

    Examples
    --------
    >>> Table(pd.DataFrame({"a": [1, 2]}), "a.csv", "a").rows.tolist()
    [0, 1]
    """

    frame: pd.DataFrame
    label: str
    name: str
    rows: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.rows is None:
            object.__setattr__(self, "rows", np.arange(len(self.frame)))

    def keep(self, mask: np.ndarray) -> Table:
        """Give the table with the rows of a mask only, their positions kept."""
        return replace(self, frame=self.frame.loc[mask], rows=self.rows[mask])

    def named_columns(self) -> Table:
        """Give the table with names of text, without row names and columns that are nothing.

        A first column without a name that holds a different whole number or text in every row is taken
        for row names (pandas and R write such a column) and left out: as a feature it would only tell
        the order of the file. Columns with neither name nor value are left out too.
        """
        frame = self.frame
        if isinstance(frame.columns, pd.MultiIndex):
            raise InputError(f"{self.label} has column names of several levels; give it one name a column")
        names = ["" if _is_nameless(name, position) else str(name) for position, name in enumerate(frame.columns)]
        frame = frame.set_axis(range(len(names)), axis=1)
        nameless = [position for position, name in enumerate(names) if not name]
        kept_out = [p for p in nameless if frame[p].isna().all() or (p == 0 and _are_row_names(frame[p]))]
        bad = [position + 1 for position in nameless if position not in kept_out]
        if bad:
            others = f" (nor have {plural(len(bad) - 1, 'other')})" if len(bad) > 1 else ""
            raise InputError(f"{self.label}: column number {bad[0]} has no name{others}; give every column one")
        frame = frame.drop(columns=kept_out) if kept_out else frame
        kept = [name for name in names if name]
        check_names(kept, self.label)
        return replace(self, frame=frame.set_axis(kept, axis=1))

    def column(self, name: str, what: str) -> pd.Series:
        """Give a column by name, or an error that says what it was wanted for."""
        if name in self.frame.columns:
            return self.frame[name]
        if name in self.frame.index.names:
            return self.frame.index.get_level_values(name).to_series(index=self.frame.index)
        known = list(self.frame.columns)
        raise InputError(f"{self.label} has no {what} column {name!r}{did_you_mean(name, known)}")


@dataclass(frozen=True)
class Columns:
    """A table taken apart.

    Parameters
    ----------
    table : Table
        Where it comes from; without the rows that had no label, if those were dropped.
    y : ndarray of shape (n,)
        The labels.
    names : tuple of str
        Names of the features.
    numbers : ndarray of float64, shape (n, d)
        Values of the numeric features, NaN where missing; NaN throughout text columns.
    texts : dict of str to ndarray of objects, shape (n,)
        The text columns, ``None`` where missing.
    record : dict
        What was done so far, for the recipe.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [1, 2], "b": ["u", None], "t": ["x", "y"]})
    >>> parts = take_apart(Table(frame, "a.csv", "a"), "t")
    >>> parts.numbers[:, 0].tolist(), parts.texts["b"].tolist()
    ([1.0, 2.0], ['u', None])
    """

    table: Table
    y: np.ndarray
    names: tuple[str, ...]
    numbers: np.ndarray
    texts: dict[str, np.ndarray]
    record: dict[str, Any]

    def is_empty(self, name: str) -> bool:
        """Tell whether a column holds no value at all."""
        return name not in self.texts and bool(np.isnan(self.numbers[:, self.names.index(name)]).all())


def take_apart(table: Table, target: str, drop: Sequence[str] = (), *, drop_unlabelled: bool = False) -> Columns:
    """Separate labels, numbers and texts of a table.

    Parameters
    ----------
    table : Table
        The table.
    target : str
        Name of the column of labels.
    drop : sequence of str, default=()
        Columns to leave out.
    drop_unlabelled : bool, default=False
        Leave out rows without a label; otherwise they are an error.

    Returns
    -------
    Columns
        The parts.

    Raises
    ------
    InputError
        No such column, repeated or missing names, missing labels, text in a numeric column.

    Examples
    --------
    >>> take_apart(Table(pd.DataFrame({"a": [1], "Y": ["u"]}), "a.csv", "a"), "y")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: a.csv has no target column 'y'; did you mean 'Y'?
    """
    named = table.named_columns()
    unnamed = table.frame.shape[1] - named.frame.shape[1]
    labels = named.column(target, "target")
    _check_drop(named, target, drop)
    absent = missing_labels(labels)
    if absent.any() and not drop_unlabelled:
        rows = listing((named.rows[absent] + 1).tolist())
        way_out = "fill it in, or choose missing: drop to leave such rows out"
        raise InputError(f"{table.label}: target {target!r} has no label in row {rows}; {way_out}")
    named, labels = named.keep(~absent), labels[~absent]
    features = named.frame.drop(columns=[name for name in (target, *drop) if name in named.frame.columns])
    names = tuple(features.columns)
    check_names(names, table.label)
    numbers, texts = _numbers_and_texts(features, named)
    record = {
        "unnamed_columns": unnamed,
        "unlabelled_rows": int(absent.sum()),
        "missing_cells": _count_missing(numbers, names, texts),
    }
    return Columns(named, as_labels(labels), names, numbers, texts, record)


def _count_missing(numbers: np.ndarray, names: Sequence[str], texts: Mapping[str, np.ndarray]) -> int:
    is_number = np.array([name not in texts for name in names])
    among_texts = sum(text is None for column in texts.values() for text in column.tolist())
    return int(np.isnan(numbers[:, is_number]).sum()) + among_texts


def _check_drop(table: Table, target: str, drop: Sequence[str]) -> None:
    for name in drop:
        table.column(name, "such")
        if name == target:
            raise InputError(f"the target {name!r} cannot be dropped; take it out of drop")


def _is_nameless(name: object, position: int) -> bool:
    # pandas calls a column "Unnamed: 0" where the file has no name.
    text = str(name).strip()
    return name is None or text in ("", f"Unnamed: {position}") or (isinstance(name, float) and np.isnan(name))


def _are_row_names(column: pd.Series) -> bool:
    fractions = pd.api.types.is_float_dtype(column.dtype)
    return bool(column.notna().all() and column.is_unique and not fractions)


def _numbers_and_texts(features: pd.DataFrame, table: Table) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    types = {t: isinstance(t, np.dtype) and is_plain_number_type(t) for t in set(features.dtypes)}
    plain = np.array([types[t] for t in features.dtypes])
    _check_whole_numbers(features, table)
    if plain.all():
        # A copy of our own: later steps write to it.
        return np.array(features.to_numpy(dtype=np.float64), order="C"), {}
    numbers = np.full(features.shape, np.nan)
    if plain.any():
        numbers[:, plain] = features.loc[:, plain].to_numpy(dtype=np.float64)
    texts = {}
    for position in np.flatnonzero(~plain).tolist():
        column, name = features.iloc[:, position], str(features.columns[position])
        values = _values(column, name, table)
        if values.dtype == object:
            texts[name] = values
        else:
            numbers[:, position] = values
    return numbers, texts


def _check_whole_numbers(features: pd.DataFrame, table: Table) -> None:
    """Refuse whole numbers that float64 cannot tell from their neighbours: identifiers, mostly."""
    long = {t: pd.api.types.is_integer_dtype(t) and getattr(t, "itemsize", 8) > 4 for t in set(features.dtypes)}
    whole = np.array([long[t] for t in features.dtypes], dtype=bool)
    if not whole.any():
        return
    extremes = features.loc[:, whole].agg(["min", "max"]).to_numpy(dtype=np.float64, na_value=0.0)
    beyond = np.flatnonzero((np.abs(extremes) > LARGEST_WHOLE).any(axis=0))
    if beyond.size:
        refuse_too_long(str(features.columns[np.flatnonzero(whole)[beyond[0]]]), table.label)


def _values(column: pd.Series, name: str, table: Table) -> np.ndarray:
    if is_plain_number_type(column.dtype):  # nullable or Arrow-backed
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return parse_column(column, name, table.label, table.rows)
