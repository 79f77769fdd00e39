"""The study of a project as a Prefect flow: each task calls one function of the library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect import flow, runtime
from prefect.utilities.annotations import quote

from flows.artifacts import name_run, run_name, show
from flows.console import said
from flows.crashed import mark_crashed
from flows.record import STAGES, Fingerprint, check_versioned, fingerprint, record
from flows.selecting import select_pending, step
from fselect import stages
from fselect.errors import InputError
from fselect.registry import offer
from fselect.study.lock import project_lock
from fselect.study.project import Project, open_project
from fselect.study.results import Summary
from fselect.tracking import open_store

__all__ = ["Outcome", "pipeline"]


@dataclass(frozen=True)
class Outcome:
    """What a flow made: project, summary, why it was not recorded with DVC, if so, and what became of its set."""

    project: Project
    summary: Summary
    not_recorded: str | None
    promoted: str | None = None


@step("tables")
def tables(project: Project) -> None:
    """Put the study's tables in place."""
    stages.make_tables(project, versioned=True)


@step("tasks")
def tasks(project: Project) -> None:
    """Make the ordered tasks."""
    stages.make_tasks(project)


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
def promote(project: Project, summary: Summary) -> str:
    """Offer the chosen set under the name that the study file gives."""
    return offer(project, f"{summary.study}/{summary.chosen.label}").sentence


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
def pipeline(root: str = ".", params: str | None = None, wait: float = 0.0) -> Outcome:
    """Run the study of a project: tables, tasks, select, evaluate, report, track, promote; then record it with DVC.

    Parameters
    ----------
    root : str
        A folder in the project.
    params : str, optional
        Another study file than the project's params.yaml. The study then is not recorded with DVC, whose stages read
        params.yaml, unless that says the same.
    wait : float
        Seconds to wait for another study in the folder; 0 refuses at once, which suits somebody at a prompt. A
        scheduled run waits.

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
    with project_lock(project.state_dir, flow_run=str(runtime.flow_run.id), wait=wait) as dead:
        mark_crashed(dead)
        project = _project(root, params)  # it may have been edited while this run waited
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
        runs = track(quote(project))
    promoted = None
    if project.config.promotion.name:
        with said("promote"):
            promoted = promote(quote(project), quote(summary))
    not_recorded = _record_all(project, at_start)
    show(project, summary, runs, promoted, not_recorded)
    return Outcome(project, summary, not_recorded, promoted)


def _record_all(project: Project, at_start: Fingerprint) -> str | None:
    """Record all stages; that DVC cannot just now, for another command holds it say, takes nothing from the results."""
    try:
        return version(quote(project), at_start, STAGES)
    except InputError as error:
        return str(error)


def _select(project: Project) -> None:
    study = stages.open_study(project)
    study.store.drop_leftovers()
    select_pending(study)
    collect(quote(study))
