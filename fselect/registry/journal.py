"""The journal of a name: who moved which alias, when, from which run and data; nothing in it is ever rewritten."""

from __future__ import annotations

import getpass
import json
import secrets
import socket
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pandas as pd

from fselect.registry.versions import check_name, find_version
from fselect.tracking import Store, open_store

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Entry", "entries", "history", "note"]

_PREFIX = "fselect.journal."
_LONGEST = 2000


@dataclass(frozen=True)
class Entry:
    """One move.

    Parameters
    ----------
    at : str
        When, UTC.
    action : str
        ``registered as challenger``, ``refused by the gate``, ``promoted by the gate``, ``promoted by hand``,
        ``promoted by its study`` or ``rolled back``.
    version : int
        The version that it is about; of a rollback, the one that is champion again.
    replaced : int or None
        The version that was champion before.
    by : str
        User and machine.
    task, task_version : str or None
        The task that the set was made for, and its version.
    run_id, data_hash : str or None
        Where the set comes from.
    why : str
        The reason.
    """

    at: str
    action: str
    version: int
    replaced: int | None = None
    by: str = ""
    task: str | None = None
    task_version: str | None = None
    run_id: str | None = None
    data_hash: str | None = None
    why: str = ""

    @classmethod
    def of(cls, version: Any, action: str, *, replaced: int | None = None, why: str = "") -> Entry:
        """Make the entry of a move that is done now."""
        tags = version.tags
        return cls(
            at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            action=action,
            version=int(version.version),
            replaced=replaced,
            by=_who(),
            task=tags.get("fselect.task"),
            task_version=tags.get("fselect.task_version"),
            run_id=version.run_id,
            data_hash=tags.get("fselect.data_hash"),
            why=why[:_LONGEST],
        )


def note(store: Store, name: str, entry: Entry) -> None:
    """Write an entry; each has a tag of its own, so that two machines overwrite nothing of each other's."""
    key = f"{_PREFIX}{entry.at}-{secrets.token_hex(3)}"
    text = json.dumps({key: value for key, value in asdict(entry).items() if value not in (None, "")})
    store.client.set_registered_model_tag(name, key, text)


def entries(store: Store, name: str) -> list[dict[str, Any]]:
    """The entries of a name as they were written, oldest first."""
    tags = store.client.get_registered_model(name).tags
    rows = [json.loads(text) for key, text in tags.items() if key.startswith(_PREFIX)]
    return sorted(rows, key=lambda row: str(row["at"]))


def history(project: Project, name: str) -> pd.DataFrame:
    """Give the journal of a name, newest first.

    Parameters
    ----------
    project : Project
        The project.
    name : str
        The registered name.

    Returns
    -------
    DataFrame
        The columns of `Entry`, and ``made_with`` (the versions of this name whose sets the selection leaned towards)
        and ``outdated`` (which of their tasks have been corrected since).

    Raises
    ------
    InputError
        No such name.
    """
    store = open_store(project)
    find_version(store, check_name(name))
    rows = [_with_versions(store, name, row) for row in reversed(entries(store, name))]
    columns = [item.name for item in fields(Entry)] + ["made_with", "outdated"]
    frame = pd.DataFrame(rows, columns=columns, dtype=object)  # whole numbers stay whole beside gaps
    return frame.where(frame.notna(), None)


def _with_versions(store: Store, name: str, row: dict[str, Any]) -> dict[str, Any]:
    tags = store.client.get_model_version(name, str(row["version"])).tags
    return row | {"made_with": tags.get("fselect.made_with"), "outdated": tags.get("fselect.outdated")}


def _who() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        user = "unknown"
    return f"{user}@{socket.gethostname()}"
