"""Flows on a real server: it ends under one and is started again, and two take in a table at the same moment."""

from __future__ import annotations

import random
import time

import pytest

from tests.faults.arriving import copy_of, made, outcomes, put_cohorts, start_arrival, versions
from tests.faults.flow_processes import (
    assert_as_undisturbed,
    finish,
    flow_states,
    put_flow,
    start_flow,
    tiny,
    wait_for_units,
)
from tests.faults.studies import go_on, put_study
from tests.flows.arrivals import cohort, put
from tests.servers import PrefectServer, running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(PrefectServer, tmp_path_factory.mktemp("prefect") / "server") as server:
        yield server


def undisturbed(root, repeats):
    return go_on(put_study(root, tiny(repeats)))


def test_a_flow_outlives_a_restart_of_its_server(server, tmp_path):
    project = put_flow(tmp_path / "disturbed", tiny(60))
    flow = start_flow(project, server)
    wait_for_units(flow, project, 10)
    server.kill()
    wanted = undisturbed(tmp_path / "undisturbed", 60)  # so long the server is away
    server.start()
    finish(flow, project)
    assert flow_states(server)[-1] == "Completed"
    assert_as_undisturbed(project, wanted)


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("seed", range(4))
def test_a_flow_outlives_five_restarts_at_random_instants(server, tmp_path, seed):
    project, draws = put_flow(tmp_path / "disturbed", tiny(4000)), random.Random(seed)
    flow = start_flow(project, server)
    wait_for_units(flow, project, 1)
    for number in range(5):
        time.sleep(draws.uniform(0, 6))
        assert flow.poll() is None
        server.kill()
        time.sleep(60 if (seed, number) == (0, 2) else draws.uniform(0, 10))
        server.start()
    assert flow.wait(600) == 0
    assert flow_states(server)[-1] == "Completed"
    assert_as_undisturbed(project, undisturbed(tmp_path / "undisturbed", 4000))


@pytest.fixture(scope="module")
def cohorts(tmp_path_factory):
    return put_cohorts(tmp_path_factory.mktemp("cohorts") / "project")


def test_two_arrivals_of_one_table_at_the_same_moment_make_one_task(server, cohorts, tmp_path):
    project = copy_of(cohorts, tmp_path / "project")
    put(project.root, "march.csv", cohort(3))
    both = [start_arrival(project, server) for _ in range(2)]
    assert sorted(told for process in both for told in outcomes(process)) == [
        ("march.csv", "arrived"),
        ("march.csv", "known"),
    ]
    assert versions(project) == versions(cohorts) + 1


@pytest.mark.slow
def test_two_arrivals_of_two_tables_at_the_same_moment_make_two_tasks(server, cohorts, tmp_path):
    project = copy_of(cohorts, tmp_path / "project")
    tables = [str(put(project.root, name, cohort(seed))) for seed, name in ((3, "march.csv"), (4, "april.csv"))]
    both = [start_arrival(project, server, table) for table in tables]
    assert sorted(told for process in both for told in outcomes(process)) == [
        ("april.csv", "arrived"),
        ("march.csv", "arrived"),
    ]
    assert versions(project) == versions(cohorts) + 2


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_an_arrival_that_is_killed_at_any_instant_is_finished_by_the_next(server, cohorts, tmp_path):
    calm = copy_of(cohorts, tmp_path / "calm")
    put(calm.root, "march.csv", cohort(3))
    started = time.monotonic()
    assert outcomes(start_arrival(calm, server)) == [("march.csv", "arrived")]
    whole = time.monotonic() - started
    for seed in range(20):
        project = copy_of(cohorts, tmp_path / f"killed{seed}")
        put(project.root, "march.csv", cohort(3))
        killed = start_arrival(project, server)
        time.sleep(random.Random(seed).uniform(0.2, 1.0) * whole)
        killed.kill()
        killed.communicate()
        assert outcomes(start_arrival(project, server))[0][0] == "march.csv"
        assert made(project) == made(calm), seed
        assert versions(project) == versions(calm), seed
        assert "Running" not in flow_states(server), seed
