"""Where the servers of a project are, while `make serve` keeps them running."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from fselect.errors import InputError
from fselect.files import write_atomically

__all__ = ["MARK", "Served", "end_leftovers", "serving", "where"]

MARK = "FSELECT_SERVES"
"""Set to the project's state folder in all that `make serve` starts, and inherited by what that starts."""


@dataclass(frozen=True)
class Served:
    """Addresses of a project's servers, and the process that keeps them."""

    pid: int
    prefect: str
    mlflow: str

    @property
    def api(self) -> str:
        """What ``PREFECT_API_URL`` is to be."""
        return f"{self.prefect}/api"


@contextmanager
def serving(state_dir: Path, served: Served) -> Iterator[None]:
    """Hold the right to serve a project, and say where while it is held.

    Raises
    ------
    InputError
        If the project is served already, or its folder cannot be written.
    """
    lock = _lock(state_dir)
    try:
        Path(lock.lock_file).parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=1.0)  # `where` holds it for a moment
    except Timeout:
        there = _read(state_dir)
        who = f": Prefect at {there.prefect}, MLflow at {there.mlflow}, process {there.pid}" if there else ""
        raise InputError(f"{state_dir.parent} is served already{who}; end that one first") from None
    except OSError as error:
        raise InputError(f"cannot write to {state_dir}: {error.strerror}; choose another folder") from None
    with lock:
        write_atomically(_note(state_dir), json.dumps(asdict(served)).encode())
        try:
            yield
        finally:
            _note(state_dir).unlink(missing_ok=True)


def where(state_dir: Path) -> Served | None:
    """Where a project's servers are; None while nobody serves it.

    The lock decides, not the note: a killed process leaves its note behind, and its port may be another's by now.
    """
    lock = _lock(state_dir)
    if not Path(lock.lock_file).exists():
        return None
    try:
        with lock.acquire(timeout=0):
            return None
    except Timeout:
        return _read(state_dir)
    except OSError:
        return None


def end_leftovers(state_dir: Path) -> list[int]:
    """End what a killed `make serve` left running: it holds the ports and works through the schedule unwatched.

    Flow runs are among it; their finished units are kept, and the next run goes on from them.

    Returns
    -------
    list of int
        The processes that were ended.
    """
    mark, found = str(state_dir.resolve()), []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                process.kill()
                found.append(process)
        except psutil.Error:  # it has just ended, or is another user's
            continue
    psutil.wait_procs(found, timeout=10)
    return [process.pid for process in found]


def _lock(state_dir: Path) -> FileLock:
    return FileLock(state_dir / "locks" / "serve.lock")


def _note(state_dir: Path) -> Path:
    return state_dir / "serve.json"


def _read(state_dir: Path) -> Served | None:
    try:
        return Served(**json.loads(_note(state_dir).read_text()))
    except (OSError, ValueError, TypeError):
        return None
