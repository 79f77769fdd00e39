"""Worker processes share what one of them has loaded, and tell what went wrong in them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fselect.stages import make_tasks, open_study, select
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.study.runners import pools
from tests.studies import TRANSFER, changed

pytestmark = pytest.mark.skipif(not pools.FORKS, reason="processes are forks on Linux only")

PROCESSES = changed(TRANSFER, execution={"runner": "processes", "workers": 2})


def project_in(root, values=PROCESSES):
    project = Project(root, parse_config(values))
    make_tasks(project)
    return project


def test_processes_that_are_started_afresh_give_the_same_bytes_as_forks(tmp_path, monkeypatch):
    forked, spawned = project_in(tmp_path / "forked"), project_in(tmp_path / "spawned")
    select(forked)
    monkeypatch.setattr(pools, "FORKS", False)
    select(spawned)
    assert spawned.archive_path.read_bytes() == forked.archive_path.read_bytes()


def test_an_error_in_a_worker_arrives_with_its_traceback_and_what_is_finished_is_kept(tmp_path):
    study = open_study(project_in(tmp_path))
    *others, last = study.units
    study.store.path(last.key).mkdir(parents=True)  # nothing can be kept there
    with pytest.raises(Exception, match=last.key) as raised:
        study.run([others[0], last, *others[1:]])
    assert any("run_and_keep" in note for note in raised.value.__notes__)
    assert study.store.path(others[0].key).is_file()


def test_ctrl_c_lets_running_units_end_and_begins_no_more(tmp_path):
    study = open_study(project_in(tmp_path))
    told = []

    def interrupt(unit):
        told.append(unit)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(study.units, interrupt)
    kept = study.store.keys()
    assert {unit.key for unit in told} <= kept
    assert len(kept) < len(study.units)


LOADED = """
import sys
import fselect.stages, fselect.study.runners.fork_server
from fselect.study.archive import rows_to_table
rows_to_table([{"unit": "a", "sample": 0, "selected": ["x"], "accuracy": 0.5}, {"unit": None}])
print([name for name in ("pandas", "sklearn", "matplotlib", "plotly", "mlflow") if name in sys.modules])
"""


def test_a_select_step_and_its_workers_load_no_pandas():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
