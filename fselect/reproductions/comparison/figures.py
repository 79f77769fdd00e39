"""The figure of the comparison: accuracy against stability, a point a method with its ellipse, a part a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fselect.evaluation.ellipse import confidence_ellipse
from fselect.reporting.labels import PLACES, place_labels
from fselect.reporting.static import new_figure, save_figure
from fselect.reproductions.cells import Results
from fselect.reproductions.comparison.points import Point, front, points
from fselect.reproductions.comparison.settings import FINAL, METHODS, STUDIES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "draw_all"]

COLOURS = {
    "elimination": ("#1f5fa8", "recursive elimination"),
    "contribution": ("#7048a8", "contribution selection"),
    "filter": ("#b08900", "classical, without a classifier"),
    "wrapper": ("#d9480f", "classical, around C4.5"),
    "sorted": ("#1b8a6b", "sorted relevance"),
    "trivial": ("#8a8f98", "random set; dashed: all features"),
}
"""Colour and words of each family."""

FEWEST = 3
"""Pairs that an ellipse needs."""

COLUMNS = 2
PART = (
    560.0,
    330.0,
)  # of a part's drawing area, in units in which labels of this size are as `place_labels` takes them


def draw_all(results: Mapping[str, Results], folder: Path) -> dict[str, Path]:
    """Draw the figure for each final classifier.

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
    found = {study: points(one) for study, one in results.items()}
    found = {study: one for study, one in found.items() if one}
    if not found:
        return {}
    return {
        f"Accuracy ({title}) against stability, 95 % ellipses of the means": save_figure(
            _figure(found, final), folder / f"comparison-{final}.png"
        )
        for final, title in FINAL.items()
    }


def _figure(found: Mapping[str, Mapping[str, Point]], final: str) -> Figure:
    rows = -(-len(found) // COLUMNS)
    figure = new_figure(11.0, 3.6 * rows + 0.7)
    parts = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    for axes, (study, one) in zip(parts, found.items(), strict=False):
        _part(axes, one, final)
        axes.set_title(STUDIES[study].title, loc="left", fontsize=11)
    for axes in parts[len(found) :]:
        axes.set_axis_off()
    shown = [_key(parts[0], family) for family in COLOURS]
    figure.legend(shown, [words for _, words in COLOURS.values()], loc="outside lower center", ncols=3, frameon=False)
    return figure


def _key(axes: Axes, family: str) -> Artist:
    return axes.plot([], [], "o", color=COLOURS[family][0])[0]


def _part(axes: Axes, found: Mapping[str, Point], final: str) -> None:
    drawn = {name: one for name, one in found.items() if not np.isnan(one.values["stability"]).any()}
    means = np.array([one.pairs(final).mean(axis=0) for one in drawn.values()]).reshape(-1, 2)
    if "all" in found:
        axes.axhline(found["all"].values[final].mean(), color=COLOURS["trivial"][0], linestyle="--", linewidth=1)
    best = front(drawn, final)
    for name, one in drawn.items():
        _point(axes, name, one.pairs(final), on_front=name in best)
    _limit(axes, means)
    _label(axes, list(drawn), means)
    axes.set_xlabel("stability φ", fontsize=9)
    axes.set_ylabel(f"accuracy, {FINAL[final]}", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _point(axes: Axes, name: str, pairs: np.ndarray, *, on_front: bool) -> None:
    """A dot, filled on the front, and its ellipse."""
    colour = COLOURS[METHODS[name].family][0]
    accuracy, stability = pairs.mean(axis=0)
    if len(pairs) >= FEWEST:
        outline = confidence_ellipse(pairs).outline()
        axes.fill(outline[:, 1], outline[:, 0], facecolor=colour, alpha=0.10, linewidth=0)
        axes.plot(outline[:, 1], outline[:, 0], color=colour, alpha=0.45, linewidth=0.7)
    face = colour if on_front else "white"
    axes.plot(stability, accuracy, "o", color=colour, markersize=5, markerfacecolor=face, zorder=3)


def _limit(axes: Axes, means: np.ndarray) -> None:
    """Room around what was drawn; ellipses may stick out."""
    axes.margins(0.06)
    low, high = axes.get_xlim()
    axes.set_xlim(max(low, float(means[:, 1].min()) - 0.2), min(high, 1.06))


def _label(axes: Axes, names: list[str], means: np.ndarray) -> None:
    width, height = PART
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    across = (means[:, 1] - left) / (right - left) * width
    upward = (means[:, 0] - bottom) / (top - bottom) * height
    titles = [METHODS[name].title for name in names]
    places = place_labels(np.column_stack([across, upward]), titles, PART)
    for name, title, (accuracy, stability), place in zip(names, titles, means, places, strict=True):
        side = PLACES[place or "top right"]
        axes.annotate(
            title,
            (stability, accuracy),
            xytext=(5 * side.right, (6 if side.right == 0 else 2) * side.up),
            textcoords="offset points",
            ha={1: "left", 0: "center", -1: "right"}[side.right],
            va={1: "bottom", 0: "center", -1: "top"}[side.up],
            fontsize=7,
            color=COLOURS[METHODS[name].family][0],
        )
