"""Serve a project until told to stop: ``python -m flows.serve [--root DIR]``, which is `make serve`.

It keeps a Prefect server, an MLflow server and a worker running on this machine, and says where they are.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from flows import embedded
from flows.deployed import deployments
from flows.record import check_versioned
from flows.served import Served, end_leftovers, serving
from flows.services import POOL, addresses, deploy, environment, services
from flows.supervisor import Kept, begin, supervise
from fselect.errors import InputError
from fselect.study.project import Project, check_writable, open_project

__all__ = ["main"]

SUMMARY = "Keep Prefect server, MLflow server and worker of a project running, until SIGTERM or Ctrl-C."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0 after SIGTERM or Ctrl-C; 2 for bad input, or if a service cannot be kept running, told in one sentence.
    """
    asked = _parser().parse_args(arguments)
    try:
        return _serve(asked)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m flows.serve", description=SUMMARY)
    parser.add_argument("--root", type=Path, default=Path(), help="a folder in the project (default: the current one)")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: this machine only)")
    parser.add_argument("--prefect-port", type=int, default=4200, help="0 takes a free one")
    parser.add_argument("--mlflow-port", type=int, default=5000, help="0 takes a free one")
    parser.add_argument("--no-deploy", action="store_true", help="leave a new server without deployments")
    return parser


def _serve(asked: argparse.Namespace) -> int:
    project = open_project(asked.root)
    check_versioned(project)
    check_writable(project.state_dir)
    check_writable(project.root / project.config.arrivals.folder)  # it is watched from the first minute
    prefect, mlflow = addresses(asked.host, asked.prefect_port, asked.mlflow_port, project.config.tracking.uri)
    served = Served(os.getpid(), prefect, mlflow)
    with serving(project.state_dir, served), _told_to_stop() as stop:
        for pid in end_leftovers(project.state_dir):
            _say(f"ended process {pid}, which a killed `make serve` had left")
        embedded.end_orphans(project.state_dir / "prefect")
        _keep(project, served, stop, deploy_new=not asked.no_deploy)
    return 0


@contextmanager
def _told_to_stop() -> Iterator[Event]:
    """An event that SIGTERM and Ctrl-C set."""
    stop = Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _keep(project: Project, served: Served, stop: Event, *, deploy_new: bool) -> None:
    logs = project.state_dir / "logs"
    all_kept = [
        Kept(service, logs / f"{service.name.lower().replace(' ', '-')}.log", project.root)
        for service in services(project, served, os.environ)
    ]
    _say("starting Prefect, MLflow and the worker: half a minute")
    try:
        begin(all_kept[:-1], stop)
        if not stop.is_set():
            begin(all_kept[-1:], stop)
        if not stop.is_set():
            _greet(project, served, deploy_new)
            supervise(all_kept, stop, _say)
    finally:
        for kept in reversed(all_kept):
            kept.stop()
    _say("stopped; finished units are kept, and the next run goes on from them")


def _greet(project: Project, served: Served, deploy_new: bool) -> None:
    if deploy_new and not deployments(served) and (project.root / "prefect.yaml").is_file():
        deploy(project.root, {**os.environ, **environment(project.state_dir, served, os.environ)})
    print(
        f"Prefect      {served.prefect}\n"
        f"MLflow       {served.mlflow}\n"
        f"worker       pool {POOL}, in {project.root}\n"
        f"deployments  {', '.join(deployments(served)) or 'none: make deploy'}\n"
        f"logs         {project.state_dir / 'logs'}\n"
        "Ctrl-C or SIGTERM stops all of it",
        flush=True,
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
