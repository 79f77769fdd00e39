"""What a user sees in the MLflow UI, in a real browser, is what the summary says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from fselect.tracking import artifact_url, log_study, open_store
from tests.factories import make_project, make_summary

pytest.importorskip("playwright", reason="playwright is not installed")

_FILE = Path(__file__).parents[2] / "docs" / "screenshots.py"
_SPEC = importlib.util.spec_from_file_location("screenshots", _FILE)
screenshots = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(screenshots)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(screenshots.chromium() is None, reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def tracked(tmp_path_factory):
    project, summary = make_project(tmp_path_factory.mktemp("a project é#1")), make_summary()
    ids = log_study(project, summary)
    experiment = open_store(project).client.get_experiment_by_name(summary.study).experiment_id
    return project, summary, ids, experiment


@pytest.fixture(scope="module")
def base(tracked, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with screenshots.serving(tracked[0], folder) as address:
        yield address
    assert [path.name for path in folder.iterdir()] == ["mlflow-ui.log"]  # no ./mlruns, no ./mlartifacts


@pytest.fixture(scope="module")
def browser():
    with screenshots.browsing() as page:
        yield page


@pytest.fixture
def page(browser):
    browser.goto("about:blank")
    return browser


def shown(value):
    return f"{value:g}"


def cells(page, run):
    """The visible cells of a run in the list, by column."""
    row = page.locator(f'[row-id="{run}"] [role="gridcell"]')
    return {cell.get_attribute("col-id"): cell.inner_text() for cell in row.all()}


def test_the_run_list_has_accuracy_stability_and_dominance_area_as_columns(tracked, base, page):
    _, summary, ids, experiment = tracked
    screenshots.show_runs(page, base, experiment, ids[0])
    for run, point in zip(ids[:4], summary.points, strict=True):
        there = cells(page, run)
        assert there["attributes.`Run Name`"].endswith(f"transfer {point.label}")
        assert there["metrics.`accuracy`"] == shown(point.accuracy)
        assert there["metrics.`stability`"] == shown(point.stability)
        assert there["metrics.`dominance_area`"] == "-"
    for run, front in zip(ids[4:], summary.fronts, strict=True):
        there = cells(page, run)
        assert there["metrics.`dominance_area`"] == shown(front.area)
        assert there["metrics.`accuracy`"] == "-"


def test_the_list_shows_runs_on_one_level_with_the_note_above(tracked, base, page):
    _, _, ids, experiment = tracked
    screenshots.show_runs(page, base, experiment, ids[0])
    text = page.inner_text("body")
    assert f"{len(ids)} matching runs" in text
    assert "one run a point of the accuracy–stability trade-off" in text


def test_the_compare_page_puts_the_points_side_by_side(tracked, base, page):
    _, summary, ids, experiment = tracked
    screenshots.show_comparison(page, base, experiment, ids[1:3])
    text = page.inner_text("body")
    assert "Comparing 2 Runs from 1 Experiment" in text
    # The table is drawn as its column of names, then row by row the values of both runs.
    words = text.split("Metrics\nShow diff only\n")[1].split("\nArtifacts\n")[0].split("\n")
    names = words[: len(words) // 3]
    rows = dict(zip(names, zip(words[len(names) :: 2], words[len(names) + 1 :: 2], strict=True), strict=True))
    for name in ("accuracy", "stability", "strength", "accuracy_se"):
        assert rows[name] == tuple(shown(getattr(point, name)) for point in summary.points[1:3])


def test_the_interactive_plot_draws_without_a_network(tracked, base, page):
    _, summary, ids, experiment = tracked
    asked = []
    page.context.route(lambda url: not url.startswith((base, "about:", "blob:", "data:")), lambda route: route.abort())
    page.on("request", lambda request: asked.append(request.url))
    screenshots.show_plot(page, base, experiment, ids[4])
    frame = page.frame_locator("iframe")
    assert "accuracy" in frame.locator(".js-plotly-plot").first.inner_text().lower()
    drawn = frame.locator(".js-plotly-plot").first.evaluate("plot => plot.data.flatMap(t => Array.from(t.y ?? []))")
    assert {point.accuracy for point in summary.points[1:3]} <= {round(y, 9) for y in drawn}
    assert [url for url in asked if "plot.ly" in url or "cdn" in url] == []


def test_the_picture_is_shown(tracked, base, page):
    _, _, ids, experiment = tracked
    page.goto(artifact_url(base, experiment, ids[4], "front.png"))
    page.wait_for_function("[...document.images].some(image => image.naturalWidth > 500)")


def test_the_frequencies_are_a_table(tracked, base, page):
    _, summary, ids, experiment = tracked
    page.goto(artifact_url(base, experiment, ids[1], "frequencies.json"))
    page.wait_for_selector("text=mean radius")
    text = page.inner_text("body").replace("\t", "\n")
    for name, share in summary.points[1].frequencies.items():
        assert re.search(rf"{name}\s+{re.escape(shown(share))}\s", text)
