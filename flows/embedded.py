"""Prefect's settings for a flow that brings its own server; they are set before Prefect is imported."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import psutil

from flows.served import where

__all__ = ["end_orphans", "no_server", "prepare", "settings", "start_server"]


FLOW_PROCESS = "FSELECT_FLOW_PROCESS"
"""A temporary server inherits it: its parent as long as the flow lives."""


def settings(state_dir: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment variables that Prefect gets, where the user has not set them.

    Parameters
    ----------
    state_dir : Path
        The project's ``.fselect`` folder; the temporary server keeps its database in there.
    environment : mapping
        What is set. With ``PREFECT_API_URL`` the flow belongs to that server, with ``PREFECT_HOME`` to that home.

    Returns
    -------
    dict

    Examples
    --------
    >>> sorted(settings(Path("p/.fselect"), {"PREFECT_API_URL": "http://127.0.0.1:4200/api"}))[:2]
    ['DO_NOT_TRACK', 'PREFECT_CLIENT_MAX_RETRIES']
    """
    wanted = {
        # Nothing is sent anywhere.
        "DO_NOT_TRACK": "true",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
        # The command prints a line a step; Prefect's own log goes to its server, where the UI shows it.
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        # Seven, each after twice the pause of the one before: a server may be away for four minutes under a flow.
        "PREFECT_CLIENT_MAX_RETRIES": "7",
    }
    if not {"PREFECT_HOME", "PREFECT_API_URL"} & environment.keys():
        wanted |= {
            "PREFECT_HOME": str((state_dir / "prefect").resolve()),
            "PREFECT_SERVER_EPHEMERAL_ENABLED": "true",
            # A first start makes the database; on a busy machine that takes longer than the usual 20 s.
            "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        }
    return {name: value for name, value in wanted.items() if name not in environment}


def prepare(state_dir: Path) -> None:
    """Set them in this process, and make the home of a temporary server, which fails without its parent folder.

    While `make serve` runs for the project, the flow belongs to that server: a second one on the same database would
    get in its way.
    """
    served = where(state_dir)
    if served is not None and not {"PREFECT_HOME", "PREFECT_API_URL"} & os.environ.keys():
        os.environ["PREFECT_API_URL"] = served.api
    wanted = settings(state_dir, os.environ)
    os.environ.update(wanted)
    os.environ[FLOW_PROCESS] = str(os.getpid())
    if "PREFECT_HOME" in wanted:
        home = Path(wanted["PREFECT_HOME"])
        home.mkdir(parents=True, exist_ok=True)
        end_orphans(home)


def start_server() -> None:
    """Start the temporary server, where one is needed, so that Ctrl-C does not reach it.

    A terminal interrupts all processes of a command at once. Without its server the flow would ask again for minutes
    to be shown as stopped, and then fail. A blocked signal stays blocked in processes that are started meanwhile; the
    server ends by SIGTERM, which Prefect sends at the flow's end.

    Raises
    ------
    RuntimeError
        If it does not start; `no_server` tells it in a sentence.
    """
    from prefect.client.orchestration import get_client  # Prefect reads its settings when it is imported

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        get_client(sync_client=True)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def no_server(error: RuntimeError) -> str | None:
    """Tell in a sentence that no Prefect server answers; None if the error is about something else."""
    if "Failed to reach API" in str(error):
        return (
            f"no Prefect server answers at {os.environ.get('PREFECT_API_URL')}: start it, or unset PREFECT_API_URL, "
            "and the flow brings a temporary one"
        )
    if "ephemeral Prefect API server" in str(error):
        return (
            f"the temporary Prefect server did not start in {os.environ.get('PREFECT_HOME')}: try again, or start "
            "one with `prefect server start` and set PREFECT_API_URL"
        )
    return None


def end_orphans(home: Path) -> list[int]:
    """End the temporary servers of this home whose flow was killed: Prefect stops them only at a flow's own end.

    Returns
    -------
    list of int
        The processes that were asked to end.
    """
    ended = []
    for process in psutil.process_iter():
        try:
            if _is_orphan(process, home):
                process.terminate()
                ended.append(process.pid)
        except psutil.Error:  # it has just ended, or is another user's
            continue
    return ended


def _is_orphan(process: psutil.Process, home: Path) -> bool:
    if "prefect.server.api.server:create_app" not in process.cmdline():
        return False
    environment = process.environ()
    ours = environment.get("PREFECT__SERVER_EPHEMERAL") == "1" and environment.get("PREFECT_HOME") == str(home)
    return ours and environment.get(FLOW_PROCESS) != str(process.ppid())
