"""The steps of a study, each one function: what the command line, DVC's stages and Prefect's tasks call.

tables → tasks → select → evaluate → report, track, promote. Each step reads what the one before it wrote, so that it
can run alone, in another process, another day. What only some steps need is imported there: pandas is a quarter of
the memory that a select step takes for a small table.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from fselect.datasets.dataset import Dataset
from fselect.datasets.shared_arrays import share
from fselect.datasets.task_files import read_tasks, write_tasks
from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.study.archive import read_archive
from fselect.study.plan import Unit, make_plan, study_digest
from fselect.study.project import Project, check_writable
from fselect.study.results import Summary
from fselect.study.run import collect, pending, run_units
from fselect.study.store import UnitStore
from fselect.study.timings import write_timings

__all__ = [
    "Study",
    "evaluate",
    "make_tables",
    "make_tasks",
    "open_study",
    "report",
    "run_study",
    "select",
    "track",
    "write_report",
]


@dataclass(frozen=True)
class Study:
    """A project with its tasks read and its units laid out."""

    project: Project
    tasks: Sequence[Dataset]
    units: Sequence[Unit]

    @property
    def store(self) -> UnitStore:
        """Where finished units are kept."""
        return UnitStore(self.project.store_dir)

    @property
    def digest(self) -> str:
        """Hash of all that determines the numbers."""
        return study_digest(self.project.config, self.tasks)

    def pending(self) -> list[Unit]:
        """The units that are still to be run."""
        return pending(self.units, self.store, self.project.archive_path)

    def run(self, units: Sequence[Unit], on_done: Callable[[Unit], None] | None = None) -> None:
        """Run units as ``execution`` says, keeping each as soon as it is finished."""
        execution = self.project.config.execution
        run_units(
            units,
            self.tasks,
            self.store,
            workers=execution.workers,
            runner=execution.runner,
            address=execution.address,
            on_done=on_done,
        )

    def collect(self) -> pa.Table:
        """Write the archive and the timings of the finished plan."""
        project = self.project
        try:
            table = collect(self.units, self.store, project.archive_path, project.config.study.name)
        except InputError:
            self.run(self.pending())  # kept units that turned out to be damaged were removed
            table = collect(self.units, self.store, project.archive_path, project.config.study.name)
        try:
            write_timings(project.state_dir / "timings.parquet", self.units, self.store)
        except InputError as error:  # they serve estimates of the time left, and no result
            warnings.warn(f"the times of units are not kept: {error}", RuntimeWarning, stacklevel=2)
        return table


def make_tables(project: Project, *, versioned: bool = False) -> list[Path]:
    """Put the bundled tables that the study names into ``data/tables``, and check that its files are there.

    Parameters
    ----------
    project : Project
        The project.
    versioned : bool
        Whether DVC versions the tables: then each must lie in ``data/tables``, where it sees them change.

    Returns
    -------
    list of Path
        The study's tables.

    Raises
    ------
    InputError
        If a table is missing, or lies where it is not versioned.
    """
    from fselect.study.sources import check_versioned_places, materialise, prior_files

    check_writable(project.root)
    paths = [materialise(source, project) for source in project.config.tasks.sources]
    if versioned:
        check_versioned_places([*paths, *prior_files(project)], project)
    return paths


def make_tasks(project: Project) -> list[Dataset]:
    """Read the tables, make the ordered tasks, and write them as the later steps read them."""
    from fselect.study.sources import build_tasks

    make_tables(project)
    tasks = build_tasks(project)
    make_plan(project.config, tasks, project.root)  # a study that cannot be planned is refused before it is written
    write_tasks(tasks, project.tasks_dir)
    for task in tasks:  # as all later steps, and all workers, map them
        share(task, UnitStore(project.store_dir).arrays)
    return tasks


def open_study(project: Project) -> Study:
    """Read the tasks that `make_tasks` wrote, and lay out the units.

    Raises
    ------
    InputError
        If there are no tasks yet.
    """
    if not project.tasks_dir.is_dir():
        raise InputError(f"no tasks in {project.tasks_dir}; make them first: fselect stage tasks")
    tasks = read_tasks(project.tasks_dir, arrays=UnitStore(project.store_dir).arrays)
    return Study(project, tasks, make_plan(project.config, tasks, project.root))


def select(project: Project, *, on_plan: Callable[[Study], Any] | None = None) -> pa.Table:
    """Run what is not finished, and write the archive.

    Parameters
    ----------
    project : Project
        The project, its tasks made.
    on_plan : callable, optional
        Given the study before work starts; may return a function that is told of each finished unit.
    """
    check_writable(project.results_dir)
    check_writable(project.store_dir)
    study = open_study(project)
    study.store.drop_leftovers()
    on_done = on_plan(study) if on_plan else None
    study.run(study.pending(), on_done)
    return study.collect()


def evaluate(project: Project) -> Summary:
    """Summarise the archive, and write the summary with the files that DVC compares."""
    from fselect.study.summary import summarise

    study = open_study(project)
    summarise(project.config, study.tasks, study.units, read_archive(project.archive_path)).write(project.summary_path)
    summary = Summary.read(project.summary_path)  # with as many digits as every machine agrees on
    write_atomically(project.metrics_path, _metrics(summary))
    write_atomically(project.points_path, _points(summary))
    return summary


def _metrics(summary: Summary) -> bytes:
    chosen, front = summary.chosen, summary.fronts[0]
    values = {
        "accuracy": chosen.accuracy,
        "accuracy_se": chosen.accuracy_se,
        "stability": chosen.stability,
        "stability_se": chosen.stability_se,
        "dominance_area": front.area,
        "dominance_area_low": front.area_low,
        "dominance_area_high": front.area_high,
        "operating_point": chosen.label,
    }
    known = {name: value for name, value in values.items() if value == value}
    return (json.dumps(known, indent=1) + "\n").encode()


def _points(summary: Summary) -> bytes:
    columns = ["label", "stability", "accuracy", "stability_se", "accuracy_se", "kind", "on_front"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([getattr(point, column) for column in columns] for point in summary.points)
    return text.getvalue().encode("utf-8")


def report(project: Project) -> Path:
    """Write the HTML page of the study."""
    page = write_report(open_study(project), Summary.read(project.summary_path))
    _note_done(project, "report")
    return page


def write_report(study: Study, summary: Summary) -> Path:
    """Write the page of a study whose archive is there."""
    from fselect.reporting.page import write_page
    from fselect.study.chosen_measures import chosen_measures

    project = study.project
    measures = chosen_measures(summary.chosen.label, study.tasks, study.units, read_archive(project.archive_path))
    return write_page(summary, project.report_path, facts=facts(project) | {"measures": measures})


def track(project: Project) -> list[str]:
    """Log the study's points and fronts to MLflow, once."""
    from fselect.tracking import log_study

    summary = Summary.read(project.summary_path)
    runs = list(log_study(project, summary, facts=facts(project), page=_written_page(project)))
    _note_done(project, "track")
    return runs


