"""Worker processes of a study are killed with −9 in the middle of a unit: the others are started anew and finish it."""

from __future__ import annotations

import contextlib
import random
import subprocess
import threading
import time

import psutil
import pytest

from tests.faults.studies import COMMAND, SMALL, go_on, put_study, results, sentence
from tests.studies import changed


def servers_of(study):
    """The process that its workers are forks of, if it is there."""
    try:
        children = psutil.Process(study.pid).children()
        return [child for child in children if any("fork_server" in word for word in child.cmdline())]
    except psutil.Error:
        return []


def workers_of(study):
    """The processes that run its units."""
    try:
        return [worker for server in servers_of(study) for worker in server.children()]
    except psutil.Error:
        return []


def kill_some(study, store, number, kept, whom=workers_of):
    """Kill so many workers, or servers, each at a random instant after one more unit was finished."""
    draws = random.Random(number)
    while len(kept) < number and study.poll() is None:
        before = len(list(store.glob("*/*.arrow")))
        if not (there := whom(study)):  # before the wait: to look for them takes as long as some units
            continue
        while study.poll() is None and len(list(store.glob("*/*.arrow"))) <= max(before, 5):
            time.sleep(0.005)
        time.sleep(draws.uniform(0, 0.05))
        with contextlib.suppress(psutil.NoSuchProcess):
            victim = draws.choice(there)
            victim.kill()
            kept.append(before)
            psutil.wait_procs([victim], 30)


def by_processes(repeats):
    return changed(SMALL, selection={"repeats": repeats}, execution={"runner": "processes", "workers": 2})


def disturbed(project, kills, whom=workers_of):
    """Run the study while its workers, or servers, are killed so many times."""
    killed = []
    with subprocess.Popen([*COMMAND, "--no-track"], cwd=project.root, stderr=subprocess.PIPE, text=True) as study:
        killer = threading.Thread(target=kill_some, args=(study, project.store_dir, kills, killed, whom))
        killer.start()
        _, said = study.communicate()
        killer.join()
    assert study.returncode == 0, said
    assert len(killed) == kills
    return results(project)


def test_a_killed_worker_costs_only_the_units_at_hand(tmp_path, calm):
    assert disturbed(put_study(tmp_path, by_processes(SMALL["selection"]["repeats"])), 1) == calm


def test_a_killed_server_of_workers_takes_them_along_and_another_one_goes_on(tmp_path, calm):
    assert disturbed(put_study(tmp_path, by_processes(SMALL["selection"]["repeats"])), 1, servers_of) == calm


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_workers_that_are_killed_at_twenty_instants_cost_only_the_units_at_hand(tmp_path):
    values = by_processes(800)
    found = disturbed(put_study(tmp_path / "disturbed", values), 20)
    assert found == go_on(put_study(tmp_path / "undisturbed", changed(values, execution={"runner": "threads"})))


@pytest.mark.slow
def test_workers_that_are_killed_before_any_unit_is_finished_end_in_a_sentence(tmp_path):
    project = put_study(tmp_path, by_processes(400))
    with subprocess.Popen(
        [*COMMAND, "--no-track"], cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as study:
        while study.poll() is None:
            for worker in workers_of(study):
                with contextlib.suppress(psutil.NoSuchProcess):  # one that is gone by itself
                    worker.kill()
            time.sleep(0.01)
        out, said = study.communicate()
    done = subprocess.CompletedProcess(COMMAND, study.returncode, out, said)
    assert "try fewer workers" in sentence(done)
