"""The MLflow server goes away while runs are sent: what is left waits, and is sent later, in order, once."""

from __future__ import annotations

import random
import threading
import time
import warnings
from dataclasses import replace

import pytest

from fselect.tracking import TrackingWarning, list_runs, log_study, open_store, waiting
from fselect.tracking.describe import describe_study
from tests.factories import make_point, make_project, make_summary
from tests.servers import MlflowServer, running

POINTS = [f"strength {number}" for number in range(0, 20)]


def long_study(digest):
    """A study of twenty points."""
    points = [
        make_point(label, 0.9 - place / 100, 0.4 + place / 50, digest=digest) for place, label in enumerate(POINTS)
    ]
    summary = make_summary(digest=digest, points=points)
    return replace(summary, operating_point=1)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(MlflowServer, tmp_path_factory.mktemp("mlflow") / "server") as server:
        yield server


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})


AWAY = [
    (0.35, 0.0),
    *(pytest.param(random.Random(seed).random(), 1.0, marks=pytest.mark.slow) for seed in range(1, 20)),
    pytest.param(0.5, 60.0, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("instant", "seconds"), AWAY)
def test_runs_are_there_once_and_in_order_after_the_server_was_away(server, tmp_path, instant, seconds):
    project, summary = make_project(tmp_path, f"away {instant}", uri=server.uri), long_study(f"d{instant}")
    summary = replace(summary, study=f"away {instant}")
    store, wanted = open_store(project), len(describe_study(project, summary, {}))
    number = 1 + int(instant * (wanted - 2))  # in the middle of one, and not of the last one
    killer = threading.Thread(
        target=server.kill_within, args=(summary.study, number, random.Random(instant).random() / 20)
    )
    killer.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrackingWarning)
            sent = log_study(project, summary, store=store)
        killer.join()
        left = len(waiting(project.state_dir))
        time.sleep(seconds)
    finally:
        server.start()
    assert len(sent) + left == wanted
    assert left > 0
    frame = list_runs(project, summary.study)  # it opens the store, which sends what waits
    assert waiting(project.state_dir) == []
    assert set(frame["status"]) == {"FINISHED"}
    assert frame["name"].tolist()[::-1] == [record.name for record in describe_study(project, summary, {})]
