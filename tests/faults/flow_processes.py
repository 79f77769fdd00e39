"""Flows in processes of their own, on a Prefect server that the test can end and start again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from urllib.request import Request, urlopen

from fselect.study.project import open_project
from fselect.tracking import list_runs
from tests.faults.studies import ROOT, results
from tests.flows.projects import TINY, dvc, make_project, run_again

COMMAND = [sys.executable, "-m", "flows.pipeline", "--root"]


def tiny(repeats):
    return TINY | {"selection": TINY["selection"] | {"repeats": repeats}}


def put_flow(root, values):
    """A project under Git and DVC."""
    root.mkdir(parents=True)
    return open_project(make_project(root, values))


def start_flow(project, server):
    with open(project.root / ".git" / "flow.log", "ab") as log:
        return subprocess.Popen(
            [*COMMAND, str(project.root)], cwd=ROOT, env=os.environ | server.client, stdout=log, stderr=log
        )


def said(project):
    return (project.root / ".git" / "flow.log").read_text()


def wait_for_units(process, project, number, seconds=240):
    """Wait until so many units are kept."""
    end = time.monotonic() + seconds
    while len(list(project.store_dir.glob("*/*.arrow"))) < number:
        assert process.poll() is None, said(project)
        if time.monotonic() > end:
            process.kill()
            raise AssertionError(f"not {number} units after {seconds} s: {said(project)}")
        time.sleep(0.02)


def finish(process, project):
    """Wait for its end, which has to be a good one."""
    assert process.wait(280) == 0, said(project)


def assert_as_undisturbed(project, wanted):
    """Results to the byte, every run in MLflow once, and nothing left for DVC to do."""
    assert results(project) == wanted
    frame = list_runs(project, "tiny")
    assert set(frame["status"]) == {"FINISHED"}
    assert sorted(frame["name"]) == sorted(set(frame["name"]))
    assert run_again(dvc(project.root, "repro")) == []


def flow_states(server):
    """The states of all flow runs of a server, oldest first."""
    body = json.dumps({"sort": "START_TIME_ASC"}).encode()
    request = Request(f"{server.uri}/api/flow_runs/filter", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        return [run["state_name"] for run in json.load(answer)]
