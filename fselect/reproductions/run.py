"""Run a paper's studies on the tables that are there, and judge its claims by what has been run."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fselect.datasets.bundled import load_dataset
from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.reproductions.cells import QUICK_SPLITS, CellPaper, CellRun, CellStudy, Results
from fselect.reproductions.evidence import Finding
from fselect.reproductions.paper import Paper, Table
from fselect.stages import open_study, run_study
from fselect.study.lock import project_lock
from fselect.study.project import Project
from fselect.study.results import Summary

__all__ = ["Outcome", "Plan", "fetch_missing", "find_missing", "judge", "reproduce", "run_one"]

OnPlan = Callable[[Any], Any]


@dataclass(frozen=True)
class Plan:
    """What is to be reproduced, from which tables, into which folder.

    Parameters
    ----------
    paper : Paper or CellPaper
        The paper.
    data : Path
        The folder with the tables, under the names that the paper's file gives; not looked at where it reads none.
    folder : Path
        Where finished units, archives, summaries and the report go.
    only : tuple of str
        Studies to run; all by default.
    quick : bool
        Every other bias and few repeats; two splits.
    repeats : int or None
        Another number of repeats than the study files', or of splits.
    execution : mapping
        The section ``execution`` of a study file: where units run.
    slices : tuple of str
        Which cells to run only, of a paper that has slices.
    """

    paper: Paper | CellPaper
    data: Path
    folder: Path
    only: tuple[str, ...] = ()
    quick: bool = False
    repeats: int | None = None
    execution: Mapping[str, Any] = field(default_factory=dict)
    slices: tuple[str, ...] = ()

    @property
    def state_dir(self) -> Path:
        """Finished units and the lock."""
        return self.folder / ".fselect"

    def project(self, study: str) -> Project:
        """The study as a project in the folder."""
        assert isinstance(self.paper, Paper)
        options: dict[str, Any] = {"quick": self.quick, "repeats": self.repeats, "execution": self.execution}
        return Project(self.folder, self.paper.config(study, self.data, **options))

    def cell_run(self, study: str) -> CellRun:
        """The study of a paper of cells in the folder."""
        assert isinstance(self.paper, CellPaper)
        splits = min(QUICK_SPLITS, self.paper.splits[study]) if self.quick else self.paper.splits[study]
        return CellRun(self.paper, study, self.data, self.folder, self.repeats or splits, self.slices)

    def judged_run(self, study: str) -> CellRun:
        """What the claims are judged by: of a paper with slices all that the folder holds of the study."""
        run = self.cell_run(study)
        if run.paper.narrow is None:
            return run
        return replace(run, splits=max(run.splits, run.paper.splits[study]), slices=())

    def announced(self, study: str) -> str:
        """What is said of a study before it runs."""
        if isinstance(self.paper, CellPaper):
            run = self.cell_run(study)
            numbered = "" if self.slices else f"{run.splits} splits, "
            return f"{numbered}{len(run.pending())} cells to go"
        return f"{self.project(study).config.selection.repeats} repeats"

    def wanted(self) -> tuple[str, ...]:
        """The studies to run, in the paper's order.

        Raises
        ------
        InputError
            If a study or a slice is asked for that the paper does not have.
        """
        for study in self.only:
            self.paper.table_file(study)
        chosen = tuple(study for study in self.paper.studies if not self.only or study in self.only)
        if not self.slices:
            return chosen
        if not isinstance(self.paper, CellPaper):
            raise InputError(f"{self.paper.name} has no slices; choose its studies with --only")
        found = tuple(study for study in chosen if self.cell_run(study).cells())
        if not found:
            raise InputError(f"no cell is in the slice {' '.join(self.slices)} of the studies asked for")
        return found


@dataclass(frozen=True)
class Outcome:
    """Summaries and seconds of the studies that have been run, findings, the tables that were missing, and warnings.

    A summary is a `fselect.study.results.Summary`, or of a paper of cells a `fselect.reproductions.cells.Results`.
    """

    plan: Plan
    summaries: dict[str, Any]
    seconds: dict[str, float]
    findings: list[Finding]
    missing: dict[str, Table] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def find_missing(plan: Plan) -> dict[str, Table]:
    """The tables that studies to be run lack, by study.

    Raises
    ------
    InputError
        If the data folder is none, or a study or slice does not exist.
    """
    if not plan.paper.tables:
        plan.wanted()  # refused here
        return {}
    if not plan.data.is_dir():
        raise InputError(f"there is no folder {plan.data} with tables; name the one that holds them with --data")
    files = {study: plan.paper.table_file(study) for study in plan.wanted()}
    lacking = {study: file for study, file in files.items() if file and not (plan.data / file).is_file()}
    return {study: plan.paper.table(file) for study, file in lacking.items()}


def fetch_missing(missing: dict[str, Table], data: Path) -> None:
    """Get the missing tables that openml.org has, into the data folder.

    Raises
    ------
    InputError
        If openml.org cannot be reached, or has another table under that number.
    """
    for table in {table.file: table for table in missing.values() if table.openml is not None}.values():
        dataset = load_dataset(f"openml:{table.openml}")
        if dataset.n_features != table.n_features:
            raise InputError(
                f"openml:{table.openml} has {dataset.n_features} columns, not the {table.n_features} of {table.title}"
            )
        buffer = io.BytesIO()
        dataset.frame("target").to_parquet(buffer, index=False)
        write_atomically(data / table.file, buffer.getvalue())


def run_one(plan: Plan, study: str, on_plan: OnPlan | None = None) -> Summary | Results:
    """Run one study; its finished units are kept, and only what is missing is run.

    The caller holds the folder's lock.
    """
    if isinstance(plan.paper, CellPaper):
        run = plan.cell_run(study)
        left = tuple(run.pending().values())
        whole = CellStudy(tuple(run.cells()), left)
        return run.run(plan.execution, on_plan(whole) if on_plan else None)
    return run_study(plan.project(study), on_plan=on_plan)


def reproduce(plan: Plan, *, on_plan: OnPlan | None = None, said: Callable[[str], Any] = print) -> Outcome:
    """Run the studies whose tables are there, and judge the claims.

    Parameters
    ----------
    plan : Plan
        What and where.
    on_plan : callable, optional
        Given each study before its work starts; may return a function that is told of each finished unit.
    said : callable
        Told in a sentence what happens.

    Returns
    -------
    Outcome
        Also of studies that were run into this folder before.

    Raises
    ------
    InputError
        If a study does not exist, or its table cannot be used.
    """
    missing = find_missing(plan)
    for study, table in missing.items():
        said(f"{study}: not run, there is no {table.file} in {plan.data}")
    with project_lock(plan.state_dir):
        for study in plan.wanted():
            if study not in missing:
                said(f"{study}: {plan.announced(study)}")
                run_one(plan, study, on_plan)
        return judge(plan, missing)


def judge(plan: Plan, missing: dict[str, Table] | None = None) -> Outcome:
    """Judge the claims by the summaries that the folder holds."""
    if isinstance(plan.paper, CellPaper):
        return _judged_cells(plan, plan.paper, missing or {})
    projects = {study: plan.project(study) for study in plan.paper.studies}
    found = {study: project for study, project in projects.items() if project.summary_path.is_file()}
    summaries = {study: Summary.read(project.summary_path) for study, project in found.items()}
    seconds = {study: _seconds(project, summaries[study]) for study, project in found.items()}
    lacking = missing or {}
    findings = [_explained(finding, lacking) for finding in plan.paper.claims(summaries)]
    return Outcome(plan, summaries, seconds, findings, lacking, _other_tables(plan.paper, summaries))


def _judged_cells(plan: Plan, paper: CellPaper, missing: dict[str, Table]) -> Outcome:
    files = {study: paper.table_file(study) for study in paper.studies}
    there = [study for study, file in files.items() if not file or (plan.data / file).is_file()]
    results = {study: plan.judged_run(study).results() for study in there}
    found = {study: one for study, one in results.items() if one.rows}
    seconds = {study: one.seconds for study, one in found.items()}
    findings = [_explained(finding, missing) for finding in paper.claims(found)]
    return Outcome(plan, found, seconds, findings, missing)


def _other_tables(paper: Paper, summaries: Mapping[str, Summary]) -> tuple[str, ...]:
    """Say of a table that it is not the paper's by its size: findings on it are none about the paper."""
    sizes = {paper.study_values(study)["tasks"]["table"]: summary.tasks[0] for study, summary in summaries.items()}
    return tuple(
        f"{file} has {task.n_samples} rows and {task.n_features} columns, not the {table.n_samples} and "
        f"{table.n_features} of {table.title}: what was found on it says nothing about the paper"
        for file, task in sizes.items()
        if (task.n_samples, task.n_features) != ((table := paper.table(file)).n_samples, table.n_features)
    )


def _seconds(project: Project, summary: Summary) -> float:
    """What the units of the summary took, added up over workers."""
    repeats = min(point.repeats for point in summary.points)
    selection = project.config.selection.model_copy(update={"repeats": repeats})
    study = open_study(replace(project, config=project.config.model_copy(update={"selection": selection})))
    kept = (study.store.read(unit.key) for unit in study.units)
    return sum(float(found[1].get("seconds", 0.0)) for found in kept if found is not None)


def _explained(finding: Finding, missing: dict[str, Table]) -> Finding:
    """Name the missing table where that is why a claim was not tested."""
    if finding.verdict != "not tested" or "not run" not in finding.reason:
        return finding
    for table in missing.values():
        if table.title.partition(":")[0] in finding.data:
            return replace(finding, reason=f"there is no {table.file} in the data folder")
    return finding
