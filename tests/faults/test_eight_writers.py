"""Eight processes log at once into one store: none loses a run, none logs one twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from fselect.tracking import list_runs
from tests.factories import make_project
from tests.faults.studies import ROOT
from tests.servers import MlflowServer, running

LOG_BY_EIGHT = """
import os, sys
from pathlib import Path
import mlflow, mlflow.store.tracking.sqlalchemy_store, mlflow.store.tracking.rest_store
import fselect.tracking.describe
from fselect.tracking import log_study, waiting
from tests.factories import make_point, make_project, make_summary

fselect.tracking.describe._plots = lambda summary: {"front.png": b"png"}
project = make_project(Path(sys.argv[1]), uri=sys.argv[2] or None)

def log(digest):
    points = [make_point(label, 0.9, 0.5, digest=digest) for label in ("strength 0", "strength 1")]
    log_study(project, make_summary("demo", digest=digest, points=points))

def work(number):
    log("shared")
    log(f"own{number}")

read, write = os.pipe()
children = []
for number in range(8):
    child = os.fork()
    if not child:
        os.close(write)
        os.read(read, 1)  # all start when the parent closes the pipe
        try:
            work(number)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    children.append(child)
os.close(write)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children) + len(waiting(project.state_dir)))
"""


def logged_by_eight(root, uri=""):
    command = [sys.executable, "-W", "error::UserWarning:fselect", "-c", LOG_BY_EIGHT, str(root), uri]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list_runs(make_project(root, uri=uri or None), "demo")


def assert_complete(frame):
    """Nine studies of two points and two fronts: eight own ones and the one that all of them logged."""
    assert set(frame["status"]) == {"FINISHED"}
    assert len(frame) == 9 * 4
    assert set(Counter(frame["name"]).values()) == {9}


def test_eight_processes_at_once_lose_no_run_and_double_none(tmp_path):
    assert_complete(logged_by_eight(tmp_path))


@pytest.mark.slow
def test_eight_processes_at_once_on_a_server_lose_no_run_and_double_none(tmp_path):
    (tmp_path / "project").mkdir()
    with running(MlflowServer, tmp_path / "server") as server:
        assert_complete(logged_by_eight(tmp_path / "project", server.uri))
