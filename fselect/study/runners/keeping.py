"""One unit, computed and kept: what every runner does in the end."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

import fselect
from fselect.datasets.dataset import Dataset
from fselect.study.plan import Unit
from fselect.study.store import UnitStore
from fselect.study.unit_rows import run_unit

__all__ = ["computed", "run_and_keep"]


def run_and_keep(unit: Unit, tasks: Sequence[Dataset], store: UnitStore) -> None:
    """Run one unit, and keep its rows."""
    rows, facts = computed(unit, tasks, store)
    store.write(unit.key, rows, facts)


def computed(unit: Unit, tasks: Sequence[Dataset], store: UnitStore | None = None) -> tuple[pa.Table, dict[str, Any]]:
    """Run one unit; its rows, and the facts about the run that are kept beside them.

    Where there is a store, a method that runs for long keeps beside it what it has finished of the unit.
    """
    started = time.perf_counter()
    rows = run_unit(unit, tasks, None if store is None else store.scratch(unit.key))
    return rows, _facts(time.perf_counter() - started)


def _facts(seconds: float) -> dict[str, Any]:
    return {
        "seconds": round(seconds, 4),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "fselect": fselect.__version__,
        "python": platform.python_version(),
    }
