"""Worker processes share what one of them has loaded, and tell what went wrong in them."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing import Pipe

import pytest

from fselect.stages import make_tasks, open_study, select
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.study.runners import fork_server, pools
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


def alone(study, said=None):
    """What a server runs before it forks, and what it says of it; `said` is what it was told meanwhile."""
    ours, theirs = Pipe()
    if said is not None:
        ours.send(said)
    job = fork_server.Job(study.units, [], study.store, workers=2, alone=True, parent=0)
    finished = list(fork_server._run_alone(job, study.tasks, theirs))
    return finished, [ours.recv().key for _ in finished]


def test_the_first_bootstraps_the_first_trivial_strategy_and_the_first_set_are_run_before_workers_are_forked(tmp_path):
    study = open_study(project_in(tmp_path))
    kinds = [(unit.protocol, unit.trivial) for unit in study.units]
    finished, told = alone(study)
    expected = {study.units[kinds.index(kind)].key for kind in set(kinds)}
    assert len(expected) == 3
    assert set(finished) == set(told) == study.store.keys() == expected


def test_where_units_take_long_one_alone_is_run_before_workers_are_forked(tmp_path, monkeypatch):
    study = open_study(project_in(tmp_path))
    monkeypatch.setattr(fork_server, "_ALONE", 0.0)
    assert alone(study)[0] == [study.units[0].key]


def test_a_server_that_is_told_to_end_runs_no_unit_of_another_kind(tmp_path):
    study = open_study(project_in(tmp_path))
    assert alone(study, fork_server.FINISHED)[0] == []


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
