"""Pictures for paper and for pages without scripts, drawn with matplotlib."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.errors import MissingExtra
from fselect.files import write_atomically
from fselect.reporting.labels import PLACES
from fselect.reporting.picture import COLOURS, Marker, Picture, front_picture
from fselect.study.results import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["front_figure", "heat_figure", "new_figure", "save_figure"]

_SYMBOLS = {"biased": "o", "unbiased": "D", "trivial": "s"}
_NAMES = {"biased": "biased", "unbiased": "unbiased", "trivial": "trivial strategy"}
_NAME_LENGTH = 26


def front_figure(summary: Summary, *, closer: bool = False) -> Figure:
    """Draw the points of a study and their front.

    Parameters
    ----------
    summary : Summary
        The study.
    closer : bool, default=False
        Enlarge: leave out the strategies that keep one set, at stability 1.

    Returns
    -------
    matplotlib.figure.Figure
        Stability to the right, accuracy upwards; all points, the fronts as the staircases whose areas the
        legend gives, confidence ellipses, trivial strategies, and the operating point ringed. It belongs
        to no pyplot window: save it with ``figure.savefig``.

    Raises
    ------
    fselect.errors.MissingExtra
        If matplotlib is not installed.
    """
    figure = new_figure(8.4, 5.4)
    axes = figure.add_subplot()
    # The drawing area in points of 1/72 inch, roughly, for the placement of labels.
    picture = front_picture(summary, size=(540.0, 330.0), closer=closer)
    axes.set_xlim(*picture.stability_range)
    axes.set_ylim(*picture.accuracy_range)
    _draw_curves(axes, picture)
    for marker in picture.markers:
        _draw_marker(axes, marker)
    _draw_frame(axes, picture, summary.level)
    axes.set_title(f"Accuracy and stability of {_plain(summary.study)}", loc="left", fontsize=12)
    return figure


def heat_figure(summary: Summary) -> Figure:
    """Draw which features were selected where, at the operating point.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    matplotlib.figure.Figure
        One row a task or bootstrap, one column a feature; the darker, the more often selected. Features of
        the chosen set are printed in the colour of the operating point.

    Raises
    ------
    fselect.errors.MissingExtra
        If matplotlib is not installed.
    """
    heat = summary.heat
    figure = new_figure(max(5.0, 1.8 + 0.16 * len(heat.columns)), 2.0 + 0.17 * len(heat.rows))
    axes = figure.add_subplot()
    drawn = axes.imshow(heat.values, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    axes.set_xticks(range(len(heat.columns)), [_plain(name) for name in heat.columns], rotation=90, fontsize=7)
    axes.set_yticks(range(len(heat.rows)), [_plain(name) for name in heat.rows], fontsize=7)
    selected = set(summary.points[summary.operating_point].selected)
    for label, name in zip(axes.get_xticklabels(), heat.columns, strict=True):
        label.set_color(COLOURS["chosen"] if name in selected else "#333333")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(drawn, ax=axes, label="share of runs", fraction=0.03, pad=0.02)
    return figure


def save_figure(figure: Figure, file: Path) -> Path:
    """Write a figure as a PNG that names no program version, whole or not at all; return the file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    return write_atomically(file, buffer.getvalue())


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure of so many inches that belongs to no pyplot window.

    Raises
    ------
    fselect.errors.MissingExtra
        If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", extra="pipeline") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _draw_curves(axes: Axes, picture: Picture) -> None:
    for curve in picture.curves:
        colour = COLOURS["biased" if curve.main else "trivial"]
        if curve.main:
            axes.fill_between(curve.stability, curve.accuracy, color=colour, alpha=0.07, linewidth=0)
        style = "-" if curve.main else "--"
        axes.plot(
            curve.stability,
            curve.accuracy,
            style,
            color=colour,
            linewidth=1.2,
            label=_plain(curve.name, 90),
            zorder=2 if curve.main else 1.9,
        )


def _draw_marker(axes: Axes, marker: Marker) -> None:
    point, colour = marker.point, COLOURS[marker.point.kind]
    if marker.outline is not None:
        accuracy, stability = marker.outline.T
        axes.fill(stability, accuracy, facecolor=colour, edgecolor=colour, alpha=0.12, linewidth=0.8)
        axes.plot(stability, accuracy, color=colour, alpha=0.5, linewidth=0.8)
    axes.plot(
        point.stability,
        point.accuracy,
        _SYMBOLS[point.kind],
        color=colour,
        markersize=6,
        markerfacecolor=colour if point.on_front or point.kind == "trivial" else "white",
        zorder=3,
    )
    if marker.chosen:
        axes.plot(
            point.stability,
            point.accuracy,
            "o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=COLOURS["chosen"],
            markeredgewidth=2,
            zorder=4,
        )
    _draw_label(axes, marker)


def _draw_label(axes: Axes, marker: Marker) -> None:
    if marker.place is None:
        return
    from matplotlib.patheffects import withStroke

    right, up = PLACES[marker.place]
    axes.annotate(
        _plain(marker.point.label),
        (marker.point.stability, marker.point.accuracy),
        xytext=((6 if up else 8) * right, (8 if right == 0 else 3) * up),
        textcoords="offset points",
        ha={1: "left", 0: "center", -1: "right"}[right],
        va={1: "bottom", 0: "center", -1: "top"}[up],
        fontsize=9,
        fontweight="bold" if marker.chosen else "normal",
        color=COLOURS["chosen"] if marker.chosen else "#333333",
        zorder=5,
        path_effects=[withStroke(linewidth=2.5, foreground="white")],
    )


def _draw_frame(axes: Axes, picture: Picture, level: float) -> None:
    axes.set_xlabel("stability φ")
    axes.set_ylabel("accuracy")
    axes.grid(color="#e6e8eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for kind in dict.fromkeys(marker.point.kind for marker in picture.markers):
        axes.plot([], [], _SYMBOLS[kind], color=COLOURS[kind], markersize=6, label=_NAMES[kind])
    ring: dict[str, Any] = {
        "markersize": 10,
        "markerfacecolor": "none",
        "markeredgecolor": COLOURS["chosen"],
        "linewidth": 0,
    }
    axes.plot([], [], "o", markeredgewidth=2, label="operating point", **ring)
    if any(marker.outline is not None for marker in picture.markers):
        axes.fill([], [], color=COLOURS["biased"], alpha=0.2, label=f"{level:.0%} region of one mean")
    axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3)


def _plain(text: str, length: int = _NAME_LENGTH) -> str:
    """Text as it is: matplotlib would read dollar signs as mathematics; long names are cut."""
    short = text if len(text) <= length else text[: length - 1] + "…"
    return short.replace("$", r"\$")
