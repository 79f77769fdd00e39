"""Processes that take in new tables, of a project whose first study has its set promoted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pandas as pd

from fselect import stages
from fselect.registry import panels, promote
from fselect.study.project import open_project
from fselect.versioning import run_dvc
from tests.faults.studies import ROOT
from tests.flows.arrivals import make_cohorts

ARRIVE = """
import json, sys
from flows.arrival import arrival
print(json.dumps([[told.table, told.outcome] for told in arrival(*sys.argv[1:])]))
"""


def put_cohorts(root, **sections):
    """The project with champion, as the first study's flow leaves it."""
    from tests.flows.arrivals import STUDY

    project = open_project(make_cohorts(root, STUDY | sections))
    summary = stages.run_study(project)
    stages.track(project)
    promote(project, f"cohorts/{summary.chosen.label}", "panel")
    run_dvc(["commit", "--force", "tables"], root)
    return project


def copy_of(project, root):
    return open_project(shutil.copytree(project.root, root, symlinks=True))


def start_arrival(project, server, *table):
    """A process that takes in what has appeared, or one table."""
    return subprocess.Popen(
        [sys.executable, "-c", ARRIVE, str(project.root), *table],
        cwd=ROOT,
        env=os.environ | server.client | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcomes(process):
    """What it says became of the tables."""
    out, said = process.communicate(timeout=280)
    assert process.returncode == 0, said
    return [tuple(told) for told in json.loads(out.splitlines()[-1])]


def versions(project):
    """How many versions the registered set has."""
    frame: pd.DataFrame = panels(project)
    return int(frame["version"].astype(int).max())


def made(project):
    """The bytes of all results."""
    folder = project.root / "data" / "results"
    kept = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.parquet")}
    return kept | {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("summary.json")}
