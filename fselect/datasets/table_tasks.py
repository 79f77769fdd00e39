"""Ordered tasks of real data: a table a task, or one table with a column that says which task a row is of."""

from __future__ import annotations

import datetime
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fselect.datasets.columns import Table
from fselect.datasets.dataset import Dataset
from fselect.datasets.labels import missing_labels
from fselect.datasets.matrix_files import is_matrix_file, read_matrix
from fselect.datasets.options import DataOptions, data_options
from fselect.datasets.preparation import prepare
from fselect.datasets.table_source import check_file, read_frame, source_label, source_name
from fselect.datasets.wording import did_you_mean, listing
from fselect.errors import InputError

__all__ = ["cut_by_column", "tasks_from_column", "tasks_from_tables"]


def tasks_from_tables(
    sources: Sequence[Any],
    target: str = "target",
    *,
    names: Sequence[str] | None = None,
    options: DataOptions | None = None,
    **words: Any,
) -> list[Dataset]:
    """Make one task of each table, in the order given.

    All tables must have the same columns (their order may differ: that of the first table is taken) and
    the same classes.

    Parameters
    ----------
    sources : sequence of path-like or frame
        Two or more of what `read_table` takes.
    target : str, default="target"
        Name of the column of class labels, in every table.
    names : sequence of str, optional
        Names of the tasks. Default: the files' names without ending, with their folder's name before
        them where two are the same; "task-1", … for frames.
    options : DataOptions, optional
        As for `read_table`.
    **words
        Single options as keywords.

    Returns
    -------
    list of Dataset
        The tasks.

    Raises
    ------
    InputError
        Fewer than two tables, tables that differ in columns or classes, two tasks of one name, or a table
        that cannot be used.

    Examples
    --------
    >>> import pandas as pd
    >>> may = pd.DataFrame({"a": [1, 2, 3, 4], "y": [0, 1, 0, 1]})
    >>> june = pd.DataFrame({"y": [0, 1, 0, 1], "a": [5, 6, 7, 8]})
    >>> [task.name for task in tasks_from_tables([may, june], "y", names=["may", "june"])]
    ['may', 'june']
    """
    chosen = data_options(options, **words)
    if isinstance(sources, (str, os.PathLike, pd.DataFrame)) or len(sources) < 2:
        raise InputError("tasks need two tables or more, in order; for one table use a task column")
    called = list(names) if names is not None else _task_names(sources)
    if len(called) != len(sources) or len(set(called)) < len(called):
        way_out = (
            "give as many, all different" if names is not None else "rename a file, for tasks are called after theirs"
        )
        raise InputError(f"{len(sources)} tasks need as many different names, not {listing(called)}; {way_out}")
    if any(map(is_matrix_file, sources)):
        return _matrix_tasks(sources, called, target, chosen)
    tables = [
        Table(read_frame(source, chosen.sheet), _label(source, name), name)
        for source, name in zip(sources, called, strict=True)
    ]
    return _with_source(prepare(tables, target, chosen), [table.label for table in tables])


def tasks_from_column(
    source: Any,
    column: str,
    target: str = "target",
    *,
    order: Sequence[Any] | None = None,
    name: str | None = None,
    options: DataOptions | None = None,
    **words: Any,
) -> list[Dataset]:
    """Cut one table into tasks by the values of a column; that column is no feature.

    Parameters
    ----------
    source : path-like or frame
        What `read_table` takes.
    column : str
        The column that says which task a row is of.
    target : str, default="target"
        Name of the column of class labels.
    order : sequence, optional
        All values of the column, in task order. Default: the order in which they first appear.
    name : str, optional
        Name of the table. Default: the file's name without ending, "data" for a frame.
    options : DataOptions, optional
        As for `read_table`.
    **words
        Single options as keywords.

    Returns
    -------
    list of Dataset
        The tasks, called ``NAME-VALUE``.

    Raises
    ------
    InputError
        No such column, a row without a task, one task only, an order that leaves tasks out or names
        others, a task that cannot be used on its own, tasks that differ in classes.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"day": [2] * 4 + [1] * 4, "a": range(8), "y": [0, 1] * 4})
    >>> [task.name for task in tasks_from_column(frame, "day", "y", order=[1, 2])]
    ['data-1', 'data-2']
    """
    chosen = data_options(options, **words)
    label = source_label(source)
    whole = Table(read_frame(source, chosen.sheet), label, name or source_name(source)).named_columns()
    if column == target:
        raise InputError(f"{column!r} cannot be both the task column and the target; give two columns")
    parts = cut_by_column(whole, column)
    ordered = _ordered(list(parts), order, f"task column {column!r} of {label}")
    tables = [parts[value] for value in ordered]
    kept = chosen.model_copy(update={"drop": tuple(entry for entry in chosen.drop if entry != column)})
    tasks = prepare(tables, target, kept, {"task_column": column})
    return _with_source(tasks, [label] * len(tasks))


