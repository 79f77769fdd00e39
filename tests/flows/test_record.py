"""What is recorded with DVC is what was run."""

from __future__ import annotations

import pytest

from flows import record as module
from flows.record import fingerprint, record, still_true
from fselect import stages
from fselect.study.project import open_project
from tests.flows.projects import TINY, write_params


@pytest.fixture
def project(tmp_path):
    write_params(tmp_path, TINY)
    made = open_project(tmp_path)
    stages.make_tables(made)
    return made


@pytest.fixture
def committed(monkeypatch):
    """The stages that were handed to DVC."""
    handed = []
    monkeypatch.setattr(module, "dvc_commit", lambda names, root: handed.extend(names))
    return handed


def edited(**sections):
    return TINY | {name: TINY.get(name, {}) | values for name, values in sections.items()}


def test_an_unchanged_study_is_recorded(project, committed):
    assert record(project, fingerprint(project)) is None
    assert committed == list(module.STAGES)


@pytest.mark.parametrize(
    "sections",
    [{"selection": {"repeats": 4}}, {"evaluation": {"level": 0.9}}, {"study": {"seed": 2}}],
    ids=["selection", "evaluation", "seed"],
)
def test_an_edited_params_file_is_not_recorded(project, committed, sections):
    at_start = fingerprint(project)
    write_params(project.root, edited(**sections))
    assert "params.yaml" in record(project, at_start)
    assert committed == []


def test_a_params_file_that_is_broken_by_then_is_not_recorded(project, committed):
    at_start = fingerprint(project)
    (project.root / "params.yaml").write_text("study: {name: ")
    assert "params.yaml" in record(project, at_start)
    assert committed == []


def test_what_changes_no_result_may_change(project, committed):
    at_start = fingerprint(project)
    write_params(project.root, edited(execution={"workers": 7}, promotion={"name": "panel"}))
    assert record(project, at_start) is None


def test_a_changed_table_and_a_new_one_are_noticed(project):
    at_start = fingerprint(project)
    (project.tables_dir / "late.csv").write_text("a,b\n1,2\n")
    assert still_true(project, at_start) == "a table changed during the run"
    (project.tables_dir / "late.csv").unlink()
    assert still_true(project, at_start) is None


def test_a_table_outside_the_tables_folder_is_noticed_too(tmp_path):
    write_params(tmp_path, edited(tasks={"table": "mine.csv"}))
    (tmp_path / "mine.csv").write_text("a,b,target\n1,2,x\n")
    (tmp_path / "data" / "tables").mkdir(parents=True)
    project = open_project(tmp_path)
    at_start = fingerprint(project)
    (tmp_path / "mine.csv").write_text("a,b,target\n1,3,x\n")
    assert still_true(project, at_start) == "a table changed during the run"


@pytest.mark.parametrize("before", [b"schema: '2.0'\n", None], ids=["there was a lock", "there was none"])
def test_an_edit_while_dvc_reads_leaves_the_old_lock(project, monkeypatch, before):
    lock = project.root / "dvc.lock"
    if before is not None:
        lock.write_bytes(before)

    def edit_and_commit(names, root):
        write_params(root, edited(selection={"repeats": 4}))
        lock.write_bytes(b"a lie")

    monkeypatch.setattr(module, "dvc_commit", edit_and_commit)
    assert "params.yaml" in record(project, fingerprint(project))
    assert (lock.read_bytes() if lock.exists() else None) == before
