"""The process that workers are forked from: it loads the compiled code, and hands out units.

It runs the first unit of each kind itself and no other.

It has no thread besides the main one, holds no lock, and opens nothing that its forks must not have, but for its
connections, which they close.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, NoReturn

from threadpoolctl import threadpool_limits

from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import open_shared
from fselect.kernel import compile_time
from fselect.study.plan import Unit
from fselect.study.runners.keeping import run_and_keep
from fselect.study.store import UnitStore

__all__ = ["FINISHED", "LOST", "Done", "Failed", "Job", "serve"]

FINISHED = "finished"
"""All units are finished; or, said to the server, no more are to be begun."""

LOST = "lost"
"""A worker was killed, and the unit that it was at goes to another."""

_ALONE = 2.0
"""Seconds, without those of compiling, after which no more units are run alone: the other cores wait meanwhile."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


@dataclass(frozen=True)
class Job:
    """What a server is to do: units, the shared tasks, where results are kept, the number of workers.

    `alone` is whether the first unit of each kind is run before there are workers, so that they need not compile;
    `parent` is the process that asks.
    """

    units: Sequence[Unit]
    paths: Sequence[Path]
    store: UnitStore
    workers: int
    alone: bool
    parent: int


@dataclass(frozen=True)
class Done:
    """A unit is kept."""

    key: str


@dataclass(frozen=True)
class Failed:
    """A unit, or the server, ended with an error."""

    error: BaseException


@dataclass
class _Worker:
    process: int
    connection: Connection
    unit: Unit


@dataclass
class _Server:
    """The units that wait, and the workers at theirs."""

    job: Job
    tasks: list[Dataset]
    client: Connection
    waiting: deque[Unit]
    workers: list[_Worker] = field(default_factory=list)

    def run(self) -> None:
        """Hand out units until none is left."""
        while self.waiting or self.workers:
            while self.waiting and len(self.workers) < self.job.workers:
                self._fork(self.waiting.popleft())
            ready: list[Any] = wait([self.client, *(worker.connection for worker in self.workers)])
            for worker in [worker for worker in self.workers if worker.connection in ready]:
                self._hear(worker)
            if self.client in ready:
                self.client.recv()  # to end; where the client is gone, this process is ended with it
                self.waiting.clear()

    def _fork(self, unit: Unit) -> None:
        ours, theirs = Pipe()
        server, process = os.getpid(), os.fork()
        if not process:
            for connection in (ours, self.client, *(worker.connection for worker in self.workers)):
                connection.close()
            _work(unit, self.tasks, self.job.store, theirs, server)
        theirs.close()
        self.workers.append(_Worker(process, ours, unit))

    def _hear(self, worker: _Worker) -> None:
        """Take what a worker says, or that it was killed, and give it the next unit."""
        try:
            error = worker.connection.recv()
        except (EOFError, OSError):
            self._lose(worker)
            return
        self.client.send(Done(worker.unit.key) if error is None else Failed(error))
        if error is not None:
            self.waiting.clear()
        if self.waiting:
            worker.unit = self.waiting.popleft()
            try:
                worker.connection.send(worker.unit)
            except OSError:
                self._lose(worker)
        else:
            self._dismiss(worker)

    def _lose(self, worker: _Worker) -> None:
        self._dismiss(worker)
        if self.job.store.path(worker.unit.key).exists():  # kept, and then killed before it said so
            self.client.send(Done(worker.unit.key))
            return
        self.waiting.appendleft(worker.unit)
        self.client.send(LOST)

    def _dismiss(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.connection.close()
        os.waitpid(worker.process, 0)


def serve(handle: int) -> None:
    """Do the job that comes by a connection.

    Parameters
    ----------
    handle : int
        The connection's file.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the client, which lets running units end
    client = Connection(handle)
    try:
        job: Job = client.recv()
        _end_with(job.parent)
        _Server(job, *_opened(job, client)).run()
        client.send(FINISHED)
    except Exception as error:
        with suppress(OSError):  # the client may be gone
            client.send(Failed(_portable(error)))


def _opened(job: Job, client: Connection) -> tuple[list[Dataset], Connection, deque[Unit]]:
    """Open the tasks, and run the first units of their kinds: their compiled code is then that of all workers."""
    threadpool_limits(1)  # for good: this process and its forks do nothing else
    tasks = [open_shared(path) for path in job.paths]
    finished = set(_run_alone(job, tasks, client)) if job.alone else set()
    _tidy()
    return tasks, client, deque(unit for unit in job.units if unit.key not in finished)


def _run_alone(job: Job, tasks: list[Dataset], client: Connection) -> Iterator[str]:
    """Run the first unit of each kind, unless that takes long or the client says to end; give their keys."""
    seconds = 0.0
    for unit in _first_of_kinds(job.units):
        if seconds > _ALONE or client.poll():
            return
        started = time.perf_counter()
        with compile_time() as compiling:
            run_and_keep(unit, tasks, job.store)
        seconds += time.perf_counter() - started - sum(compiling)
        client.send(Done(unit.key))
        yield unit.key


def _first_of_kinds(units: Sequence[Unit]) -> list[Unit]:
    """Give the first unit of each kind: sets are selected on all rows, which may take other code than a bootstrap."""
    kinds: dict[tuple[str, str, str | None], Unit] = {}
    for unit in units:
        kinds.setdefault((unit.method, unit.protocol, unit.trivial), unit)
    return list(kinds.values())


def _tidy() -> None:
    """Give back what the first units no longer need, and keep forks from getting pages of their own for nothing."""
    gc.collect()
    gc.freeze()  # else the first collection would write to all objects
    with suppress(AttributeError):  # glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def _work(unit: Unit, tasks: list[Dataset], store: UnitStore, server: Connection, parent: int) -> NoReturn:
    """Run units as a fork, until there are no more."""
    try:
        _end_with(parent)
        while True:
            server.send(_error_of(unit, tasks, store))
            unit = server.recv()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _error_of(unit: Unit, tasks: list[Dataset], store: UnitStore) -> BaseException | None:
    try:
        run_and_keep(unit, tasks, store)
    except Exception as error:
        return _portable(error)
    return None


def _portable(error: Exception) -> BaseException:
    """Give an error, with its traceback as a note, as one that arrives in another process."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        arrived: BaseException = pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return arrived


def _end_with(parent: int) -> None:
    """Have this process killed when its parent ends: a killed study must not go on in the dark."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it had ended before
        os._exit(1)
