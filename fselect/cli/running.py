"""Running a study from the command line: lock, progress, report, tracking, and the answer at the end."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fselect.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.progress import Progress

    from fselect.stages import Study
    from fselect.study.plan import Unit
    from fselect.study.project import Project
    from fselect.study.results import Summary

__all__ = ["ended", "run_project", "study_progress"]

PLAIN_SECONDS = 10.0
"""Without a terminal a line is printed at most this often."""

RECENT_SECONDS = 30.0
"""How far back the pace is looked at, as the bar of a terminal does."""

_OPENED = {"mlflow.db", "mlflow.lock", "study.lock"}
"""Files that a folder has once it was opened, before anything is in it."""


def run_project(project: Project, *, tracked: bool, as_json: bool) -> None:
    """Run a study with everything around it, and print the outcome."""
    from fselect.stages import report, run_study, track
    from fselect.study.lock import project_lock

    with _nothing_left_if_refused(project.state_dir), project_lock(project.state_dir):
        if tracked:
            _probe(project)
        with study_progress() as on_plan:
            summary = run_study(project, on_plan=on_plan)
        report(project)
        if tracked:
            track(project)
        promoted = _promoted(project, summary, tracked)
    ended(project, summary, tracked=tracked, as_json=as_json)
    if promoted:
        print(promoted, file=sys.stderr if as_json else sys.stdout)


@contextmanager
def _nothing_left_if_refused(folder: Path) -> Iterator[None]:
    """Take a state folder away again that is new, and in which a refused command left no work."""
    new = not folder.exists()
    try:
        yield
    except InputError:
        if new and {path.name for path in folder.rglob("*") if path.is_file()} <= _OPENED:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _promoted(project: Project, summary: Summary, tracked: bool) -> str | None:
    """Promote the chosen set where the study file asks for it, and say so."""
    name = project.config.promotion.name
    if name is None:
        return None
    if not tracked:
        return f"Not promoted as {name}: a set is promoted from its tracked run, and --no-track was given"
    from fselect.registry import offer

    told = offer(project, f"{summary.study}/{summary.chosen.label}").sentence
    return told[0].upper() + told[1:]


def _probe(project: Project) -> None:
    """Open the store before work starts: a server that does not answer is refused now, not after an hour."""
    from fselect.tracking import open_store

    open_store(project)


def ended(project: Project, summary: Summary, *, tracked: bool, as_json: bool) -> None:
    """Print the outcome, for a person or for a script."""
    if as_json:
        from fselect.reporting.console import answer

        print(json.dumps(answer(summary) | {"report": str(project.report_path)}, indent=1, ensure_ascii=False))
        return
    from rich.console import Console

    from fselect.reporting.console import print_summary

    ui = f"fselect ui  (in {project.root})" if tracked else None
    print_summary(summary, Console(), report=project.report_path, ui=ui)


OnPlan = "Callable[[Study], Callable[[Unit], None]]"


@contextmanager
def study_progress() -> Iterator[Callable[[Study], Callable[[Unit], None]]]:
    """Show progress on standard error: a bar with an estimate of the time left, or plain lines without a terminal."""
    if not sys.stderr.isatty():
        yield _plain
        return
    with _bar() as progress:

        def on_plan(study: Study) -> Callable[[Unit], None]:
            left = len(study.pending())
            task = progress.add_task("selecting", total=left)
            _say_what_is_kept(study, left)
            return lambda unit: progress.advance(task)

        yield on_plan


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True))


def _say_what_is_kept(study: Study, left: int) -> None:
    kept = len(study.units) - left
    if kept:
        print(f"{kept} of {len(study.units)} units are finished already; {left} to go", file=sys.stderr)


def _plain(study: Study) -> Callable[[Unit], None]:
    left = len(study.pending())
    _say_what_is_kept(study, left)
    said, done, finished = time.monotonic(), 0, deque[float]()

    def on_done(unit: Unit) -> None:
        nonlocal done, said
        done += 1
        now = time.monotonic()
        finished.append(now)
        if now - said >= PLAIN_SECONDS or done == left:
            said = now
            print(f"{done}/{left} units{_time_left(finished, left - done)}", file=sys.stderr)

    return on_done


def _time_left(finished: deque[float], left: int) -> str:
    """Say how long so many units will take at the pace of the last half minute.

    What was before is forgotten: units of the first kinds wait for kernels to be compiled.
    """
    while len(finished) > 2 and finished[-1] - finished[1] > RECENT_SECONDS:
        finished.popleft()
    if len(finished) < 2 or not left:
        return ""
    return f", about {(finished[-1] - finished[0]) / (len(finished) - 1) * left:.0f} s left"
