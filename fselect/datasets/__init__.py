"""Datasets: tables read from files, bundled and made-up data, and ordered tasks made of them.

Names are looked up on first use: whoever needs the data options only does not wait for pandas and pyarrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fselect.datasets.bundled import CatalogueEntry, dataset_catalogue, load_dataset
    from fselect.datasets.dataset import Dataset, Truth, check_dataset
    from fselect.datasets.options import DataOptions
    from fselect.datasets.seeds import Stream, generator
    from fselect.datasets.shared_arrays import open_shared, share
    from fselect.datasets.synthetic import (
        make_corral,
        make_disjunction,
        make_gmonks,
        make_microarray,
        make_monks,
        make_parity,
        make_parity5plus5,
    )
    from fselect.datasets.tables import read_frame, read_table
    from fselect.datasets.tasks import noisy_tasks, read_tasks, tasks_from_column, tasks_from_tables, write_tasks

__all__ = [
    "CatalogueEntry",
    "DataOptions",
    "Dataset",
    "Stream",
    "Truth",
    "check_dataset",
    "dataset_catalogue",
    "generator",
    "load_dataset",
    "make_corral",
    "make_disjunction",
    "make_gmonks",
    "make_microarray",
    "make_monks",
    "make_parity",
    "make_parity5plus5",
    "noisy_tasks",
    "open_shared",
    "read_frame",
    "read_table",
    "read_tasks",
    "share",
    "tasks_from_column",
    "tasks_from_tables",
    "write_tasks",
]

_HOMES = {
    "bundled": ("CatalogueEntry", "dataset_catalogue", "load_dataset"),
    "dataset": ("Dataset", "Truth", "check_dataset"),
    "options": ("DataOptions",),
    "seeds": ("Stream", "generator"),
    "shared_arrays": ("open_shared", "share"),
    "synthetic": (
        "make_corral",
        "make_disjunction",
        "make_gmonks",
        "make_microarray",
        "make_monks",
        "make_parity",
        "make_parity5plus5",
    ),
    "tables": ("read_frame", "read_table"),
    "tasks": ("noisy_tasks", "read_tasks", "tasks_from_column", "tasks_from_tables", "write_tasks"),
}
_HOME = {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
