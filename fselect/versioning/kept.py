"""Copies of DVC's record files, for the case that a command is killed while it writes one.

DVC writes ``dvc.lock`` and ``.dvc`` files in place. Killed in the middle it leaves an empty or a broken one, which
every later command refuses. So they are copied before a command that may write them, and a broken one is read
from its copy, and restored from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from fselect.errors import InputError
from fselect.files import write_atomically

__all__ = ["dvc_root", "keep_records", "mend_records", "read_record"]


def dvc_root(root: str | os.PathLike[str]) -> Path | None:
    """Find the DVC project that a folder belongs to.

    Parameters
    ----------
    root : path-like
        A folder.

    Returns
    -------
    pathlib.Path or None
        The nearest of the folder and its parents that has a ``.dvc`` folder.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()).resolve()
    >>> (folder / ".dvc").mkdir()
    >>> dvc_root(folder / "data") == folder
    True
    """
    place = Path(root).resolve()
    return next((folder for folder in (place, *place.parents) if (folder / ".dvc").is_dir()), None)


def read_record(file: Path) -> dict[str, Any]:
    """Read ``dvc.lock`` or a ``.dvc`` file; where it is broken, what it held before.

    Parameters
    ----------
    file : pathlib.Path
        It need not exist.

    Returns
    -------
    dict
        Empty for a missing file.

    Raises
    ------
    InputError
        It is broken and there is no copy.

    Examples
    --------
    >>> read_record(Path("gone.dvc"))
    {}
    """
    if not file.exists():
        return {}
    content = _content(file)
    if content is None and (copy := _copy_of(file)) is not None:
        content = _content(copy)
    if content is None:
        raise InputError(f"{file} cannot be read; restore it from git")
    return content


def keep_records(files: Iterable[Path]) -> None:
    """Copy those record files that are whole, before a command that may write them.

    Parameters
    ----------
    files : iterable of pathlib.Path
        They need not exist.

    Examples
    --------
    >>> keep_records([Path("gone.dvc")])
    """
    for file in files:
        if (copy := _copy_of(file)) is not None and _content(file) is not None:
            write_atomically(copy, file.read_bytes())


def mend_records(files: Iterable[Path]) -> bool:
    """Restore broken record files from their copies.

    For the moment when DVC itself has refused: it reads them under its lock, so nobody is writing them.

    Parameters
    ----------
    files : iterable of pathlib.Path
        They need not exist.

    Returns
    -------
    bool
        Whether one was restored. A ``.dvc`` file without a copy was being made for the first time: it is
        removed, for the command to make it again.

    Examples
    --------
    >>> mend_records([Path("gone.dvc")])
    False
    """
    mended = [_mended(file) for file in files if file.exists() and _content(file) is None]
    return any(mended)


def _mended(file: Path) -> bool:
    copy = _copy_of(file)
    if copy is not None and copy.exists():
        write_atomically(file, copy.read_bytes())
        return True
    if file.suffix == ".dvc":
        file.unlink()
        return True
    return False


def _copy_of(file: Path) -> Path | None:
    # DVC's own .gitignore covers this folder.
    place = file.absolute()
    top = dvc_root(place.parent)
    return None if top is None else top / ".dvc" / "tmp" / "fselect" / place.resolve().relative_to(top)


def _content(file: Path) -> dict[str, Any] | None:
    """Give what a whole record file holds: a mapping that ends in a line's end, as DVC writes it."""
    try:
        text = file.read_text(encoding="utf-8")
        content = yaml.safe_load(text)
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        return None
    return content if isinstance(content, dict) and content and text.endswith("\n") else None
