"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fselect.errors import InputError

__all__ = ["write_atomically", "writing_atomically"]

_FULL, _FORBIDDEN = "free some space or choose another folder", "allow writing there or choose another folder"
_IN_THE_WAY = "a file is where a folder should be: move it, or choose another folder"
_REMEDIES = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL}
_REMEDIES |= dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _FORBIDDEN)
_REMEDIES |= dict.fromkeys((errno.ENOTDIR, errno.EEXIST), _IN_THE_WAY)


def write_atomically(path: Path, content: bytes, *, synced: bool = True) -> Path:
    """Write a file so that no half-written one ever carries its name.

    The content goes to a temporary file in the same folder, to the disk, and then takes the name in one step.

    Parameters
    ----------
    path : Path
        The final place; its folder is made.
    content : bytes
        All of the file.
    synced : bool, default True
        Whether it is on the disk before it takes the name, so that no power cut breaks it. Who writes thousands of
        files, and can write them again, syncs once at the end.

    Returns
    -------
    Path
        `path`.

    Raises
    ------
    InputError
        If the folder is read-only or full; nothing is left behind.
    """
    with writing_atomically(path, synced=synced) as file:
        file.write(content)
    return path


@contextmanager
def writing_atomically(path: Path, *, synced: bool = True) -> Iterator[BinaryIO]:
    """Open a file to write that takes its name when all is written: for what is too large to be held in memory twice.

    Parameters
    ----------
    path : Path
        The final place; its folder is made.
    synced : bool, default True
        As in `write_atomically`.

    Yields
    ------
    file
        To write bytes to.

    Raises
    ------
    InputError
        If the folder is read-only or full; nothing is left behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    except OSError as error:
        raise _refused(path, error) from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _refused(path: Path, error: OSError) -> InputError:
    remedy = _REMEDIES.get(error.errno or 0, "choose another folder")
    return InputError(f"cannot write {path}: {error.strerror}; {remedy}")
