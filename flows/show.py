"""What a flow shows at its end, and where to look further."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from flows.markdown import code
from fselect.study.project import Project
from fselect.study.results import Point, Summary

__all__ = ["front_markdown", "near", "ui_command"]

HEADER = ("point", "accuracy", "stability", "on the front", "chosen")


def front_markdown(project: Project, summary: Summary) -> str:
    """The trade-off as a Markdown table, with the chosen set and a link to the page, for Prefect's UI."""
    points = [_row(point, chosen=point is summary.chosen) for point in summary.points]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [HEADER, ("---",) * len(HEADER), *points])
    chosen = summary.chosen
    return (
        f"# {summary.study}\n\n{table}\n\n"
        f"Chosen: {chosen.label}. {summary.reason}\n\nIts set: {', '.join(map(code, chosen.selected))}\n\n"
        f"[Report]({project.report_path.resolve().as_uri()})\n"
    )


def _row(point: Point, *, chosen: bool) -> tuple[str, ...]:
    return (
        point.label,
        f"{point.accuracy:.3f} ± {point.accuracy_se:.3f}",
        f"{point.stability:.3f} ± {point.stability_se:.3f}",
        "yes" if point.on_front else "",
        "chosen" if chosen else "",
    )


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
