"""What DVC has on record: its project folder, hashes of outputs, the default remote."""

from __future__ import annotations

import configparser
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fselect.errors import InputError
from fselect.versioning.kept import dvc_root, read_record

__all__ = ["default_remote", "dvc_hash"]

_PathLike = str | os.PathLike[str]


def dvc_hash(path: _PathLike, root: _PathLike) -> str | None:
    """Look up the hash that DVC has on record for a file or folder.

    It is read from ``dvc.lock`` and the ``.dvc`` files, not computed: a file that was changed since still
    has its old hash there.

    Parameters
    ----------
    path : path-like
        A file or folder; a relative one is taken from ``root``.
    root : path-like
        A folder of the DVC project.

    Returns
    -------
    str or None
        The md5 (with ".dir" at its end for a folder); for a file inside a tracked folder the folder's;
        ``None`` if DVC does not track it.

    Examples
    --------
    >>> import tempfile
    >>> dvc_hash("a.csv", tempfile.mkdtemp()) is None
    True
    """
    top = dvc_root(root)
    if top is None:
        return None
    place = Path(os.path.abspath(Path(root) / path))  # a link keeps its own name, as in DVC
    if not place.is_relative_to(top):
        place = place.resolve()
    known = dict(_recorded_outputs(top, place))
    return next((known[p] for p in (place, *place.parents) if p in known), None)


def _recorded_outputs(top: Path, place: Path) -> Iterator[tuple[Path, str]]:
    for folder in (top, *(p for p in place.parents if p.is_relative_to(top) and p != top)):
        for file in sorted(folder.glob("*.dvc")):
            if file.is_file():
                yield from _outputs(folder, read_record(file))
        for stage in (read_record(folder / "dvc.lock").get("stages") or {}).values():
            yield from _outputs(folder, stage)


def _outputs(folder: Path, record: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    base = folder / record.get("wdir", ".")
    for output in record.get("outs") or ():
        if "md5" in output:
            yield Path(os.path.abspath(base / output["path"])), str(output["md5"])


def default_remote(root: _PathLike) -> str | None:
    """Name the remote that DVC sends data to when none is named.

    Read from the project's own configuration files, which is a hundred times faster than to ask the command.

    Parameters
    ----------
    root : path-like
        A folder of the DVC project.

    Returns
    -------
    str or None
        None where there is none.

    Examples
    --------
    >>> import tempfile
    >>> default_remote(tempfile.mkdtemp()) is None
    True
    """
    top = dvc_root(root)
    if top is None:
        return None
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read([top / ".dvc" / "config", top / ".dvc" / "config.local"], encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        raise InputError(f"{top / '.dvc' / 'config'} cannot be read ({error}); restore it from git") from error
    return parser.get("core", "remote", fallback=None)
