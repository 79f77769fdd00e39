"""The selections of a study as Prefect tasks, a chunk of units each, here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.utilities.annotations import quote

from flows.chunks import chunks
from fselect.cli.running import study_progress
from fselect.stages import Study
from fselect.study.plan import Unit

__all__ = ["select_pending", "step"]

R = TypeVar("R")

CHUNK_SECONDS = {"threads": 20.0, "processes": 60.0}
"""A chunk on processes starts them anew, so it is longer."""


def step(name: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make a Prefect task of a function, with a run name.

    Finished units are kept by the library, so nothing is cached by Prefect on top. Callers quote what they hand over:
    Prefect would search it for futures, array by array.
    """
    return task(cache_policy=NO_CACHE, persist_result=False, task_run_name=name)


@step("select {label}")
def select_chunk(study: Study, chunk: list[Unit], on_done: Callable[[Unit], None], label: str) -> None:
    """Run one chunk of units."""
    study.run(chunk, on_done)


def select_pending(study: Study) -> None:
    """Run what a study has not finished, with progress."""
    units = study.pending()
    with study_progress() as on_plan:
        on_done = on_plan(study)
        if study.project.config.execution.runner != "dask":
            _select_here(study, units, on_done)
        elif units:
            from flows.cluster import select_on_cluster

            select_on_cluster(study, units, on_done)


def _select_here(study: Study, units: list[Unit], on_done: Callable[[Unit], None]) -> None:
    execution = study.project.config.execution
    cut = chunks(units, workers=execution.workers, seconds=CHUNK_SECONDS[execution.runner])
    for number, chunk in enumerate(cut, start=1):
        select_chunk(quote(study), quote(chunk), quote(on_done), label=f"{number}: {len(chunk)} units")
