"""From the tables that a study file names to its ordered tasks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from fselect.datasets.bundled import dataset_catalogue, load_dataset
from fselect.datasets.dataset import Dataset
from fselect.datasets.limits import Limits, check_columns, check_size, check_task_name
from fselect.datasets.matrix_files import matrix_bytes
from fselect.datasets.tables import read_table
from fselect.datasets.tasks import noisy_tasks, tasks_from_column, tasks_from_tables
from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.study.project import Project

__all__ = ["build_tasks", "check_versioned_places", "materialise", "prior_files", "resolve"]


def bundled_names() -> list[str]:
    """The names of the bundled data sets."""
    return [entry.name for entry in dataset_catalogue()]


def is_bundled(source: str) -> bool:
    """Whether a source is the name of a bundled data set, not of a file."""
    return source in bundled_names() or source.startswith("openml:")


def resolve(source: str, project: Project) -> Path:
    """Find a table: in ``data/tables``, else from the project's root, else as an absolute path.

    Raises
    ------
    InputError
        If it is in none of these places.
    """
    if is_bundled(source):
        stem = project.tables_dir / source.replace(":", "-")
        matrix = stem.with_name(f"{stem.name}.npz")
        return matrix if matrix.is_file() else stem.with_name(f"{stem.name}.parquet")
    places = [project.tables_dir / source, project.root / source]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        there = next((place for place in places if place.is_symlink() or place.exists()), None)
        if there is not None:
            what = "is a folder" if there.is_dir() else f"leads to {there.readlink()}, which is not there"
            raise InputError(f"{there} {what}; name a table")
        raise InputError(
            f"no table {source!r} in {project.tables_dir} or {project.root}, "
            f"and no bundled data set of that name; bundled are {', '.join(bundled_names())}"
        )
    return found


def materialise(source: str, project: Project) -> Path:
    """Write a bundled data set as a table of the project, if it is not there; find any other table."""
    path = resolve(source, project)
    if is_bundled(source) and not path.is_file():
        dataset = load_dataset(source)
        target = str(dataset.recipe.get("target", "target"))
        if dataset.is_sparse:
            path = path.with_suffix(".npz")
            return write_atomically(path, matrix_bytes(dataset, target))
        buffer = io.BytesIO()
        dataset.frame(target).to_parquet(buffer, index=False)
        write_atomically(path, buffer.getvalue())
    return path


def prior_files(project: Project) -> list[Path]:
    """The file of the prior, if the study has one."""
    prior = project.config.selection.prior
    return [project.root / prior.file] if prior is not None and prior.file else []


def check_versioned_places(paths: Sequence[Path], project: Project) -> None:
    """Refuse files that DVC would not see change.

    Raises
    ------
    InputError
        Naming the first file outside ``data/tables``.
    """
    folder = project.tables_dir.resolve()
    for path in paths:
        if folder not in path.resolve().parents:
            raise InputError(
                f"{path} lies outside {folder}, where DVC cannot see it change; copy it there, "
                "or run the study without versions: fselect run"
            )


def build_tasks(project: Project) -> list[Dataset]:
    """Read the tables and make the ordered tasks of the study.

    Returns
    -------
    list of Dataset
        One for a single-task study.

    Raises
    ------
    InputError
        A table cannot be used, or is larger than ``limits`` allows.
    """
    limits = Limits(**project.config.limits.model_dump())
    paths = [resolve(source, project) for source in project.config.tasks.sources]
    for path in paths:
        check_size(path, limits)
    tasks = _ordered_tasks(project, paths)
    for task in tasks:
        check_task_name(task.name, limits)
    check_columns(tasks[0].names, paths[0].name, limits)
    return tasks


def _ordered_tasks(project: Project, paths: Sequence[Path]) -> list[Dataset]:
    config = project.config
    tasks, options = config.tasks, config.data
    if tasks.source == "files":
        return tasks_from_tables(paths, tasks.target, options=options)
    if tasks.source == "column":
        return tasks_from_column(paths[0], str(tasks.column), tasks.target, order=tasks.order, options=options)
    table = read_table(paths[0], tasks.target, options=options)
    if tasks.source == "table":
        return [table]
    return noisy_tasks(table, tasks.n_tasks, noise=tasks.noise, seed=config.study.seed)
