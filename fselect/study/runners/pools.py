"""Units on this machine: on threads, which share memory, or on processes, which map the tables from files."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Literal

from threadpoolctl import threadpool_limits

from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import open_shared, share
from fselect.study.plan import Unit
from fselect.study.runners.forks import run_in_forks
from fselect.study.runners.keeping import run_and_keep
from fselect.study.runners.patience import Patience
from fselect.study.store import UnitStore

__all__ = ["run_in_pool"]

Pool = Literal["threads", "processes"]

FORKS = sys.platform == "linux"
"""Whether processes are forks of one: elsewhere forks break libraries of the system, or are not known."""


def run_in_pool(
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    *,
    pool: Pool,
    workers: int,
    on_done: Callable[[Unit], None],
) -> None:
    """Run units on threads or processes of this machine, and keep each as soon as it is finished.

    Where one of the processes is killed, all start anew and go on from what is finished.

    Raises
    ------
    InputError
        If processes are killed and no unit gets finished in between.
    KeyboardInterrupt
        On Ctrl-C, after the running units have ended.
    """
    if pool == "processes" and FORKS:
        run_in_forks(units, tasks, store, workers=workers, on_done=on_done)
        return
    first = _first_in_this_process(units, tasks, store, pool, on_done)
    left, patience = {unit.key: unit for unit in units[first:]}, Patience()
    while left:
        before = len(left)
        try:
            _run_all(left, tasks, store, pool, workers, on_done)
        except BrokenExecutor:
            for key in [key for key in left if store.path(key).exists()]:  # kept, and then killed before it said so
                on_done(left.pop(key))
            if len(left) < before:
                patience.renew()
            else:
                patience.lose()


def _run_all(
    left: dict[str, Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    pool: Pool,
    workers: int,
    on_done: Callable[[Unit], None],
) -> None:
    """Run units, and take each from `left` as soon as it is kept."""
    with _pool(tasks, store, min(workers, len(left)), pool) as (executor, work):
        futures = {executor.submit(work, unit): unit for unit in left.values()}
        try:
            for future in as_completed(futures):
                future.result()
                del left[futures[future].key]
                on_done(futures[future])
        except BrokenExecutor:
            raise  # the pool ends its futures itself, and does not expect cancelled ones
        except BaseException:
            _cancel(futures)
            raise


def _first_in_this_process(
    units: Sequence[Unit], tasks: Sequence[Dataset], store: UnitStore, pool: Pool, on_done: Callable[[Unit], None]
) -> int:
    """Run one unit before processes start, so that kernels are compiled once and not by each of them."""
    if pool == "threads":
        return 0
    with threadpool_limits(1):
        run_and_keep(units[0], tasks, store)
    on_done(units[0])
    return 1


def _cancel(futures: dict[Future[None], Unit]) -> None:
    for future in futures:
        future.cancel()


@contextmanager
def _pool(
    tasks: Sequence[Dataset], store: UnitStore, workers: int, pool: Pool
) -> Iterator[tuple[Executor, Callable[[Unit], None]]]:
    if pool == "threads":
        with ThreadPoolExecutor(workers) as threads, threadpool_limits(1):
            yield threads, partial(run_and_keep, tasks=tasks, store=store)
        return
    paths = [share(task, store.arrays) for task in tasks]
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    ours, theirs = context.Pipe(duplex=False)
    with (
        theirs,
        ours,
        ProcessPoolExecutor(workers, context, _open_in_worker, (paths, store, ours)) as processes,
    ):
        try:
            yield processes, _run_in_worker
        except BrokenExecutor:
            theirs.close()  # one that was just being started would never end, and be waited for for ever
            _wait_for(set(multiprocessing.active_children()) - others)
            raise


def _wait_for(started: set[Any]) -> None:
    """Let processes end that were being started, before what they open at their start is gone."""
    for process in started:
        process.join(30)


_worker: dict[str, Any] = {}


def _open_in_worker(paths: Sequence[Path], store: UnitStore, lifeline: Connection) -> None:
    threading.Thread(target=_end_with_pool, args=(lifeline,), daemon=True).start()
    threadpool_limits(1)  # for good: the process does nothing else
    _worker.update(tasks=[open_shared(path) for path in paths], store=store)


def _end_with_pool(lifeline: Connection) -> None:
    """End this worker when its pool is broken or its parent gone: a killed study must not go on in the dark."""
    parent = multiprocessing.parent_process()
    wait([lifeline, parent.sentinel] if parent is not None else [lifeline])
    os._exit(1)


def _run_in_worker(unit: Unit) -> None:
    run_and_keep(unit, _worker["tasks"], _worker["store"])
