"""From tables taken apart to datasets: the data options, in their fixed order, with a record of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fselect.datasets.checks import check_finite, check_table, is_constant
from fselect.datasets.columns import Columns, Table, take_apart
from fselect.datasets.dataset import Dataset
from fselect.datasets.nominal import check_levels, fill_texts, indicator_columns, levels_of
from fselect.datasets.options import DataOptions
from fselect.datasets.schema import Schema, check_classes_of, check_known_levels, conform
from fselect.datasets.wording import listing, plural
from fselect.errors import InputError

__all__ = ["prepare"]


def prepare(
    tables: Sequence[Table],
    target: str,
    options: DataOptions,
    recipe: Mapping[str, Any] | None = None,
    *,
    schema: Schema | None = None,
) -> list[Dataset]:
    """Make datasets of tables, with the same columns and the same meaning of each column in all of them.

    The levels of a text column are collected over all tables, so that 0, 1 and ``col=value`` mean the
    same in each; medians and most frequent values are those of each table alone, because a later table
    is not known when an earlier one is used.

    Parameters
    ----------
    tables : sequence of Table
        One or more.
    target : str
        Name of the column of labels.
    options : DataOptions
        The choices.
    recipe : mapping, optional
        What the recipes start with.
    schema : Schema, optional
        Of earlier tasks, with which the tables must agree; texts then become the numbers that they became there.

    Returns
    -------
    list of Dataset
        One a table, all checked.

    Raises
    ------
    InputError
        Any table that cannot be used, or tables that differ in columns or classes.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": ["u", "v", "v", "u"], "t": ["x", "y", "x", "y"]})
    >>> prepare([Table(frame, "a.csv", "a")], "t", DataOptions())[0].X.tolist()
    [[1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [4.0, 0.0]]
    """
    target = str(target)
    drop_unlabelled = options.missing == "drop"
    parts = [take_apart(table, target, options.drop, drop_unlabelled=drop_unlabelled) for table in tables]
    parts = [_in_order_of(parts[0], part) if schema is None else conform(part, schema) for part in parts]
    levels = _joint_levels(parts, options) if schema is None else _known_levels(parts, options, schema)
    start = {**(recipe or {}), "target": target, "options": options.model_dump(mode="json")}
    datasets = [_dataset(part, levels, options, start) for part in parts]
    _check_same_classes(datasets, parts)
    if schema is not None:
        check_classes_of(datasets[0], schema, parts[0].table.label)
    return datasets


def _in_order_of(first: Columns, part: Columns) -> Columns:
    if part.names == first.names:
        return part
    lacking = [name for name in first.names if name not in set(part.names)]
    extra = [name for name in part.names if name not in set(first.names)]
    if lacking or extra:
        clauses = [f"lacks {listing(lacking)}"] if lacking else []
        clauses += [f"has {listing(extra)} besides"] if extra else []
        difference = f"{part.table.label} {' and '.join(clauses)}"
        raise InputError(
            f"the columns of {part.table.label} differ from those of {first.table.label}: {difference}; "
            "give all tasks the same columns, or drop the others"
        )
    place = {name: position for position, name in enumerate(part.names)}
    numbers = part.numbers[:, [place[name] for name in first.names]]
    record = {**part.record, "reordered": True}
    return Columns(part.table, part.y, first.names, numbers, part.texts, record)


def _joint_levels(parts: Sequence[Columns], options: DataOptions) -> dict[str, tuple[str, ...]]:
    nominal = [name for name in parts[0].names if any(name in part.texts for part in parts)]
    for name in nominal:
        _check_text_everywhere(name, parts)
        for part in parts:
            part.texts.setdefault(name, np.full(len(part.y), None, dtype=object))
            part.texts[name] = _filled(name, part, options)
    levels = {name: levels_of([part.texts[name] for part in parts]) for name in nominal}
    rows = sum(len(part.y) for part in parts)
    check_levels(levels, options, parts[0].table.label if len(parts) == 1 else "the tables", rows)
    return levels


def _known_levels(parts: Sequence[Columns], options: DataOptions, schema: Schema) -> dict[str, tuple[str, ...]]:
    for part in parts:
        for name in schema.levels:
            part.texts.setdefault(name, np.full(len(part.y), None, dtype=object))
            part.texts[name] = _filled(name, part, options)
        check_known_levels(part, schema)  # a cell that is missing may have become a level of its own
    return {name: tuple(found) for name, found in schema.levels.items()}


def _check_text_everywhere(name: str, parts: Sequence[Columns]) -> None:
    text = next(part for part in parts if name in part.texts)
    for part in parts:
        if name not in part.texts and not part.is_empty(name):
            where = f"text in {text.table.label} but numbers in {part.table.label}"
            raise InputError(f"column {name!r} holds {where}; make it one of them in all, or drop it")


def _filled(name: str, part: Columns, options: DataOptions) -> np.ndarray:
    column = part.texts[name]
    absent = np.array([text is None for text in column.tolist()], dtype=bool)
    if not absent.any():
        return column
    if options.missing == "error":
        # Refused here and not after the encoding, so that the sentence names the column of the file.
        check_finite(np.where(absent, np.nan, 0.0)[:, None], [name], part.table.label, part.table.rows)
    if options.missing == "impute" and absent.all():
        raise InputError(f"{part.table.label}: column {name!r} holds no value at all; drop it")
    if options.missing in ("impute", "category"):
        key = "imputed" if options.missing == "impute" else "categories"
        part.record.setdefault(key, {})[name] = int(absent.sum())
    return fill_texts(column, options)


def _dataset(
    part: Columns, levels: Mapping[str, tuple[str, ...]], options: DataOptions, start: Mapping[str, Any]
) -> Dataset:
    X, names, kinds = _encoded(part, levels)
    label, rows = part.table.label, part.table.rows
    numeric = np.array([kind == "numeric" for kind in kinds])
    check_finite(X, names, label, rows, allow_missing=True)
    X, y, rows = _without_missing(X, part, names, numeric, rows, options)
    X = _clipped(X, numeric, options, part.record)
    X = _logarithm(X, numeric, names, label, rows, options)
    check_table(
        X,
        y,
        names,
        table=f"{label}{_note(options, len(part.y) - len(y))}",
        rows=rows,
        allow_missing=options.missing == "keep",
    )
    X.flags.writeable = False
    recipe = {**start, **_record(part, levels, X)}
    return Dataset(X, y, part.table.name, tuple(names), tuple(kinds), None, recipe)


def _note(options: DataOptions, n_dropped: int) -> str:
    # What was done to the table explains an error that the file alone does not.
    done = [f"missing: drop took {plural(n_dropped, 'row')}"] if n_dropped else []
    done += [f"clip to [{options.clip[0]:g}, {options.clip[1]:g}]"] if options.clip else []
    return f" (after {' and '.join(done)})" if done else ""


def _encoded(part: Columns, levels: Mapping[str, tuple[str, ...]]) -> tuple[np.ndarray, list[str], list[str]]:
    if not levels:
        return part.numbers, list(part.names), ["numeric"] * len(part.names)
    blocks, names, kinds = [], [], []
    for position, name in enumerate(part.names):
        if name in levels:
            values, made = indicator_columns(part.texts[name], name, levels[name])
        else:
            values, made = part.numbers[:, position : position + 1], [name]
        blocks.append(values)
        names += made
        kinds += ["nominal" if name in levels else "numeric"] * len(made)
    return np.hstack(blocks), names, kinds


def _without_missing(
    X: np.ndarray,
    part: Columns,
    names: Sequence[str],
    numeric: np.ndarray,
    rows: np.ndarray,
    options: DataOptions,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    missing = np.isnan(X)
    if not missing.any():
        return X, part.y, rows
    if options.missing == "drop":
        complete = ~missing.any(axis=1)
        _check_rows_left(complete, missing, names, part.table.label)
        part.record["rows_dropped"] = int((~complete).sum())
        return X[complete], part.y[complete], rows[complete]
    if options.missing == "impute":
        X = _imputed(X, missing, names, part)
    return X, part.y, rows


def _check_rows_left(complete: np.ndarray, missing: np.ndarray, names: Sequence[str], label: str) -> None:
    if complete.sum() < 3:
        worst = int(np.argmax(missing.sum(axis=0)))
        left = f"missing: drop leaves {plural(int(complete.sum()), 'row')} of {len(complete)}"
        most = f"column {names[worst]!r} alone has {plural(int(missing[:, worst].sum()), 'missing value')}"
        raise InputError(f"{label}: {left}; {most}: drop that column, or choose missing: impute")


def _imputed(X: np.ndarray, missing: np.ndarray, names: Sequence[str], part: Columns) -> np.ndarray:
    for column in np.flatnonzero(missing.any(axis=0)).tolist():
        absent = missing[:, column]
        if absent.all():
            raise InputError(f"{part.table.label}: column {names[column]!r} holds no value at all; drop it")
        X[absent, column] = np.median(X[~absent, column])
        part.record.setdefault("imputed", {})[names[column]] = int(absent.sum())
    return X


def _clipped(X: np.ndarray, numeric: np.ndarray, options: DataOptions, record: dict[str, Any]) -> np.ndarray:
    if options.clip is None:
        return X
    low, high = options.clip
    values = X[:, numeric]
    record["clipped_cells"] = int(((values < low) | (values > high)).sum())
    X[:, numeric] = np.clip(values, low, high)
    return X


def _logarithm(
    X: np.ndarray,
    numeric: np.ndarray,
    names: Sequence[str],
    label: str,
    rows: np.ndarray,
    options: DataOptions,
) -> np.ndarray:
    if options.log is None:
        return X
    bad = (X <= 0) & numeric
    if bad.any():
        row, column = divmod(int(np.argmax(bad)), X.shape[1])
        cell = f"column {names[column]!r} holds {X[row, column]:g} in row {rows[row] + 1}"
        others = f" ({plural(int(bad.any(axis=0).sum()), 'column')} with values ≤ 0)"
        way_out = "clip first, with a low end above 0, or drop the column"
        raise InputError(f"{label}: {cell}, which has no logarithm{others}; {way_out}")
    X[:, numeric] = _log(X[:, numeric], options.log)
    return X


def _log(values: np.ndarray, base: float) -> np.ndarray:
    # The functions of their own are exact where the quotient of two logarithms is not (log10 of 1000).
    own = {10.0: np.log10, 2.0: np.log2, math.e: np.log}
    return own[base](values) if base in own else np.log(values) / math.log(base)


def _record(part: Columns, levels: Mapping[str, tuple[str, ...]], X: np.ndarray) -> dict[str, Any]:
    encoded = {name: list(values) for name, values in levels.items()}
    record = {key: value for key, value in part.record.items() if value}
    return {
        **record,
        **({"levels": encoded} if encoded else {}),
        "constant_columns": int(is_constant(X).sum()),
    }


def _check_same_classes(datasets: Sequence[Dataset], parts: Sequence[Columns]) -> None:
    first = datasets[0].classes.tolist()
    for dataset, part in zip(datasets, parts, strict=True):
        classes = dataset.classes.tolist()
        if classes != first:
            here = f"{part.table.label} has the classes {listing(classes)}"
            there = f"{parts[0].table.label} has {listing(first)}"
            raise InputError(f"{here}, but {there}; all tasks need the same classes")
