"""How a task lies in an Arrow table: a column each, or if the table is very large or mostly zeros, a list a row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.sparse_tables import as_canonical

__all__ = ["arrow_table", "column_names", "dataset_of", "layout_of"]

_MANY = 50_000  # columns; the head of a Parquet file has some hundred bytes a column, and is read several times
_LARGE = 64_000_000  # bytes that are not turned round, from rows to columns, for the sake of a readable file
_NAMES = b"names"


def layout_of(task: Dataset) -> str:
    """Say how a task is laid out.

    Returns
    -------
    {"columns", "rows", "sparse"}
        A column of the table each; or a list of all values in each row; or lists of the positions and values that
        are not zero. Names of columns are in the table's metadata for the last two.

    Examples
    --------
    >>> layout_of(Dataset([[1.0], [2.0], [4.0]], ["a", "b", "a"]))
    'columns'
    """
    if task.is_sparse:
        return "sparse"
    return "columns" if task.n_features <= _MANY and task.X.nbytes <= _LARGE else "rows"


def arrow_table(task: Dataset, label_column: str) -> pa.Table:
    """Lay a task out.

    Parameters
    ----------
    task : Dataset
        The task.
    label_column : str
        What to call the column of labels, which is the last.

    Returns
    -------
    pyarrow.Table
        Of n rows.

    Examples
    --------
    >>> task = Dataset(csr_array([[0.0, 2.0], [3.0, 0.0], [0.0, 0.0]]), ["a", "b", "a"])
    >>> arrow_table(task, "target").column("values").to_pylist()
    [[2.0], [3.0], []]
    """
    labels = pa.array(task.y.tolist() if task.y.dtype.kind == "U" else task.y)
    X: Any = task.X
    if layout_of(task) == "columns":
        columns = np.asfortranarray(X)
        arrays = [pa.array(columns[:, j], from_pandas=False) for j in range(task.n_features)]
        return pa.Table.from_arrays([*arrays, labels], names=[*task.names, label_column])
    lists = {"values": X.ravel()} if not task.is_sparse else {"places": X.indices.astype(np.int64), "values": X.data}
    starts = X.indptr if task.is_sparse else np.arange(task.n_samples + 1) * task.n_features
    arrays = [
        pa.LargeListArray.from_arrays(pa.array(starts.astype(np.int64)), pa.array(part)) for part in lists.values()
    ]
    table = pa.Table.from_arrays([*arrays, labels], names=[*lists, label_column])
    return table.replace_schema_metadata({_NAMES: json.dumps(task.names)})


def column_names(schema: pa.Schema, entry: Mapping[str, Any]) -> list[str]:
    """Return the names of a task's columns, from the schema of what `arrow_table` gave and the task's index entry."""
    if entry.get("layout", "columns") == "columns":
        return [name for name in schema.names if name != entry["label_column"]]
    return _names(schema)


def dataset_of(table: pa.Table, entry: Mapping[str, Any]) -> Dataset | None:
    """Make the task again.

    Parameters
    ----------
    table : pyarrow.Table
        What `arrow_table` gave.
    entry : mapping
        What the index of the tasks says of it.

    Returns
    -------
    Dataset or None
        None if the table is not what the index says.
    """
    read = {"columns": _from_columns, "rows": _from_rows, "sparse": _from_sparse}.get(entry.get("layout", "columns"))
    lists = any(pa.types.is_nested(field.type) for field in table.schema)
    if read is None or table.column_names[-1] != entry["label_column"] or lists == (read is _from_columns):
        return None
    X, names = read(table, entry["n_features"])
    if len(names) != entry["n_features"]:
        return None
    labels = table.column(table.num_columns - 1)
    y = np.array(labels.to_pylist()) if pa.types.is_string(labels.type) else labels.to_numpy()
    nominal = set(entry["nominal"])
    kinds = tuple("nominal" if j in nominal else "numeric" for j in range(len(names)))
    truth = Truth.from_dict(entry["truth"]) if entry["truth"] else None
    return Dataset(X, y, entry["name"], tuple(names), kinds, truth, entry["recipe"])


def _from_columns(table: pa.Table, d: int) -> tuple[np.ndarray, list[str]]:
    names = table.column_names[:-1]
    X = np.empty((table.num_rows, len(names)), order="F")
    for j in range(len(names)):
        X[:, j] = table.column(j).to_numpy()
    X = np.ascontiguousarray(X)
    X.flags.writeable = False
    return X, names


def _from_rows(table: pa.Table, d: int) -> tuple[np.ndarray, list[str]]:
    X = _flat(table, "values")[0].reshape(table.num_rows, -1)
    X.flags.writeable = False
    return X, _names(table.schema)


def _from_sparse(table: pa.Table, d: int) -> tuple[csr_array, list[str]]:
    (places, starts), (values, _) = _flat(table, "places"), _flat(table, "values")
    return as_canonical(csr_array((values, places, starts), shape=(table.num_rows, d))), _names(table.schema)


def _flat(table: pa.Table, column: str) -> tuple[np.ndarray, np.ndarray]:
    lists = table.column(column)
    lengths = np.concatenate([[0], np.concatenate([part.value_lengths().to_numpy() for part in lists.chunks])])
    return np.concatenate([part.flatten().to_numpy() for part in lists.chunks]), np.cumsum(lengths)


def _names(schema: pa.Schema) -> list[str]:
    names: list[str] = json.loads((schema.metadata or {}).get(_NAMES, b"[]"))
    return names
