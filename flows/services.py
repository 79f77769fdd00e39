"""What `make serve` keeps running: the Prefect server, the MLflow server, and the worker that runs deployments."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from flows import embedded
from flows.deployed import ask_to_end, mark_dead
from flows.served import MARK, Served
from flows.supervisor import Service
from fselect.errors import InputError
from fselect.study.project import Project

__all__ = ["POOL", "addresses", "deploy", "environment", "free_port", "services"]

POOL = "fselect"
"""The work pool of prefect.yaml."""

FLOW_GRACE = 60.0
"""Seconds that a flow has to finish the units that its workers hold."""


def environment(state_dir: Path, served: Served, given: Mapping[str, str]) -> dict[str, str]:
    """Settings of Prefect for everything that is served, and for `prefect deploy` beside it.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder.
    served : Served
        Where the server listens.
    given : mapping
        What the user has set; a ``PREFECT_HOME`` among it stays.

    Returns
    -------
    dict
    """
    home = given.get("PREFECT_HOME", str((state_dir / "prefect").resolve()))
    return {
        **embedded.settings(state_dir, {**given, "PREFECT_HOME": home}),
        "PREFECT_HOME": home,
        "PREFECT_API_URL": served.api,
        MARK: str(state_dir.resolve()),
        # In memory, as is Prefect's habit, slots taken before a restart of the server would never become free again.
        "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": given.get(
            "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE", "prefect.server.concurrency.lease_storage.filesystem"
        ),
        # The history of runs is kept for 90 days: looking for tables every quarter of an hour makes 35 000 a year.
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": given.get(
            "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED", "events,flow_runs"
        ),
        # Logs of the services are files that people read.
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": given.get("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "INFO"),
        "NO_COLOR": "1",
    }


def addresses(host: str, prefect_port: int, mlflow_port: int, tracking_uri: str | None) -> tuple[str, str]:
    """Where Prefect and MLflow are going to be: a tracking server that the study names is used as it is.

    Raises
    ------
    InputError
        If a port is taken.
    """
    mlflow = tracking_uri or f"http://{host}:{free_port(host, mlflow_port, 'MLFLOW_PORT')}"
    return f"http://{host}:{free_port(host, prefect_port, 'PREFECT_PORT')}", mlflow


def free_port(host: str, port: int, word: str) -> int:
    """Check that nobody listens on a port, or find a free one for 0.

    Raises
    ------
    InputError
        If somebody does: its pages would be taken for this project's.

    Examples
    --------
    >>> free_port("127.0.0.1", 0, "PREFECT_PORT") > 1000
    True
    """
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise InputError(
                f"cannot listen on {host}:{port}: {error.strerror}; choose another: make serve {word}={port + 1}"
            ) from None
        return int(probe.getsockname()[1])


def services(project: Project, served: Served, given: Mapping[str, str]) -> list[Service]:
    """The services in the order in which they start; they are stopped in the opposite order."""
    settings = environment(project.state_dir, served, given)
    made = [_server(served, settings)]
    if project.config.tracking.uri is None:
        made.append(_mlflow(served, settings))
    return [*made, _worker(project, served, settings)]


def _server(served: Served, settings: Mapping[str, str]) -> Service:
    host, port = _split(served.prefect)
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", host, "--port", port]
    return Service("Prefect server", command, settings, f"{served.api}/health")


def _mlflow(served: Served, settings: Mapping[str, str]) -> Service:
    host, port = _split(served.mlflow)
    # It makes the database of a new project first, alone and under the project's lock.
    command = [sys.executable, "-m", "fselect", "ui", "--host", host, "--port", port]
    return Service("MLflow server", command, settings, f"{served.mlflow}/health")


def _worker(project: Project, served: Served, settings: Mapping[str, str]) -> Service:
    name = f"{POOL}-{socket.gethostname()}"
    command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process", "--name", name]
    mark = partial(mark_dead, served, project.state_dir, name)
    return Service(
        "worker",
        command,
        settings,
        ready=f"{served.api}/work_pools/{POOL}",
        before=mark,
        ending=partial(_end_flows, project.state_dir, mark),
    )


def _end_flows(state_dir: Path, mark: Callable[[], object]) -> None:
    ask_to_end(state_dir, FLOW_GRACE)
    with suppress(InputError):  # the server may be the one that failed; the next start says it
        mark()


def _split(address: str) -> tuple[str, str]:
    host, _, port = address.removeprefix("http://").rpartition(":")
    return host.strip("[]"), port


def deploy(root: Path, settings: Mapping[str, str]) -> None:
    """Deploy all of prefect.yaml, without a question.

    Raises
    ------
    InputError
        If Prefect refuses.
    """
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    done = subprocess.run(command, cwd=root, env=dict(settings), capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise InputError(f"prefect.yaml cannot be deployed: {said[-1] if said else done.returncode}")
