"""What a registry knows of earlier tasks: their sets, their tables' versions, and which sets count as history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fselect.datasets.schema import Schema
from fselect.registry.documents import read_evidence, read_schema
from fselect.registry.moves import PROMOTED, ROLLED_BACK
from fselect.registry.versions import versions_of
from fselect.tracking import Store

__all__ = ["KnownTask", "Member", "history_of", "known_tasks", "members", "schema_of_version"]

_CUT = 5000
"""The tag of a set's names is no longer than this; one of that length may have been cut."""


@dataclass(frozen=True)
class KnownTask:
    """A table that has been a task: its task's name, its version there, and its content."""

    name: str
    version: int
    data_hash: str


@dataclass(frozen=True)
class Member:
    """A registered version, as later tasks see it.

    Parameters
    ----------
    version : int
        Number in the registry.
    task : str
        The task that the set was made for.
    task_version : int
        Which version of the task's table.
    data_hash : str
        Content of that table.
    promoted, rolled_back : bool
        Whether it has ever been champion, and whether that was taken back.
    made_with : tuple of int
        Versions whose sets the selection leaned towards.
    run_id : str
        The run whose set it is.
    decision : str or None
        What the gate said; None while it has not been asked.
    entity : mlflow.entities.model_registry.ModelVersion
        The version itself.
    """

    version: int
    task: str
    task_version: int
    data_hash: str
    promoted: bool
    rolled_back: bool
    made_with: tuple[int, ...]
    run_id: str
    decision: str | None
    entity: Any

    @property
    def counts(self) -> bool:
        """Whether later tasks lean towards it."""
        return self.promoted and not self.rolled_back


def members(store: Store, name: str) -> list[Member]:
    """List the versions of a name, oldest first; none if nothing is registered under it."""
    return [_member(version) for version in reversed(versions_of(store, name)) if "fselect.features" in version.tags]


def _member(version: Any) -> Member:
    tags = version.tags
    with_ = tags.get("fselect.made_with", "")
    return Member(
        version=int(version.version),
        task=tags.get("fselect.task") or tags.get("fselect.study", ""),
        task_version=int(tags.get("fselect.task_version", 1)),
        data_hash=tags.get("fselect.data_hash", ""),
        promoted=PROMOTED in tags,
        rolled_back=ROLLED_BACK in tags,
        made_with=tuple(int(word) for word in with_.replace(",", " ").split()),
        run_id=str(version.run_id),
        decision=tags.get("fselect.decision"),
        entity=version,
    )


def history_of(known: Sequence[Member], task: str) -> list[Member]:
    """Choose the sets that the selection of a task leans towards.

    Of each earlier task it is the set that was promoted last and not rolled back, in the order in which the tasks
    came. A task that came before, and comes again corrected, leans towards those before it only.

    Parameters
    ----------
    known : sequence of Member
        As `members` lists them.
    task : str
        The task that arrives.

    Returns
    -------
    list of Member
    """
    order = list(dict.fromkeys(member.task for member in known))
    earlier = order[: order.index(task)] if task in order else order
    newest = {member.task: member for member in known if member.counts}
    return [newest[name] for name in earlier if name in newest]


def features_of_member(store: Store, member: Member) -> tuple[str, ...]:
    """The set of a version: from its tag, or where that was cut from its files."""
    text = member.entity.tags.get("fselect.features", "")
    if len(text) < _CUT:
        return tuple(json.loads(text))
    return tuple(read_evidence(store, member.entity)["features"])


def known_tasks(store: Store, known: Sequence[Member]) -> list[KnownTask]:
    """List the tables that have been tasks, those of the first study too.

    Parameters
    ----------
    store : Store
        Where the versions are.
    known : sequence of Member
        As `members` lists them.

    Returns
    -------
    list of KnownTask
    """
    found = {(m.task, m.data_hash): KnownTask(m.task, m.task_version, m.data_hash) for m in known}
    for member in known:
        if member.entity.tags.get("fselect.arrival") is None:  # of a study, which has several tasks
            for task in read_evidence(store, member.entity).get("tasks", []):
                key = (task["name"], task["data_hash"])
                found.setdefault(key, KnownTask(task["name"], 1, task["data_hash"]))
    return list(found.values())


def schema_of_version(store: Store, member: Member) -> Schema | None:
    """The schema that a version was registered with; None of one from before there were schemas."""
    document = read_schema(store, member.entity)
    return None if document is None else Schema.from_dict(document)
