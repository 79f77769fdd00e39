"""What is on the plot of a front, independent of the library that draws it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fselect.reporting.labels import place_labels
from fselect.study.results import Front, Point, Summary

__all__ = ["COLOURS", "Curve", "Marker", "Picture", "area_text", "front_picture", "needs_closer_look"]

COLOURS = {"biased": "#1f5fa8", "unbiased": "#1b8a6b", "trivial": "#8a8f98", "chosen": "#d9480f"}
"""One colour a kind of point; they differ in brightness too, for print and for the colour-blind."""

_MARGIN = 0.08  # of the range of the data, on each side
_LEAST_RANGE = 0.02  # a flat front still gets an axis one can read
_CROWDED = 0.3  # of the stability axis: points that take less of it are drawn once more, enlarged


@dataclass(frozen=True, eq=False)
class Curve:
    """A front as a staircase: every stability up to a point's is worth that point's accuracy.

    Attributes
    ----------
    name : str
        Label of the front with its dominance area.
    stability, accuracy : ndarray
        Corners.
    main : bool
        Whether it is the study's main front.
    """

    name: str
    stability: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    main: bool


@dataclass(frozen=True, eq=False)
class Marker:
    """A point of the plot.

    Attributes
    ----------
    point : Point
        The point of the summary.
    chosen : bool
        Whether it is the operating point.
    outline : ndarray of shape (n, 2) or None
        (accuracy, stability) rows of its confidence ellipse, where it is drawn.
    place : str or None
        Side of the label; None where it would cover something.
    """

    point: Point
    chosen: bool
    outline: NDArray[np.float64] | None
    place: str | None


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything on the plot of a front.

    Attributes
    ----------
    curves : list of Curve
        The fronts.
    markers : list of Marker
        The points with a defined stability.
    stability_range, accuracy_range : (float, float)
        Limits of the axes.
    """

    curves: list[Curve]
    markers: list[Marker]
    stability_range: tuple[float, float]
    accuracy_range: tuple[float, float]


def front_picture(summary: Summary, size: tuple[float, float], *, closer: bool = False) -> Picture:
    """Arrange the plot of a study's fronts.

    Parameters
    ----------
    summary : Summary
        The study.
    size : (float, float)
        Width and height of the drawing area in pixels, for the labels.
    closer : bool, default=False
        Leave out the strategies that keep one set: they lie at stability 1, often far from all else.

    Returns
    -------
    Picture
        Ellipses are given for the points of a front and for trivial strategies: those of dominated points
        would hide the front. Labels go to the operating point first, then along the front, then to the rest.
    """
    positions = [place for place, point in enumerate(summary.points) if _drawable(point, closer)]
    positions.sort(key=lambda place: _importance(summary, place))
    outlines = {place: _outline(summary, place) for place in positions}
    stability_range, accuracy_range = _ranges(summary, positions, outlines)
    pixels = _pixels(summary, positions, stability_range, accuracy_range, size)
    sides = place_labels(pixels, [summary.points[place].label for place in positions], size)
    markers = [
        Marker(summary.points[place], place == summary.operating_point, outlines[place], side)
        for place, side in zip(positions, sides, strict=True)
    ]
    curves = [_curve(summary, front, stability_range[0], main=front is summary.fronts[0]) for front in summary.fronts]
    return Picture(curves, markers, stability_range, accuracy_range)


def needs_closer_look(summary: Summary) -> bool:
    """Tell whether the points crowd together so that an enlarged plot helps.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    bool
        True if, without the strategies that keep one set, they take little of the stability axis.
    """
    everything = [point.stability for point in summary.points if _drawable(point, closer=False)]
    near = [point.stability for point in summary.points if _drawable(point, closer=True)]
    return len(near) > 1 and max(near) - min(near) < _CROWDED * (max(everything) - min(everything))


def area_text(front: Front, digits: int = 3) -> str:
    """Return a dominance area with its interval, for a legend.

    Parameters
    ----------
    front : Front
        The front.
    digits : int, default=3
        Decimals.

    Returns
    -------
    str
        Such as ``DA 0.652 [0.640, 0.663]``; without limits where there is no interval.
    """
    text = f"DA {front.area:.{digits}f}"
    if math.isnan(front.area_low):
        return text
    return f"{text} [{front.area_low:.{digits}f}, {front.area_high:.{digits}f}]"


def _drawable(point: Point, closer: bool) -> bool:
    keeps_one_set = point.kind == "trivial" and point.strength is None
    return math.isfinite(point.accuracy) and math.isfinite(point.stability) and not (closer and keeps_one_set)


def _importance(summary: Summary, place: int) -> tuple[int, int]:
    point = summary.points[place]
    if place == summary.operating_point:
        return 0, place
    return (1 if point.kind == "trivial" else 2 if point.on_front else 3), place


def _outline(summary: Summary, place: int) -> NDArray[np.float64] | None:
    point = summary.points[place]
    shown = point.on_front or point.kind == "trivial" or place == summary.operating_point
    return point.ellipse.outline() if point.ellipse is not None and shown else None


def _ranges(
    summary: Summary, positions: list[int], outlines: dict[int, NDArray[np.float64] | None]
) -> tuple[tuple[float, float], tuple[float, float]]:
    means = [[[summary.points[place].accuracy, summary.points[place].stability]] for place in positions]
    borders = [outline for outline in outlines.values() if outline is not None]
    everything = np.concatenate([*means, *borders, np.empty((0, 2))])
    if len(everything) == 0:
        return (0.0, 1.0), (0.0, 1.0)
    # An ellipse that reaches past 1 is cut there: it stands for a mean that cannot.
    return _range(np.clip(everything[:, 1], -1, 1)), _range(np.clip(everything[:, 0], 0, 1))


def _range(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = max(_MARGIN * (high - low), (_LEAST_RANGE - (high - low)) / 2)
    return low - margin, high + margin


def _pixels(
    summary: Summary,
    positions: list[int],
    stability_range: tuple[float, float],
    accuracy_range: tuple[float, float],
    size: tuple[float, float],
) -> NDArray[np.float64]:
    pairs = np.array([[summary.points[p].stability, summary.points[p].accuracy] for p in positions])
    low = np.array([stability_range[0], accuracy_range[0]])
    high = np.array([stability_range[1], accuracy_range[1]])
    return (pairs.reshape(-1, 2) - low) / (high - low) * np.array(size)


def _curve(summary: Summary, front: Front, left: float, *, main: bool) -> Curve:
    points = [summary.points[place] for place in front.front]
    stability, accuracy = [left], [points[0].accuracy if points else 0.0]
    for point, following in zip(points, [*points[1:], None], strict=True):
        stability += [point.stability, point.stability]
        accuracy += [point.accuracy, following.accuracy if following else 0.0]
    name = f"{front.label}, {area_text(front)}"
    return Curve(name, np.array(stability), np.array(accuracy), main)
