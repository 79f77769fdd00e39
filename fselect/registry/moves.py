"""Who is champion of a name, challenger and previous champion: moves of these aliases, each noted in a journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError
from fselect.registry.journal import Entry, note
from fselect.registry.versions import CHALLENGER, CHAMPION, PREVIOUS, check_name, find_version
from fselect.tracking import Store, open_store
from fselect.tracking.connection import store_lock

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Return", "Standing", "challenge", "crown", "rollback", "standing"]

PROMOTED, REPLACED, ROLLED_BACK = "fselect.promoted_at", "fselect.replaced", "fselect.rolled_back_at"


@dataclass(frozen=True)
class Standing:
    """The versions of a name that carry an alias."""

    champion: int | None = None
    previous: int | None = None
    challenger: int | None = None


@dataclass(frozen=True)
class Return:
    """What a rollback did: the version that is champion again, the one that was, and the one before the champion."""

    name: str
    version: int
    rolled_back: int
    previous: int | None


def standing(store: Store, name: str) -> Standing:
    """Tell who has which alias of a registered name."""
    aliases = dict(store.client.get_registered_model(name).aliases)
    numbers = {alias: int(version) for alias, version in aliases.items()}
    return Standing(numbers.get(CHAMPION), numbers.get(PREVIOUS), numbers.get(CHALLENGER))


def crown(store: Store, name: str, version: int, *, by_hand: bool, why: str = "") -> int | None:
    """Make a version the champion, and keep the one before as ``previous``; the store's lock is held by the caller.

    The aliases are moved last and in an order in which the step can be repeated: broken off anywhere, it is finished
    by doing it again.

    Returns
    -------
    int or None
        The champion that was replaced; of a version that is champion already, the previous one.
    """
    now = standing(store, name)
    if now.champion == version:
        return now.previous
    made = store.client.get_model_version(name, str(version))
    tags = {PROMOTED: _moment()} | ({} if now.champion is None else {REPLACED: str(now.champion)})
    for key, value in tags.items():
        store.client.set_model_version_tag(name, str(version), key, value)
    if ROLLED_BACK in made.tags:
        store.client.delete_model_version_tag(name, str(version), ROLLED_BACK)
    if now.champion is not None:
        store.client.set_registered_model_alias(name, PREVIOUS, str(now.champion))
    store.client.set_registered_model_alias(name, CHAMPION, str(version))
    if now.challenger == version:
        store.client.delete_registered_model_alias(name, CHALLENGER)
    action = "promoted by hand" if by_hand else "promoted by the gate"
    note(store, name, Entry.of(made, action, replaced=now.champion, why=why))
    return now.champion


def challenge(store: Store, name: str, version: int) -> None:
    """Make a version the challenger; the store's lock is held by the caller."""
    if standing(store, name).challenger == version:
        return
    store.client.set_registered_model_alias(name, CHALLENGER, str(version))
    note(store, name, Entry.of(store.client.get_model_version(name, str(version)), "registered as challenger"))


def rollback(project: Project, name: str, *, why: str = "") -> Return:
    """Make the previous champion of a name the champion again.

    The champion that is rolled back keeps its version, and counts no longer among the sets that later tasks lean
    towards. The one that was champion before the previous one becomes ``previous``, so that a second rollback goes
    one further back.

    Parameters
    ----------
    project : Project
        The project.
    name : str
        The registered name.
    why : str
        The reason, for the journal.

    Returns
    -------
    Return

    Raises
    ------
    InputError
        No such name, or no previous champion.
    """
    store = open_store(project)
    find_version(store, check_name(name))
    with store_lock(project.state_dir):
        now = standing(store, name)
        if now.champion is None or now.previous is None or now.previous == now.champion:
            raise InputError(
                f"{name!r} has no previous champion to go back to; fselect history {name!r} shows its moves"
            )
        return _go_back(store, name, now.champion, now.previous, why)


def _go_back(store: Store, name: str, champion: int, previous: int, why: str) -> Return:
    client = store.client
    client.set_model_version_tag(name, str(champion), ROLLED_BACK, _moment())
    before = _replaced(client.get_model_version(name, str(previous)))
    client.set_registered_model_alias(name, CHAMPION, str(previous))
    if before is None:
        client.delete_registered_model_alias(name, PREVIOUS)
    else:
        client.set_registered_model_alias(name, PREVIOUS, str(before))
    made = client.get_model_version(name, str(previous))
    note(store, name, Entry.of(made, "rolled back", replaced=champion, why=why))
    return Return(name, previous, champion, before)


def _replaced(version: Any) -> int | None:
    replaced = version.tags.get(REPLACED)
    return int(replaced) if replaced else None


def _moment() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
