"""The study of a project as a Prefect flow: each task calls one function of the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from prefect import flow, runtime, task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound
from prefect.states import Crashed, State
from prefect.utilities.annotations import quote

from flows.artifacts import name_run, run_name, show
from flows.chunks import chunks
from flows.console import said
from flows.record import STAGES, check_versioned, fingerprint, record
from fselect import stages
from fselect.cli.running import study_progress
from fselect.registry import promote as register_set
from fselect.study.lock import LockHolder, project_lock
from fselect.study.plan import Unit
from fselect.study.project import Project, open_project
from fselect.study.results import Summary
from fselect.tracking import open_store

__all__ = ["Outcome", "pipeline"]

R = TypeVar("R")

CHUNK_SECONDS = {"threads": 20.0, "processes": 60.0}
"""A chunk on processes starts them anew, so it is longer."""


@dataclass(frozen=True)
class Outcome:
    """What a flow made: its project, the summary, and why it was not recorded with DVC, if it was not."""

    project: Project
    summary: Summary
    not_recorded: str | None


def step(name: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make a Prefect task of a function, with a run name.

    Finished units are kept by the library, so nothing is cached by Prefect on top. Callers quote what they hand over:
    Prefect would search it for futures, array by array.
    """
    return task(cache_policy=NO_CACHE, persist_result=False, task_run_name=name)


@step("tables")
def tables(project: Project) -> None:
    """Put the study's tables in place."""
    stages.make_tables(project, versioned=True)


@step("tasks")
def tasks(project: Project) -> None:
    """Make the ordered tasks."""
    stages.make_tasks(project)


@step("select {label}")
def select_chunk(study: stages.Study, chunk: list[Unit], on_done: Callable[[Unit], None], label: str) -> None:
    """Run one chunk of units."""
    study.run(chunk, on_done)


@step("collect")
def collect(study: stages.Study) -> None:
    """Write the archive of the finished units."""
    study.collect()


@step("evaluate")
def evaluate(project: Project) -> Summary:
    """Summarise the archive."""
    return stages.evaluate(project)


@step("report")
def report(project: Project) -> Path:
    """Write the page."""
    return stages.report(project)


@step("track")
def track(project: Project) -> list[str]:
    """Log points and fronts to MLflow."""
    return stages.track(project)


@step("promote")
def promote(project: Project, summary: Summary) -> Any:
    """Register the chosen set under the name that the study file gives."""
    return register_set(project, f"{summary.study}/{summary.chosen.label}", str(project.config.promotion.name))


@step("version")
def version(project: Project, at_start: Any, names: tuple[str, ...]) -> str | None:
    """Record stages with DVC."""
    return record(project, at_start, names)


def _run_name() -> str:
    """The name at the start; the version of the data joins when the tables are in place."""
    asked = runtime.flow_run.parameters
    return run_name(_project(asked["root"], asked["params"]))


def _project(root: str, params: str | None) -> Project:
    return open_project(Path(root), params=Path(params) if params else None)


@flow(name="fselect", flow_run_name=_run_name, persist_result=False)
def pipeline(root: str = ".", params: str | None = None) -> Outcome:
    """Run the study of a project: tables, tasks, select, evaluate, report, track, promote; then record it with DVC.

    Parameters
    ----------
    root : str
        A folder in the project.
    params : str, optional
        Another study file than the project's params.yaml. The study then is not recorded with DVC, whose stages read
        params.yaml, unless that says the same.

    Returns
    -------
    Outcome

    Raises
    ------
    InputError
        If the folder is not under Git and DVC, another study is running in it, or the study cannot be run.
    """
    project = _project(root, params)
    check_versioned(project)
    with project_lock(project.state_dir, flow_run=str(runtime.flow_run.id)) as dead:
        _mark_crashed(dead)
        open_store(project)  # a tracking server that does not answer is refused before the work
        return _steps(project)


def _steps(project: Project) -> Outcome:
    with said("tables"):
        tables(quote(project))
        at_start = fingerprint(project)
        version(quote(project), at_start, ("tables",))  # so that every tracked run names the version of its data
        name_run(runtime.flow_run.id, run_name(project, at_start))
    with said("tasks"):
        tasks(quote(project))
    with said("select"):
        _select(project)
    with said("evaluate"):
        summary = evaluate(quote(project))
    with said("report"):
        report(quote(project))
    with said("track"):
        track(quote(project))
    if project.config.promotion.name:
        with said("promote"):
            promote(quote(project), quote(summary))
    not_recorded = version(quote(project), at_start, STAGES)
    show(project, summary, not_recorded)
    return Outcome(project, summary, not_recorded)


def _select(project: Project) -> None:
    study = stages.open_study(project)
    study.store.drop_leftovers()
    units = study.pending()
    with study_progress() as on_plan:
        on_done = on_plan(study)
        if project.config.execution.runner != "dask":
            _select_here(study, units, on_done)
        elif units:
            from flows.cluster import select_on_cluster

            select_on_cluster(study, units, on_done)
    collect(quote(study))


def _select_here(study: stages.Study, units: list[Unit], on_done: Callable[[Unit], None]) -> None:
    execution = study.project.config.execution
    cut = chunks(units, workers=execution.workers, seconds=CHUNK_SECONDS[execution.runner])
    for number, chunk in enumerate(cut, start=1):
        select_chunk(quote(study), quote(chunk), quote(on_done), label=f"{number}: {len(chunk)} units")


def _mark_crashed(dead: LockHolder | None) -> None:
    """Say of a flow run that was killed that it is not running any more."""
    if dead is None or dead.flow_run is None:
        return
    with get_client(sync_client=True) as client:
        try:
            before = client.read_flow_run(UUID(dead.flow_run))
        except ObjectNotFound:  # it belonged to another server
            return
        if before.state is None or not before.state.is_final():
            state: State[Any] = Crashed(
                message=f"Process {dead.pid} ended without a word; the next run goes on from its units."
            )
            client.set_flow_run_state(before.id, state, force=True)
