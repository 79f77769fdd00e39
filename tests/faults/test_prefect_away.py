"""The Prefect server ends under a running flow, and is started again: the flow goes on to its end."""

from __future__ import annotations

import random
import time

import pytest

from tests.faults.flow_processes import (
    assert_as_undisturbed,
    finish,
    flow_states,
    put_flow,
    start_flow,
    tiny,
    wait_for_units,
)
from tests.faults.studies import put_study, results, run_study
from tests.servers import PrefectServer, running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(PrefectServer, tmp_path_factory.mktemp("prefect") / "server") as server:
        yield server


def undisturbed(root, repeats):
    project = put_study(root, tiny(repeats))
    assert run_study(project.root).returncode == 0
    return results(project)


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
