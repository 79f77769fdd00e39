"""Challengers in the registry: a version with that alias, what the gate said of it, and what a correction outdates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fselect.registry.documents import read_evidence
from fselect.registry.journal import Entry, entries, note
from fselect.registry.ledger import Member, members
from fselect.registry.moves import challenge
from fselect.registry.registration import candidate, new_version
from fselect.registry.versions import check_name
from fselect.tracking import Store
from fselect.tracking.connection import store_lock

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Decided", "mark_outdated", "note_decision", "register_challenger"]


@dataclass(frozen=True)
class Decided:
    """A version with its evidence, as the gate sees it."""

    name: str
    version: Any
    evidence: Mapping[str, Any]

    @classmethod
    def read(cls, store: Store, name: str, version: int) -> Decided:
        """Read it from the registry."""
        entity = store.client.get_model_version(name, str(version))
        return cls(name, entity, read_evidence(store, entity))


def register_challenger(project: Project, store: Store, run: str, name: str, extra: Mapping[str, Any]) -> int:
    """Register the set of a run as a version with the alias ``challenger``, once.

    Parameters
    ----------
    project : Project
        The project.
    store : Store
        Where.
    run : str
        The id of the run.
    name : str
        Name to register under.
    extra : mapping
        What stands in its evidence besides: the task, what it was made with, and the comparison.

    Returns
    -------
    int
        The version.
    """
    chosen = candidate(store, store.client.get_run(run), extra)
    with store_lock(project.state_dir):
        before = [member for member in members(store, check_name(name)) if _same(member, chosen.evidence, run)]
        version = before[-1].version if before else new_version(store, chosen, name)
        challenge(store, name, version)
    return version


def _same(member: Member, evidence: Mapping[str, Any], run: str) -> bool:
    return member.run_id == run and member.data_hash == evidence["data_hash"] and member.decision is None


def note_decision(store: Store, found: Decided, outcome: str, text: str) -> None:
    """Write what the gate said on the version and on its run, last of all: a version without it is not finished."""
    number, run = str(found.version.version), found.version.run_id
    if outcome != "promoted":
        entry = Entry.of(
            found.version, "refused by the gate" if outcome == "refused" else "passed by the gate", why=text
        )
        _note_once(store, found.name, entry)
    for key, value in {"fselect.reasons": text[:4000], "fselect.decision": outcome}.items():
        if run:
            store.client.set_tag(run, key, value)
        store.client.set_model_version_tag(found.name, number, key, value)


def _note_once(store: Store, name: str, entry: Entry) -> None:
    """Write an entry, unless a decision that was broken off has written it."""
    of_version = [row for row in entries(store, name) if row.get("version") == entry.version]
    if not of_version or of_version[-1].get("action") != entry.action:
        note(store, name, entry)


def mark_outdated(store: Store, name: str, task: str, task_version: int, known: Sequence[Member]) -> list[int]:
    """Say of the versions that lean towards an older table of a task that it has been corrected.

    Returns
    -------
    list of int
        These versions.
    """
    older = {member.version for member in known if member.task == task and member.task_version < task_version}
    found = [member for member in known if older & set(member.made_with)]
    for member in found:
        text = f"made with {task} v{_used(member, known, task)}, of which there is v{task_version}"
        store.client.set_model_version_tag(name, str(member.version), "fselect.outdated", text)
        store.client.set_tag(member.run_id, "fselect.outdated", text)
    return [member.version for member in found]


def _used(member: Member, known: Sequence[Member], task: str) -> int:
    return next(one.task_version for one in known if one.version in member.made_with and one.task == task)
