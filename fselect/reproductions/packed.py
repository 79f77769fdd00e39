"""Finished cells in one file: what was measured can be published, checked, and gone on from on another machine."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fselect.errors import InputError
from fselect.files import write_atomically

__all__ = ["pack", "unpack"]

_COLUMNS = ["study", "key", "cell"]
_STUDY, _KEY = re.compile(r"[a-z0-9][a-z0-9-]*"), re.compile(r"[0-9a-f]+")
_MOST_TEXT = 2**30


def _cells(folder: Path) -> Path:
    return folder / ".fselect" / "cells"


def pack(folder: Path, file: Path) -> int:
    """Write all finished cells of a folder into one Parquet file.

    Parameters
    ----------
    folder : Path
        Where a paper of cells was reproduced.
    file : Path
        A row a cell: its study, its key (the hash of all that determines it), and its result as JSON, in this order.

    Returns
    -------
    int
        How many cells.

    Raises
    ------
    InputError
        If there are none, or the file cannot be written.
    """
    kept = sorted(_cells(folder).glob("*/*.json"))
    if not kept:
        raise InputError(f"{folder} holds no finished cells to pack; reproduce a paper of cells into it first")
    rows = [(path.parent.name, path.stem, path.read_text(encoding="utf-8").strip()) for path in kept]
    table = pa.table(dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", compression_level=19)
    write_atomically(file, buffer.getvalue())
    return len(rows)


def unpack(file: Path, folder: Path) -> int:
    """Put packed cells into a folder, where they count as finished; those that are there already stay.

    A cell is taken for what its key says. Only results from a source that is trusted should be unpacked.

    Parameters
    ----------
    file : Path
        What `pack` wrote.
    folder : Path
        Where the paper is to be reproduced.

    Returns
    -------
    int
        How many were put there.

    Raises
    ------
    InputError
        If the file cannot be read, or holds something else than cells.
    """
    try:
        parquet = pq.ParquetFile(file)
        if sum(parquet.metadata.row_group(i).total_byte_size for i in range(parquet.num_row_groups)) > _MOST_TEXT:
            raise InputError(f"{file} holds more than {_MOST_TEXT // 2**20} MB of cells, which no paper here has")
        rows = parquet.read(columns=_COLUMNS).to_pylist()
    except (OSError, pa.ArrowException, KeyError) as error:
        raise InputError(f"{file} cannot be read as packed cells ({error}); give a file that --pack wrote") from None
    added = 0
    for place, row in enumerate(rows):
        path = _path(folder, row, f"{file}, row {place}")
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, (row["cell"] + "\n").encode("utf-8"), synced=False)
            added += 1
    if added and hasattr(os, "sync"):  # one for all: tens of thousands would take minutes
        os.sync()
    return added


def _path(folder: Path, row: dict[str, str], where: str) -> Path:
    """Where a cell belongs; names in a file never lead elsewhere."""
    if set(row) != set(_COLUMNS) or not all(isinstance(value, str) for value in row.values()):
        raise InputError(f"{where}: no cell (it needs the texts {', '.join(_COLUMNS)}); give a file that --pack wrote")
    if not _STUDY.fullmatch(row["study"]) or not _KEY.fullmatch(row["key"]):
        raise InputError(f"{where}: {row['study']!r}, {row['key']!r} name no cell; give a file that --pack wrote")
    try:
        whole = {"column", "split", "seconds"} <= json.loads(row["cell"]).keys()
    except (ValueError, AttributeError):
        whole = False
    if not whole:
        raise InputError(f"{where}: the result of cell {row['key']} is broken; give a file that --pack wrote")
    return _cells(folder) / row["study"] / f"{row['key']}.json"
