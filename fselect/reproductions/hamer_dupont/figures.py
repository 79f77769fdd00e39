"""The figures of Hamer & Dupont (2019), drawn anew: fronts with their areas, ellipses, and the course of the bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fselect.reporting.picture import area_text
from fselect.reporting.static import new_figure, save_figure
from fselect.reproductions.evidence import path
from fselect.reproductions.hamer_dupont.claims import SINGLE, TRANSFER
from fselect.study.results import Point, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["course_figure", "draw_all", "single_figure", "transfer_figure"]

_RIGHT = 0.8  # labels of points beyond this stability go to their left

MARGIN = 0.02
"""Of an axis, beside the outermost point."""

BLUE, RED, GREY, GREEN = "#1f5fa8", "#d9480f", "#8a8f98", "#1b8a6b"


def draw_all(summaries: Mapping[str, Summary], folder: Path) -> dict[str, Path]:
    """Draw what the summaries allow.

    Parameters
    ----------
    summaries : mapping of str to Summary
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
    for study, name in SINGLE.items():
        if study in summaries:
            figure = single_figure(name, summaries[study], summaries.get(f"{study}-prior"))
            drawn[f"{name}: fronts and ellipses"] = save_figure(figure, folder / f"{study}.png")
    if "transfer-noise-3" in summaries:
        figure = transfer_figure(summaries["transfer-noise-3"])
        drawn["Transfer: the front and the region of the trivial points"] = save_figure(figure, folder / "transfer.png")
    courses = {TRANSFER[study]: summaries[study] for study in TRANSFER if study in summaries}
    if courses:
        drawn["Transfer: accuracy and stability against strength"] = save_figure(
            course_figure(courses), folder / "transfer-course.png"
        )
    return drawn


