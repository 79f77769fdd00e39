"""The plots show the summary's numbers."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fselect.errors import MissingExtra
from fselect.reporting.picture import front_picture, needs_closer_look
from fselect.reporting.plots import front_figure, front_plotly, heat_figure, heat_plotly

from .conftest import HOSTILE, make_summary

PNG = b"\x89PNG"


def drawn_points(figure):
    return {
        (round(line.get_xdata()[0], 9), round(line.get_ydata()[0], 9))
        for line in figure.axes[0].lines
        if len(line.get_xdata()) == 1
    }


def expected_points(summary):
    return {(round(point.stability, 9), round(point.accuracy, 9)) for point in summary.points}


def png(figure):
    content = io.BytesIO()
    figure.savefig(content, format="png")
    return content.getvalue()


def test_the_figure_shows_every_point_with_stability_to_the_right_and_accuracy_upwards(summary):
    figure = front_figure(summary)
    assert drawn_points(figure) == expected_points(summary)
    assert "stability" in figure.axes[0].get_xlabel()
    assert "accuracy" in figure.axes[0].get_ylabel()
    assert png(figure).startswith(PNG)


def test_the_legend_gives_each_dominance_area_with_its_interval(summary):
    legend = " ".join(text.get_text() for text in front_figure(summary).axes[0].get_legend().get_texts())
    for front in summary.fronts:
        assert f"{front.label}, DA {front.area:.3f} [{front.area_low:.3f}, {front.area_high:.3f}]" in legend
    assert "operating point" in legend
    assert "trivial strategy" in legend


def test_the_interactive_plot_shows_the_same_points_and_marks_the_chosen_one(summary):
    traces = front_plotly(summary).data
    shown = {
        (round(x, 9), round(y, 9))
        for trace in traces
        if trace.mode == "markers+text"
        for x, y in zip(trace.x, trace.y, strict=True)
    }
    assert shown == expected_points(summary)
    chosen = summary.points[summary.operating_point]
    ring = next(trace for trace in traces if trace.name == "operating point")
    assert (ring.x[0], ring.y[0]) == (chosen.stability, chosen.accuracy)


def test_the_staircase_bounds_the_dominance_area_it_names(summary):
    picture = front_picture(summary, (500, 300))
    for curve, front in zip(picture.curves, summary.fronts, strict=True):
        steps = np.sum(np.diff(curve.stability) * curve.accuracy[:-1])
        left = curve.stability[0] * curve.accuracy[0]  # from 0 to the left border of the plot
        assert left + steps == pytest.approx(front.area, abs=1e-12)
        assert curve.accuracy[-1] == 0


def test_front_points_and_trivial_strategies_have_ellipses_and_dominated_points_have_none(summary):
    for marker in front_picture(summary, (500, 300)).markers:
        shown = marker.point.on_front or marker.point.kind == "trivial" or marker.chosen
        assert (marker.outline is not None) == shown


def test_all_points_and_ellipses_lie_within_the_axes_up_to_one(summary):
    picture = front_picture(summary, (500, 300))
    for marker in picture.markers:
        assert picture.stability_range[0] < marker.point.stability < picture.stability_range[1]
        assert picture.accuracy_range[0] < marker.point.accuracy < picture.accuracy_range[1]
        if marker.outline is not None:
            assert picture.accuracy_range[0] < marker.outline[:, 0].min()


def test_the_operating_point_is_labelled_before_all_others(summary):
    first = front_picture(summary, (500, 300)).markers[0]
    assert first.chosen
    assert first.place is not None


def test_a_single_repeat_draws_points_without_ellipses_or_interval():
    summary = make_summary("transfer", repeats=1)
    assert all(marker.outline is None for marker in front_picture(summary, (500, 300)).markers)
    assert png(front_figure(summary)).startswith(PNG)
    legend = front_figure(summary).axes[0].get_legend().get_texts()
    assert "[" not in legend[0].get_text()


def test_a_point_without_a_stability_is_left_out(summary):
    points = (*summary.points, replace(summary.points[1], label="all features", stability=math.nan))
    broken = replace(summary, points=points)
    assert drawn_points(front_figure(broken)) == expected_points(summary)
    assert len(front_picture(broken, (500, 300)).markers) == len(summary.points)


def test_one_point_alone_is_drawn():
    summary = make_summary("transfer")
    front = replace(summary.fronts[0], members=(0,), front=(0,))
    alone = replace(summary, points=summary.points[:1], fronts=(front,), operating_point=0)
    assert png(front_figure(alone)).startswith(PNG)
    assert len(front_plotly(alone).data) >= 2


@pytest.mark.parametrize("study", [HOSTILE, "$x_1$ and $ \\frac", "50% & more"])
def test_names_that_would_be_markup_or_mathematics_are_drawn_as_they_are(study):
    summary = make_summary("transfer", study=study, names=[study, "b", "c", "d", "e", "f"])
    assert png(front_figure(summary)).startswith(PNG)
    assert png(heat_figure(summary)).startswith(PNG)
    for plot in (front_plotly(summary), heat_plotly(summary)):
        text = plot.to_json()
        assert "<script" not in text
        assert "$x_1$" not in text


def test_the_heat_map_shows_the_frequencies_under_the_features_names(summary):
    axes = heat_figure(summary).axes[0]
    assert np.array_equal(axes.images[0].get_array(), summary.heat.values)
    assert [label.get_text() for label in axes.get_xticklabels()] == list(summary.heat.columns)
    assert [label.get_text() for label in axes.get_yticklabels()] == list(summary.heat.rows)
    live = heat_plotly(summary)
    assert np.array_equal(np.array(live.data[0].z), summary.heat.values)
    assert list(live.data[0].customdata[2][3]) == [summary.heat.rows[2], summary.heat.columns[3]]


def test_two_long_names_that_are_cut_alike_stay_two_columns():
    names = [f"an endlessly long name of a feature, number {number}" for number in range(8)]
    live = heat_plotly(make_summary("transfer", names=names))
    assert list(live.layout.xaxis.tickvals) == list(range(8))


@pytest.mark.parametrize(
    ("draw", "package"),
    [(front_figure, "matplotlib"), (heat_figure, "matplotlib"), (front_plotly, "plotly"), (heat_plotly, "plotly")],
)
def test_a_missing_library_is_named_with_its_extra(draw, package, monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package} is not installed.*\[pipeline\]"):
        draw(make_summary("transfer"))


def test_drawing_libraries_are_imported_only_when_a_plot_is_drawn_and_pyplot_never():
    code = (
        "import sys, fselect.reporting.plots, fselect.reporting.page\n"
        "assert not {'matplotlib', 'plotly'} & set(sys.modules)\n"
        "from tests.reporting.conftest import make_summary\n"
        "fselect.reporting.plots.front_figure(make_summary())\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=root)


def crowded(summary):
    """The summary with all points but the fixed set moved to stabilities below 0.1."""
    points = [
        point if point.stability == 1 else replace(point, stability=point.stability / 10, ellipse=None)
        for point in summary.points
    ]
    return replace(summary, points=tuple(points))


def test_points_that_crowd_together_are_seen_enlarged_without_the_fixed_set(summary):
    assert not needs_closer_look(summary)
    assert needs_closer_look(crowded(summary))
    closer = front_picture(crowded(summary), (500, 300), closer=True)
    assert len(closer.markers) == len(summary.points) - 1
    assert closer.stability_range[1] < 0.2
