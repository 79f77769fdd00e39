"""Flow runs of the served deployments: those whose process died are said to be crashed, the others asked to end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psutil

from flows.served import MARK, Served
from fselect.errors import InputError

__all__ = ["ask_to_end", "deployments", "mark_dead", "processes"]

WORKER = "prefect.worker.name"


def ask(served: Served, path: str, body: dict[str, Any]) -> Any:
    """Send a request to the Prefect server; plain HTTP, because a Prefect client would stay in memory for a year."""
    request = Request(f"{served.api}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except (OSError, ValueError) as error:
        raise InputError(f"the Prefect server at {served.prefect} did not take {path}: {error}") from None


def deployments(served: Served) -> list[str]:
    """The names of what the Prefect server has deployed, as FLOW/DEPLOYMENT."""
    flows = {flow["id"]: flow["name"] for flow in ask(served, "flows/filter", {})}
    return sorted(f"{flows[one['flow_id']]}/{one['name']}" for one in ask(served, "deployments/filter", {}))


def processes(state_dir: Path) -> Iterator[psutil.Process]:
    """The processes on this machine that run a flow for a served project."""
    mark = str(state_dir.resolve())
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it has just ended, or is another user's
            if "prefect.engine" in process.cmdline() and process.environ().get(MARK) == mark:
                yield process


def ask_to_end(state_dir: Path, grace: float) -> None:
    """Ask the running flows to end: they finish what their workers hold, and report that they were interrupted.

    A Prefect worker that is stopped kills them instead, and their runs would be shown as running for ever.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder.
    grace : float
        Seconds they are given; after that they are killed, and lose the units that they were at.
    """
    running = list(processes(state_dir))
    for process in running:
        with suppress(psutil.Error):
            process.terminate()
    for process in psutil.wait_procs(running, timeout=grace)[1]:
        with suppress(psutil.Error):
            process.kill()
            process.wait(10)


def mark_dead(served: Served, state_dir: Path, worker: str) -> list[str]:
    """Say of flow runs whose process is gone that they crashed, which also frees their place in the queue.

    Nobody else would: a worker reports the end of its flows, and this is for flows whose worker was killed as well.

    Parameters
    ----------
    served : Served
        Where the server is.
    state_dir : Path
        The project's ``.fselect`` folder.
    worker : str
        The worker's name; runs of workers on other machines are left alone.

    Returns
    -------
    list of str
        Names of the runs.
    """
    alive = {str(process.pid) for process in processes(state_dir)}
    runs = _unfinished(served, {})
    dead = [run for run in runs if _worker_of(run) == worker and run.get("infrastructure_pid") not in alive]
    # A flow that one of them called ran in the same process, under no worker's name.
    called = _unfinished(served, {"parent_flow_run_id": {"any_": [run["id"] for run in dead]}}) if dead else []
    message = "Its process ended without a word; what it finished is kept, and the next run goes on from there."
    for run in (*called, *dead):
        state = {"type": "CRASHED", "name": "Crashed", "message": message}
        ask(served, f"flow_runs/{run['id']}/set_state", {"state": state, "force": True})
    return [str(run["name"]) for run in dead]


def _unfinished(served: Served, among: dict[str, Any]) -> list[dict[str, Any]]:
    state = {"state": {"type": {"any_": ["PENDING", "RUNNING", "CANCELLING"]}}}
    found: list[dict[str, Any]] = ask(served, "flow_runs/filter", {"flow_runs": state | among})
    return found


def _worker_of(run: dict[str, Any]) -> str | None:
    name: str | None = (run.get("labels") or {}).get(WORKER)
    return name
