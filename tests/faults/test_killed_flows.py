"""A flow is killed with −9 at any instant: the next one goes on, and ends as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import time

import pytest

from fselect.study.project import open_project
from tests.faults.flow_processes import (
    assert_as_undisturbed,
    finish,
    flow_states,
    put_flow,
    start_flow,
    tiny,
    wait_for_units,
)
from tests.faults.studies import results
from tests.servers import PrefectServer, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(PrefectServer, tmp_path_factory.mktemp("prefect") / "server") as server:
        yield server


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    return put_flow(tmp_path_factory.mktemp("fresh") / "project", tiny(200))


@pytest.fixture(scope="module")
def undisturbed(fresh, server, tmp_path_factory):
    """Its results, and how long a flow takes from its first unit to its end."""
    place = tmp_path_factory.mktemp("undisturbed") / "project"
    project = open_project(shutil.copytree(fresh.root, place))
    flow = start_flow(project, server)
    wait_for_units(flow, project, 1)
    started = time.monotonic()
    finish(flow, project)
    return results(project), time.monotonic() - started


@pytest.mark.parametrize("seed", range(20))
def test_a_flow_that_is_killed_at_any_instant_is_finished_by_the_next(server, fresh, undisturbed, tmp_path, seed):
    wanted, seconds = undisturbed
    project = open_project(shutil.copytree(fresh.root, tmp_path / "project"))
    flow = start_flow(project, server)
    wait_for_units(flow, project, 1)
    time.sleep(random.Random(seed).random() * seconds)
    flow.kill()
    flow.wait()
    finish(start_flow(project, server), project)
    assert_as_undisturbed(project, wanted)
    assert "Running" not in flow_states(server)
