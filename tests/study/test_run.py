"""Running a plan: the same result on any number of workers, and nothing finished is ever run again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from fselect.stages import make_tasks, open_study, run_study, select
from fselect.study.config import parse_config
from fselect.study.project import Project
from tests.studies import SINGLE, TRANSFER, changed


def archive_bytes(root, values, **execution):
    project = Project(root, parse_config(changed(values, execution=execution)))
    make_tasks(project)
    select(project)
    return project.archive_path.read_bytes()


@pytest.mark.parametrize("values", [TRANSFER, SINGLE], ids=["transfer", "single"])
def test_threads_and_processes_in_any_number_give_the_same_bytes(tmp_path, values):
    alone = archive_bytes(tmp_path / "a", values, workers=1)
    assert archive_bytes(tmp_path / "b", values, workers=5) == alone
    assert archive_bytes(tmp_path / "c", values, workers=2, runner="processes") == alone


def test_a_unit_gives_the_same_alone_and_in_any_order(transfer_project):
    make_tasks(transfer_project)
    study = open_study(transfer_project)
    study.run(list(study.units)[::-1])
    reversed_order = study.collect()
    alone = [unit for unit in study.units if unit.label == "strength 4"][1]
    study.store.path(alone.key).unlink()
    transfer_project.archive_path.unlink()
    study.run([alone])
    assert study.collect().equals(reversed_order)


def test_finished_units_are_not_run_again(transfer_project):
    make_tasks(transfer_project)
    ran = []
    select(transfer_project, on_plan=lambda study: ran.append)
    assert len(ran) == 19
    select(transfer_project, on_plan=lambda study: ran.append)
    assert len(ran) == 19


def test_the_archive_alone_keeps_its_units_finished(transfer_project):
    import shutil

    make_tasks(transfer_project)
    select(transfer_project)
    before = transfer_project.archive_path.read_bytes()
    shutil.rmtree(transfer_project.store_dir)
    ran = []
    select(transfer_project, on_plan=lambda study: ran.append)
    assert ran == []
    assert transfer_project.archive_path.read_bytes() == before


def test_a_unit_that_lost_rows_in_the_archive_is_run_again(transfer_project):
    import shutil

    import pyarrow.parquet as pq

    make_tasks(transfer_project)
    select(transfer_project)
    path = transfer_project.archive_path
    before = path.read_bytes()
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    shutil.rmtree(transfer_project.store_dir)
    ran = []
    select(transfer_project, on_plan=lambda study: ran.append)
    assert [unit.key for unit in ran] == [table.column("unit")[0].as_py()]
    assert path.read_bytes() == before


def test_a_kept_unit_that_is_damaged_is_run_again_at_once(transfer_project):
    make_tasks(transfer_project)
    select(transfer_project)
    before = transfer_project.archive_path.read_bytes()
    transfer_project.archive_path.unlink()
    damaged = next(transfer_project.store_dir.glob("*/*.arrow"))
    damaged.write_bytes(damaged.read_bytes()[:200])
    select(transfer_project)
    assert transfer_project.archive_path.read_bytes() == before


def test_a_new_strength_runs_only_its_own_units(transfer_project):
    run_study(transfer_project)
    more = changed(TRANSFER, selection={"strengths": [0, 1, 4, 16]})
    ran = []
    project = Project(transfer_project.root, parse_config(more))
    run_study(project, on_plan=lambda study: ran.append)
    assert {unit.label for unit in ran} == {"strength 16"}


RUN = """
import sys
from pathlib import Path
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.stages import run_study
from tests.studies import TRANSFER, changed
values = changed(TRANSFER, selection={"repeats": 60}, execution={"workers": 2, "runner": sys.argv[2]})
run_study(Project(Path(sys.argv[1]), parse_config(values)))
"""


def assert_no_worker_is_left(root):
    """Workers of a killed study end by themselves: nothing is written any more."""
    time.sleep(2)
    files = sorted(root.rglob("*.arrow"))
    time.sleep(2)
    assert sorted(root.rglob("*.arrow")) == files


def start(root, runner):
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return subprocess.Popen([sys.executable, "-c", RUN, str(root), runner], cwd=here, start_new_session=True)


@pytest.mark.parametrize("runner", ["threads", "processes"])
def test_a_killed_study_goes_on_where_it_was_and_ends_the_same(tmp_path, runner):
    assert start(tmp_path / "calm", runner).wait(120) == 0
    values = changed(TRANSFER, selection={"repeats": 60})
    project = Project(tmp_path / "killed", parse_config(values))
    process = start(project.root, runner)
    deadline = time.monotonic() + 60
    while sum(1 for _ in project.store_dir.glob("*/*.arrow")) < 30 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert_no_worker_is_left(project.root)
    finished = {path.name: path.stat().st_mtime_ns for path in project.store_dir.glob("*/*.arrow")}
    assert 30 <= len(finished) < 243
    assert not project.archive_path.exists()
    assert start(project.root, runner).wait(120) == 0
    again = {path.name: path.stat().st_mtime_ns for path in project.store_dir.glob("*/*.arrow")}
    assert finished.items() <= again.items()
    calm = Project(tmp_path / "calm", parse_config(values))
    assert project.archive_path.read_bytes() == calm.archive_path.read_bytes()
    assert project.summary_path.read_bytes() == calm.summary_path.read_bytes()
