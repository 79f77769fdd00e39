"""Files that appear in a folder: which are whole, and a copy of each that nobody changes while it is read."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fselect.datasets.table_source import is_table_file
from fselect.errors import InputError

__all__ = ["UnsettledError", "Waiting", "look", "snapshot"]

_PARTIAL = (".part", ".partial", ".tmp", ".crdownload", ".filepart", ".swp")


class UnsettledError(InputError):
    """A file that is still being written; it is tried again later."""


@dataclass(frozen=True)
class Waiting:
    """What lies in a watched folder.

    Parameters
    ----------
    ready : tuple of Path
        Files that stayed as they are, oldest first.
    later : tuple of Path
        Files that changed while they were watched.
    """

    ready: tuple[Path, ...] = ()
    later: tuple[Path, ...] = ()


def look(folder: Path, settle: float) -> Waiting:
    """Look into a folder, and wait until what was changed a moment ago has stayed as it is.

    A file counts as settled if its size and date stay the same for `settle` seconds, measured by a clock that never
    jumps. One whose date is older than that already is not waited for; a date in the future, by a clock that was set
    back, says nothing.

    Parameters
    ----------
    folder : Path
        The watched folder.
    settle : float
        Seconds.

    Returns
    -------
    Waiting

    Raises
    ------
    InputError
        There is no such folder.
    """
    seen = {path: signature(path) for path in _tables(folder)}
    now = time.time()
    fresh = [path for path, found in seen.items() if found and not settle < now - found[1] / 1e9]
    if fresh:
        time.sleep(settle)
    ready = [path for path in seen if path not in fresh or (seen[path] and signature(path) == seen[path])]
    ready.sort(key=lambda path: ((seen[path] or (0, 0, 0))[1], path.name))
    return Waiting(tuple(ready), tuple(path for path in seen if path not in ready))


def _tables(folder: Path) -> list[Path]:
    """Files that may be tables: none that are hidden, links, or called as programs call what is not finished."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} to watch; make it, or name another: arrivals.folder")
    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    files = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    return [path for path in files if _is_table(path)]


def _is_table(path: Path) -> bool:
    return not path.name.startswith(".") and path.suffix.lower() not in _PARTIAL and is_table_file(path)


def signature(path: Path) -> tuple[int, int, int] | None:
    """Size, date and identity of a file; None where it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


@contextmanager
def snapshot(path: Path, place: Path) -> Iterator[Path]:
    """Copy a file to a folder of the project, so that what is read is what is versioned; the copy is removed after.

    Parameters
    ----------
    path : Path
        The file.
    place : Path
        Where copies are made.

    Yields
    ------
    Path
        The copy, called like the file.

    Raises
    ------
    UnsettledError
        The file changed while it was copied.
    InputError
        It cannot be read or copied.
    """
    before = signature(path)
    folder = place / f"snapshot-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy = Path(shutil.copyfile(path, folder / path.name))
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(f"{path} cannot be copied to {folder}: {error.strerror}") from None
    try:
        if before is None or signature(path) != before:
            raise UnsettledError(f"{path.name} changed while it was read; it is tried again later")
        yield copy
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_complete(path: Path) -> None:
    """Refuse delimited text whose last line has no end: it may be the beginning of a longer one.

    Raises
    ------
    UnsettledError
        The last byte of the file is no end of a line.
    """
    if path.suffix.lower() not in (".csv", ".tsv", ".tab", ".txt", ".arff"):
        return
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        if file.tell() == 0:
            raise UnsettledError(f"{path.name} is empty; it is tried again later")
        file.seek(-1, os.SEEK_END)
        if file.read(1) not in (b"\n", b"\r"):
            raise UnsettledError(
                f"the last line of {path.name} has no end, it may be half copied; it is tried again later"
            )
