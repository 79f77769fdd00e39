"""Figures 2 and 3 of Cohen, Ruppin & Dror (2005) redone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fselect.reporting.static import new_figure, save_figure
from fselect.reproductions.cells import Results
from fselect.reproductions.contribution.power_law import power_law
from fselect.reproductions.contribution.settings import STUDIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_all"]

COLOURS = ("#1f5fa8", "#d9480f", "#1b8a6b", "#7048a8", "#8a8f98", "#b08900")


def draw_all(results: Mapping[str, Results], folder: Path) -> dict[str, Path]:
    """Draw what the results allow.

    Parameters
    ----------
    results : mapping of str to Results
        By study.
    folder : Path
        Where the PNG files go.

    Returns
    -------
    dict of str to Path
        Caption → file.

    Raises
    ------
    fselect.errors.MissingExtra
        If matplotlib is not installed.
    """
    drawn: dict[str, Path] = {}
    first = {study: rows[0] for study, one in results.items() if (rows := one.of("backward"))}
    if first:
        caption = "Figure 2: sizes of the contributions in the first round, first split"
        drawn[caption] = save_figure(_power_laws(first), folder / "figure-2.png")
    for study, one in results.items():
        searches = {column: one.of(column)[0] for column in ("forward", "backward") if one.of(column)}
        if searches:
            caption = f"Figure 3: the course of the searches on {STUDIES[study].title}, first split"
            drawn[caption] = save_figure(_courses(searches), folder / f"figure-3-{study}.png")
    return drawn


def _power_laws(first: Mapping[str, dict[str, Any]]) -> Figure:
    figure = new_figure(7.0, 4.6)
    axes = figure.subplots()
    for colour, (study, row) in zip(COLOURS, first.items(), strict=False):
        law = power_law(row["contributions"])
        zeros = row["zero_contributions"] + law.zeros
        label = f"{STUDIES[study].title} (slope {law.slope:.2f}; {zeros} zeros left out)"
        axes.plot(law.sizes, law.frequencies, "o", color=colour, markersize=4, label=label)
        axes.plot(law.sizes, law.slope * law.sizes + law.intercept, color=colour, linewidth=1)
    axes.set_xlabel("log10 of the contribution's size")
    axes.set_ylabel("log10 of its frequency")
    axes.legend(fontsize=7, frameon=False)
    return figure


def _courses(searches: Mapping[str, dict[str, Any]]) -> Figure:
    figure = new_figure(9.0, 4.0)
    parts = figure.subplots(1, len(searches), squeeze=False)[0]
    for axes, (column, row) in zip(parts, searches.items(), strict=True):
        _course(axes, row, column)
    return figure


def _course(axes: Axes, row: dict[str, Any], column: str) -> None:
    """Accuracies of the set after each round, and, by the axis on the right, the mean contribution of what it moved."""
    rounds = {name: np.array(values, dtype=float) for name, values in row["rounds"].items()}
    moved, right = np.cumsum(rounds["moved"]), axes.twinx()
    look: dict[str, Any] = {"marker": "o", "markersize": 3}  # a search may end after one round
    lines = axes.plot(moved, rounds["validation"], color=COLOURS[0], label="validation", **look)
    lines += axes.plot(moved, rounds["test"], color=COLOURS[1], label="test", **look)
    lines += right.plot(moved, rounds["contribution"], color=COLOURS[2], label="mean contribution (right)", **look)
    axes.set_title(column, fontsize=10)
    axes.set_xlabel("features selected" if column == "forward" else "features eliminated")
    axes.set_ylabel("accuracy")
    axes.legend(handles=lines, fontsize=7, frameon=False)
