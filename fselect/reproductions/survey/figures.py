"""Figures 3 and 4 of Molina, Belanche & Nebot (2002) redone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fselect.reporting.static import new_figure, save_figure
from fselect.reproductions.cells import Results
from fselect.reproductions.survey.scores import complete_problems, described, score_table
from fselect.reproductions.survey.settings import ALGORITHMS, CUTS, FAMILIES, GROUPS, STUDIES, WEIGHTINGS, WEIGHTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_all"]

COLOURS = dict(
    zip(
        ALGORITHMS,
        ("#8a8f98", "#d9480f", "#1b8a6b", "#1f5fa8", "#74b3e8", "#b08900", "#7048a8", "#c2255c", "#c08ae0", "#2b2b2b"),
        strict=True,
    )
)
SIZES = ("#1f5fa8", "#1b8a6b", "#d9480f", "#7048a8")

ABSCISSAE = {
    "irrelevance": "irrelevant features a relevant one",
    "redundance": "redundant features a relevant one",
    "sample-size": "size of the sample, k",
}


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
    table = score_table(results)
    drawn: dict[str, Path] = {}
    if not _one_family(table, "irrelevance", "parity", "c-sbg").empty:
        caption = "Figure 3a: C-SBG on Parity against irrelevance, for both weights of the score"
        drawn[caption] = save_figure(_figure_3a(table), folder / "figure-3a.png")
    if any(not _one_family(table, "sample-size", family, "w-sbg").empty for family in FAMILIES):
        caption = "Figure 3b: W-SBG against the sample's size (the paper's family is lost); hollow: time ran out"
        drawn[caption] = save_figure(_figure_3b(table), folder / "figure-3b.png")
    for weights in WEIGHTS:
        drawn |= _figures_4(table, weights, folder)
    return drawn


def _figures_4(table: pd.DataFrame, weights: str, folder: Path) -> dict[str, Path]:
    """All ten on the problems that they completed; and those that completed all twelve, where that is other."""
    stem, drawn = weights.replace(":", "-"), {}
    if any(complete_problems(table, group) for group in GROUPS):
        caption = f"Figure 4: mean score on the problems that all ten completed, weights {weights}"
        drawn[caption] = save_figure(_figure_4(table, weights, tuple(ALGORITHMS)), folder / f"figure-4-{stem}.png")
    through = tuple(one for one in ALGORITHMS if all(len(complete_problems(table, g, [one])) == 12 for g in GROUPS))
    if through and len(through) < len(ALGORITHMS):
        caption = f"Figure 4 of the algorithms that completed all twelve problems, weights {weights}"
        drawn[caption] = save_figure(_figure_4(table, weights, through), folder / f"figure-4-all-problems-{stem}.png")
    return drawn


def _one_family(table: pd.DataFrame, group: str, family: str, algorithm: str) -> pd.DataFrame:
    part = table[(table["group"] == group) & (table["family"] == family)]
    return part[(part["algorithm"] == algorithm) & (part["cut"] == CUTS[0])]


def _figure_3a(table: pd.DataFrame) -> Figure:
    figure = new_figure(9.0, 3.8)
    part = _one_family(table, "irrelevance", "parity", "c-sbg")
    for axes, weights in zip(figure.subplots(1, len(WEIGHTS), sharey=True), WEIGHTS, strict=True):
        _lines_by_size(axes, part, weights)
        axes.set_title(f"C-SBG, Parity, weights {weights}", fontsize=10)
        _frame(axes, "irrelevance")
    return figure


def _figure_3b(table: pd.DataFrame) -> Figure:
    figure = new_figure(11.0, 3.8)
    for axes, family in zip(figure.subplots(1, len(FAMILIES), sharey=True), FAMILIES, strict=True):
        part = _one_family(table, "sample-size", family, "w-sbg")
        if not part.empty:
            _lines_by_size(axes, part, "3:2:1")
        axes.set_title(f"W-SBG, {family}, {'no cells yet' if part.empty else 'weights 3:2:1'}", fontsize=10)
        _frame(axes, "sample-size")
    return figure


def _lines_by_size(axes: Axes, part: pd.DataFrame, weights: str) -> None:
    for colour, (size, mine) in zip(SIZES, part.groupby("n_relevant"), strict=False):
        label = f"{size} relevant ({mine['run'].nunique()} runs)"
        means = mine.groupby("ratio")[weights].mean()
        axes.plot(means.index, means, color=colour, label=label, linewidth=1.4)
        _mark(axes, mine, means, colour)
    axes.legend(fontsize=7, frameon=False)


def _mark(axes: Axes, part: pd.DataFrame, means: pd.Series, colour: str) -> None:
    """Dots; hollow where a cell ran out of its time."""
    ran_out = part.groupby("ratio")["stopped"].agg(lambda stopped: bool((stopped != "complete").any()))
    for ratio, mean, hollow in zip(means.index, means, ran_out.reindex(means.index), strict=True):
        axes.plot(ratio, mean, "o", color=colour, markerfacecolor="white" if hollow else colour, markersize=4)


def _frame(axes: Axes, group: str) -> None:
    axes.set_xlabel(ABSCISSAE[group], fontsize=9)
    axes.set_ylim(-0.02, 1.03)
    axes.axhline(0.5, color="#cccccc", linewidth=0.7, zorder=0)
    axes.tick_params(labelsize=8)


def _figure_4(table: pd.DataFrame, weights: str, algorithms: Sequence[str]) -> Figure:
    figure = new_figure(9.0, 12.5)
    for axes, group in zip(figure.subplots(len(GROUPS), 1), GROUPS, strict=True):
        studies = complete_problems(table, group, algorithms)
        axes.set_title(f"{group}: {described(studies)}" if studies else f"{group}: no problem is complete", fontsize=9)
        _frame(axes, group)
        if studies:
            _panel(axes, _of(table, studies), group, weights, algorithms)
    return figure


def _of(table: pd.DataFrame, studies: Sequence[str]) -> pd.DataFrame:
    keys = {(STUDIES[name].group, STUDIES[name].family, STUDIES[name].n_relevant) for name in studies}
    return table[[key in keys for key in zip(table["group"], table["family"], table["n_relevant"], strict=True)]]


def _panel(axes: Axes, part: pd.DataFrame, group: str, weights: str, algorithms: Sequence[str]) -> None:
    """All algorithms; the cut nearest to the print is drawn through, the other one dashed and out of the orders."""
    curves: dict[str, np.ndarray] = {}
    for name in algorithms:
        for cut in CUTS if name in WEIGHTINGS else CUTS[:1]:
            mine = part[(part["algorithm"] == name) & (part["cut"] == cut)]
            means = mine.groupby(["ratio", "family", "n_relevant"])[weights].mean().groupby("ratio").mean()
            axes.plot(means.index, means, color=COLOURS[name], linestyle="-" if cut == CUTS[0] else ":", linewidth=1.3)
            if cut == CUTS[0]:
                curves[name] = means.to_numpy()
                _mark(axes, mine, means, COLOURS[name])
    ratios = GROUPS[group]
    axes.set_xlim(ratios[0] - 0.28 * ratios[-1], ratios[-1] * 1.24)
    _key(axes, "on average", {name: float(curve.mean()) for name, curve in curves.items()}, 0.01)
    _key(axes, "at the end", {name: float(curve[-1]) for name, curve in curves.items()}, 0.865)


def _key(axes: Axes, title: str, values: Mapping[str, float], left: float) -> None:
    """Names in falling order of what the paper's two keys order by."""
    axes.text(left, 0.96, title, transform=axes.transAxes, fontsize=8, va="top")
    for place, name in enumerate(sorted(values, key=lambda one: -values[one])):
        text = f"{ALGORITHMS[name]} {values[name]:.2f}"
        height = 0.88 - 0.08 * place
        axes.text(left, height, text, transform=axes.transAxes, fontsize=8, va="top", color=COLOURS[name])
