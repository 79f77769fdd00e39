"""Units on forked processes (Linux): one process loads the compiled code, and the others share its memory.

A process that has imported everything and run one unit of each kind has no thread of its own, so that forking it is
safe, and what it holds costs each of its forks nothing until it is written to. This process, the study's, does not
fork: it may have threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from multiprocessing.spawn import get_executable
from multiprocessing.util import _args_from_interpreter_flags  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import share
from fselect.study.plan import Unit
from fselect.study.runners.fork_server import FINISHED, Done, Failed, Job
from fselect.study.runners.patience import Patience
from fselect.study.store import UnitStore

__all__ = ["run_in_forks"]

_START = "import sys; sys.path[:] = {path!r}; from fselect.study.runners.fork_server import serve; serve({handle})"

_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


def run_in_forks(
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    *,
    workers: int,
    on_done: Callable[[Unit], None],
) -> None:
    """Run units on forked processes, and keep each as soon as it is finished.

    Parameters
    ----------
    units, tasks, store, workers, on_done
        See `fselect.study.run.run_units`.

    Raises
    ------
    InputError
        If processes are killed and no unit gets finished in between.
    KeyboardInterrupt
        On Ctrl-C, after the running units have ended; a second one does not wait for them.
    """
    paths = [share(task, store.arrays) for task in tasks]
    left, patience = {unit.key: unit for unit in units}, Patience()

    def finish(key: str) -> None:
        patience.renew()
        on_done(left.pop(key))

    while left:
        whole = _run_with_server(_job(left, paths, store, workers, alone=len(left) == len(units)), finish, patience)
        for key in [key for key in left if store.path(key).exists()]:  # kept, and then killed before it was said
            finish(key)
        if not whole:
            patience.lose()


def _job(left: dict[str, Unit], paths: Sequence[Path], store: UnitStore, workers: int, *, alone: bool) -> Job:
    return Job(list(left.values()), paths, store, workers, alone, os.getpid())


def _run_with_server(job: Job, finish: Callable[[str], None], patience: Patience) -> bool:
    """Let a server run units; tell whether it came to its end and was not killed."""
    with _server(job) as connection:
        while True:
            try:
                said: Any = connection.recv()
            except (EOFError, OSError):
                return False
            if said == FINISHED:
                return True
            if isinstance(said, Failed):
                raise said.error
            if isinstance(said, Done):
                finish(said.key)
            else:
                patience.lose()


@contextmanager
def _server(job: Job) -> Iterator[Connection]:
    """Start a server, and at the end let it finish the running units."""
    ours, theirs = Pipe()
    handle = theirs.fileno()
    # A path, and not the study's own main file: that need not be one that can be imported.
    code = _START.format(path=[os.path.abspath(place) for place in sys.path], handle=handle)
    command = [os.fsdecode(get_executable()), *_args_from_interpreter_flags(), "-c", code]
    with ours, subprocess.Popen(command, pass_fds=[handle], env=os.environ | _ONE_THREAD) as process:
        theirs.close()
        try:
            with suppress(OSError):  # killed already: to receive from it tells so
                ours.send(job)
            yield ours
            _let_end(ours)
        except BaseException:
            try:
                _let_end(ours)
            except BaseException:
                process.kill()  # its workers end with it
                raise
            raise


def _let_end(connection: Connection) -> None:
    """Have no more units begun, and wait for those that run; what they say no longer matters."""
    with suppress(EOFError, OSError):
        connection.send(FINISHED)
        while True:
            connection.recv()
