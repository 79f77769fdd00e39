"""A real flow with a tiny study, and `dvc repro` on the same."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
import shutil
import subprocess
import sys

import pytest

from fselect import stages
from fselect.errors import InputError
from fselect.study.lock import project_lock
from fselect.study.project import open_project
from fselect.study.results import Summary
from fselect.tracking import list_runs
from fselect.versioning import dvc_hash
from tests.flows.projects import STAGES, TINY, dvc, make_project, run, run_again, write_params


def flow(root):
    from flows.study_flow import pipeline

    return pipeline(str(root))


@pytest.fixture(scope="module")
def by_flow(tmp_path_factory, prefect_server):
    """A project whose study a flow ran."""
    root = make_project(tmp_path_factory.mktemp("by_flow"))
    assert flow(root).not_recorded is None
    return root


@pytest.fixture(scope="module")
def by_dvc(tmp_path_factory, prefect_server):
    """A project whose study `dvc repro` ran."""
    root = make_project(tmp_path_factory.mktemp("by_dvc"))
    assert run_again(dvc(root, "repro")) == list(STAGES)
    return root


@pytest.fixture
def copied(by_flow, tmp_path):
    """A copy of the project that a flow ran, to change."""
    return shutil.copytree(by_flow, tmp_path / "copy", symlinks=True)


def units_run(monkeypatch):
    """A list that every unit joins as it is run."""
    ran = []
    original = stages.Study.run

    def run(self, units, on_done=None):
        ran.extend(units)
        original(self, units, on_done)

    monkeypatch.setattr(stages.Study, "run", run)
    return ran


def changed(section, **values):
    new = copy.deepcopy(TINY)
    new[section] |= values
    return new


def test_after_a_flow_dvc_has_nothing_to_do(by_flow):
    assert "up to date" in dvc(by_flow, "status")
    assert run_again(dvc(by_flow, "repro")) == []


def test_a_flow_leaves_git_nothing_but_the_lock(by_flow):
    assert run(by_flow, "git", "status", "--porcelain") == "?? dvc.lock\n"


def test_where_the_local_state_is_lost_the_page_and_the_runs_are_to_be_made_again(copied):
    shutil.rmtree(copied / ".fselect")
    status = dvc(copied, "status")
    assert [stage for stage in STAGES if f"{stage}:" in status] == ["report", "track"]


def test_a_flow_and_dvc_give_the_same_bytes(by_flow, by_dvc):
    for name in ("dvc.lock", "data/results/tiny/archive.parquet", "data/results/tiny/summary.json"):
        assert (by_flow / name).read_bytes() == (by_dvc / name).read_bytes(), name


def test_after_dvc_a_flow_finds_every_unit_finished_and_logs_no_run_twice(by_dvc, monkeypatch):
    ran, lock = units_run(monkeypatch), by_dvc / "dvc.lock"
    before, logged = lock.read_bytes(), len(list_runs(open_project(by_dvc), "tiny"))
    assert flow(by_dvc).not_recorded is None
    assert ran == []
    assert lock.read_bytes() == before
    assert len(list_runs(open_project(by_dvc), "tiny")) == logged
    assert run_again(dvc(by_dvc, "repro")) == []


def test_every_tracked_run_names_the_data_and_the_commit(by_flow):
    from mlflow.tracking import MlflowClient

    project = open_project(by_flow)
    frame = list_runs(project, "tiny")
    client = MlflowClient(project.tracking_uri)
    tags = [client.get_run(run_id).data.tags for run_id in frame["run_id"]]
    assert len(tags) >= 4
    assert {one["fselect.dvc_hash"] for one in tags} == {dvc_hash(project.tables_dir, by_flow)}
    assert all(one["fselect.git_commit"] for one in tags)


def test_the_flow_run_is_named_after_the_study_and_the_versions_of_its_data_and_configuration(by_flow):
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        names = [run.name for run in client.read_flow_runs()]
    data = dvc_hash(open_project(by_flow).tables_dir, by_flow)
    assert any(re.fullmatch(rf"tiny · data {data[:8]} · params [0-9a-f]{{8}}", name) for name in names)


def test_the_front_the_page_and_the_decision_are_artifacts_of_the_flow_run(by_flow):
    from prefect.client.orchestration import get_client

    project = open_project(by_flow)
    summary = Summary.read(project.summary_path)
    with get_client(sync_client=True) as client:
        oldest = {one.key: one for one in sorted(client.read_artifacts(), key=lambda one: one.created, reverse=True)}
    table = json.loads(oldest["tiny-front"].data)
    assert [(row["point"], row["accuracy"], row["stability"]) for row in table] == [
        (point.label, f"{point.accuracy:.4f}", f"{point.stability:.4f}") for point in summary.points
    ]
    assert [row["point"] for row in table if row["chosen"]] == [summary.chosen.label]
    # no MLflow server shows this project's store, and a browser follows no link to a file
    assert f"`{project.report_path.resolve()}`" in oldest["tiny-report"].data
    assert "](" not in oldest["tiny-report"].data
    text = oldest["tiny-decision"].data
    assert text.startswith(f"# tiny: {summary.chosen.label}")
    assert f"stability {summary.chosen.stability:.4f}" in text
    assert "Recorded with DVC" in text
    # Prefect's page lists under a flow run what names it.
    assert len({oldest[f"tiny-{what}"].flow_run_id for what in ("front", "report", "decision")} - {None}) == 1


def test_a_hostile_column_name_is_text_in_the_decision(by_flow):
    from flows.artifacts import decision

    project = open_project(by_flow)
    summary = Summary.read(project.summary_path)
    names = ("<script>alert(1)</script>", "[x](javascript:alert(1))", "a|b\nc")
    points = [dataclasses.replace(point, selected=names) for point in summary.points]
    text = decision(dataclasses.replace(summary, points=tuple(points)), "<b>promoted</b>", None)
    assert "<script" not in text
    assert "](javascript" not in text
    assert "Registry: &lt;b&gt;promoted&lt;/b&gt;." in text
    assert "| a\\|b c |" in text


def test_a_changed_strength_reruns_selection_and_after_and_only_its_own_units(copied, monkeypatch):
    write_params(copied, changed("selection", strengths=[0, 1, 4]))
    ran = units_run(monkeypatch)
    assert flow(copied).not_recorded is None
    assert {unit.label for unit in ran} == {"strength 4"}
    assert run_again(dvc(copied, "repro")) == []


def test_a_params_file_that_is_edited_during_the_run_is_not_recorded_as_done(copied, monkeypatch):
    write_params(copied, changed("selection", strengths=[0, 1, 8]))
    original = stages.evaluate

    def edit_and_evaluate(project):
        write_params(copied, changed("selection", strengths=[0, 1, 16]))
        return original(project)

    monkeypatch.setattr(stages, "evaluate", edit_and_evaluate)
    outcome = flow(copied)
    assert "params.yaml says something else" in outcome.not_recorded
    assert {point.strength for point in outcome.summary.points} >= {0, 1, 8}
    assert "select" in dvc(copied, "status")


def test_a_set_is_promoted_where_the_study_file_names_it(copied):
    from fselect.registry import panels

    write_params(copied, TINY | {"promotion": {"name": "tiny-panel"}})
    flow(copied)
    listed = panels(open_project(copied))
    assert list(listed["name"]) == ["tiny-panel"]


def test_a_flow_run_that_was_killed_is_marked_crashed_by_the_next(copied):
    from prefect import flow as prefect_flow
    from prefect.client.orchestration import get_client
    from prefect.states import Running

    project = open_project(copied)
    with get_client(sync_client=True) as client:
        dead = client.create_flow_run(prefect_flow(lambda: None, name="dead"), state=Running())
        with project_lock(project.state_dir, flow_run=str(dead.id)):
            note = (project.state_dir / "locks" / "holder.json").read_bytes()
        (project.state_dir / "locks" / "holder.json").write_bytes(note)  # as a killed process leaves it
        flow(copied)
        assert client.read_flow_run(dead.id).state.type.value == "CRASHED"


def test_a_second_study_in_the_folder_is_refused(copied):
    with project_lock(open_project(copied).state_dir), pytest.raises(InputError, match="another study is running"):
        flow(copied)


def test_a_repro_that_is_refused_takes_nothing_from_under_the_study_that_runs(copied):
    """DVC would delete the outputs of a stage before it starts it, and the stage learns only then that it must not."""
    project = open_project(copied)
    made = sorted(path for folder in (project.tasks_dir, project.results_dir) for path in folder.rglob("*"))
    changed = copy.deepcopy(TINY)
    changed["study"]["seed"] = 2  # the tables do not depend on it, the tasks do
    write_params(copied, changed)
    with project_lock(project.state_dir):
        refused = subprocess.run(
            [sys.executable, "-m", "dvc", "repro"], cwd=copied, capture_output=True, text=True, check=False
        )
        assert refused.returncode != 0
        assert "another study is running" in refused.stdout + refused.stderr
        assert sorted(path for folder in (project.tasks_dir, project.results_dir) for path in folder.rglob("*")) == made
    changed["tasks"]["n_tasks"] = 2
    write_params(copied, changed)
    dvc(copied, "repro")
    assert len(list(project.tasks_dir.glob("*.parquet"))) == 2  # what is stale, the stage removes itself
