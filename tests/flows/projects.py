"""Projects under Git and DVC, with a tiny study and the repository's own stages."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
SHARED = [
    ".dvc/config",
    ".dvc/plots.html",
    ".dvc/.gitignore",
    ".dvcignore",
    "dvc.yaml",
    "data/.gitignore",
    ".gitignore",
]
STAGES = ("tables", "tasks", "select", "evaluate", "report", "track")

TINY = {
    "study": {"name": "tiny", "seed": 1, "protocol": "transfer"},
    "tasks": {"source": "noisy", "table": "iris", "target": "target", "n_tasks": 3, "noise": 1.0},
    "data": {},
    "selection": {"method": "rfe", "n_features": 2, "strengths": [0, 1], "repeats": 3, "bootstraps": 5},
    "evaluation": {},
    "operating_point": {},
}


def run(root, *command):
    """Run a command in a folder, and give back all it printed."""
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def dvc(root, *words):
    """Run DVC in a folder."""
    return run(root, sys.executable, "-m", "dvc", *words)


def write_params(root, values):
    """Write params.yaml."""
    (root / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")


def make_project(root, values=TINY):
    """Make a project with the repository's own stages, committed."""
    for name in SHARED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    write_params(root, values)
    run(root, "git", "init", "-q")
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-q", "-m", "a study")
    return root


def run_again(output):
    """The stages that `dvc repro` ran or restored, from what it printed."""
    return [stage for stage in STAGES if f"Stage '{stage}' didn't change" not in output]
