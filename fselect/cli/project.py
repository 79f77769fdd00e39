"""Commands on the project's own study: run, stage, runs, ui."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fselect.cli.execution import Address, Runner, Workers, execution_overrides
from fselect.errors import InputError

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["register"]

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.")]
Params = Annotated[Path | None, typer.Option("--params", help="Another study file than the project's params.yaml.")]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", "-s", metavar="SECTION.KEY=VALUE", help="Change a value of the study file.")
]


class Stage(StrEnum):
    """The steps that DVC's stages call."""

    tables = "tables"
    tasks = "tasks"
    select = "select"
    evaluate = "evaluate"
    report = "report"
    track = "track"


def run(
    params: Params = None,
    overrides: Overrides = None,
    workers: Workers = None,
    runner: Runner = None,
    address: Address = None,
    no_track: Annotated[bool, typer.Option("--no-track", help="Do not log to MLflow.")] = False,
    as_json: Json = False,
) -> None:
    """Run the study of params.yaml: select, evaluate, report, and log to MLflow.

    Finished units are kept, so an interrupted run goes on where it was.

    **Examples**

    `fselect run`

    `fselect run --set selection.repeats=100 --workers 4`

    `fselect run --runner dask --address tcp://127.0.0.1:8786`
    """
    from fselect.cli.running import run_project
    from fselect.study.project import open_project

    changes = [*(overrides or ()), *execution_overrides(workers, runner, address)]
    project = open_project(params=params, overrides=changes)
    run_project(project, tracked=not no_track, as_json=as_json)


def stage(name: Annotated[Stage, typer.Argument(help="The step.")], params: Params = None) -> None:
    """Run one step of the study; dvc.yaml calls these.

    **Example**

    `fselect stage evaluate`
    """
    from fselect import stages
    from fselect.cli.running import study_progress
    from fselect.study.lock import project_lock
    from fselect.study.project import open_project

    project = open_project(params=params)
    with project_lock(project.state_dir):
        if name is Stage.select:
            with study_progress() as on_plan:
                stages.select(project, on_plan=on_plan)
            return
        steps: dict[Stage, Callable[[Project], Any]] = {
            Stage.tables: partial(stages.make_tables, versioned=True),
            Stage.tasks: stages.make_tasks,
            Stage.evaluate: stages.evaluate,
            Stage.report: stages.report,
            Stage.track: stages.track,
        }
        outcome = steps[name](project)
        if name is Stage.evaluate:
            print(f"{outcome.study}: chosen {outcome.chosen.label}. {outcome.reason}")
        if name is Stage.report:
            print(f"report: {outcome}")


def runs(
    study: Annotated[str | None, typer.Option("--study", help="Only this study.")] = None, as_json: Json = False
) -> None:
    """List the tracked runs, newest first.

    **Example**

    `fselect runs --study breast-cancer`
    """
    from fselect.cli.printing import print_frame
    from fselect.study.project import open_tracking_project
    from fselect.tracking import list_runs

    frame = list_runs(open_tracking_project(), study)
    if not as_json:
        frame["run_id"] = frame["run_id"].str[:8]
        frame["started"] = frame["started"].dt.strftime("%Y-%m-%d %H:%M")
    columns = ["run_id", "study", "name", "accuracy", "stability", "dominance_area", "operating_point", "started"]
    print_frame(frame, as_json, empty="no runs yet; fselect run makes some", columns=columns)


def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 5000,
    host: Annotated[str, typer.Option(help="Address to listen on; the default is this machine only.")] = "127.0.0.1",
) -> None:
    """Open the MLflow UI on the project's store.

    **Example**

    `fselect ui --port 5001`
    """
    from fselect.study.project import open_tracking_project
    from fselect.tracking import open_store, runs_url, ui_command

    project = open_tracking_project()
    store = open_store(project)
    local = not store.uri.startswith("http")
    if local:
        _check_free(host, port)
    base = f"http://{host}:{port}" if local else store.uri
    print(f"MLflow UI: {base}" + ("  (Ctrl-C ends it)" if local else ""))
    for experiment in store.client.search_experiments(max_results=20):
        if experiment.name != "Default":
            print(f"  {experiment.name}: {runs_url(base, experiment.experiment_id)}")
    if local:
        command, settings = ui_command(project, port=port, host=host)
        sys.stdout.flush()
        os.execve(command[0], command, os.environ | settings)


def _check_free(host: str, port: int) -> None:
    """Refuse a port that another program listens on: the address would lead to that one's pages."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            other = f"try --port {port - 1 if port == 65535 else port + 1}"
            remedies = {errno.EADDRINUSE: other, errno.EACCES: "take a port from 1024 on"}
            way_out = remedies.get(error.errno or 0, "correct --host")
            raise InputError(f"cannot listen on {host}:{port}: {error.strerror}; {way_out}") from None


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(run)
    app.command()(stage)
    app.command()(runs)
    app.command()(ui)
