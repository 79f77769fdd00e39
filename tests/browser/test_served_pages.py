"""The numbers in the pages of Prefect and MLflow, in a real browser, are those of the results file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from fselect import stages
from fselect.registry import promote
from fselect.study.project import open_project
from fselect.tracking import find_run, open_store
from fselect.tracking.browser import compare_url
from tests.flows.projects import ROOT, TINY, make_project
from tests.servers import MlflowServer, running
from tests.team.servers import answers_http, free_port, process, wait_until

pytest.importorskip("playwright", reason="playwright is not installed")

_SPEC = importlib.util.spec_from_file_location("screenshots", ROOT / "docs" / "screenshots.py")
screenshots = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(screenshots)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(screenshots.chromium() is None, reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def prefect(tmp_path_factory):
    """A Prefect server with its pages, on a database of its own."""
    folder, port = tmp_path_factory.mktemp("prefect"), free_port()
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    settings = {
        "PREFECT_HOME": str(folder / "home"),
        "PREFECT_API_URL": f"{address}/api",
        "DO_NOT_TRACK": "true",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    }
    with process(command, folder / "log", settings=settings) as started:
        wait_until(lambda: answers_http(f"{address}/api/health"), started, folder / "log")
        yield address


@pytest.fixture(scope="module")
def mlflow(tmp_path_factory):
    with running(MlflowServer, tmp_path_factory.mktemp("mlflow") / "server") as server:
        yield server.uri


@pytest.fixture(scope="module")
def project(prefect, mlflow, tmp_path_factory):
    """A project whose study a flow ran on these servers, with its set promoted."""
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("PREFECT_API_URL", f"{prefect}/api")
        root = make_project(tmp_path_factory.mktemp("project"), TINY | {"tracking": {"uri": mlflow}})
        command = [sys.executable, "-m", "flows.pipeline"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    project = open_project(root)
    promote(project, f"tiny/{stages.Summary.read(project.summary_path).chosen.label}", "panel")
    return project


@pytest.fixture(scope="module")
def summary(project):
    return stages.Summary.read(project.summary_path)


@pytest.fixture(scope="module")
def page():
    with screenshots.browsing() as page:
        yield page


def words(page, *, until):
    page.wait_for_selector(f"text={until}")
    return page.inner_text("body")


def test_prefects_pages_show_the_front_and_the_decision(prefect, summary, page):
    screenshots.show_artifact(page, prefect, "tiny-front")
    text = words(page, until="on the front")
    for point in summary.points:
        cells = (point.label, f"{point.accuracy:.4f}", f"{point.stability:.4f}")
        assert all(cell in text for cell in cells)
    screenshots.show_artifact(page, prefect, "tiny-decision")
    text = words(page, until="share of bootstraps")
    assert f"tiny: {summary.chosen.label}" in text
    assert f"Accuracy {summary.chosen.accuracy:.4f}, stability {summary.chosen.stability:.4f}" in text
    assert all(name in text for name in summary.chosen.selected)


def test_prefects_link_leads_to_the_report_which_draws_its_plots_in_mlflow(prefect, mlflow, project, summary, page):
    screenshots.show_artifact(page, prefect, "tiny-report")
    assert str(project.report_path) in words(page, until="The page is the file")
    address = page.get_by_role("link", name="Report of tiny").get_attribute("href")
    assert address.startswith(mlflow)
    page.goto("about:blank")
    page.goto(address)
    report = page.frame_locator("iframe")
    report.locator("figure.drawn .js-plotly-plot").first.wait_for()
    text = report.locator("main").inner_text()
    assert summary.chosen.label in text
    assert all(name in text for name in summary.chosen.selected)


def test_prefects_list_names_flow_runs_by_study_and_data(prefect, page):
    page.goto(f"{prefect}/runs")
    assert "tiny · data " in words(page, until="tiny · data")


@pytest.fixture(scope="module")
def found(project, summary):
    """The run of each point and front by name, and the experiment."""
    store = open_store(project)
    labels = [point.label for point in summary.points] + [front.label for front in summary.fronts]
    runs = {label: find_run(store, f"tiny/{label}").info.run_id for label in labels}
    return runs, store.client.get_experiment_by_name("tiny").experiment_id


def test_the_run_page_of_mlflow_has_the_numbers_the_tables_and_the_model(mlflow, found, summary, page):
    runs, experiment = found
    chosen = summary.chosen
    page.goto(f"{mlflow}/#/experiments/{experiment}/runs/{runs[chosen.label]}?workflowType=machine_learning")
    page.wait_for_selector("text=stability_se")
    page.wait_for_selector("text=panel")
    text = page.inner_text("body").replace("\t", "\n").split("\n")
    values = dict(pairwise(text))
    for name in ("accuracy", "stability", "accuracy_se"):
        assert float(values[name]) == pytest.approx(getattr(chosen, name), abs=1e-9)
    assert any(line.startswith(summary.tasks[0].name) for line in text)


def test_the_list_as_mlflow_opens_it_leads_to_the_list_with_numbers(mlflow, found, summary, page):
    runs, experiment = found
    page.goto("about:blank")
    page.goto(f"{mlflow}/#/experiments/{experiment}/runs?workflowType=machine_learning")
    chosen = runs[summary.chosen.label]
    row = page.locator(f'[row-id="{chosen}"]')
    row.locator("text=panel").wait_for()  # the model that was promoted from it
    assert summary.digest[:6] in "".join(row.all_inner_texts())  # the source
    with page.context.expect_page() as opened:  # MLflow opens what a note links to in a new tab
        page.get_by_role("link", name="Show the list with these numbers as columns").click()
    numbers = opened.value
    row = numbers.locator(f'[row-id="{chosen}"]')
    row.locator('[col-id="metrics.`stability`"]').wait_for()
    for name in ("accuracy", "stability"):
        cell = row.locator(f'[col-id="metrics.`{name}`"]').inner_text()
        assert float(cell) == pytest.approx(getattr(summary.chosen, name), abs=5e-4)
    assert row.locator('[col-id="tags.`fselect.operating_point`"]').inner_text() == "true"
    numbers.close()


def test_two_fronts_are_compared_side_by_side(mlflow, found, summary, page):
    runs, experiment = found
    page.goto("about:blank")
    page.goto(compare_url(mlflow, experiment, [runs[front.label] for front in summary.fronts]))
    page.wait_for_selector("text=Run details")
    page.wait_for_selector("text=dominance_area_low")
    text = page.inner_text("body")
    assert "Comparing 2 Runs from 1 Experiment" in text
    for front in summary.fronts:
        assert front.label in text
        assert f"{front.area:.3f}"[:5] in text