def cut_by_column(table: Table, column: str) -> dict[str, Table]:
    """Cut a table by the values of a column, in the order in which they first appear; the column itself is left out.

    Raises
    ------
    InputError
        No such column, or a row without a value in it.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"day": [2, 1, 2], "a": [5, 6, 7]}), "t.csv", "t")
    >>> [(value, part.name, part.frame["a"].tolist()) for value, part in cut_by_column(table, "day").items()]
    [('2', 't-2', [5, 7]), ('1', 't-1', [6])]
    """
    values = _task_values(table, column)
    rest = Table(table.frame.drop(columns=column, errors="ignore"), table.label, table.name, table.rows)
    return {value: _cut(rest, values, value, column) for value in dict.fromkeys(values.tolist())}


def _matrix_tasks(sources: Sequence[Any], names: Sequence[str], target: str, options: DataOptions) -> list[Dataset]:
    for source in sources:
        if not is_matrix_file(source):
            raise InputError(f"{source_label(source)} is no matrix as other tasks are; give all one format")
        check_file(Path(source))
    tasks = [read_matrix(Path(source), target, name, options) for source, name in zip(sources, names, strict=True)]
    for task in tasks[1:]:
        if task.names != tasks[0].names:
            raise InputError(f"the columns of {task.name} differ from those of {tasks[0].name}; give all the same ones")
        if task.classes.tolist() != tasks[0].classes.tolist():
            raise InputError(f"the classes of {task.name} differ from those of {tasks[0].name}; all need the same ones")
    return tasks


def _task_names(sources: Sequence[Any]) -> list[str]:
    names = [
        f"task-{i}"
        if isinstance(source, pd.DataFrame) or not isinstance(source, (str, os.PathLike))
        else source_name(source)
        for i, source in enumerate(sources, 1)
    ]
    counts = Counter(names)
    folders = [Path(s).resolve().parent.name if isinstance(s, (str, os.PathLike)) else "" for s in sources]
    return [f"{f}-{n}" if counts[n] > 1 and f else n for f, n in zip(folders, names, strict=True)]


def _label(source: Any, name: str) -> str:
    return source_label(source) if isinstance(source, (str, os.PathLike)) else f"task {name!r}"


def _task_values(table: Table, column: str) -> np.ndarray:
    series = table.column(column, "task")
    absent = missing_labels(series)
    if absent.any():
        rows = listing((np.flatnonzero(absent) + 1).tolist())
        raise InputError(f"{table.label}: task column {column!r} is empty in row {rows}; fill it in")
    return np.array([_value_text(value) for value in series.tolist()], dtype=object)


def _value_text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def _ordered(present: list[str], order: Sequence[Any] | None, where: str) -> list[str]:
    wanted = present if order is None else [_value_text(value) for value in order]
    for value in wanted:
        if value not in present:
            raise InputError(f"{where} has no value {value!r}{did_you_mean(value, present)}")
    left_out = [value for value in present if value not in wanted]
    if left_out or len(set(wanted)) < len(wanted):
        what = f"leaves out {listing(left_out)}" if left_out else "names a value twice"
        raise InputError(f"the order of {where} {what}; name every value once")
    if len(wanted) < 2:
        raise InputError(f"{where} holds one value only ({listing(wanted)}); tasks need two or more")
    return wanted


def _cut(table: Table, values: np.ndarray, value: str, column: str) -> Table:
    part = table.keep(values == value)
    return Table(part.frame, f"{table.label}, {column} {value}", f"{table.name}-{value}", part.rows)


def _with_source(tasks: list[Dataset], labels: Sequence[str]) -> list[Dataset]:
    return [
        Dataset(t.X, t.y, t.name, t.names, t.kinds, t.truth, {"source": label, **t.recipe})
        for t, label in zip(tasks, labels, strict=True)
    ]
