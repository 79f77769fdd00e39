"""Who is champion of a name, challenger and previous champion: moves of these aliases, each noted in a journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fselect.registry.journal import Entry, entries, note
from fselect.registry.versions import CHALLENGER, CHAMPION, PREVIOUS
from fselect.tracking import Store

__all__ = [
    "BACK",
    "BY_GATE",
    "BY_HAND",
    "BY_STUDY",
    "PROMOTED",
    "REPLACED",
    "ROLLED_BACK",
    "Standing",
    "challenge",
    "crown",
    "is_settled",
    "last_move",
    "moment",
    "standing",
]

BY_GATE, BY_HAND, BY_STUDY = "promoted by the gate", "promoted by hand", "promoted by its study"
"""Who made a version the champion, as the journal says it."""

BACK, CHALLENGED = "rolled back", "registered as challenger"
"""The journal's other moves of an alias."""

PROMOTED, REPLACED, ROLLED_BACK = "fselect.promoted_at", "fselect.replaced", "fselect.rolled_back_at"


@dataclass(frozen=True)
class Standing:
    """The versions of a name that carry an alias."""

    champion: int | None = None
    previous: int | None = None
    challenger: int | None = None


def standing(store: Store, name: str) -> Standing:
    """Tell who has which alias of a registered name."""
    aliases = dict(store.client.get_registered_model(name).aliases)
    numbers = {alias: int(version) for alias, version in aliases.items()}
    return Standing(numbers.get(CHAMPION), numbers.get(PREVIOUS), numbers.get(CHALLENGER))


def crown(store: Store, name: str, version: int, *, action: str = BY_HAND, why: str = "") -> int | None:
    """Make a version the champion, and keep the one before as ``previous``; the store's lock is held by the caller.

    The aliases are moved last and in an order in which the step can be repeated: broken off anywhere, it is finished
    by doing it again.

    Returns
    -------
    int or None
        The champion that was replaced; of a version that is champion already, the previous one.
    """
    now = standing(store, name)
    made = store.client.get_model_version(name, str(version))
    if now.champion == version:
        if now.challenger == version:
            store.client.delete_registered_model_alias(name, CHALLENGER)
        last = last_move(store, name)
        if last is None or last["version"] != version:  # it broke off before it was noted
            note(store, name, Entry.of(made, action, replaced=now.previous, why=why))
        return now.previous
    tags = {PROMOTED: moment()} | ({} if now.champion is None else {REPLACED: str(now.champion)})
    for key, value in tags.items():
        store.client.set_model_version_tag(name, str(version), key, value)
    if ROLLED_BACK in made.tags:
        store.client.delete_model_version_tag(name, str(version), ROLLED_BACK)
    if now.champion is not None:
        store.client.set_registered_model_alias(name, PREVIOUS, str(now.champion))
    store.client.set_registered_model_alias(name, CHAMPION, str(version))
    if now.challenger == version:
        store.client.delete_registered_model_alias(name, CHALLENGER)
    note(store, name, Entry.of(made, action, replaced=now.champion, why=why))
    return now.champion


def is_settled(store: Store, name: str, version: int) -> bool:
    """Tell whether a version is champion and the journal says so: crowning it would change nothing."""
    last = last_move(store, name)
    return standing(store, name).champion == version and last is not None and last["version"] == version


def challenge(store: Store, name: str, version: int) -> None:
    """Make a version the challenger; the store's lock is held by the caller."""
    if standing(store, name).challenger != version:
        store.client.set_registered_model_alias(name, CHALLENGER, str(version))
    if (version, CHALLENGED) not in {(entry["version"], entry["action"]) for entry in entries(store, name)}:
        note(store, name, Entry.of(store.client.get_model_version(name, str(version)), CHALLENGED))


def last_move(store: Store, name: str) -> dict[str, Any] | None:
    """The journal's entry of how the champion came to be one; None if nothing is noted."""
    moves = [entry for entry in entries(store, name) if entry["action"] in (BY_GATE, BY_HAND, BY_STUDY, BACK)]
    return moves[-1] if moves else None


def moment() -> str:
    """Tell the time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
