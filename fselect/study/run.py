"""Run the units that are not finished yet, on threads, processes or a cluster, with the same result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa

from fselect.datasets.dataset import Dataset
from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.study.archive import read_archive, write_archive
from fselect.study.plan import Unit
from fselect.study.runners.cluster import run_on_cluster
from fselect.study.runners.pools import run_in_pool
from fselect.study.store import UnitStore

__all__ = ["collect", "pending", "run_units"]

Runner = Literal["threads", "processes", "dask"]
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


def run_units(
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    store: UnitStore,
    *,
    workers: int = 1,
    runner: Runner = "threads",
    address: str | None = None,
    on_done: OnDone | None = None,
) -> None:
    """Run units and keep each as soon as it is finished.

    Parameters
    ----------
    units : sequence of Unit
        What to run; order does not matter for results.
    tasks : sequence of Dataset
        The study's tasks; worker processes map their arrays from disk, none is pickled with a unit.
    store : UnitStore
        Where finished units are kept.
    workers : int
        How many run at a time on threads or processes; a Dask cluster has as many as its workers have threads.
    runner : {"threads", "processes", "dask"}
        The kernels release the interpreter lock, so threads share memory and start at once.
    address : str, optional
        The scheduler's, with runner "dask".
    on_done : callable, optional
        Told of each finished unit.

    Raises
    ------
    InputError
        If the cluster cannot be used, or is lost.
    KeyboardInterrupt
        On Ctrl-C, after the running units of this machine have ended; finished units are kept.
    """
    if not units:
        return
    told: OnDone = on_done or (lambda unit: None)
    if runner == "dask":
        run_on_cluster(units, tasks, store, address=str(address), on_done=told)
    else:
        run_in_pool(units, tasks, store, pool=runner, workers=workers, on_done=told)


def collect(units: Sequence[Unit], store: UnitStore, archive: Path, study: str) -> pa.Table:
    """Write the archive of the plan's units from the store and the archive that is there, and histories beside it.

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
    for unit in units:
        if store.history(unit.key).is_file():
            write_atomically(archive.parent / "history" / f"{unit.key}.parquet", store.history(unit.key).read_bytes())
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
