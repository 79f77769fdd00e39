"""DVC's commands that compare versions of a study, as docs/study.md gives them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fselect import stages
from fselect.study.project import open_project
from fselect.study.results import Summary
from fselect.versioning import dvc_commit
from tests.flows.projects import STAGES, dvc, make_project, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # `dvc exp run` starts a Python for each of six stages

METRICS = "data/results/tiny/metrics.json"


def answer(root, *words):
    """What DVC prints on standard output, as JSON."""
    command = [sys.executable, "-m", "dvc", *words, "--json"]
    return json.loads(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """A committed study, and an experiment beside it: its folder, and the chosen point of each."""
    root = make_project(tmp_path_factory.mktemp("project"))
    project = open_project(root)
    before = stages.run_study(project)
    stages.report(project)
    stages.track(project)
    dvc_commit(STAGES, root)
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-q", "-m", "the study")
    dvc(root, "exp", "run", "-S", "selection.strengths=[0,1,4]", "-n", "more")
    return root, before, Summary.read(open_project(root).summary_path)


def test_an_experiment_runs_one_change(tried):
    _, before, after = tried
    assert [point.strength for point in after.points if point.strength is not None] == [0, 1, 4]
    assert len(after.points) == len(before.points) + 1


def test_params_and_metrics_are_compared_with_the_last_commit(tried):
    root, before, after = tried
    assert answer(root, "params", "diff")["params.yaml"] == {
        "selection.strengths": {"old": "[0, 1]", "new": "[0, 1, 4]"},  # DVC writes lists as text
    }
    changes = answer(root, "metrics", "diff", "--all")[METRICS]
    for name in ("accuracy", "stability"):
        assert changes[name]["old"] == getattr(before.chosen, name)
        assert changes[name]["new"] == getattr(after.chosen, name)
    assert changes["dominance_area"]["new"] == after.fronts[0].area


def test_all_that_was_tried_is_a_row_each(tried):
    root, _, after = tried
    shown = dvc(root, "exp", "show", "--csv")
    (row,) = [line for line in shown.splitlines() if line.startswith("more,") or ",more," in line]
    assert str(after.chosen.accuracy) in row


def test_the_page_of_plots_has_the_points_of_both(tried):
    root, before, after = tried
    dvc(root, "plots", "diff", "HEAD")
    page = (root / "reports" / "plots" / "index.html").read_text(encoding="utf-8")
    assert page.count('"rev": "HEAD"') == len(before.points)
    assert page.count('"rev": "workspace"') == len(after.points)
    assert "cdn" not in page
