"""The options that say where units run, and what they change in a study."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any

import typer

from fselect.errors import InputError

__all__ = ["RUN", "Address", "Runner", "RunnerName", "Workers", "execution", "execution_overrides"]

RUN = "Running"


class RunnerName(StrEnum):
    """How units run side by side."""

    threads = "threads"
    processes = "processes"
    dask = "dask"


Workers = Annotated[
    int | None,
    typer.Option("--workers", "-w", help="Threads or processes that run units at a time.", rich_help_panel=RUN),
]
Runner = Annotated[
    RunnerName | None,
    typer.Option("--runner", help="Threads, processes, or a Dask cluster with --address.", rich_help_panel=RUN),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="tcp://HOST:PORT",
        help="Scheduler of the Dask cluster that runs units.",
        rich_help_panel=RUN,
    ),
]


def execution(workers: int | None, runner: RunnerName | None, address: str | None) -> dict[str, Any]:
    """Give the values of the section ``execution`` that were asked for.

    An address alone asks for its cluster; threads and processes need none.

    Raises
    ------
    InputError
        If workers are counted for a cluster, which has as many as were started for it.

    Examples
    --------
    >>> execution(4, None, None)
    {'workers': 4}
    >>> execution(None, None, "tcp://head:8786")
    {'runner': 'dask', 'address': 'tcp://head:8786'}
    """
    if workers is not None and (address or runner is RunnerName.dask):
        raise InputError("--workers is for threads and processes; a Dask cluster has those that were started for it")
    asked: dict[str, Any] = {} if workers is None else {"workers": workers}
    if runner is None:
        return asked | ({"runner": "dask", "address": address} if address else {})
    if address is None and runner is RunnerName.dask:
        return asked | {"runner": "dask"}  # at the address of the study file, where it has one
    return asked | {"runner": runner.value, "address": address}


def execution_overrides(workers: int | None, runner: RunnerName | None, address: str | None) -> list[str]:
    """The same as overrides of a study file.

    Examples
    --------
    >>> execution_overrides(4, RunnerName.threads, None)
    ['execution.workers=4', 'execution.runner="threads"', 'execution.address=null']
    """
    asked = execution(workers, runner, address)
    return [f"execution.{key}={json.dumps(value)}" for key, value in asked.items()]
