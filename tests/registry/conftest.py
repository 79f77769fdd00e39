"""A study of a table with numbers, booleans and texts, logged once; tests promote its points."""

from __future__ import annotations

import shutil
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from fselect.datasets import read_table
from fselect.datasets.tasks import write_tasks
from fselect.tracking import log_study, open_store
from tests.factories import make_point, make_project, make_summary

SET = ("stage=II", "age", "sex", "smoker", "stage=IV", "gene 7")


@pytest.fixture(scope="session")
def table():
    """Twelve patients."""
    return pd.DataFrame(
        {
            "age": [30, 41, 52, 63, 34, 45, 56, 67, 38, 49, 50, 61],
            "sex": list("fmfmffmmfmfm"),
            "smoker": [True, False] * 6,
            "stage": ["I", "II", "III", "IV"] * 3,
            "gene 7": [float(i * i) for i in range(12)],
            "gene 8": [float(i % 5) for i in range(12)],
            "target": ["ill", "well", "well", "ill"] * 3,
        }
    )


@pytest.fixture(scope="session")
def original(table, tmp_path_factory):
    """Log two studies: of the mixed table, and of numbers alone."""
    project = make_project(tmp_path_factory.mktemp("original"))
    data = read_table(table, "target", nominal="onehot", clip=(0, 100))
    write_tasks([data], project.tasks_dir)
    points = [
        make_point("strength 1", 0.9, 0.8, selected=SET, weights=dict.fromkeys(SET, 1.0)),
        make_point("strength 2", 0.88, 0.9, selected=("gene 8", "gene 7"), accuracy_se=float("nan")),
        make_point("first set", 0.7, 1.0),
    ]
    summary = make_summary(points=points)
    tasks = (replace(summary.tasks[0], name=data.name, data_hash=data.content_hash),)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
        ids = log_study(project, replace(summary, tasks=tasks), facts={"git_commit": "abc"})
    return SimpleNamespace(project=project, ids=ids, data=data)


def copied(original, root):
    """Copy the logged study, for a registry of its own."""
    shutil.copytree(original.project.root, root)
    project = make_project(root)
    return SimpleNamespace(project=project, ids=original.ids, data=original.data, client=open_store(project).client)


@pytest.fixture
def study(original, tmp_path):
    return copied(original, tmp_path / "project")
