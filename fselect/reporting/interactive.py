"""Plots one can point at, made with plotly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fselect.errors import MissingExtra
from fselect.reporting.picture import COLOURS, Curve, Marker, front_picture
from fselect.study.results import Point, Summary

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["front_plotly", "heat_plotly"]

_SYMBOLS = {"biased": "circle", "unbiased": "diamond", "trivial": "square"}
_NAMES = {"biased": "biased", "unbiased": "unbiased", "trivial": "trivial strategy"}
_FONT = {"family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif", "size": 13}
_NAME_LENGTH = 26


def front_plotly(summary: Summary, *, closer: bool = False) -> Figure:
    """Draw the points of a study and their front, with the numbers under the pointer.

    Parameters
    ----------
    summary : Summary
        The study.
    closer : bool, default=False
        Enlarge: leave out the strategies that keep one set, at stability 1.

    Returns
    -------
    plotly.graph_objects.Figure
        As :func:`fselect.reporting.plots.front_figure`. All names in it are escaped: plotly reads some HTML.

    Raises
    ------
    fselect.errors.MissingExtra
        If plotly is not installed.
    """
    figure = _new_figure()
    picture = front_picture(summary, size=(780.0, 330.0), closer=closer)
    for curve in reversed(picture.curves):  # the main front last, on top of the others
        figure.add_scatter(**_curve(curve))
    for marker in picture.markers:
        if marker.outline is not None:
            figure.add_scatter(**_ellipse(marker))
    for kind in dict.fromkeys(marker.point.kind for marker in picture.markers):
        figure.add_scatter(**_points(kind, [one for one in picture.markers if one.point.kind == kind]))
    figure.add_scatter(**_ring([marker.point for marker in picture.markers if marker.chosen]))
    figure.update_layout(**_layout("stability φ", "accuracy", height=500))
    figure.update_xaxes(range=picture.stability_range)
    figure.update_yaxes(range=picture.accuracy_range)
    return figure


def heat_plotly(summary: Summary) -> Figure:
    """Draw which features were selected where, at the operating point, with names under the pointer.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    plotly.graph_objects.Figure
        One row a task or bootstrap, one column a feature.

    Raises
    ------
    fselect.errors.MissingExtra
        If plotly is not installed.
    """
    heat = summary.heat
    selected = set(summary.points[summary.operating_point].selected)
    figure = _new_figure()
    figure.add_heatmap(
        z=heat.values.tolist(),
        zmin=0,
        zmax=1,
        colorscale="Blues",
        xgap=1,
        ygap=1,
        customdata=[[[_text(row), _text(name)] for name in heat.columns] for row in heat.rows],
        hovertemplate="%{customdata[1]}<br>%{customdata[0]}<br>selected in %{z:.0%} of the runs<extra></extra>",
        colorbar={"title": {"text": "share of runs"}, "thickness": 12, "tickformat": ".0%"},
    )
    longest = max((len(_short(name)) for name in heat.columns), default=0)
    figure.update_layout(**_layout("", "", height=140 + 18 * len(heat.rows) + 6 * longest))
    ticks = [_tick(name, name in selected) for name in heat.columns]
    figure.update_xaxes(**_ticks(ticks), tickangle=-90, showgrid=False)
    figure.update_yaxes(**_ticks([_short(row) for row in heat.rows]), autorange="reversed", showgrid=False)
    return figure


def _new_figure() -> Figure:
    try:
        from plotly.graph_objects import Figure
    except ImportError as error:
        raise MissingExtra("plotly", extra="pipeline") from error
    return Figure()


def _curve(curve: Curve) -> dict[str, Any]:
    colour = COLOURS["biased" if curve.main else "trivial"]
    return {
        "x": curve.stability.tolist(),
        "y": curve.accuracy.tolist(),
        "mode": "lines",
        "name": _text(curve.name),
        "legendrank": 1 if curve.main else 2,
        "line": {"color": colour, "width": 1.5, "dash": "solid" if curve.main else "dash"},
        "fill": "tozeroy" if curve.main else "none",
        "fillcolor": "rgba(31, 95, 168, 0.07)",
        "hoverinfo": "skip",
    }


def _ellipse(marker: Marker) -> dict[str, Any]:
    accuracy, stability = marker.outline.T if marker.outline is not None else ([], [])
    return {
        "x": list(stability),
        "y": list(accuracy),
        "mode": "lines",
        "line": {"color": COLOURS[marker.point.kind], "width": 0.8},
        "fill": "toself",
        "opacity": 0.45,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _points(kind: str, markers: list[Marker]) -> dict[str, Any]:
    points = [marker.point for marker in markers]
    filled = [COLOURS[kind] if point.on_front or kind == "trivial" else "white" for point in points]
    return {
        "x": [point.stability for point in points],
        "y": [point.accuracy for point in points],
        "mode": "markers+text",
        "cliponaxis": False,
        "name": _NAMES[kind],
        "text": [_text(point.label) if marker.place else "" for point, marker in zip(points, markers, strict=True)],
        "textposition": [marker.place or "top right" for marker in markers],
        "textfont": {"color": [COLOURS["chosen"] if marker.chosen else "#333" for marker in markers], "size": 12},
        "marker": {
            "symbol": _SYMBOLS[kind],
            "size": 9,
            "color": filled,
            "line": {"color": COLOURS[kind], "width": 1.5},
        },
        "hovertext": [_hover(point) for point in points],
        "hoverinfo": "text",
    }


def _hover(point: Point) -> str:
    lines = [
        f"<b>{_text(point.label)}</b>",
        f"accuracy {_estimate(point.accuracy, point.accuracy_se)}",
        f"stability {_estimate(point.stability, point.stability_se)}",
        f"{point.repeats} repeats",
    ]
    return "<br>".join(lines)


def _estimate(value: float, error: float) -> str:
    return f"{value:.3f}" if math.isnan(error) else f"{value:.3f} ± {error:.3f}"


def _ring(points: list[Point]) -> dict[str, Any]:
    return {
        "x": [point.stability for point in points],
        "y": [point.accuracy for point in points],
        "mode": "markers",
        "name": "operating point",
        "marker": {"symbol": "circle-open", "size": 19, "color": COLOURS["chosen"], "line": {"width": 2.5}},
        "hoverinfo": "skip",
    }


def _layout(x: str, y: str, height: int) -> dict[str, Any]:
    axis = {"gridcolor": "#e6e8eb", "zeroline": False, "linecolor": "#9aa0a6", "automargin": True}
    return {
        "height": height,
        "font": _FONT,
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "margin": {"l": 60, "r": 20, "t": 20, "b": 50},
        "xaxis": {**axis, "title": {"text": x}},
        "yaxis": {**axis, "title": {"text": y}},
        "legend": {"orientation": "h", "y": -0.18, "x": 0},
        "hoverlabel": {"bgcolor": "white"},
    }


def _ticks(texts: list[str]) -> dict[str, Any]:
    # Places, not names: two long names that are cut alike would else become one column.
    return {"tickmode": "array", "tickvals": list(range(len(texts))), "ticktext": texts, "tickfont": {"size": 11}}


def _tick(name: str, selected: bool) -> str:
    return f'<span style="color:{COLOURS["chosen"]}">{_short(name)}</span>' if selected else _short(name)


def _short(name: str) -> str:
    return _text(name if len(name) <= _NAME_LENGTH else name[: _NAME_LENGTH - 1] + "…")


def _text(name: str) -> str:
    """Text as it is: plotly reads some HTML, and mathematics between dollar signs; it leaves quotes alone."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        name = name.replace(character, entity)
    return name
