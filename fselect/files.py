"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fselect.errors import InputError

__all__ = ["write_atomically"]


def write_atomically(path: Path, content: bytes) -> Path:
    """Write a file so that no half-written one ever carries its name.

    The content goes to a temporary file in the same folder, to the disk, and then takes the name in one step.

    Parameters
    ----------
    path : Path
        The final place; its folder is made.
    content : bytes
        All of the file.

    Returns
    -------
    Path
        `path`.

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
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _refused(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot write {path}: {error.strerror}; free some space or choose another folder")
