"""Where to look further at the end of a flow, as the user sees it from where they are."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from fselect.study.project import Project

__all__ = ["near", "ui_command"]


def near(path: Path) -> Path:
    """The path as seen from the current folder, where that is shorter."""
    return Path(min(str(path), os.path.relpath(path), key=len))


def ui_command(project: Project) -> str:
    """The command that opens the MLflow UI on a project, as the user's shell understands it where it is now."""
    activated = os.environ.get("VIRTUAL_ENV") == sys.prefix
    fselect = Path("fselect") if activated else Path(sys.prefix) / "bin" / "fselect"
    if Path.cwd().is_relative_to(project.root):
        return f"{fselect if activated else near(fselect)} ui"
    return f"cd {shlex.quote(str(project.root))} && {fselect} ui"
