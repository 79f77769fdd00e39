"""A study's outcome on a terminal: the trade-off as a table, the chosen set, and what to do next."""

from __future__ import annotations

import math
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fselect.study.results import Front, Point, Summary

__all__ = ["answer", "front_table", "print_summary"]

SHOWN = 40
"""Features of the chosen set that are printed; the report has all."""


def front_table(summary: Summary) -> Table:
    """The points of the study, Pareto-optimal ones marked."""
    table = Table(title=f"Accuracy and stability of {escape(summary.study)}", title_justify="left")
    for name in ("point", "accuracy", "stability", "ROC AUC"):
        table.add_column(name, justify="left" if name == "point" else "right", no_wrap=True)
    table.add_column("")
    for place, point in enumerate(summary.points):
        table.add_row(*_cells(point), _remark(summary, place), style="bold" if point.on_front else "")
    return table


def _cells(point: Point) -> tuple[str, ...]:
    return (
        point.label,
        _with_error(point.accuracy, point.accuracy_se),
        _with_error(point.stability, point.stability_se),
        "–" if math.isnan(point.roc_auc) else f"{point.roc_auc:.3f}",
    )


def _with_error(value: float, error: float) -> str:
    return f"{value:.3f}" if math.isnan(error) else f"{value:.3f} ± {error:.3f}"


def _remark(summary: Summary, place: int) -> str:
    point = summary.points[place]
    marks = [
        ("chosen", place == summary.operating_point),
        ("on the front", point.on_front),
        ("trivial strategy", point.kind == "trivial"),
    ]
    return ", ".join(mark for mark, holds in marks if holds)


def area_line(front: Front, level: float) -> str:
    """The dominance area with its interval, in a sentence."""
    if math.isnan(front.area_low):
        return f"Dominance area of the {front.label}: {front.area:.3f}"
    span = f"[{front.area_low:.3f}, {front.area_high:.3f}]"
    return f"Dominance area of the {front.label}: {front.area:.3f}, {level:.0%} interval {span}"


def print_summary(summary: Summary, console: Console, *, report: Path | None = None, ui: str | None = None) -> None:
    """Print the trade-off, the chosen set, where the report lies, and how to open the tracking UI.

    Parameters
    ----------
    summary : Summary
        The study.
    console : rich.console.Console
        Where to print.
    report : Path, optional
        The HTML page.
    ui : str, optional
        The command that opens the MLflow UI.
    """
    chosen = summary.chosen
    console.print(front_table(summary))
    for front in summary.fronts:
        console.print(area_line(front, summary.level), markup=False)
    console.print(f"Chosen: {chosen.label}. {summary.reason}", markup=False)
    size = len(chosen.selected)
    said = f"Its set ({size} features, share of bootstraps that select each):" if size else "Its set is empty."
    console.print(said)
    for name in chosen.selected[:SHOWN]:
        console.print(f"  {name}  {chosen.frequencies.get(name, 0.0):.2f}", markup=False, highlight=False)
    if len(chosen.selected) > SHOWN:
        console.print(f"  … and {len(chosen.selected) - SHOWN} more")
    if report is not None:
        console.print(f"Report: {report}", markup=False, soft_wrap=True)
    if ui is not None:
        console.print(f"MLflow UI: {ui}", markup=False, soft_wrap=True)


def answer(summary: Summary) -> dict[str, object]:
    """The outcome as plain values, for ``--json``."""
    chosen, front = summary.chosen, summary.fronts[0]
    numbers = {
        "accuracy": chosen.accuracy,
        "accuracy_se": chosen.accuracy_se,
        "stability": chosen.stability,
        "stability_se": chosen.stability_se,
        "dominance_area": front.area,
        "dominance_area_low": front.area_low,
        "dominance_area_high": front.area_high,
    }
    return {
        "study": summary.study,
        "point": chosen.label,
        "reason": summary.reason,
        "selected": list(chosen.selected),
        "frequencies": {name: chosen.frequencies.get(name, 0.0) for name in chosen.selected},
        **{name: None if math.isnan(value) else value for name, value in numbers.items()},
        "points": [
            {"label": one.label, "accuracy": one.accuracy, "stability": one.stability, "on_front": one.on_front}
            for one in summary.points
        ],
    }
