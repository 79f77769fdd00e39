"""A small study in a folder, run by the command line in a process of its own, and what it leaves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import yaml

from fselect import stages
from fselect.study.config import parse_config
from fselect.study.project import Project
from tests.studies import TRANSFER, changed

ROOT = Path(__file__).parents[2]
SMALL = changed(TRANSFER, selection={"repeats": 20}, execution={"workers": 2})
COMMAND = [sys.executable, "-m", "fselect", "run"]


def put_study(root, values=SMALL):
    """A project folder with its study file."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    return Project(root, parse_config(values))


def run_study(root, *words, settings=None, track=False):
    """Run it to its end, however it ends."""
    command = [*COMMAND, *([] if track else ["--no-track"]), *words]
    return subprocess.run(command, cwd=root, env=settings, capture_output=True, text=True, check=False, timeout=280)


def go_on(project):
    """Run it again in this process, where imports cost nothing; gives the results."""
    stages.run_study(project)
    return results(project)


def results(project):
    """The bytes of what a study finds."""
    places = (project.archive_path, project.summary_path, project.metrics_path, project.points_path)
    return {place.name: place.read_bytes() for place in places}


def sentence(done):
    """The one sentence of a command that gave up."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith(("error", "Error"))]
    assert len(lines) == 1, done.stderr
    return " ".join(done.stderr.split())
