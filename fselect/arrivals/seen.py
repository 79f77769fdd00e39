"""What has been said of the files of a watched folder: each table is told of once, and read once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from fselect.arrivals.incoming import signature
from fselect.files import write_atomically
from fselect.study.project import Project

__all__ = ["Seen"]


@dataclass
class Seen:
    """Files by place, with the size and date that they had and what became of them.

    It saves reading again what was read before, and is no more than that: the registry knows which tables have been
    tasks, and where this file is lost each table is read once more and found there.

    Parameters
    ----------
    path : Path
        Where it is kept.
    scope : str
        Registry and name that it is about; what was seen for another does not count.
    entries : dict
        What was seen.
    """

    path: Path
    scope: str
    entries: dict[str, list[object]] = field(default_factory=dict)

    @classmethod
    def open(cls, project: Project) -> Seen:
        """Read what was seen in a project."""
        path = project.state_dir / "arrivals" / "seen.json"
        # The rules of a study are part of it: a table that did not fit may fit when they are changed.
        config = project.config
        scope = f"{project.tracking_uri} {config.promotion.name} {config.limits} {config.data} {config.tasks}"
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            entries = known["files"] if known["scope"] == scope else {}
        except (OSError, ValueError, KeyError, TypeError):
            entries = {}
        return cls(path, scope, entries)

    def said(self, file: Path) -> str | None:
        """What became of a file, if it is as it was then."""
        entry = self.entries.get(str(file))
        found = signature(file)
        return str(entry[1]) if entry and found and entry[0] == list(found) else None

    def note(self, file: Path, outcome: str) -> None:
        """Keep what became of a file."""
        self.entries[str(file)] = [list(signature(file) or ()), outcome]
        text = json.dumps({"scope": self.scope, "files": self.entries}, indent=1, ensure_ascii=False)
        write_atomically(self.path, text.encode("utf-8", "backslashreplace"))
