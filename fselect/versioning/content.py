"""What a file, a folder or a checkout holds: content hashes and the git commit."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import Any

from fselect.errors import InputError

__all__ = ["content_hash", "git_commit"]

_PathLike = str | os.PathLike[str]
_CHUNK = 1 << 20


def content_hash(path: _PathLike) -> str:
    """Give the digest of a file, or of a folder with all its files.

    Parameters
    ----------
    path : path-like
        A file, or a folder: then relative names and contents count, in sorted order.

    Returns
    -------
    str
        blake2b-128, 32 hex digits. Dates and permissions do not count.

    Raises
    ------
    InputError
        It does not exist or cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = place.write_text("content")
    >>> content_hash(place) == content_hash(str(place)), len(content_hash(place))
    (True, 32)
    """
    place = Path(path)
    digest = hashlib.blake2b(digest_size=16)
    try:
        if place.is_dir():
            for file in sorted(entry for entry in place.rglob("*") if entry.is_file()):
                # Lengths keep names and contents apart, so that no two folders run together.
                name = file.relative_to(place).as_posix().encode()
                digest.update(b"%d:%s%d:" % (len(name), name, file.stat().st_size))
                _feed(digest, file)
        else:
            _feed(digest, place)
    except OSError as error:
        raise InputError(f"cannot read {place} ({error.strerror}); check the path") from error
    return digest.hexdigest()


def _feed(digest: Any, file: Path) -> None:
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)


def git_commit(root: _PathLike) -> str | None:
    """Give the git commit that a folder is at.

    Parameters
    ----------
    root : path-like
        A folder.

    Returns
    -------
    str or None
        The full hash, with "-dirty" after it if a tracked file was changed; ``None`` without git, outside
        a repository, and before the first commit.

    Examples
    --------
    >>> import tempfile
    >>> git_commit(tempfile.mkdtemp()) is None
    True
    """
    head = _git(root, "rev-parse", "--verify", "HEAD")
    if head is None:
        return None
    changes = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{head}-dirty" if changes else head


def _git(root: _PathLike, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
