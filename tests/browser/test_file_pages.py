"""The numbers on the pages that are files, our report and DVC's plots, are those of the results file."""

from __future__ import annotations

import pytest

from fselect import stages
from fselect.study.project import open_project
from tests.browser.pages import BROWSER, document_of, table_with
from tests.flows.projects import dvc, make_project

pytestmark = pytest.mark.skipif(BROWSER is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        project = open_project(make_project(tmp_path_factory.mktemp("project")))
        stages.run_study(project)
        return project


def points(project):
    return stages.Summary.read(project.summary_path).points


def test_the_report_says_what_the_results_file_says(project, tmp_path):
    rows = table_with(document_of(stages.report(project), tmp_path), "stability φ")
    assert [(row["point"], row["accuracy"], row["stability φ"]) for row in rows] == [
        (
            point.label,
            f"{point.accuracy:.3f} ± {point.accuracy_se:.3f}",
            f"{point.stability:.3f} ± {point.stability_se:.3f}",
        )
        for point in points(project)
    ]


def test_the_page_of_dvc_plots_draws_every_point_without_a_network(project, tmp_path):
    dvc(project.root, "plots", "show")
    page = project.root / "reports" / "plots" / "index.html"
    assert "://" not in page.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "").replace(
        "https://vega.github.io/schema", ""
    )
    document = document_of(page, tmp_path)
    rows = {row["label"]: row for row in table_with(document, "label")}
    wanted = points(project)
    assert set(rows) == {point.label for point in wanted}
    for point in wanted:
        assert float(rows[point.label]["accuracy"]) == point.accuracy
        assert float(rows[point.label]["stability"]) == point.stability
    assert document.count("<circle") == len(wanted)
