"""The MLflow UI on a project's store: the command that starts it, and addresses of its pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from fselect.tracking.connection import Store
from fselect.tracking.describe import PAGE
from fselect.tracking.experiments import DIGEST, TRAINING, runs_address
from fselect.tracking.sending import search

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["artifact_url", "compare_url", "report_url", "runs_url", "ui_command"]


def ui_command(project: Project, *, port: int = 5000, host: str = "127.0.0.1") -> tuple[list[str], dict[str, str]]:
    """Give the command that serves a project's store in the browser, and the settings it needs.

    Parameters
    ----------
    project : Project
        The project, with its own store (a server has its own page).
    port : int, default=5000
        Where to listen.
    host : str, default="127.0.0.1"
        This machine only. MLflow refuses requests under other names unless it is told to allow them.

    Returns
    -------
    command : list of str
        Of this Python's MLflow.
    environment : dict of str to str
        To be added to the process's own: no telemetry, and none of the job workers that cost half a gigabyte.
    """
    place = (project.state_dir / "artifacts").resolve().as_uri()
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", project.tracking_uri]
    command += ["--default-artifact-root", place, "--host", host, "--port", str(port), "--workers", "1"]
    return command, {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}


def runs_url(base: str, experiment: str) -> str:
    """Address of a study's run list with accuracy, stability and dominance area as columns.

    MLflow shows no metric columns of its own accord; the study's experiment carries a shared view that does.

    Parameters
    ----------
    base : str
        Of the server, ``http://127.0.0.1:5000``.
    experiment : str
        MLflow's id of the experiment.

    Returns
    -------
    str

    Examples
    --------
    >>> runs_url("http://127.0.0.1:5000", "1")
    'http://127.0.0.1:5000/#/experiments/1/runs?workflowType=machine_learning&viewStateShareKey=fselect'
    """
    return f"{base.rstrip('/')}/{runs_address(experiment)}"


def compare_url(base: str, experiment: str, runs: Sequence[str]) -> str:
    """Address of the page that compares runs side by side.

    Parameters
    ----------
    base : str
        Of the server.
    experiment : str
        MLflow's id of the experiment.
    runs : sequence of str
        Ids of two runs or more.

    Returns
    -------
    str

    Examples
    --------
    >>> compare_url("http://127.0.0.1:5000", "1", ["a", "b"]).partition("#")[2]
    '/compare-runs?runs=%5B%22a%22%2C%22b%22%5D&experiments=%5B%221%22%5D&workflowType=machine_learning'
    """
    chosen, among = (quote(json.dumps(ids, separators=(",", ":"))) for ids in (list(runs), [experiment]))
    return f"{base.rstrip('/')}/#/compare-runs?runs={chosen}&experiments={among}&{TRAINING}"


def artifact_url(base: str, experiment: str, run: str, path: str) -> str:
    """Address of the page that shows a file of a run.

    Parameters
    ----------
    base : str
        Of the server.
    experiment, run : str
        MLflow's ids.
    path : str
        The file, ``front.html``.

    Returns
    -------
    str

    Examples
    --------
    >>> artifact_url("http://127.0.0.1:5000", "1", "a", "front.png").partition("#")[2]
    '/experiments/1/runs/a/artifacts/front.png?workflowType=machine_learning'
    """
    return f"{base.rstrip('/')}/#/experiments/{experiment}/runs/{run}/artifacts/{quote(path)}?{TRAINING}"


def report_url(store: Store, run: str, base: str) -> str | None:
    """Address of a study's page in MLflow, where it is kept with the run of the first front.

    Parameters
    ----------
    store : Store
        Where the study was logged.
    run : str
        The id of any of its runs.
    base : str
        Of the server that shows the store.

    Returns
    -------
    str or None
        None of a study that was logged without its page.
    """
    found = store.client.get_run(run)
    experiment, digest = found.info.experiment_id, found.data.tags.get(DIGEST, "")
    fronts = search(store, [experiment], f"tags.`fselect.kind` = 'front' AND tags.`{DIGEST}` = '{digest}'")
    for front in fronts:
        if PAGE in {item.path for item in store.client.list_artifacts(front.info.run_id)}:
            return artifact_url(base, experiment, front.info.run_id, PAGE)
    return None
