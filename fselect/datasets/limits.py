"""How large a table may be: told from the file before it is read, and from its names before it is used."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fselect.datasets.delimited import COMPRESSIONS
from fselect.datasets.wording import shortened
from fselect.errors import InputError

__all__ = ["Limits", "check_columns", "check_size", "check_task_name"]

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bytes of a file (unpacked), columns of a table, and characters of a name; see `fselect.study.operation`."""

    bytes: int = 8_000_000_000
    columns: int = 200_000
    name_length: int = 300


def check_size(path: str | os.PathLike[str], limits: Limits) -> None:
    """Refuse a file that is too large, or that would be when it is unpacked.

    A few kilobytes of a compressed file can hold gigabytes, so compressed text is counted as it is unpacked, piece by
    piece and no further than the limit; Excel and Parquet files say themselves how large they are.

    Parameters
    ----------
    path : path-like
        The file; one that is not there is left to its reader.
    limits : Limits
        ``bytes`` counts here.

    Raises
    ------
    InputError
        It is too large; the sentence says what to change.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = place.write_text("a,b" * 10)
    >>> check_size(place, Limits(bytes=20))
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: a.csv has more than 20 bytes (30); ...
    """
    place = Path(path)
    if not place.is_file():
        return
    packed = place.stat().st_size
    size = packed if packed > limits.bytes else max(packed, _unpacked(place, limits.bytes))
    if size > limits.bytes:
        how = "" if packed > limits.bytes else " when unpacked"
        raise InputError(
            f"{place.name} has more than {limits.bytes:,} bytes{how} ({size:,}); "
            "leave out what is not needed, or raise limits.bytes in params.yaml"
        )


def _unpacked(path: Path, limit: int) -> int:
    """Bytes of the content; of a file that cannot be read 0, for its reader to say why."""
    try:
        suffix = path.suffix.lower()
        if suffix in COMPRESSIONS:
            return _counted(path, limit)
        if suffix == ".parquet":
            return _in_parquet(path)
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as book:
                return sum(part.file_size for part in book.infolist())
    except (OSError, EOFError, ValueError, zipfile.BadZipFile):
        pass
    return 0


def _counted(path: Path, limit: int) -> int:
    size = 0
    with COMPRESSIONS[path.suffix.lower()](path, "rb") as file:
        while size <= limit and (chunk := file.read(_CHUNK)):
            size += len(chunk)
    return size


def _in_parquet(path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
    except pa.ArrowException:
        return 0
    # What is written of a run of equal values is tiny; eight bytes a cell is what memory will hold.
    cells = 8 * metadata.num_rows * metadata.num_columns
    return max(cells, sum(metadata.row_group(place).total_byte_size for place in range(metadata.num_row_groups)))


def check_columns(names: Iterable[str], table: str, limits: Limits) -> None:
    """Refuse a table with too many columns, or with a name that is too long.

    Parameters
    ----------
    names : iterable of str
        Names of the columns.
    table : str
        What to call the table in a sentence.
    limits : Limits
        ``columns`` and ``name_length`` count here.

    Raises
    ------
    InputError
        The sentence names the number, or the beginning of the name.

    Examples
    --------
    >>> check_columns(["a" * 20], "a.csv", Limits(name_length=10))
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: a.csv: the name of column 1, 'aaaaaaaaaa…', has 20 characters; ...
    """
    every = [str(name) for name in names]
    if len(every) > limits.columns:
        raise InputError(
            f"{table} has {len(every):,} columns, more than {limits.columns:,}; "
            "leave out what is not needed, or raise limits.columns in params.yaml"
        )
    for place, name in enumerate(every, start=1):
        if len(name) > limits.name_length:
            raise _too_long(f"{table}: the name of column {place}", name, limits)


def check_task_name(name: str, limits: Limits) -> None:
    """Refuse a task whose name is too long."""
    if len(name) > limits.name_length:
        raise _too_long("the name of a task", name, limits)


def _too_long(what: str, name: str, limits: Limits) -> InputError:
    shown = shortened(name, min(40, limits.name_length))
    return InputError(
        f"{what}, {shown!r}, has {len(name)} characters; shorten it to {limits.name_length}, "
        "or raise limits.name_length in params.yaml"
    )
