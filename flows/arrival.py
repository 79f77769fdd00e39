"""New tasks as Prefect flow runs: one looks for tables, and each table that has arrived gets a flow run of its own.

The entry point of a deployment is ``flows/arrival.py:arrival``; ``python -m flows.arrive`` runs it by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect import flow, runtime
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.utilities.annotations import quote

from flows.artifacts import front_rows, show_report
from flows.crashed import mark_crashed
from flows.markdown import code, decision_markdown, plain
from flows.selecting import select_pending, step
from fselect import arrivals
from fselect.arrivals.files import Found, find
from fselect.arrivals.judgement import Verdict
from fselect.arrivals.task import Arrival, Incoming
from fselect.arrivals.work import Worked
from fselect.errors import InputError
from fselect.stages import Study, write_report
from fselect.study.lock import project_lock
from fselect.study.project import Project, open_project
from fselect.tracking import Store, open_store

__all__ = ["Told", "arrival"]


@dataclass(frozen=True)
class Told:
    """What became of one table, with a sentence and the verdict.

    ``arrived``; ``known``: it has been a task; ``later``: it is not whole yet; ``refused``: it cannot be a task;
    ``failed``: something else went wrong, and the next run tries again.
    """

    table: str
    outcome: str
    sentence: str
    verdict: Verdict | None = None


@step("version")
def keep(project: Project, arrived: Arrival) -> Path:
    """Put the table under DVC."""
    return arrivals.keep(project, arrived)


@step("plan")
def prepare(project: Project, arrived: Arrival, store: Store) -> Study:
    """Lay out the selections."""
    return arrivals.prepare(project, arrived, store)


@step("evaluate and compare")
def measure(study: Study, arrived: Arrival) -> Worked:
    """Summarise and compare."""
    return arrivals.measure(study, arrived)


@step("report")
def report(worked: Worked) -> Path:
    """Write the page."""
    return write_report(worked.study, worked.summary)


@step("track")
def track(project: Project, arrived: Arrival, worked: Worked, store: Store, table: Path, page: Path) -> str:
    """Log to MLflow."""
    return arrivals.log(project, arrived, worked, store, table, page)


@step("register")
def register(project: Project, arrived: Arrival, worked: Worked, store: Store, run: str) -> int:
    """Register the challenger."""
    return arrivals.register(project, arrived, worked, store, run)


@step("gate")
def judge(project: Project, arrived: Arrival, store: Store, version: int) -> Verdict:
    """Ask the gate."""
    return arrivals.judge(project, arrived, store, version)


def _run_name() -> str:
    asked = runtime.flow_run.parameters
    return plain(f"arrivals {Path(asked.get('table') or asked.get('folder') or 'inbox').name}", 100)


@flow(name="fselect-arrivals", flow_run_name=_run_name, persist_result=False)
def arrival(
    root: str = ".", table: str | None = None, folder: str | None = None, params: str | None = None
) -> list[Told]:
    """Take in the tables of new tasks: validate, version, select, compare, register, and ask the gate.

    Parameters
    ----------
    root : str
        A folder in the project.
    table : str, optional
        One table. Default: all that lie in `folder`.
    folder : str, optional
        The watched folder. Default: ``arrivals.folder`` of params.yaml.
    params : str, optional
        Another study file than the project's params.yaml.

    Returns
    -------
    list of Told
        What became of each table, in the order in which they were taken.

    Raises
    ------
    InputError
        A table was refused, or the project cannot take arrivals. The other tables are taken in before that is said.
    """
    project = open_project(Path(root), params=Path(params) if params else None)
    with project_lock(project.state_dir, flow_run=str(runtime.flow_run.id), wait=project.config.arrivals.wait) as dead:
        mark_crashed(dead)
        store = open_store(project)
        told = [one for found in find(project, table, folder) for one in _take(project, store, found)]
    create_markdown_artifact(_listing(told), key="arrivals", description="What became of each table")
    bad = [one.sentence for one in told if one.outcome in ("refused", "failed")]
    if bad:
        raise InputError("; ".join(bad))
    return told


def _take(project: Project, store: Store, found: Found) -> Iterator[Told]:
    """What is in one file; a table that is refused, or that fails, keeps no other from being taken."""
    if found.told is not None:
        yield Told(found.file.name, *found.told)
        return
    try:
        ledger = arrivals.open_ledger(project, store)
        found.check()
        with found.opened() as (file, taken):
            with found.reading():
                tables = arrivals.read(project, file, ledger)
            told = [_one(project, store, table) for table in tables]
            if all(one.outcome != "failed" for one in told):
                taken()
    except InputError as error:
        told = [Told(found.file.name, *found.failed(error))]
    yield from told


def _one(project: Project, store: Store, table: Incoming) -> Told:
    now = arrivals.recognise(table, arrivals.open_ledger(project, store))  # with what the table before it changed
    if not isinstance(now, Arrival):
        return Told(table.table.label, "known", now.sentence)
    asked = {"task": plain(now.task), "task_version": now.task_version}
    asked |= {"data_hash": now.data.content_hash, "made_with": now.sources}
    try:
        verdict = _flow_of(project, store, now)(**asked)
    except InputError as error:
        return Told(table.table.label, "failed", str(error))
    return Told(table.table.label, "arrived", verdict.sentence, verdict)


def _flow_of(project: Project, store: Store, arrived: Arrival) -> Any:
    """The flow of one task. It is made for it, because a table is no parameter that a server could keep."""

    @flow(name="fselect-task", flow_run_name=lambda: plain(arrived.label), persist_result=False)
    def task_arrival(task: str, task_version: int, data_hash: str, made_with: list[str]) -> Verdict:
        return _steps(project, store, arrived)

    return task_arrival


def _steps(project: Project, store: Store, arrived: Arrival) -> Verdict:
    kept = keep(quote(project), quote(arrived))
    study = prepare(quote(project), quote(arrived), quote(store))
    select_pending(study)
    worked = measure(quote(study), quote(arrived))
    page = report(quote(worked))
    run = track(quote(project), quote(arrived), quote(worked), quote(store), kept, page)
    version = register(quote(project), quote(arrived), quote(worked), quote(store), run)
    verdict = judge(quote(project), quote(arrived), quote(store), version)
    _show(project, arrived, worked, page, run, verdict)
    return verdict


def _show(project: Project, arrived: Arrival, worked: Worked, page: Path, run: str, verdict: Verdict) -> None:
    called = plain(arrived.label)
    create_table_artifact(front_rows(worked.summary), key="arrival-front", description=f"Trade-off of {called}")
    show_report(project, page, [run], key="arrival-report", called=called)
    decision = decision_markdown(arrived, worked, verdict)
    create_markdown_artifact(decision, key="arrival-decision", description=f"Decision on {called}")


def _listing(told: list[Told]) -> str:
    if not told:
        return "No table lies in the folder."
    rows = [f"| {code(one.table)} | {one.outcome} | {plain(one.sentence)} |" for one in told]
    return "\n".join(["| table | outcome | |", "|---|---|---|", *rows])
