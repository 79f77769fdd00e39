"""prefect.yaml: what is deployed fits the flows that it names."""

from __future__ import annotations

import importlib
import inspect

import pytest
import yaml

from flows.services import POOL
from tests.flows.projects import ROOT

DEPLOYMENTS = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda one: one["name"])
def test_a_deployment_fits_its_flow(deployment, prefect_server):
    path, _, name = deployment["entrypoint"].partition(":")
    flow = getattr(importlib.import_module(path.removesuffix(".py").replace("/", ".")), name)
    inspect.signature(flow.fn).bind(**deployment["parameters"])


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda one: one["name"])
def test_a_deployment_is_scheduled_described_and_runs_one_at_a_time_with_a_queue(deployment):
    assert deployment["description"]
    assert deployment["work_pool"]["name"] == POOL
    assert deployment["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}
    assert len(deployment["schedules"]) == 1
    assert {"cron", "interval"} & deployment["schedules"][0].keys()
