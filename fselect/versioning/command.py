"""The ``dvc`` command, run with patience."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from fselect.errors import InputError, MissingExtra
from fselect.versioning.kept import keep_records, mend_records

__all__ = ["dvc_add", "dvc_commit", "run_dvc"]

_PathLike = str | os.PathLike[str]
_BUSY = ("unable to acquire lock", "is busy", "is locked", "failed to acquire")


def run_dvc(args: Sequence[str], root: _PathLike, *, patience: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run the ``dvc`` command, with patience while another one holds DVC's lock.

    Records that a killed command left half-written are restored.

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
    records = _records(args, root)
    keep_records(records)
    while True:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode == 0:
            return done
        busy = _is_busy(done)
        if busy and time.monotonic() <= end:
            time.sleep(0.5)
        elif busy or not mend_records(records):
            raise InputError(f"dvc {' '.join(map(str, args))} failed: {_reason(done)}")


def _records(args: Sequence[str], root: _PathLike) -> list[Path]:
    """Name the files that a command may write: the lock file, and what it adds under DVC."""
    added = [Path(root, f"{word}.dvc") for word in args[1:] if args[0] == "add" and not str(word).startswith("-")]
    return [Path(root, "dvc.lock"), *added]


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
        # Links are not made anew: DVC would remove each file for a moment, and a kill then would lose it.
        run_dvc(["add", "--no-relink", *map(str, paths)], root)


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
        run_dvc(["commit", "--force", "--no-relink", *stages], root)  # as for dvc_add
