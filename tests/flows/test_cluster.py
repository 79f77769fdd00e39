"""A flow whose units run on a Dask cluster started by hand."""

from __future__ import annotations

import threading
import time

import pytest

from tests.flows.projects import TINY, dvc, make_project, run_again
from tests.study.clusters import started_cluster

pytest.importorskip("prefect_dask")


def kill_when_some_are_kept(worker, store, number):
    """In a thread: end the worker once so many units are kept; gives a list that then holds them."""
    kept = []

    def wait():
        while len(found := list(store.glob("*/*.arrow"))) < number:
            time.sleep(0.01)
        worker.kill()
        kept.extend(found)

    threading.Thread(target=wait, daemon=True).start()
    return kept


def task_runs():
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        return [run for run in client.read_task_runs() if run.name.startswith("select ")]


@pytest.mark.slow
def test_a_flow_on_a_cluster_that_loses_a_worker_gives_the_same_bytes(tmp_path, prefect_server):
    from flows.study_flow import pipeline

    values = TINY | {"selection": TINY["selection"] | {"repeats": 100}}
    here = make_project(tmp_path / "here", values)
    assert pipeline(str(here)).not_recorded is None
    before = {run.id for run in task_runs()}
    (tmp_path / "logs").mkdir()
    with started_cluster(tmp_path / "logs") as cluster:
        there = make_project(tmp_path / "there", values | {"execution": {"runner": "dask", "address": cluster.address}})
        kept = kill_when_some_are_kept(cluster.workers[0], there / ".fselect" / "store", 10)
        assert pipeline(str(there)).not_recorded is None
    archive = "data/results/tiny/archive.parquet"
    assert 10 <= len(kept) < 302
    assert (there / archive).read_bytes() == (here / archive).read_bytes()
    assert run_again(dvc(there, "repro")) == []
    on_workers = [run for run in task_runs() if run.id not in before]
    assert 4 < len(on_workers) < 100
    assert all(run.state.is_completed() for run in on_workers)
