"""An MLflow server that goes away in the middle of an arrival: its runs wait, and the next look ends what was begun."""

from __future__ import annotations

import random
import threading
import time
import warnings

import pytest

from fselect import stages
from fselect.errors import InputError
from fselect.registry import history, panels, promote
from fselect.study.project import open_project
from fselect.tracking import TrackingWarning, list_runs, waiting
from fselect.tracking.record import RunRecord
from tests.flows.arrivals import STUDY, cohort, make_cohorts, put
from tests.servers import MlflowServer, running

pytestmark = pytest.mark.timeout(900)

RULES = {"not_dominated": False, "margin": None, "min_stability": None}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(MlflowServer, tmp_path_factory.mktemp("mlflow") / "server") as server:
        yield server


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})


def put_arrival(root, server, name):
    """A project with a champion on the server, of study and set so called, and a table that has appeared."""
    root.mkdir()
    study = {"study": STUDY["study"] | {"name": name}, "tracking": {"uri": server.uri}}
    project = open_project(make_cohorts(root, STUDY | study | {"promotion": {"name": name, "gate": RULES}}))
    summary = stages.run_study(project)
    stages.track(project)
    promote(project, summary.chosen.key, name)
    put(root, "april.csv", cohort(3))
    return project


def arrive(project):
    from flows.arrival import arrival

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrackingWarning)
        return [told.outcome for told in arrival(str(project.root))]


def runs_of(project, name):
    """The arrival's runs in the order in which they were sent, without the name of the study."""
    frame = list_runs(project, f"{name} arrivals")
    assert set(frame["status"]) == {"FINISHED"}
    return frame["name"].tolist()[::-1]


def moves(project, name):
    return sorted(history(project, name).query("version == 2")["action"])


@pytest.fixture(scope="module")
def calm(server, tmp_path_factory, prefect_server):
    """What an arrival leaves that nothing disturbs, and how long it takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
        project = put_arrival(tmp_path_factory.mktemp("calm") / "project", server, "calm")
        started = time.monotonic()
        assert arrive(project) == ["arrived"]
        seconds = time.monotonic() - started
    return runs_of(project, "calm"), seconds


SECONDS_AWAY = [0.0, pytest.param(60.0, marks=pytest.mark.slow)]
MOVES = ["promoted by the gate", "registered as challenger"]


@pytest.mark.parametrize("seconds", SECONDS_AWAY)
def test_runs_wait_and_are_sent_in_order_once_and_the_challenger_is_registered_then(
    server, prefect_server, tmp_path, seconds
):
    name = f"away {seconds:g}"
    project = put_arrival(tmp_path / "project", server, name)
    killer = threading.Thread(target=server.kill_within, args=(f"{name} arrivals", 2))
    killer.start()
    with pytest.raises(InputError, match=r"the MLflow server went away; the arrival is measured, its runs wait in"):
        arrive(project)
    killer.join()
    left = waiting(project.state_dir)
    late = [RunRecord.from_bytes(path.read_bytes()).name for path in left]
    assert late
    with pytest.raises(InputError, match="no MLflow server answers"):  # the next look, while it is still away
        arrive(project)
    assert waiting(project.state_dir) == left
    time.sleep(seconds)
    server.start()
    assert arrive(project) == ["arrived"]
    assert waiting(project.state_dir) == []
    names = runs_of(project, name)
    assert names[-len(late) :] == late
    assert len(names) == len(set(names)) == 2 + 1 + 2  # two strengths, the champion's set, two fronts
    assert moves(project, name) == MOVES
    assert arrive(project) == ["known"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_whenever_it_goes_away_the_next_look_ends_what_was_begun(server, calm, tmp_path):
    for seed in range(20):
        name = f"at {seed}"
        project = put_arrival(tmp_path / name, server, name)
        killer = threading.Timer(random.Random(seed).uniform(0.1, 1.0) * calm[1], server.kill)
        killer.start()
        try:
            first = arrive(project)
        except InputError as error:  # in a sentence, whatever it was at
            first = [str(error)]
            assert "MLflow" in first[0], first
        killer.join()
        server.start()
        again = arrive(project)  # "known" after a failure, too, where only the answer to the last request was lost
        assert again == ["known"] or (first != ["arrived"] and again == ["arrived"]), (seed, first)
        assert waiting(project.state_dir) == []
        assert runs_of(project, name) == calm[0], seed
        assert moves(project, name) == MOVES, seed
        assert set(panels(project).query("name == @name")["version"]) == {1, 2}
