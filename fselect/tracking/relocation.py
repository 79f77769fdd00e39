"""Let a project folder be moved or copied: MLflow notes absolute addresses of artifacts in its database."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

__all__ = ["relocate"]

# Where MLflow 3 keeps such addresses.
_PLACES = (
    ("runs", "artifact_uri"),
    ("logged_models", "artifact_location"),
    ("model_versions", "source"),
    ("model_versions", "storage_location"),
    ("experiments", "artifact_location"),
)


def relocate(database: Path, location: str) -> None:
    """Point a project's own store at the artifacts where they lie now.

    MLflow has no call for that, so it is done in the database; without it the runs of a moved folder would lose their
    files, and new ones would appear where the folder was before.

    Parameters
    ----------
    database : Path
        The project's SQLite file; nothing is done if it is not there.
    location : str
        Address of the project's artifact folder.
    """
    if not database.is_file():
        return
    # A database that cannot be changed is told by MLflow itself, with a better sentence.
    with suppress(sqlite3.Error), closing(sqlite3.connect(database, timeout=20)) as connection, connection:
        for former in _former(connection, location):
            _replace(connection, former, location)


def _former(connection: sqlite3.Connection, location: str) -> list[str]:
    query = "SELECT DISTINCT artifact_location FROM experiments WHERE artifact_location LIKE '%/.fselect/artifacts'"
    return [place for (place,) in connection.execute(query) if place != location]


def _replace(connection: sqlite3.Connection, former: str, location: str) -> None:
    there = len(former)
    for table, column in _PLACES:
        connection.execute(
            f"UPDATE {table} SET {column} = ? || substr({column}, ?) WHERE {column} = ? OR substr({column}, 1, ?) = ?",
            (location, there + 1, former, there + 1, f"{former}/"),
        )
