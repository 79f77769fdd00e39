"""Finished units on disk, one file a unit, by key: what survives an interruption."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from fselect.errors import InputError
from fselect.files import write_atomically

__all__ = ["UnitStore"]


@dataclass(frozen=True)
class UnitStore:
    """A folder of finished units.

    A file appears whole or not at all, so whatever has a key's name is finished. Seconds and versions of the run are
    kept in the file's metadata, apart from the rows.

    Parameters
    ----------
    folder : Path
        The project's ``.fselect/store``.
    """

    folder: Path

    @property
    def arrays(self) -> Path:
        """Beside it, the tables as files that other processes map."""
        return self.folder.parent / "arrays"

    def scratch(self, key: str) -> Path:
        """A unit's own folder while it runs, for what is finished of it."""
        return self.folder.parent / "scratch" / key

    def history(self, key: str) -> Path:
        """The place of a unit's history, where its method has one."""
        return self.folder / key[:2] / f"{key}.history.parquet"

    def path(self, key: str) -> Path:
        """The place of a unit; 256 subfolders keep listings short."""
        return self.folder / key[:2] / f"{key}.arrow"

    def keys(self) -> set[str]:
        """The keys of all finished units."""
        if not self.folder.is_dir():
            return set()
        shelves = [shelf.path for shelf in os.scandir(self.folder) if shelf.is_dir()]
        names = (entry.name for shelf in shelves for entry in os.scandir(shelf))
        return {name.removesuffix(".arrow") for name in names if name.endswith(".arrow") and name[0] != "."}

    def write(self, key: str, rows: pa.Table, facts: dict[str, Any]) -> None:
        """Keep a finished unit, with facts about its run (seconds, date, versions), and the history that it left."""
        sink = pa.BufferOutputStream()
        noted = rows.replace_schema_metadata({"facts": json.dumps(facts)})
        with pa.ipc.new_file(sink, noted.schema) as writer:
            writer.write_table(noted)
        history = self.scratch(key) / "history.parquet"
        if history.is_file():
            write_atomically(self.history(key), history.read_bytes())
        write_atomically(self.path(key), sink.getvalue().to_pybytes())
        shutil.rmtree(self.scratch(key), ignore_errors=True)

    def read(self, key: str) -> tuple[pa.Table, dict[str, Any]] | None:
        """Rows and facts of a unit, or None if its file is missing or damaged (it is then run again).

        Raises
        ------
        InputError
            The file cannot be read now, for too many are open, say; it stays where it is.
        """
        try:
            with pa.OSFile(str(self.path(key)), "rb") as source, pa.ipc.open_file(source) as reader:
                table = reader.read_all()
        except FileNotFoundError:
            return None
        except pa.ArrowMemoryError:
            raise
        except (OSError, pa.ArrowException) as error:
            if getattr(error, "errno", None) is not None:  # of the system, and no word on the file's content
                raise InputError(f"cannot read the finished unit {self.path(key)}: {error}") from None
            self.path(key).unlink(missing_ok=True)
            return None
        facts = json.loads((table.schema.metadata or {}).get(b"facts", b"{}"))
        return table.replace_schema_metadata(None), facts

    def drop_leftovers(self) -> None:
        """Remove temporary files of writers that were killed."""
        for leftover in self._temporaries():
            leftover.unlink(missing_ok=True)

    def _temporaries(self) -> Iterable[Path]:
        return self.folder.glob("*/.*") if self.folder.is_dir() else ()