def single_figure(name: str, without: Summary, prior: Summary | None) -> Figure:
    """Draw a single task as in figure 3: fronts with areas, and ellipses of every other point.

    Parameters
    ----------
    name : str
        The data set.
    without, prior : Summary
        The study without and with prior; the latter may be missing.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = new_figure(11.0, 4.6)
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    curves = {"no prior": (without, BLUE)} | ({"prior": (prior, RED)} if prior else {})
    for label, (summary, colour) in curves.items():
        _draw_front(left, summary, f"{label}, {area_text(summary.fronts[0])}", colour)
        _draw_ellipses(right, path(summary)[::2], colour, label)
        _draw_ellipses(right, [point for point in summary.points if point.label == "random set"], GREY, None)
    everything = [point for summary, _ in curves.values() for point in summary.points]
    left.set_ylim(*_limits([point.accuracy for point in everything]))
    left.set_xlim(*_limits([point.stability for point in everything]))
    left.set_title(f"{name}: all points and the front", loc="left", fontsize=11)
    right.set_title("95 % regions of every other point", loc="left", fontsize=11)
    for axes in (left, right):
        _frame(axes, "stability φ", "accuracy")
    return figure


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """Room for ellipses; nothing lies beyond 1."""
    return min(values) - 2 * MARGIN, min(max(values) + 2 * MARGIN, 1.01)


def _draw_front(axes: Axes, summary: Summary, label: str, colour: str) -> None:
    front = [summary.points[place] for place in summary.fronts[0].front]
    # A staircase, whose area is the one in the legend: every stability up to a point's is worth its accuracy.
    stability = [min(_all(summary.points, "stability")) - MARGIN, *_all(front, "stability")]
    accuracy = [front[0].accuracy, *_all(front, "accuracy")]
    axes.step(stability, accuracy, where="pre", color=colour, linewidth=1.2, label=label)
    axes.fill_between(stability, accuracy, step="pre", color=colour, alpha=0.06, linewidth=0)
    for point in summary.points:
        hollow = point not in front
        face = "white" if hollow else colour
        symbol = "s" if point.kind == "trivial" else "o"
        axes.plot(point.stability, point.accuracy, symbol, color=colour, markerfacecolor=face, markersize=5)


def _draw_ellipses(axes: Axes, points: Sequence[Point], colour: str, label: str | None) -> None:
    for point in points:
        if point.ellipse is not None:
            accuracy, stability = point.ellipse.outline().T
            axes.fill(stability, accuracy, facecolor=colour, edgecolor=colour, alpha=0.2, linewidth=0.8)
    axes.plot(_all(points, "stability"), _all(points, "accuracy"), ".", color=colour, label=label)


def transfer_figure(summary: Summary) -> Figure:
    """Draw the transfer study as in figure 4a: the curve, and what the two trivial points dominate.

    Parameters
    ----------
    summary : Summary
        A transfer study.

    Returns
    -------
    matplotlib.figure.Figure
        Points that are not Pareto-optimal are hollow.
    """
    figure = new_figure(7.4, 4.8)
    axes = figure.add_subplot()
    trivial = sorted((point for point in summary.points if point.kind == "trivial"), key=lambda one: one.stability)
    low = min(point.accuracy for point in summary.points) - 0.02
    for point in trivial:
        axes.fill_between([0, point.stability], low, point.accuracy, color=GREY, alpha=0.25, linewidth=0)
        axes.plot(point.stability, point.accuracy, "s", color=GREY, markersize=6)
    curve, main = path(summary), summary.fronts[0]
    axes.plot(_all(curve, "stability"), _all(curve, "accuracy"), ":", color=BLUE, linewidth=0.8)
    _draw_ellipses(axes, [summary.points[place] for place in main.front], BLUE, None)
    for point in curve[1:]:
        face = BLUE if point.on_front else "white"
        axes.plot(point.stability, point.accuracy, "o", color=BLUE, markerfacecolor=face, markersize=5)
    _label(axes, [*curve, trivial[-1]])
    axes.plot([], [], "o", color=BLUE, label=f"transfer, {area_text(main)}")
    axes.plot([], [], "s", color=GREY, label=f"trivial, {area_text(summary.fronts[1])}")
    axes.set_ylim(bottom=low)
    axes.set_xlim(0, 1.02)
    _frame(axes, "stability φ", "accuracy")
    return figure


def _label(axes: Axes, points: Sequence[Point]) -> None:
    """Strengths beside their points; those that lie on one spot share a label."""
    spots: dict[tuple[float, float], list[Point]] = {}
    for point in points:
        spots.setdefault((round(point.stability, 2), round(point.accuracy, 2)), []).append(point)
    for there in spots.values():
        right = there[0].stability > _RIGHT
        axes.annotate(
            ", ".join(point.label.removeprefix("strength ") for point in there),
            (there[0].stability, there[0].accuracy),
            xytext=(-5 if right else 5, 5),
            textcoords="offset points",
            ha="right" if right else "left",
            fontsize=8,
            color="#333333",
        )


def course_figure(courses: Mapping[str, Summary]) -> Figure:
    """Draw accuracy and stability against the strength, with 95 % intervals of the means.

    Parameters
    ----------
    courses : mapping of str to Summary
        Transfer studies by name.

    Returns
    -------
    matplotlib.figure.Figure
        A dotted line is the accuracy of the first set reused.
    """
    figure = new_figure(11.0, 4.4)
    left, right = figure.subplots(1, 2)
    for (name, summary), colour in zip(courses.items(), (BLUE, GREEN, RED, GREY), strict=False):
        points = path(summary)
        strengths = [float(point.strength or 0) for point in points]
        for axes, column in ((left, "accuracy"), (right, "stability")):
            margin = 1.96 * np.array(_all(points, f"{column}_se"))
            axes.errorbar(strengths, _all(points, column), margin, color=colour, marker="o", markersize=4, label=name)
        first = next(point for point in summary.points if point.label == "first set")
        left.axhline(first.accuracy, color=colour, linestyle=":", linewidth=0.9)
    for axes, column in ((left, "accuracy"), (right, "stability φ")):
        axes.set_xscale("symlog", linthresh=0.25, base=2)
        axes.set_xlim(-0.05, 40)
        axes.set_xticks([0, 0.25, 1, 4, 16, 32], ["0", "0.25", "1", "4", "16", "32"])
        _frame(axes, "transfer strength", column)
    return figure


def _all(points: Sequence[Point], column: str) -> list[float]:
    return [float(getattr(point, column)) for point in points]


def _frame(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="#e6e8eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
