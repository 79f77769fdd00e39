"""A study whose set is champion, with a real MLflow store; tables of new tasks are taken in without Prefect."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest

from fselect import arrivals, stages
from fselect.registry import promote
from fselect.study.project import open_project
from fselect.tracking import open_store
from tests.flows.arrivals import STUDY, cohort
from tests.flows.projects import write_params


@pytest.fixture(scope="session")
def studied(tmp_path_factory):
    """The project after its study, with version 1 of the panel as champion."""
    root = tmp_path_factory.mktemp("studied")
    (root / "data" / "tables").mkdir(parents=True)
    for seed, name in enumerate(("january", "february")):
        cohort(seed).to_csv(root / "data" / "tables" / f"{name}.csv", index=False)
    write_params(root, STUDY)
    project = open_project(root)
    summary = stages.run_study(project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
        stages.track(project)
    promote(project, summary.chosen.key, "panel")
    return root


@pytest.fixture
def service(studied, tmp_path, monkeypatch):
    """A copy of the project that takes in frames: `take(name, frame, **changes of the gate)`."""
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
    root = shutil.copytree(studied, tmp_path / "project")

    def take(name, frame, **gate):
        project = _with_gate(open_project(root), gate)
        store = open_store(project)
        path = tmp_path / name
        frame.to_csv(path, index=False)
        return [_one(project, store, table) for table in _read(project, store, path)]

    project = open_project(root)
    return SimpleNamespace(root=root, project=project, take=take, store=open_store(project))


def _with_gate(project, gate):
    from dataclasses import replace

    rules = project.config.promotion.gate.model_copy(update=gate)
    promotion = project.config.promotion.model_copy(update={"gate": rules})
    return replace(project, config=project.config.model_copy(update={"promotion": promotion}))


def _read(project, store, path):
    return arrivals.read(project, path, arrivals.open_ledger(project, store))


def _one(project, store, table):
    found = arrivals.recognise(table, arrivals.open_ledger(project, store))
    if isinstance(found, arrivals.Known):
        return found
    study = arrivals.prepare(project, found, store)
    study.run(study.pending())
    worked = arrivals.measure(study, found)
    run = arrivals.log(project, found, worked, store, project.root / "params.yaml")
    version = arrivals.register(project, found, worked, store, run)
    verdict = arrivals.judge(project, found, store, version)
    return SimpleNamespace(arrival=found, worked=worked, run=run, verdict=verdict)
