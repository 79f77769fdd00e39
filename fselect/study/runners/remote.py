"""What a worker of a cluster does: find the tables, run a chunk of units, keep or give back the rows."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from threadpoolctl import threadpool_limits

import fselect
from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import open_shared
from fselect.errors import InputError
from fselect.study.plan import Unit
from fselect.study.runners.keeping import computed
from fselect.study.store import UnitStore

__all__ = ["Done", "Offer", "about", "run_chunk", "sees"]


@dataclass(frozen=True)
class Offer:
    """Where a worker finds the tasks of a study, and where it may keep what it finished.

    Parameters
    ----------
    store : str
        The folder of finished units.
    token : str
        A file beside it. Its name is used once, so whoever sees it sees the same disk.
    paths : tuple of str
        The tasks as files beside the store, for workers that see them.
    published : str
        The name under which the cluster has the tasks, for the others.
    """

    store: str
    token: str
    paths: tuple[str, ...]
    published: str


@dataclass(frozen=True)
class Done:
    """A chunk that was run: seconds a unit took, and the rows of those units that the worker could not keep itself.

    Parameters
    ----------
    ran : int
        How many units were run; those that were finished already were not.
    seconds : float
        How long they took together.
    rows : dict of str to (bytes, dict)
        Rows as an Arrow stream and facts of each unit, by key.
    """

    ran: int
    seconds: float
    rows: dict[str, tuple[bytes, dict[str, Any]]]


def about() -> str:
    """Version of fselect and Python here."""
    return f"fselect {fselect.__version__}, Python {'.'.join(platform.python_version_tuple()[:2])}"


def sees(offer: Offer) -> bool:
    """Tell whether this process sees the study's own disk, and may write there."""
    return Path(offer.token).exists() and os.access(offer.store, os.W_OK)


def run_chunk(offer: Offer, units: Sequence[Unit]) -> Done:
    """Run units in this process.

    Where the store can be seen each unit is kept there as soon as it is finished: then a lost worker costs only what
    it had not finished, and so does a lost client. Elsewhere the rows are given back.
    """
    _one_thread_each()
    tasks, started = _tasks(offer), time.perf_counter()
    store = UnitStore(Path(offer.store)) if sees(offer) else None
    left = [unit for unit in units if store is None or not store.path(unit.key).exists()]
    rows = dict(_returned(unit, tasks, store) for unit in left)
    return Done(len(left), time.perf_counter() - started, {} if store else rows)


def _returned(unit: Unit, tasks: Sequence[Dataset], store: UnitStore | None) -> tuple[str, Any]:
    table, facts = computed(unit, tasks, store)
    if store is not None:
        store.write(unit.key, table, facts)
        return unit.key, None
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return unit.key, (sink.getvalue().to_pybytes(), facts)


@lru_cache(maxsize=1)
def _one_thread_each() -> None:
    """Keep the linear algebra of this process to one thread a unit, for good."""
    threadpool_limits(1)


@lru_cache(maxsize=2)
def _tasks(offer: Offer) -> list[Dataset]:
    """The tasks, opened once a process: mapped from files, or else fetched from the cluster."""
    if Path(offer.token).exists():
        try:
            return [open_shared(path) for path in offer.paths]
        except InputError:  # a disk that has the one file and not yet the other
            pass
    from distributed import get_client

    try:
        return list(get_client().get_dataset(offer.published).result())
    except KeyError:
        raise InputError(
            f"a worker that joined the cluster during the study does not see {offer.store} as the others do: end it, "
            "or begin again, and the tables are sent to all; finished units are kept"
        ) from None
