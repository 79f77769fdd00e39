"""Real servers on this machine, each with a port and a folder that it keeps over a restart."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from urllib.request import urlopen

QUIET = {
    "DO_NOT_TRACK": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Server:
    """A server that can be killed, and started again where it was."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.uri = f"http://127.0.0.1:{self.port}"

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, env=self.environment(), stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline:
            try:
                urlopen(self.uri + self.health, timeout=2).close()
                return
            except OSError:
                time.sleep(0.2)
        raise TimeoutError((self.folder / "log").read_text())

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def environment(self):
        return os.environ | QUIET


class MlflowServer(Server):
    health = "/health"

    def command(self):
        command = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--backend-store-uri", f"sqlite:///{self.folder}/server.db", "--workers", "1"]
        return [*command, "--artifacts-destination", str(self.folder / "files")]

    def kill_within(self, experiment, number, later=0.0):
        """Kill the server once an experiment has begun so many runs, and so many seconds later.

        They are counted in its database: to ask the server takes as long as to log several.
        """
        runs = "select count(*) from runs join experiments using (experiment_id) where experiments.name = ?"
        with closing(sqlite3.connect(f"{(self.folder / 'server.db').as_uri()}?mode=ro", uri=True)) as database:
            while database.execute(runs, (experiment,)).fetchone()[0] < number:
                time.sleep(0.002)
        time.sleep(later)
        self.kill()


class PrefectServer(Server):
    health = "/api/health"

    def command(self):
        return [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(self.port)]

    def environment(self):
        return super().environment() | {"PREFECT_HOME": str(self.folder), "PREFECT_API_URL": f"{self.uri}/api"}

    @property
    def client(self):
        """Settings of flows that belong to it."""
        return QUIET | {"PREFECT_API_URL": f"{self.uri}/api", "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL"}


@contextmanager
def running(kind, folder):
    """Start a server in a new folder, and kill it in the end."""
    folder.mkdir(parents=True)
    server = kind(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
