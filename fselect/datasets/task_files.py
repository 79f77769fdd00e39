"""Tasks on disk: one Parquet file a task and an index of them, the same bytes for the same tasks."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fselect.datasets.arrow_layouts import arrow_table, column_names, dataset_of, layout_of
from fselect.datasets.dataset import Dataset
from fselect.datasets.schema import Schema, schema_of
from fselect.datasets.shared_arrays import find_shared, open_shared, share
from fselect.datasets.wording import listing
from fselect.errors import InputError
from fselect.files import write_atomically, writing_atomically

__all__ = ["INDEX_NAME", "read_schema", "read_tasks", "write_tasks"]

INDEX_NAME = "index.json"
FORMAT = 1


def write_tasks(tasks: Sequence[Dataset], folder: str | os.PathLike[str], *, target: str = "target") -> Path:
    """Write tasks to a folder, bit for bit as they are.

    Every file appears whole or not at all, the index last. The same tasks give the same bytes (with one
    version of pyarrow). Files of an earlier call that are no longer needed are removed.

    Parameters
    ----------
    tasks : sequence of Dataset
        In task order, each with a name of its own.
    folder : path-like
        Where; made if it is not there.
    target : str, default="target"
        Name of the column of labels. Where a feature has that name, underscores are added to it.

    Returns
    -------
    pathlib.Path
        The index, ``index.json``.

    Raises
    ------
    InputError
        No task, two tasks of one name, or a folder that cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> from fselect.datasets import load_dataset, noisy_tasks
    >>> folder = tempfile.mkdtemp()
    >>> write_tasks(noisy_tasks(load_dataset("wine"), 2), folder).name
    'index.json'
    >>> [task.name for task in read_tasks(folder)]
    ['wine-1', 'wine-2']
    """
    place = Path(folder)
    _check_task_names(tasks)
    earlier = _files_of(place)
    files = _file_names([task.name for task in tasks])
    entries = [_write_task(task, place, file, target) for task, file in zip(tasks, files, strict=True)]
    index = json.dumps({"format": FORMAT, "tasks": entries}, indent=1, sort_keys=True, ensure_ascii=False)
    write_atomically(place / INDEX_NAME, index.encode() + b"\n")
    for file in earlier - set(files):
        with suppress(OSError):
            (place / file).unlink()
    return place / INDEX_NAME


def read_tasks(folder: str | os.PathLike[str], *, arrays: str | os.PathLike[str] | None = None) -> list[Dataset]:
    """Read the tasks that `write_tasks` wrote.

    Parameters
    ----------
    folder : path-like
        The folder of ``index.json``.
    arrays : path-like, optional
        A folder from which values are mapped into memory instead of being read into it. What it lacks is put there
        first (see `fselect.datasets.shared_arrays`). Parquet files of thousands of columns take many times their
        size to read; a mapped file takes none of a process's own memory.

    Returns
    -------
    list of Dataset
        In task order; the content hash of each is the same as before.

    Raises
    ------
    InputError
        No index, an unreadable file, or a table that no longer holds what the index says.

    Examples
    --------
    >>> read_tasks("nowhere")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: there are no tasks in nowhere (no index.json); make them first
    """
    place = Path(folder)
    index = _read_index(place)
    if index is None:
        raise InputError(f"there are no tasks in {place} (no {INDEX_NAME}); make them first")
    if arrays is None:
        return [_read_task(place, entry) for entry in index["tasks"]]
    return [_mapped_task(place, entry, Path(arrays)) for entry in index["tasks"]]


def read_schema(folder: str | os.PathLike[str]) -> Schema | None:
    """Tell the schema of the last task in a folder, without reading its values.

    Parameters
    ----------
    folder : path-like
        The folder of ``index.json``.

    Returns
    -------
    Schema or None
        None where no tasks are, or they cannot be read.

    Examples
    --------
    >>> read_schema("nowhere") is None
    True
    """
    place = Path(folder)
    try:
        index = _read_index(place)
        if index is None:
            return None
        entry = index["tasks"][-1]
        file, label = pq.ParquetFile(place / entry["file"]), entry["label_column"]
        labels = sorted(set(file.read(columns=[label]).column(0).to_pylist()))
        names = column_names(file.schema_arrow, entry)
    except (InputError, OSError, pa.ArrowException, KeyError, IndexError):
        return None
    y = np.array(labels)
    return schema_of(Dataset(np.zeros((len(y), len(names))), y, names=tuple(names), recipe=entry["recipe"]))


def _check_task_names(tasks: Sequence[Dataset]) -> None:
    names = [task.name for task in tasks]
    if not names:
        raise InputError("there is no task to write; give at least one")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"two tasks or more are called {listing(repeated)}; give each a name of its own")


def _file_names(names: Sequence[str]) -> list[str]:
    # A task may be called anything, a file may not; numbers keep names apart that become equal.
    plain = [re.sub(r"[^A-Za-z0-9._=+-]+", "_", name).strip(".")[:100] or "task" for name in names]
    clashes = len({name.casefold() for name in plain}) < len(plain)
    return [f"{name}-{i}.parquet" if clashes else f"{name}.parquet" for i, name in enumerate(plain, 1)]


def _write_task(task: Dataset, place: Path, file: str, target: str) -> dict[str, Any]:
    label_column = target
    while label_column in task.names:
        label_column += "_"
    # Values that hardly repeat gain nothing from a dictionary, and wide tables pay for statistics.
    layout = {"compression": "zstd", "use_dictionary": False, "write_statistics": False}
    layout["store_schema"] = layout_of(task) != "columns"  # it takes the table's metadata along
    with writing_atomically(place / file) as sink:
        pq.write_table(arrow_table(task, label_column), sink, **layout)
    return _entry(task, file, label_column)


def _entry(task: Dataset, file: str, label_column: str) -> dict[str, Any]:
    return {
        "name": task.name,
        "file": file,
        "label_column": label_column,
        "content_hash": task.content_hash,
        "n_samples": task.n_samples,
        "n_features": task.n_features,
        "nominal": [j for j, kind in enumerate(task.kinds) if kind == "nominal"],
        "truth": task.truth.to_dict() if task.truth else None,
        "recipe": dict(task.recipe),
        **({"layout": layout_of(task)} if layout_of(task) != "columns" else {}),
    }


def _files_of(place: Path) -> set[str]:
    try:
        index = _read_index(place)
    except InputError:  # a broken index names no files, and is about to be written anew
        return set()
    return {entry["file"] for entry in index["tasks"]} if index else set()


def _read_index(place: Path) -> dict[str, Any] | None:
    path = place / INDEX_NAME
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
        known = index["format"] == FORMAT and isinstance(index["tasks"], list)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read ({error}); make the tasks again") from error
    if not known:
        raise InputError(f"{path} was written by another version of fselect; make the tasks again")
    return index


def _read_task(place: Path, entry: dict[str, Any]) -> Dataset:
    path = place / entry["file"]
    try:
        table = pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} cannot be read ({error}); make the tasks again") from error
    task = dataset_of(table, entry)
    if task is None or task.content_hash != entry["content_hash"]:
        raise InputError(f"{path} was changed after it was written; make the tasks again")
    return task


def _mapped_task(place: Path, entry: dict[str, Any], arrays: Path) -> Dataset:
    found = find_shared(arrays, entry["content_hash"], entry["name"])
    if found is not None:
        described = _entry(found, entry["file"], entry["label_column"])
        if json.loads(json.dumps(described)) == entry:
            return found
    return open_shared(share(_read_task(place, entry), arrays, afresh=True))
