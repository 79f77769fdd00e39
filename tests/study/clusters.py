"""A Dask scheduler and workers started by hand, as on a real cluster, on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass
class Started:
    """A scheduler, its address, and the workers that were started for it."""

    address: str
    scheduler: subprocess.Popen
    folder: Path
    workers: list[subprocess.Popen] = field(default_factory=list)

    def add_worker(self, *, first_on_path=ROOT):
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--no-nanny", "--nthreads", "1"]
        options = ["--no-dashboard", "--local-directory", str(self.folder), "--host", "127.0.0.1"]
        self.workers.append(_start([*command, *options], self.folder / f"{len(self.workers)}.log", first_on_path))
        return self.workers[-1]


def _start(command, log, first_on_path):
    inherited = os.environ.get("PYTHONPATH", "")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(first_on_path), inherited])}
    with log.open("w") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, env=environment, cwd=log.parent)


def _address(log):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = re.search(r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)", log.read_text())
        if found:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


@contextmanager
def started_cluster(folder, *, workers=2):
    """A scheduler with some workers of one thread, ended with the block."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    scheduler = _start([*command, "--no-dashboard"], folder / "scheduler.log", ROOT)
    cluster = None
    try:
        cluster = Started(_address(folder / "scheduler.log"), scheduler, folder)
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        for process in [scheduler, *(cluster.workers if cluster else [])]:
            process.kill()
            process.wait()
