"""A real MLflow server, reached by its address only: tracked, promoted, killed, and caught up with."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from urllib.request import urlopen

import pandas as pd
import pytest

from fselect.registry import apply, panels, promote
from fselect.tracking import TrackingWarning, list_runs, log_study, open_store, waiting
from tests.factories import make_project, make_summary

pytestmark = pytest.mark.slow


class Server:
    """`mlflow server` in a folder of its own, which keeps its port over a restart."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.uri = f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--backend-store-uri", f"sqlite:///{self.folder}/server.db", "--workers", "1"]
        command += ["--artifacts-destination", str(self.folder / "files")]
        settings = {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=os.environ | settings, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                urlopen(f"{self.uri}/health", timeout=2).close()
                return
            except OSError:
                time.sleep(0.3)
        raise TimeoutError((self.folder / "log").read_text())

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    server = Server(folder)
    server.start()
    yield server
    server.kill()


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
