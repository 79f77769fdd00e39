"""Who is champion of a name, challenger and previous champion: moves of these aliases, each noted in a journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from fselect.registry.journal import Entry, note
from fselect.registry.versions import CHALLENGER, CHAMPION, PREVIOUS
from fselect.tracking import Store

__all__ = ["PROMOTED", "REPLACED", "ROLLED_BACK", "Standing", "challenge", "crown", "moment", "standing"]

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
    action = "promoted by hand" if by_hand else "promoted by the gate"
    note(store, name, Entry.of(made, action, replaced=now.champion, why=why))
    return now.champion


def challenge(store: Store, name: str, version: int) -> None:
    """Make a version the challenger; the store's lock is held by the caller."""
    if standing(store, name).challenger == version:
        return
    store.client.set_registered_model_alias(name, CHALLENGER, str(version))
    note(store, name, Entry.of(store.client.get_model_version(name, str(version)), "registered as challenger"))


def moment() -> str:
    """Tell the time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
