"""The study that the repository ships, and the record of its results."""

from __future__ import annotations

import shutil

import pytest

from fselect.study.project import open_project
from tests.flows.projects import ROOT, STAGES, dvc, make_project, run_again


def test_its_params_file_is_valid_and_has_every_section_that_dvc_tracks():
    from flows.record import check_versioned

    project = open_project(ROOT)
    check_versioned(project)
    assert len(project.config.selection.strengths) >= 5
    assert project.config.tasks.n_tasks >= 5


@pytest.mark.slow
def test_it_gives_the_bytes_that_the_committed_dvc_lock_records(tmp_path):
    # Where this fails, results changed. If that was meant: `make run`, and commit dvc.lock with the change.
    make_project(tmp_path)
    for name in ("params.yaml", "dvc.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    recorded = (tmp_path / "dvc.lock").read_text(encoding="utf-8")
    assert run_again(dvc(tmp_path, "repro")) == list(STAGES)
    assert (tmp_path / "dvc.lock").read_text(encoding="utf-8") == recorded