def _written_page(project: Project) -> Path | None:
    """The page, if it was written of the summary as it is now."""
    note = _note(project, "report")
    current = note.is_file() and note.read_bytes() == _digest_of_summary(project)
    return project.report_path if current and project.report_path.is_file() else None


def _note_done(project: Project, step: str) -> None:
    """Leave the note that stands for a page or for tracked runs among the outputs of DVC's stages.

    It is kept with the local state: where that is lost, or in a fresh clone, the step is done again.
    """
    write_atomically(_note(project, step), _digest_of_summary(project))


def _note(project: Project, step: str) -> Path:
    return project.state_dir / "done" / project.config.study.name / f"{step}.json"


def _digest_of_summary(project: Project) -> bytes:
    digest = hashlib.blake2b(project.summary_path.read_bytes(), digest_size=16).hexdigest()
    return (json.dumps({"summary": digest}) + "\n").encode()


def facts(project: Project) -> dict[str, Any]:
    """Where the numbers come from: commit, data versions, configuration and package versions."""
    from fselect.study.provenance import provenance

    return provenance(project)


def run_study(project: Project, *, on_plan: Callable[[Study], Any] | None = None) -> Summary:
    """Tables, tasks, selection and evaluation in one go."""
    make_tasks(project)
    select(project, on_plan=on_plan)
    return evaluate(project)
