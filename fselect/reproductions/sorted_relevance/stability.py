"""Does counting over folds buy stability? The sets of Boz's searches over repetitions, counted ones and folds' own."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fselect.evaluation.stability import set_stabilities
from fselect.reporting.static import new_figure, save_figure
from fselect.reproductions.cells import Results
from fselect.reproductions.evidence import Measured, mean_interval
from fselect.reproductions.sorted_relevance.claims import FEW
from fselect.reproductions.sorted_relevance.settings import SEARCHES, STUDIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["counting_stabilities", "draw_all", "stability_table"]

KINDS = {"FS": ("#1f5fa8", -0.12), "IS": ("#d9480f", 0.12)}
"""Colour of each, and how far it is drawn beside the middle."""


def counting_stabilities(rows: Sequence[Mapping[str, Any]]) -> dict[str, Measured]:
    """Stability over repetitions of the counted sets (FS), of the folds' own (IS), and the difference of the two.

    IS is the stability of the own sets of the folds of one number, mean over the numbers. Each repetition says
    something of both (see `fselect.evaluation.stability.set_stabilities`), so that differences are paired.

    Parameters
    ----------
    rows : sequence of mapping
        Finished repetitions of a search on a table.

    Returns
    -------
    dict of str to Measured
        With Student's intervals over repetitions; nan where all sets are full.

    Examples
    --------
    >>> rows = [{"d": 3, "selected": [0], "supports": [[0], [one]]} for one in (0, 1, 2)]
    >>> {name: round(one.value, 2) for name, one in counting_stabilities(rows).items()}
    {'FS': 1.0, 'IS': 0.25, 'FS − IS': 0.75}
    """
    d = int(rows[0]["d"])
    folds = range(len(rows[0]["supports"]))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "stability is undefined", RuntimeWarning)  # all sets full: shown as nan
        counted = set_stabilities(_masks([row["selected"] for row in rows], d))
        own = [set_stabilities(_masks([row["supports"][fold] for row in rows], d)) for fold in folds]
    known = [one for one in own if not np.isnan(one).any()] or [np.full(len(rows), np.nan)]
    found = {"FS": counted, "IS": np.mean(known, axis=0)}
    found["FS − IS"] = found["FS"] - found["IS"]
    return {name: mean_interval(name, one) for name, one in found.items()}


def _masks(sets: Sequence[Sequence[int]], d: int) -> np.ndarray:
    return np.array([np.isin(np.arange(d), one) for one in sets])


def stability_table(results: Mapping[str, Results]) -> str:
    """The stabilities as Markdown; in bold where the whole interval of the difference is on one side of 0."""
    lines = ["| data | " + " | ".join(SEARCHES.values()) + " |", "| --- |" + " --- |" * len(SEARCHES)]
    for study, one in results.items():
        told = [_told(one.of(search)) for search in SEARCHES]
        lines.append(f"| {STUDIES[study].title} | " + " | ".join(told) + " |")
    return "\n".join(lines)


def _told(rows: Sequence[Mapping[str, Any]]) -> str:
    if len(rows) < FEW:
        return "–"
    found = counting_stabilities(rows)
    texts = [f"{name} {one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" for name, one in found.items()]
    gap = found["FS − IS"]
    texts[-1] = f"**{gap.value:+.2f}**" if gap.low > 0 or gap.high < 0 else f"{gap.value:+.2f}"
    return ", ".join(texts)


def draw_all(results: Mapping[str, Results], folder: Path) -> dict[str, Path]:
    """Draw the stabilities of counted and of own sets with their intervals.

    Parameters
    ----------
    results : mapping of str to Results
        By study.
    folder : Path
        Where the PNG file goes.

    Returns
    -------
    dict of str to Path
        Caption → file; nothing where no search has enough repetitions.

    Raises
    ------
    fselect.errors.MissingExtra
        If matplotlib is not installed.
    """
    found = {study: _measured(one) for study, one in results.items()}
    found = {study: one for study, one in found.items() if one}
    if not found:
        return {}
    caption = "Stability of the counted sets (FS) and of the folds' own (IS), with 95 % intervals"
    return {caption: save_figure(_figure(found), folder / "counting.png")}


def _measured(one: Results) -> dict[str, dict[str, Measured]]:
    rows = {search: one.of(search) for search in SEARCHES}
    return {search: counting_stabilities(given) for search, given in rows.items() if len(given) >= FEW}


def _figure(found: Mapping[str, Mapping[str, Mapping[str, Measured]]]) -> Figure:
    rows = -(-len(found) // 4)
    figure = new_figure(11.0, 3.0 * rows + 0.4)
    parts = figure.subplots(rows, min(4, len(found)), squeeze=False, sharey=True).ravel()
    for axes, (study, one) in zip(parts, found.items(), strict=False):
        _part(axes, one)
        axes.set_title(STUDIES[study].title, loc="left", fontsize=10)
    for axes in parts[len(found) :]:
        axes.set_axis_off()
    parts[0].set_ylabel("stability φ over repetitions", fontsize=9)
    parts[0].legend(fontsize=8, frameon=False, loc="lower left")
    return figure


def _part(axes: Axes, found: Mapping[str, Mapping[str, Measured]]) -> None:
    places = np.arange(len(found))
    for kind, (colour, aside) in KINDS.items():
        shown = [one[kind] for one in found.values()]
        values = np.array([[one.value, one.low, one.high] for one in shown]).T
        reach = np.abs(values[1:] - values[0])
        axes.errorbar(places + aside, values[0], reach, fmt="o", color=colour, markersize=4, linewidth=1.1, label=kind)
    axes.set_xticks(places, [SEARCHES[search] for search in found], rotation=60, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.axhline(0.0, color="#cccccc", linewidth=0.7, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
