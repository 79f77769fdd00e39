"""What is done with a task that has arrived: its table is versioned, its study laid out, run and summarised."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from fselect.arrivals.comparison import compare
from fselect.arrivals.task import Arrival, plain_name
from fselect.datasets.shared_arrays import share
from fselect.datasets.task_files import write_tasks
from fselect.errors import InputError
from fselect.files import write_atomically, writing_atomically
from fselect.registry.ledger import features_of_member
from fselect.stages import Study
from fselect.study.plan import make_arrival_plan
from fselect.study.project import Project
from fselect.study.results import Summary
from fselect.study.summary import summarise
from fselect.tracking import Store
from fselect.tracking.away import reaching
from fselect.versioning import content_hash, default_remote, dvc_add, dvc_hash, dvc_root, run_dvc

__all__ = ["Worked", "arrival_project", "keep", "measure", "prepare"]


@dataclass(frozen=True, eq=False)
class Worked:
    """A task that was selected from and measured.

    Parameters
    ----------
    study : Study
        Its selections, finished.
    summary : Summary
        Points, front and operating point.
    comparison : mapping
        What the champion's set and the unbiased selection gave on the same bootstraps.
    """

    study: Study
    summary: Summary
    comparison: Mapping[str, Any]

    @property
    def project(self) -> Project:
        """The arrival's own, with places for its results."""
        return self.study.project


def keep(project: Project, arrival: Arrival) -> Path:
    """Put the table of a task into ``data/arrivals``, under DVC, and send it to the DVC remote where there is one.

    Each version of a task's table has a file of its own, which is never written again.

    Parameters
    ----------
    project : Project
        The project.
    arrival : Arrival
        The task.

    Returns
    -------
    Path
        The file; beside it lies its ``.dvc`` file.

    Raises
    ------
    InputError
        The project is not set up for DVC, or DVC refuses.
    """
    root = dvc_root(project.root)
    if root is None:
        raise InputError(f"{project.root} is not set up for DVC, which versions the tables: run `git init`, `dvc init`")
    path = _place(project, arrival)
    if _put(arrival, path) or dvc_hash(path, root) is None:
        dvc_add([path], root)
    _push(path, root)
    return path


def _place(project: Project, arrival: Arrival) -> Path:
    suffixes = "".join(arrival.incoming.source.suffixes[-2:]).lower() if arrival.incoming.whole else ".csv"
    ending = (
        suffixes
        if suffixes in (".csv.gz", ".tsv.gz", ".csv.bz2", ".csv.xz")
        else arrival.incoming.source.suffix.lower()
    )
    folder = project.root / "data" / "arrivals" / plain_name(arrival.task)
    return folder / f"{arrival.task_version}{ending if arrival.incoming.whole else '.csv'}"


def _put(arrival: Arrival, path: Path) -> bool:
    """Write the table where it is not there already; an earlier run may have broken off before it was registered."""
    if not arrival.incoming.whole:
        text = io.StringIO()
        arrival.incoming.table.frame.to_csv(text, index=False)
        content = text.getvalue().encode("utf-8")
        if path.is_file() and path.read_bytes() == content:
            return False
        write_atomically(path, content)
        return True
    if path.is_file() and content_hash(path) == content_hash(arrival.incoming.source):
        return False
    with arrival.incoming.source.open("rb") as source, writing_atomically(path) as file:
        shutil.copyfileobj(source, file)
    return True


def _push(path: Path, root: Path) -> None:
    if default_remote(root) is not None:
        run_dvc(["push", f"{path}.dvc"], root)


def arrival_project(project: Project, arrival: Arrival) -> Project:
    """Give an arrival places of its own, in the same folder: it is a study of one task.

    Its name is made of the study's and the task's, with nothing in it that could be a path or markup.
    """
    study = project.config.study
    name = f"{study.name[:32]}-{plain_name(arrival.task)[:36]}-v{arrival.task_version}"
    own = study.model_copy(update={"name": name, "protocol": "arrival"})
    return Project(project.root, project.config.model_copy(update={"study": own}), project.results)


def prepare(project: Project, arrival: Arrival, store: Store) -> Study:
    """Lay out the selections of an arrival: the study's strengths, the champion's set as it is, and no bias.

    Parameters
    ----------
    project : Project
        The project.
    arrival : Arrival
        The task.
    store : Store
        Where the promoted sets are.

    Returns
    -------
    Study
        Its `pending` units are still to be run.

    Raises
    ------
    InputError
        The promoted sets do not fit the table, or too many features are asked for.
    """
    own = arrival_project(project, arrival)
    with reaching(store):
        history = [features_of_member(store, member) for member in arrival.history]
        champion = features_of_member(store, arrival.champion) if arrival.champion else ()
    units = make_arrival_plan(own.config, arrival.data, history, champion)
    study = Study(own, [arrival.data], units)
    write_tasks([arrival.data], own.tasks_dir)
    share(arrival.data, study.store.arrays)  # as all workers map it
    return study


def measure(study: Study, arrival: Arrival) -> Worked:
    """Collect the finished selections, summarise them, and compare the chosen one.

    Parameters
    ----------
    study : Study
        As `prepare` laid it out, its units run.
    arrival : Arrival
        The task.

    Returns
    -------
    Worked
    """
    own = study.project
    archive: pa.Table = study.collect()
    summarise(own.config, study.tasks, study.units, archive).write(own.summary_path)
    summary = Summary.read(own.summary_path)
    return Worked(study, summary, compare(summary, study.units, archive, arrival))
