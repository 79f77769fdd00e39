"""prefect.yaml: what is deployed fits the flows that it names."""

from __future__ import annotations

import ast

import pytest
import yaml

from flows.services import POOL
from tests.flows.projects import ROOT

DEPLOYMENTS = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]


def parameters_of(entrypoint):
    """The parameters of the flow, read without importing Prefect."""
    path, _, name = entrypoint.partition(":")
    found = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    flow = next(node for node in found if isinstance(node, ast.FunctionDef) and node.name == name)
    return {argument.arg for argument in flow.args.args}


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda one: one["name"])
def test_a_deployment_gives_parameters_that_its_flow_takes(deployment):
    assert deployment["parameters"].keys() <= parameters_of(deployment["entrypoint"])


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda one: one["name"])
def test_a_deployment_is_scheduled_described_and_runs_one_at_a_time_with_a_queue(deployment):
    assert deployment["description"]
    assert deployment["work_pool"]["name"] == POOL
    assert deployment["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}
    assert len(deployment["schedules"]) == 1
    assert {"cron", "interval"} & deployment["schedules"][0].keys()
