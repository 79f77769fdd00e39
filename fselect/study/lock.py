"""One study at a time in a folder: a lock that says who holds it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from fselect.errors import InputError
from fselect.files import write_atomically

__all__ = ["LockHolder", "project_lock", "refuse_if_held"]


@dataclass(frozen=True)
class LockHolder:
    """Who holds or last held the folder: process, boot of the machine, and Prefect flow run."""

    pid: int
    boot: str
    flow_run: str | None = None


@contextmanager
def project_lock(state_dir: Path, *, flow_run: str | None = None, wait: float = 0.0) -> Iterator[LockHolder | None]:
    """Hold the folder's lock.

    The system releases the lock when its process ends, however it ends, so a dead holder never blocks; its note
    stays behind, and is handed to the next holder, who can mark the dead flow run as crashed.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder.
    flow_run : str, optional
        Id of the flow run that takes the lock.
    wait : float
        Seconds to wait for another holder; 0 refuses at once.

    Yields
    ------
    LockHolder or None
        The note of a holder that died without releasing.

    Raises
    ------
    InputError
        If another process holds the folder.
    """
    folder = state_dir / "locks"
    note = folder / "holder.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "study.lock").acquire(timeout=wait)
    except Timeout:
        raise InputError(_busy(state_dir.parent, _read(note))) from None
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}; choose another folder") from None
    with lock:
        previous = _read(note)
        write_atomically(note, json.dumps(asdict(LockHolder(os.getpid(), _boot(), flow_run))).encode())
        try:
            yield previous
        finally:
            note.unlink(missing_ok=True)


def refuse_if_held(state_dir: Path) -> None:
    """Refuse at once a folder that another study holds, and leave the note of a dead holder as it is.

    Raises
    ------
    InputError
        If another process holds the folder.
    """
    folder = state_dir / "locks"
    if not (folder / "study.lock").exists():
        return
    try:
        with FileLock(folder / "study.lock").acquire(timeout=0):
            pass
    except Timeout:
        raise InputError(_busy(state_dir.parent, _read(folder / "holder.json"))) from None


def _busy(root: Path, holder: LockHolder | None) -> str:
    who = f" (process {holder.pid})" if holder else ""
    return f"another study is running in {root}{who}; wait until it ends, or work in another folder"


def _read(note: Path) -> LockHolder | None:
    try:
        return LockHolder(**json.loads(note.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "unknown"
