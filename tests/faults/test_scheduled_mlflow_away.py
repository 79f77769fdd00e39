"""The team's MLflow server goes away for a minute in the middle of a scheduled run, and nobody looks on."""

from __future__ import annotations

import threading

import pytest

from fselect.registry import history, panels
from fselect.study.results import Summary
from fselect.tracking import list_runs, waiting
from fselect.tracking.describe import describe_study
from tests.faults.flow_processes import assert_as_undisturbed, tiny
from tests.faults.serving import serving
from tests.faults.studies import go_on, put_study
from tests.servers import MlflowServer, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def test_the_scheduled_run_ends_whole_and_the_next_one_sends_what_waits_in_order_once(tmp_path):
    with running(MlflowServer, tmp_path / "server") as server:
        values = tiny(100) | {"tracking": {"uri": server.uri}, "promotion": {"name": "nightly"}}
        killer = threading.Thread(target=server.kill_within, args=("tiny", 2))
        killer.start()
        with serving(tmp_path / "project", values) as served:
            served.wait(lambda: served.runs("Completed"), 400)  # the schedule fires each minute
            killer.join()
            project, first = served.project, served.runs("Completed")[0]
            assert first["auto_scheduled"]
            left = waiting(project.state_dir)
            assert left
            served.wait(lambda: served.runs("Failed"), 200)  # the next one is refused before any work
            assert "no MLflow server answers" in served.runs("Failed")[0]["state"]["message"]
            assert waiting(project.state_dir) == left
            server.start()
            served.wait(lambda: len(served.runs("Completed")) > 1, 400)
            served.prefect("deployment", "schedule", "clear", "-y", "fselect/nightly")
            served.wait(lambda: not served.runs("Running", "Pending"), 200)
        assert waiting(project.state_dir) == []
        assert_as_undisturbed(project, go_on(put_study(tmp_path / "undisturbed", tiny(100))))
        names = [record.name for record in describe_study(project, Summary.read(project.summary_path), {})]
        assert list_runs(project, "tiny")["name"].tolist()[::-1] == names
        assert panels(project)["aliases"].tolist() == ["champion"]
        assert history(project, "nightly")["action"].tolist() == ["promoted by its study"]
