"""A project that is served for real, as `make serve` does, with the study each minute."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.request import Request, urlopen

import psutil
import yaml

from flows.served import MARK, where
from tests.faults.flow_processes import put_flow
from tests.faults.studies import ROOT


class Served:
    """`make serve` in a project that has the repository's flows and its prefect.yaml, the study each minute."""

    def __init__(self, root, values):
        self.project = put_flow(root, values)
        shutil.copytree(ROOT / "flows", root / "flows", ignore=shutil.ignore_patterns("__pycache__"))
        deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))
        for deployment in deployments["deployments"]:
            nightly = deployment["name"] == "nightly"
            deployment["schedules"] = [{"cron": "* * * * *" if nightly else "0 0 1 1 *", "timezone": "UTC"}]
        (root / "prefect.yaml").write_text(yaml.safe_dump(deployments), encoding="utf-8")
        self.state_dir = self.project.state_dir

    def start(self):
        command = [sys.executable, "-m", "flows.serve", "--prefect-port", "0", "--mlflow-port", "0"]
        settings = os.environ | {"PYTHONPATH": f"{self.project.root}{os.pathsep}{ROOT}"}
        with (self.project.root / ".git" / "serve.log").open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=self.project.root, env=settings, stdout=log, stderr=log, start_new_session=True
            )
        self.wait(lambda: "stops all of it" in self.said(), 240)
        self.at = where(self.state_dir)

    def said(self):
        return (self.project.root / ".git" / "serve.log").read_text()

    def wait(self, condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.1)

    def runs(self, *states):
        body = json.dumps({"sort": "START_TIME_ASC"}).encode()
        request = Request(f"{self.at.api}/flow_runs/filter", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=30) as answer:
            return [run for run in json.load(answer) if run["state_name"] in states]

    def prefect(self, *words):
        command = [sys.executable, "-m", "prefect", "--no-prompt", *words]
        settings = os.environ | {"PREFECT_API_URL": self.at.api, "DO_NOT_TRACK": "true"}
        done = subprocess.run(command, cwd=self.project.root, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def processes(self):
        """All that runs because of it."""
        mark, found = str(self.state_dir.resolve()), []
        for process in psutil.process_iter():
            try:
                found += [process] if process.environ().get(MARK) == mark else []
            except psutil.Error:
                continue
        return found

    def worker(self):
        return next(one for one in self.processes() if "worker" in one.cmdline())


@contextmanager
def serving(root, values):
    """Serve a new project, and kill all that runs because of it in the end."""
    served = Served(root, values)
    served.start()
    try:
        yield served
    finally:
        served.process.kill()
        served.process.wait()
        for process in served.processes():
            process.kill()
