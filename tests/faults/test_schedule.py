"""A project that is served for real: the schedule fires, runs queue, what is killed is told, and all of it stops."""

from __future__ import annotations

import psutil
import pytest
import yaml

from flows import deployed
from flows.served import where
from flows.supervisor import answers
from tests.faults.flow_processes import assert_as_undisturbed, tiny
from tests.faults.serving import serving
from tests.faults.studies import go_on, put_study

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served") / "project", tiny(100)) as served:
        yield served


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return go_on(put_study(tmp_path_factory.mktemp("undisturbed"), tiny(100)))


def test_a_cron_run_really_fires_and_gives_the_results_of_a_run_by_hand(served, undisturbed):
    served.wait(lambda: served.runs("Completed"), 300)
    run = served.runs("Completed")[0]
    assert run["auto_scheduled"]
    assert_as_undisturbed(served.project, undisturbed)


def test_deploying_again_takes_no_question_and_gives_no_second_deployment(served):
    before = deployed.deployments(served.at)
    assert "fselect/nightly" in before
    served.prefect("deploy", "--all")
    assert deployed.deployments(served.at) == before
    steps = [one["pull_steps"] for one in deployed.ask(served.at, "deployments/filter", {})]
    assert all(str(served.project.root) in str(step) for step in steps)


def test_all_of_it_listens_on_this_machine_only(served):
    ports = [port for process in served.processes() for port in process.net_connections("inet")]
    listening = {port.laddr.ip for port in ports if port.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}


def test_two_runs_at_once_run_one_after_the_other(served):
    served.prefect("deployment", "schedule", "clear", "-y", "fselect/nightly")
    served.wait(lambda: not served.runs("Running", "Pending"), 200)
    before = {run["id"] for run in served.runs("Completed")}
    for _ in range(2):
        served.prefect("deployment", "run", "fselect/nightly")
    served.wait(lambda: served.runs("AwaitingConcurrencySlot"), 60)
    served.wait(lambda: len({run["id"] for run in served.runs("Completed")} - before) == 2, 400)
    first, second = (run for run in served.runs("Completed") if run["id"] not in before)
    assert first["end_time"] <= second["start_time"]


def test_a_run_whose_worker_is_killed_with_it_is_told_and_the_next_one_goes_on(served):
    study = yaml.safe_load((served.project.root / "params.yaml").read_text())
    study["selection"]["repeats"] = 20_000
    (served.project.root / "params.yaml").write_text(yaml.safe_dump(study))
    store = served.project.store_dir
    before = len(list(store.glob("*/*.arrow")))
    served.prefect("deployment", "run", "fselect/nightly")
    served.wait(lambda: len(list(store.glob("*/*.arrow"))) > before + 20, 120)
    worker, flows = served.worker(), list(deployed.processes(served.state_dir))
    for process in (worker, *flows):
        process.kill()
    served.wait(lambda: served.runs("Crashed"), 120)
    assert "its process ended without a word" in served.runs("Crashed")[0]["state"]["message"].lower()
    assert "worker ended with signal 9" in served.said()
    study["selection"]["repeats"] = 120
    (served.project.root / "params.yaml").write_text(yaml.safe_dump(study))
    before = {run["id"] for run in served.runs("Completed")}
    served.prefect("deployment", "run", "fselect/nightly")
    served.wait(lambda: {run["id"] for run in served.runs("Completed")} - before, 200)


def test_a_killed_server_is_started_again_and_the_schedule_goes_on(served):
    server = next(one for one in served.processes() if "server" in one.cmdline() and "prefect" in one.cmdline())
    server.kill()
    served.wait(lambda: "Prefect server runs again" in served.said(), 60)
    served.wait(lambda: answers(f"{served.at.api}/health"), 60)
    before = {run["id"] for run in served.runs("Completed")}
    served.prefect("deployment", "run", "fselect/nightly")
    served.wait(lambda: {run["id"] for run in served.runs("Completed")} - before, 300)


def test_sigterm_stops_all_of_it_and_says_so(served):
    served.process.terminate()
    assert served.process.wait(120) == 0
    assert "finished units are kept" in served.said()
    assert served.processes() == []
    assert where(served.state_dir) is None


def test_a_killed_keeper_leaves_nothing_that_hinders_the_next(served):
    if served.process.poll() is not None:
        served.start()
    left = served.processes()
    served.process.kill()
    served.process.wait()
    assert any(process.is_running() for process in left)
    served.start()
    assert "which a killed `make serve` had left" in served.said()
    assert not any(process.is_running() for process in left)
    served.process.terminate()
    assert served.process.wait(120) == 0
