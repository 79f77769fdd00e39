"""Rollback: the previous champion of a name is champion again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError
from fselect.registry.journal import Entry, note
from fselect.registry.moves import BACK, REPLACED, ROLLED_BACK, Standing, last_move, moment, standing
from fselect.registry.promotion import write_panel
from fselect.registry.versions import CHAMPION, PREVIOUS, check_name, find_version
from fselect.tracking import Store, open_store
from fselect.tracking.away import reaching
from fselect.tracking.connection import store_lock

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Return", "rollback"]


@dataclass(frozen=True)
class Return:
    """What a rollback did: the version that is champion again, the one that was, and the one before the champion."""

    name: str
    version: int
    rolled_back: int
    previous: int | None


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
    with store_lock(project.state_dir), reaching(store):
        now = standing(store, name)
        left = _broken_off(store, name, now)
        if left is not None and now.champion is not None:
            done = _end(store, name, now.champion, left, why)
        elif now.champion is None or now.previous in (None, now.champion):
            raise InputError(
                f"{name!r} has no previous champion to go back to; fselect history {name!r} shows its moves"
            )
        else:
            done = _go_back(store, name, now.champion, int(now.previous or 0), why)
    write_panel(project, store, name)
    return done


def _go_back(store: Store, name: str, champion: int, previous: int, why: str) -> Return:
    store.client.set_model_version_tag(name, str(champion), ROLLED_BACK, moment())
    store.client.set_registered_model_alias(name, CHAMPION, str(previous))
    return _end(store, name, previous, champion, why)


def _broken_off(store: Store, name: str, now: Standing) -> int | None:
    """The version of a rollback that broke off when the champion was moved: the journal has it as champion still."""
    last = last_move(store, name)
    if now.champion is None or now.previous != now.champion or last is None or last["version"] == now.champion:
        return None
    version = int(last["version"])
    return version if ROLLED_BACK in store.client.get_model_version(name, str(version)).tags else None


def _end(store: Store, name: str, version: int, rolled_back: int, why: str) -> Return:
    made = store.client.get_model_version(name, str(version))
    before = _replaced(made)
    if before is None:
        store.client.delete_registered_model_alias(name, PREVIOUS)
    else:
        store.client.set_registered_model_alias(name, PREVIOUS, str(before))
    note(store, name, Entry.of(made, BACK, replaced=rolled_back, why=why))
    return Return(name, version, rolled_back, before)


def _replaced(version: Any) -> int | None:
    replaced = version.tags.get(REPLACED)
    return int(replaced) if replaced else None
