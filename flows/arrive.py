"""Take in new tables as Prefect flow runs: ``python -m flows.arrive [TABLE] [--folder DIR] [--root DIR]``.

The flow itself is ``flows/arrival.py:arrival``, for a deployment; this command brings a temporary Prefect server where
none is named, prints a line a table, and says what is wrong in sentences.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from flows import embedded
from flows.console import plain_warnings
from fselect.errors import InputError
from fselect.study.project import Project, check_writable, open_project
from fselect.tracking.probe import probe

if TYPE_CHECKING:
    from flows.arrival import Told

__all__ = ["main"]

SUMMARY = "Take in tables of new tasks: validate, version, select, compare, register, and ask the gate."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0; 2 for bad input or a refused table, told in one sentence; 130 after Ctrl-C.
    """
    asked = _parser().parse_args(arguments)
    try:
        with plain_warnings():
            told = _run(asked)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; finished units are kept, and the same command goes on from there", file=sys.stderr)
        return 130
    if asked.json:
        print(json.dumps([_answer(one) for one in told], indent=1, ensure_ascii=False))
        return 0
    for one in told:
        print(f"{one.table}: {one.outcome}; {one.sentence}")
    if not told:
        print("no table lies in the folder")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m flows.arrive", description=SUMMARY)
    parser.add_argument("table", nargs="?", help="one table (default: all of the watched folder)")
    parser.add_argument("--folder", help="the watched folder (default: arrivals.folder of params.yaml)")
    parser.add_argument("--root", type=Path, default=Path(), help="a folder in the project (default: the current one)")
    parser.add_argument("--params", type=Path, help="another study file than the project's params.yaml")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON, for scripts")
    return parser


def _run(asked: argparse.Namespace) -> list[Told]:
    project = open_project(asked.root, params=asked.params)
    probe(project.tracking_uri)
    check_writable(project.state_dir / "locks")
    if "PREFECT_API_URL" in os.environ:
        return _arrive(project, asked)
    # Two temporary servers that make one new database at once get in each other's way: the second command waits.
    try:
        with FileLock(project.state_dir / "locks" / "arrive.lock", timeout=project.config.arrivals.wait):
            return _arrive(project, asked)
    except Timeout:
        raise InputError(f"another arrival is still running in {project.root}; try again when it has ended") from None


def _arrive(project: Project, asked: argparse.Namespace) -> list[Told]:
    embedded.prepare(project.state_dir)
    from flows.arrival import arrival  # Prefect reads its settings when it is imported

    table = str(Path(asked.table).resolve()) if asked.table else None
    folder = str(Path(asked.folder).resolve()) if asked.folder else None
    params = str(asked.params.resolve()) if asked.params else None
    try:
        embedded.start_server()
        return arrival(str(project.root), table, folder, params)
    except RuntimeError as error:
        sentence = embedded.no_server(error)
        if sentence is None:
            raise
        raise InputError(sentence) from None


def _answer(told: Told) -> dict[str, object]:
    answer: dict[str, object] = {"table": told.table, "outcome": told.outcome, "sentence": told.sentence}
    if told.verdict is not None:
        answer |= {"version": told.verdict.version, "decision": told.verdict.outcome}
        answer |= {"reasons": list(told.verdict.decision.reasons)}
    return answer


if __name__ == "__main__":
    sys.exit(main())
