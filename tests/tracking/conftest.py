"""One project with one study logged, shared by the tests that only look at it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from fselect.study.project import Project
from fselect.study.results import Summary
from fselect.tracking import log_study, open_store
from tests.factories import make_project, make_summary


class Logged(NamedTuple):
    project: Project
    summary: Summary
    ids: list[str]
    left_behind: list[str]
    empty: Path


FACTS = {
    "git_commit": "0123456789abcdef-dirty",
    "dvc_hash": "fedcba9876543210.dir",
    "versions": {"fselect": "9.9"},
    "config": {"tasks": {"source": "noisy", "table": "wine", "noise": 3.0}, "operating_point": {"rule": "one_se"}},
}


OPEN_BY_EIGHT = """
import os, sys
from pathlib import Path
import mlflow, mlflow.store.tracking.sqlalchemy_store
from fselect.tracking import open_store
from fselect.tracking.connection import store_lock
from fselect.tracking.experiments import experiment_id
from tests.factories import make_project

project = make_project(Path(sys.argv[1]))

def work():
    store = open_store(project)
    with store_lock(project.state_dir):
        experiment_id(store, "demo")

read, write = os.pipe()
children = []
for _ in range(8):
    child = os.fork()
    if not child:
        os.close(write)
        os.read(read, 1)  # all start when the parent closes the pipe
        try:
            work()
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    children.append(child)
os.close(write)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


class Opened(NamedTuple):
    project: Project
    failed: int
    said: str
    there: list[str]


@pytest.fixture(scope="session")
def opened(tmp_path_factory):
    """Let eight processes open a new store at once; the folder's name has what addresses stumble over."""
    root, cwd = tmp_path_factory.mktemp("a project é#1 100%"), tmp_path_factory.mktemp("elsewhere")
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", OPEN_BY_EIGHT, str(root)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    there = [*os.listdir(root), *os.listdir(cwd)]
    return Opened(make_project(root), done.returncode, done.stderr, there)


@pytest.fixture(scope="session")
def logged(opened, tmp_path_factory):
    """Log a study."""
    project, summary = opened.project, make_summary()
    cwd, empty = tmp_path_factory.mktemp("elsewhere"), tmp_path_factory.mktemp("empty") / "mlflow.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        patch.setenv("MLFLOW_RUN_ID", "f" * 32)
        patch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
        with sqlite3.connect(project.state_dir / "mlflow.db") as database:
            database.execute("vacuum into ?", [str(empty)])
        ids = log_study(project, summary, facts=FACTS)
        left_behind = os.listdir(cwd)
    return Logged(project, summary, ids, left_behind, empty)


@pytest.fixture(scope="session")
def store(logged):
    return open_store(logged[0])


@pytest.fixture
def fresh(logged, tmp_path):
    """Make a project with an empty store of its own; a copied one, because MLflow takes seconds to make one."""

    def make(**words):
        project = make_project(tmp_path, **words)
        project.state_dir.mkdir(exist_ok=True)
        shutil.copy(logged.empty, project.state_dir / "mlflow.db")
        return project

    return make


@pytest.fixture
def plain_plots(monkeypatch):
    """Plots that cost nothing, where it is not the plots that are tested."""
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})


@pytest.fixture
def query():
    """Ask a project's SQLite file behind MLflow's back."""

    def ask(project, sql):
        with sqlite3.connect(project.state_dir / "mlflow.db") as database:
            return database.execute(sql).fetchall()

    return ask
