"""A real MLflow server, reached by its address only: tracked, promoted, killed, and caught up with."""

from __future__ import annotations

import time

import pandas as pd
import pytest

from fselect.registry import apply, panels, promote
from fselect.tracking import TrackingWarning, list_runs, log_study, open_store, waiting
from tests.factories import make_project, make_summary
from tests.servers import MlflowServer, running

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path):
    with running(MlflowServer, tmp_path / "server") as server:
        yield server


def test_a_server_gets_all_of_it_and_a_dead_one_delays_it(server, tmp_path, monkeypatch):
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
    (tmp_path / "project").mkdir()
    project = make_project(tmp_path / "project", uri=server.uri)
    ids = log_study(project, make_summary())
    assert list_runs(project)["run_id"].tolist() == ids[::-1]
    made = promote(project, "demo/strength 4", "panel")
    assert panels(project)["aliases"].tolist() == ["champion"]
    table = pd.DataFrame({"area": [3], "mean radius": [1], "texture": [2]})
    assert apply(project, "panel@champion", table).iloc[0].to_dict() == {"mean radius": 1, "texture": 2, "area": 3}
    assert made.version == 1

    store = open_store(project)
    server.kill()
    start = time.monotonic()
    with pytest.warns(TrackingWarning, match="6 runs wait"):
        assert log_study(project, make_summary(digest="d1"), store=store) == []
    assert time.monotonic() - start < 20  # the client alone would try for minutes
    assert len(waiting(project.state_dir)) == 6
    server.start()
    assert len(list_runs(project)) == 12
    assert waiting(project.state_dir) == []
    assert not (project.state_dir / "mlflow.db").exists()
