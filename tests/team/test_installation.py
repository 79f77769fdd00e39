"""A team's servers on this machine, and a study that uses them all: the results are those of one process alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from fselect import stages
from fselect.study.project import open_project
from tests.flows.projects import ROOT, TINY, dvc, make_project, run, run_again, write_params
from tests.team.servers import BUCKET, KEYS, installation, postgres_programs, s3_client

pytest.importorskip("psycopg2", reason="the extra 'team' is not installed")
pytest.importorskip("moto", reason="moto, an S3 server for this machine, is not installed")
pytestmark = pytest.mark.skipif(
    postgres_programs() is None, reason="PostgreSQL is not installed (Debian: apt-get install postgresql)"
)

RESULTS = ("archive.parquet", "summary.json", "metrics.json", "points.csv")


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    with installation(tmp_path_factory.mktemp("servers")) as servers:
        yield servers


@pytest.fixture(scope="module", autouse=True)
def _environment():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(ROOT))
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        for name in (*KEYS, "MLFLOW_TRACKING_URI", "PREFECT_API_URL", "PREFECT_HOME"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def keys(monkeypatch):
    """The keys of S3, which only `dvc push` and `dvc pull` need."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def studied(team, tmp_path_factory):
    """A project whose flow has run on all servers, committed."""
    root = make_project(tmp_path_factory.mktemp("project"), with_servers(TINY, team))
    dvc(root, "remote", "add", "-d", "team", f"s3://{BUCKET}/dvc")
    dvc(root, "remote", "modify", "team", "endpointurl", team.s3)
    assert "DVC: recorded" in run_flow(root, team)
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-q", "-m", "the study")
    return root


def with_servers(values, team):
    return values | {"execution": {"runner": "dask", "address": team.dask}, "tracking": {"uri": team.mlflow}}


def run_flow(root, team):
    settings = {"PREFECT_API_URL": team.prefect}
    command = [sys.executable, "-m", "flows.pipeline"]
    done = subprocess.run(command, cwd=root, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def objects(team, prefix):
    """Keys in the bucket."""
    pages = s3_client(team.s3).get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
    return [item["Key"] for page in pages for item in page.get("Contents", [])]


def test_a_study_on_all_servers_gives_the_bytes_of_one_process_and_leaves_its_records_there(
    team, studied, keys, tmp_path
):
    summary = stages.run_study(open_project(make_project(tmp_path)))
    for name in RESULTS:
        place = f"data/results/tiny/{name}"
        assert (studied / place).read_bytes() == (tmp_path / place).read_bytes()

    flows = team.database.ask("prefect", "SELECT state_type FROM flow_run")
    assert flows == [("COMPLETED",), ("COMPLETED",)]  # the study's, and the one that runs its chunks on Dask
    names = [name for (name,) in team.database.ask("mlflow", "SELECT name FROM runs WHERE status = 'FINISHED'")]
    wanted = [f"transfer {point.label}" for point in summary.points] + [front.label for front in summary.fronts]
    assert sorted(names) == sorted(wanted)
    sets = [key for key in objects(team, "mlflow/") if key.endswith("/set.json")]
    assert len(sets) == sum(bool(point.selected) for point in summary.points)
    assert not (studied / ".fselect" / "mlflow.db").exists()
    assert not (studied / ".fselect" / "artifacts").exists()

    dvc(studied, "push")
    recorded = yaml.safe_load((studied / "dvc.lock").read_text(encoding="utf-8"))["stages"]["select"]["outs"][0]["md5"]
    assert f"dvc/files/md5/{recorded[:2]}/{recorded[2:]}" in objects(team, "dvc/")


LOAD = """
import sys, mlflow
mlflow.set_tracking_uri(sys.argv[1])
print(*mlflow.sklearn.load_model("models:/panel@champion").get_feature_names_out(), sep="|")
"""


@pytest.mark.slow
def test_a_promoted_set_loads_by_its_alias_where_neither_the_project_nor_the_keys_of_s3_are(team, studied, tmp_path):
    chosen = stages.Summary.read(open_project(studied).summary_path).chosen
    run(studied, "fselect", "promote", f"tiny/{chosen.label}", "--name", "panel")
    loaded = run(tmp_path, sys.executable, "-c", LOAD, team.mlflow)
    assert "|".join(chosen.selected) in loaded.splitlines()


@pytest.mark.slow
def test_a_colleagues_clone_pulls_the_results_and_makes_only_page_and_note(team, studied, keys, tmp_path):
    dvc(studied, "push")
    before = team.database.ask("mlflow", "SELECT count(*) FROM runs")
    run(tmp_path, "git", "clone", "-q", str(studied), "theirs")
    theirs = tmp_path / "theirs"
    dvc(theirs, "pull", "--allow-missing")
    assert run_again(dvc(theirs, "repro")) == ["report", "track"]
    for name in RESULTS:
        place = f"data/results/tiny/{name}"
        assert (theirs / place).read_bytes() == (studied / place).read_bytes()
    assert team.database.ask("mlflow", "SELECT count(*) FROM runs") == before  # each is there once


@pytest.mark.slow
def test_the_default_study_on_all_servers_is_the_one_that_the_repository_records(team, tmp_path):
    make_project(tmp_path)
    values = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    write_params(tmp_path, with_servers(values, team))
    assert "DVC: recorded" in run_flow(tmp_path, team)
    assert (tmp_path / "dvc.lock").read_text(encoding="utf-8") == (ROOT / "dvc.lock").read_text(encoding="utf-8")
    assert run_again(dvc(tmp_path, "repro")) == []


def test_the_page_about_a_team_names_every_setting_that_is_used_here():
    page = (ROOT / "docs" / "team.md").read_text(encoding="utf-8")
    source = Path(__file__).with_name("servers.py").read_text(encoding="utf-8")
    used = {word for word in source.replace('"', " ").split() if word.startswith(("PREFECT_", "MLFLOW_", "AWS_", "--"))}
    words = {word.rstrip(":,") for word in used} - {"--pwfile", "--no-sync", "--no-locale", "--encoding", "--workers"}
    assert {word for word in words if word not in page} == set()
