"""Run the study of a project as a Prefect flow: ``python -m flows.pipeline [--root DIR] [--params FILE]``.

The flow itself is ``flows/study_flow.py:pipeline``, for a deployment; this command adds what a run by hand needs: a
temporary Prefect server where none is named, a line a step, and sentences instead of stack traces.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flows import embedded
from flows.console import plain_warnings
from flows.record import check_versioned
from flows.show import near, ui_command
from fselect.errors import InputError
from fselect.reporting.console import print_summary
from fselect.study.lock import refuse_if_held
from fselect.study.project import Project, check_writable, open_project
from fselect.tracking.probe import probe

if TYPE_CHECKING:
    from flows.study_flow import Outcome

__all__ = ["main"]

SUMMARY = "Run the study of params.yaml as a Prefect flow: versioned, tracked, reported, recorded with DVC."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0; 2 for bad input, told in one sentence; 130 after Ctrl-C.
    """
    asked = _parser().parse_args(arguments)
    try:
        with plain_warnings():
            return _run(asked.root, asked.params)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m flows.pipeline", description=SUMMARY)
    parser.add_argument("--root", type=Path, default=Path(), help="a folder in the project (default: the current one)")
    parser.add_argument("--params", type=Path, help="another study file than the project's params.yaml")
    return parser


def _run(root: Path, params: Path | None) -> int:
    project = open_project(root, params=params)
    # Refused here, too: in seconds, before a server is started.
    check_versioned(project)
    refuse_if_held(project.state_dir)
    probe(project.tracking_uri)
    check_writable(project.state_dir)
    embedded.prepare(project.state_dir)
    from flows.study_flow import pipeline  # Prefect reads its settings when it is imported

    print(f"{project.config.study.name} in {project.root}", file=sys.stderr, flush=True)
    try:
        embedded.start_server()
        outcome = pipeline(str(project.root), str(params.resolve()) if params else None)
    except RuntimeError as error:
        sentence = embedded.no_server(error)
        if sentence is None:
            raise
        raise InputError(sentence) from None
    except KeyboardInterrupt:
        print(_interrupted(project), file=sys.stderr)
        return 130
    _show(outcome)
    return 0


def _show(outcome: Outcome) -> None:
    from rich.console import Console

    project = outcome.project
    print_summary(outcome.summary, Console(), report=near(project.report_path), ui=ui_command(project))
    if outcome.promoted:
        print(f"Registry: {outcome.promoted}")
    if outcome.not_recorded is None:
        print(f"DVC: recorded in {near(project.root / 'dvc.lock')}")
    else:
        print(f"DVC: not recorded, {outcome.not_recorded}; `dvc repro` or another run does what is there now")


def _interrupted(project: Project) -> str:
    return f"stopped; what was finished is kept in {project.store_dir}: the same command goes on from there"


if __name__ == "__main__":
    sys.exit(main())
