"""Run the units that are not finished yet, on threads or processes, with the same result."""

from __future__ import annotations

import multiprocessing
import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
from threadpoolctl import threadpool_limits

import fselect
from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import open_shared, share
from fselect.errors import InputError
from fselect.study.archive import read_archive, write_archive
from fselect.study.plan import Unit
from fselect.study.store import UnitStore
from fselect.study.unit_rows import run_unit

__all__ = ["collect", "pending", "run_and_keep", "run_units"]

OnDone = Callable[[Unit], None]


def pending(units: Sequence[Unit], store: UnitStore, archive: Path) -> list[Unit]:
    """The units that neither the store nor the archive holds, in the plan's order."""
    kept, archived = store.keys(), _archived_counts(archive)
    return [unit for unit in units if unit.key not in kept and archived.get(unit.key) != unit.n_rows]


def _archived_counts(archive: Path) -> Counter[str]:
    """Rows of each unit in the archive; one that lost rows is not finished."""
    try:
        return Counter(read_archive(archive).column("unit").to_pylist())
    except InputError:
        return Counter()


def run_and_keep(unit: Unit, tasks: Sequence[Dataset], store: UnitStore) -> None:
    """Run one unit, and keep its rows."""
    started = time.perf_counter()
    rows = run_unit(unit, tasks)
    store.write(unit.key, rows, _facts(time.perf_counter() - started))


def _facts(seconds: float) -> dict[str, Any]:
    return {
        "seconds": round(seconds, 4),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "fselect": fselect.__version__,
        "python": platform.python_version(),
    }


def run_units(
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    *,
    workers: int = 1,
    runner: Literal["threads", "processes"] = "threads",
    on_done: OnDone | None = None,
) -> None:
    """Run units and keep each as soon as it is finished.

    Parameters
    ----------
    units : sequence of Unit
        What to run; order does not matter for results.
    tasks : sequence of Dataset
        The study's tasks; worker processes map their arrays from disk, none is pickled.
    store : UnitStore
        Where finished units are kept.
    workers : int
        How many run at a time.
    runner : {"threads", "processes"}
        The kernels release the interpreter lock, so threads share memory and start at once.
    on_done : callable, optional
        Told of each finished unit.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C, after the running units have ended; finished units are kept.
    """
    if not units:
        return
    first = _first_in_this_process(units, tasks, store, runner, on_done)
    with _pool(tasks, store, min(workers, len(units)), runner) as (executor, work):
        futures = {executor.submit(work, unit): unit for unit in units[first:]}
        try:
            for future in as_completed(futures):
                future.result()
                if on_done is not None:
                    on_done(futures[future])
        except BaseException:
            _cancel(futures)
            raise


def _first_in_this_process(
    units: Sequence[Unit], tasks: Sequence[Dataset], store: UnitStore, runner: str, on_done: OnDone | None
) -> int:
    """Run one unit before processes start, so that kernels are compiled once and not by each of them."""
    if runner == "threads":
        return 0
    with threadpool_limits(1):
        run_and_keep(units[0], tasks, store)
    if on_done is not None:
        on_done(units[0])
    return 1


def _cancel(futures: dict[Future[None], Unit]) -> None:
    for future in futures:
        future.cancel()


@contextmanager
def _pool(
    tasks: Sequence[Dataset], store: UnitStore, workers: int, runner: str
) -> Iterator[tuple[Executor, Callable[[Unit], None]]]:
    if runner == "threads":
        with ThreadPoolExecutor(workers) as threads, threadpool_limits(1):
            yield threads, partial(run_and_keep, tasks=tasks, store=store)
        return
    paths = [share(task, store.folder.parent / "arrays") for task in tasks]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _open_in_worker, (paths, store)) as processes:
        yield processes, _run_in_worker


_worker: dict[str, Any] = {}


def _open_in_worker(paths: Sequence[Path], store: UnitStore) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threadpool_limits(1)  # for good: the process does nothing else
    _worker.update(tasks=[open_shared(path) for path in paths], store=store)


def _end_with_parent() -> None:
    """End this worker when its parent is gone: a killed study must not go on in the dark."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(unit: Unit) -> None:
    run_and_keep(unit, _worker["tasks"], _worker["store"])


def collect(units: Sequence[Unit], store: UnitStore, archive: Path, study: str) -> pa.Table:
    """Write the archive of the plan's units from the store and the archive that is there.

    Parameters
    ----------
    units : sequence of Unit
        The whole plan; all must be finished.
    store : UnitStore
        Finished units.
    archive : Path
        Read for units the store lacks, then replaced.
    study : str
        The study's name.

    Returns
    -------
    pyarrow.Table
        The archive.

    Raises
    ------
    InputError
        If a unit is not finished.
    """
    archived = _archived_rows(archive)
    tables = [_rows_of(unit, store, archived) for unit in units]
    missing = sum(rows is None for rows in tables)
    if missing:
        raise InputError(f"{missing} of {len(units)} units are not finished; run the study again")
    return write_archive(archive, [rows for rows in tables if rows is not None], study)


def _rows_of(unit: Unit, store: UnitStore, archived: dict[str, pa.Table]) -> pa.Table | None:
    kept = store.read(unit.key)
    rows = kept[0] if kept else archived.get(unit.key)
    return rows if rows is not None and len(rows) == unit.n_rows else None


def _archived_rows(archive: Path) -> dict[str, pa.Table]:
    try:
        table = read_archive(archive)
    except InputError:
        return {}
    keys = table.column("unit").to_pylist()
    starts = [place for place, key in enumerate(keys) if place == 0 or key != keys[place - 1]]
    ends = [*starts[1:], len(keys)]
    return {keys[start]: table.slice(start, end - start) for start, end in zip(starts, ends, strict=True)}
