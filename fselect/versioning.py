"""Versions of data: content hashes, the git commit, and the ``dvc`` command where a project uses DVC.

DVC is never imported, only run: a project without it works, and its start-up time is paid only where it
is used.
"""

from __future__ import annotations

import configparser
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from fselect.errors import InputError, MissingExtra

__all__ = [
    "content_hash",
    "default_remote",
    "dvc_add",
    "dvc_commit",
    "dvc_hash",
    "dvc_root",
    "git_commit",
    "run_dvc",
]

_PathLike = str | os.PathLike[str]
_BUSY = ("unable to acquire lock", "is busy", "is locked", "failed to acquire")
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


def dvc_root(root: _PathLike) -> Path | None:
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
                yield from _outputs(folder, _yaml(file))
        for stage in (_yaml(folder / "dvc.lock").get("stages") or {}).values():
            yield from _outputs(folder, stage)


def _outputs(folder: Path, record: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    base = folder / record.get("wdir", ".")
    for output in record.get("outs") or ():
        if "md5" in output:
            yield Path(os.path.abspath(base / output["path"])), str(output["md5"])


def _yaml(file: Path) -> dict[str, Any]:
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read; restore it from git") from error
    return content if isinstance(content, dict) else {}


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


def run_dvc(args: Sequence[str], root: _PathLike, *, patience: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run the ``dvc`` command, with patience while another one holds DVC's lock.

    Parameters
    ----------
    args : sequence of str
        What follows ``dvc``.
    root : path-like
        Where to run it.
    patience : float, default=120.0
        Seconds to try again while DVC is busy (it does not wait itself).

    Returns
    -------
    subprocess.CompletedProcess
        With what it printed, as text.

    Raises
    ------
    MissingExtra
        DVC is not installed.
    InputError
        It failed; the sentence quotes DVC's own.

    Examples
    --------
    >>> run_dvc(["--version"], ".").returncode
    0
    """
    if find_spec("dvc") is None:
        raise MissingExtra("dvc", extra="pipeline")
    command = [sys.executable, "-m", "dvc", *map(str, args)]
    environment = {**os.environ, "DVC_NO_ANALYTICS": "true"}
    end = time.monotonic() + patience
    while True:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode == 0:
            return done
        if not _is_busy(done) or time.monotonic() > end:
            raise InputError(f"dvc {' '.join(map(str, args))} failed: {_reason(done)}")
        time.sleep(0.5)


def _is_busy(done: subprocess.CompletedProcess[str]) -> bool:
    said = done.stderr.lower()
    return any(word in said for word in _BUSY)


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """Find the sentence that matters: DVC's last ERROR line, without its advertisements."""
    lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or [f"exit code {done.returncode}"])[-1]


def dvc_add(paths: Sequence[_PathLike], root: _PathLike) -> None:
    """Put files or folders under DVC.

    Parameters
    ----------
    paths : sequence of path-like
        What to track, in one call (DVC is slow to start).
    root : path-like
        A folder of the DVC project; relative paths start there.

    Raises
    ------
    InputError
        DVC refused.
    MissingExtra
        DVC is not installed.

    Examples
    --------
    >>> dvc_add([], ".")
    """
    if paths:
        run_dvc(["add", *map(str, paths)], root)


def dvc_commit(stages: Sequence[str], root: _PathLike) -> None:
    """Record in DVC what stages' outputs hold now, though they were made outside DVC.

    Only right if the outputs were made with the parameters and tables that are there now; the caller has
    to know.

    Parameters
    ----------
    stages : sequence of str
        Names in ``dvc.yaml``.
    root : path-like
        The folder of ``dvc.yaml``.

    Raises
    ------
    InputError
        DVC refused.
    MissingExtra
        DVC is not installed.

    Examples
    --------
    >>> dvc_commit([], ".")
    """
    if stages:
        run_dvc(["commit", "--force", *stages], root)
