"""The archive: one table, a row a selection, of which everything else is a function."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.study.arrow_columns import column

__all__ = ["SCHEMA", "read_archive", "rows_to_table", "write_archive"]

SCHEMA = pa.schema(
    [
        ("study", pa.string()),
        ("unit", pa.string()),
        ("protocol", pa.string()),
        ("method", pa.string()),
        ("parameters", pa.string()),
        ("dataset", pa.string()),
        ("data_hash", pa.string()),
        ("task", pa.string()),
        ("prior", pa.string()),
        ("shape", pa.float64()),
        ("strength", pa.float64()),
        ("repeat", pa.int32()),
        ("sample", pa.int32()),
        ("fold", pa.int32()),
        ("status", pa.string()),
        ("selected", pa.list_(pa.string())),
        ("n_selected", pa.int32()),
        ("evaluations", pa.int64()),
        ("redraws", pa.int32()),
        ("accuracy", pa.float64()),
        ("balanced_accuracy", pa.float64()),
        ("roc_auc", pa.float64()),
        ("measures", pa.map_(pa.string(), pa.float64())),
    ]
)
"""Column names and types, in their fixed order."""


def rows_to_table(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Make a table in the archive's schema; columns that a row lacks are null.

    Examples
    --------
    >>> rows_to_table([{"unit": "a", "sample": 0, "selected": ["x"]}]).column("selected").to_pylist()
    [['x']]
    """
    listed = list(rows)
    columns = [column([row.get(field.name) for row in listed], field.type) for field in SCHEMA]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def write_archive(path: Path, tables: Sequence[pa.Table], study: str) -> pa.Table:
    """Write the archive of a study: rows sorted by unit, protocol and sample, the same bytes for the same rows.

    Parameters
    ----------
    path : Path
        ``archive.parquet``.
    tables : sequence of pyarrow.Table
        The units' rows.
    study : str
        Put into the first column.

    Returns
    -------
    pyarrow.Table
        What was written.
    """
    table = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    named = table.set_column(0, SCHEMA.field("study"), pa.array([study] * len(table), pa.string()))
    keys = [("unit", "ascending"), ("protocol", "ascending"), ("sample", "ascending")]
    ordered = named.take(pc.sort_indices(named, sort_keys=keys)).combine_chunks()
    buffer = io.BytesIO()
    pq.write_table(ordered, buffer, compression="zstd", store_schema=False)
    write_atomically(path, buffer.getvalue())
    return ordered


def read_archive(path: Path) -> pa.Table:
    """Read an archive.

    Raises
    ------
    InputError
        If there is none, or the file is not an archive.
    """
    if not path.is_file():
        raise InputError(f"no results at {path}; run the study first: fselect run")
    try:
        return pq.read_table(path).cast(SCHEMA)
    except (pa.ArrowException, ValueError) as error:
        raise InputError(f"{path} is not an archive of this version ({error}); run the study again") from None
