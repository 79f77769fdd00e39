"""From a file to the tasks in it: those that are known already, and those that have arrived."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from fselect.datasets.columns import Table
from fselect.datasets.dataset import Dataset
from fselect.datasets.limits import Limits, check_columns, check_size, check_task_name
from fselect.datasets.preparation import prepare
from fselect.datasets.schema import Schema
from fselect.datasets.table_source import read_frame, source_name
from fselect.datasets.table_tasks import cut_by_column
from fselect.datasets.task_files import read_schema
from fselect.datasets.wording import shortened
from fselect.errors import InputError
from fselect.registry.ledger import KnownTask, Member, history_of, known_tasks, members, schema_of_version
from fselect.study.project import Project
from fselect.tracking import Store
from fselect.tracking.away import reaching

__all__ = ["Arrival", "Incoming", "Known", "Ledger", "limits_of", "open_ledger", "plain_name", "read", "recognise"]


@dataclass(frozen=True)
class Known:
    """A table that has been a task before: nothing is to be done.

    Parameters
    ----------
    task, task_version
        The task, and which version of its table it is.
    version : int or None
        The registered version of the set that was made for it; None for a task of the first study.
    """

    task: str
    task_version: int
    version: int | None

    @property
    def sentence(self) -> str:
        """What it is."""
        made = "a task of the first study" if self.version is None else f"version {self.version} was made for it"
        return f"it is {shortened(self.task)} v{self.task_version}: {made}"


@dataclass(frozen=True, eq=False)
class Incoming:
    """A table of a file.

    Parameters
    ----------
    table : Table
        As it was in the file; of a table with a task column, its own rows.
    data : Dataset
        The same, ready for selection.
    source : Path
        The file.
    whole : bool
        Whether the table is the whole file.
    """

    table: Table
    data: Dataset
    source: Path
    whole: bool


@dataclass(frozen=True, eq=False)
class Arrival:
    """A task that has arrived.

    Parameters
    ----------
    task : str
        Its name.
    task_version : int
        1, or for the corrected table of a task one more than before.
    incoming : Incoming
        Its table.
    history : tuple of Member
        The sets that the selection leans towards, in order of their tasks.
    champion : Member or None
        The set that is in use.
    """

    task: str
    task_version: int
    incoming: Incoming
    history: tuple[Member, ...]
    champion: Member | None

    @property
    def data(self) -> Dataset:
        """The table, ready for selection."""
        return self.incoming.data

    @property
    def label(self) -> str:
        """Task, version and the first digits of its content's hash: how runs are called."""
        return f"{shortened(self.task)} v{self.task_version} {self.data.content_hash[:8]}"

    @property
    def sources(self) -> list[str]:
        """The versions that the selection leans towards, each with task and table version."""
        return [f"version {member.version} ({member.task} v{member.task_version})" for member in self.history]


@dataclass(frozen=True)
class Ledger:
    """What the registry knows when tables arrive."""

    known: tuple[Member, ...]
    tasks: tuple[KnownTask, ...]
    schema: Schema | None
    champion: Member | None


def limits_of(project: Project) -> Limits:
    """The limits of the study file."""
    return Limits(**project.config.limits.model_dump())


def open_ledger(project: Project, store: Store) -> Ledger:
    """Read from the registry what is known of earlier tasks.

    Raises
    ------
    InputError
        The study file names no set to promote to, or the registry is away.
    """
    name = project.config.promotion.name
    if name is None:
        raise InputError("arrivals need a registered name for their sets: write promotion: {name: …} in params.yaml")
    with reaching(store):
        known = tuple(members(store, name))
        champion = _champion(store, name, known)
        newest = champion or (known[-1] if known else None)
        schema = schema_of_version(store, newest) if newest else None
        return Ledger(known, tuple(known_tasks(store, known)), schema or read_schema(project.tasks_dir), champion)


def _champion(store: Store, name: str, known: Sequence[Member]) -> Member | None:
    from fselect.registry.moves import standing

    if not known:
        return None
    number = standing(store, name).champion
    return next((member for member in known if member.version == number), None)


def read(project: Project, file: Path, ledger: Ledger) -> list[Incoming]:
    """Read the tables of a file: one, or with a task column one a value of it.

    Parameters
    ----------
    project : Project
        The project.
    file : Path
        A file that nobody changes; see `fselect.arrivals.incoming.snapshot`.
    ledger : Ledger
        What the registry knows.

    Returns
    -------
    list of Incoming

    Raises
    ------
    InputError
        The file cannot be read, is too large, or a table in it differs from the earlier ones.
    """
    tables = _tables(project, file)
    whole = _column(project) is None
    return [Incoming(table, _dataset(project, table, ledger.schema), file, whole) for table in tables]


def recognise(found: Incoming, ledger: Ledger) -> Known | Arrival:
    """Tell whether a table has been a task before, or arrives.

    A table is known by its content, not by its name: the same values, labels and column names under another file name
    are the same task. Another content under the name of a known task is a new version of it.

    Parameters
    ----------
    found : Incoming
        The table.
    ledger : Ledger
        What the registry knows now.

    Returns
    -------
    Known or Arrival
    """
    return _known(found.data, ledger) or _arrival(found, ledger)


def _tables(project: Project, file: Path) -> list[Table]:
    limits, config = limits_of(project), project.config
    check_size(file, limits)
    column = _column(project)
    name = source_name(str(config.tasks.table)) if column else source_name(str(file))
    frame = read_frame(str(file.resolve()), config.data.sheet)
    table = Table(frame, file.name, name).named_columns()
    check_columns(table.frame.columns, file.name, limits)
    tables = list(cut_by_column(table, column).values()) if column else [table]
    for one in tables:
        check_task_name(one.name, limits)
    return tables


def _column(project: Project) -> str | None:
    tasks = project.config.tasks
    return tasks.column if tasks.source == "column" else None


def _dataset(project: Project, table: Table, schema: Schema | None) -> Dataset:
    options = project.config.data
    column = _column(project)
    kept = options.model_copy(update={"drop": tuple(name for name in options.drop if name != column)})
    recipe: dict[str, Any] = {"source": table.label} | ({"task_column": column} if column else {})
    return prepare([table], project.config.tasks.target, kept, recipe, schema=schema)[0]


def _known(data: Dataset, ledger: Ledger) -> Known | None:
    found = next((task for task in ledger.tasks if task.data_hash == data.content_hash), None)
    if found is None:
        return None
    made = [member for member in ledger.known if member.data_hash == found.data_hash and member.task == found.name]
    if made and made[-1].decision is None and made[-1].entity.tags.get("fselect.arrival"):
        return None  # it was registered, and then the run broke off
    return Known(found.name, found.version, made[-1].version if made else None)


def _arrival(found: Incoming, ledger: Ledger) -> Arrival:
    mine = [one for one in ledger.known if one.data_hash == found.data.content_hash and one.decision is None]
    unfinished = mine[-1] if mine else None
    task = unfinished.task if unfinished else found.data.name
    versions = [known.version for known in ledger.tasks if known.name == task]
    version = unfinished.task_version if unfinished else max(versions, default=0) + 1
    history = tuple(history_of(ledger.known, task))
    return Arrival(task, version, found, history, ledger.champion)


def plain_name(name: str) -> str:
    """Make of any name one that is harmless as part of a path, different for different names.

    Examples
    --------
    >>> plain_name("may-2026"), plain_name("../../x")
    ('may-2026', 'x-55c35b3f')
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-.")[:40].strip("-.")
    if name and plain == name:
        return plain
    return f"{plain or 'task'}-{blake2b(name.encode(), digest_size=4).hexdigest()}"
