"""Units a second, processor time and peak memory of whole studies, on threads and processes, with 1 and 2 workers.

python benchmarks/study_memory.py                         102 × 12600, the table of docs/scaling.md
python benchmarks/study_memory.py --samples 400 --features 30000     above 64 MB of data
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

MB = 1e6


def tree(process):
    """A process with all its descendants that live."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def pss(process):
    """Bytes of a process, pages that several share counted in parts; 0 if it has just ended."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0


class Peak(threading.Thread):
    """Follows the summed memory of a process and its descendants."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.bytes, self.number = process, 0, 1

    def run(self):
        while self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE:
            members, asked = tree(self.process), time.perf_counter()
            self.bytes = max(self.bytes, sum(map(pss, members)))
            # to look is a walk over all pages: it may take a third of the time of one core
            time.sleep(max(0.01, 2.0 * (time.perf_counter() - asked)))


# What the measured process does: it says when it is ready, and then runs a study that was laid out for it.

IDLE = """
import sys, time
import fselect.stages, fselect.cli.app, fselect.study.run, fselect.selectors.elimination, sklearn, scipy.stats, pandas
import fselect.study.summary, fselect.reporting.page
from multiprocessing import resource_tracker
print("ready", flush=True)
sys.stdin.read()
"""

STUDY = """
import json, sys, time, resource
from pathlib import Path
from fselect.stages import open_study
from fselect.study.config import parse_config
from fselect.study.project import Project

if __name__ == "__main__":
    root, values = Path(sys.argv[1]), json.loads(sys.argv[2])
    study = open_study(Project(root, parse_config(values)))
    units = study.pending()
    study.run(units[:1])                       # compiled code is loaded
    times = []
    def on_done(unit):
        times.append(time.perf_counter())
    before = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    study.run(units[1:], on_done)
    ended = time.perf_counter()
    after = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(a.ru_utime + a.ru_stime - b.ru_utime - b.ru_stime for a, b in zip(after, before))
    # Processes take seconds to start; the rate is that after the first units.
    skip = max(2, len(times) // 4)
    rate = (len(times) - skip) / (times[-1] - times[skip - 1])
    study.collect()
    print(json.dumps({"units": len(times), "rate": rate, "wall": ended - started, "cpu": cpu}))
"""


def idle_bytes():
    """Memory of a process that has imported all and does nothing."""
    started = subprocess.Popen([sys.executable, "-c", IDLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    started.stdout.readline()
    time.sleep(0.3)
    found = pss(psutil.Process(started.pid))
    started.communicate()
    return found


def values(arguments, runner, workers):
    return {
        "study": {"name": "bench", "seed": 0, "protocol": "single"},
        "tasks": {"source": "table", "table": "bench.parquet", "target": "target"},
        "selection": {
            "n_features": 20,
            "penalty": 0.1,
            "shapes": [None, 10, 1],
            "bootstraps": arguments.bootstraps,
            "repeats": arguments.repeats,
        },
        "execution": {"runner": runner, "workers": workers},
    }


def lay_out(root, arguments):
    """A project with the tasks made, in a process that ends."""
    code = (
        "import sys, json; from pathlib import Path\n"
        "from fselect.datasets import make_microarray, share, write_tasks\n"
        "n, d = int(sys.argv[2]), int(sys.argv[3])\n"
        "data = make_microarray(n, d, random_state=0)\n"
        "write_tasks([data], Path(sys.argv[1]) / 'data' / 'tasks' / 'bench')\n"
        "share(data, Path(sys.argv[1]) / '.fselect' / 'arrays')\n"
    )
    sizes = [str(arguments.samples), str(arguments.features)]
    subprocess.run([sys.executable, "-c", code, str(root), *sizes], check=True)


def measured(root, arguments, runner, workers):
    """One study: its rates, and its peak memory."""
    command = [sys.executable, str(root / "study.py"), str(root), json.dumps(values(arguments, runner, workers))]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONWARNINGS": "ignore"}
    )
    peak = Peak(psutil.Process(started.pid))
    peak.start()
    output, _ = started.communicate()
    peak.join()
    return json.loads(output) | {"peak": peak.bytes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=102)
    parser.add_argument("--features", type=int, default=12600)
    parser.add_argument("--bootstraps", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds, of which the best counts")
    parser.add_argument("--runners", default="threads,processes")
    arguments = parser.parse_args()
    data = arguments.samples * arguments.features * 8
    idle = idle_bytes()
    cases = [(runner, workers) for runner in arguments.runners.split(",") for workers in (1, 2)]
    found = {case: [] for case in cases}
    for _ in range(arguments.rounds):
        for runner, workers in cases:
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                (root / "study.py").write_text(STUDY)
                lay_out(root, arguments)
                found[runner, workers].append(measured(root, arguments, runner, workers))
    report(arguments, data, idle, found)


def report(arguments, data, idle, found):
    share = 0.1 if data > 64 * MB else 0.75
    print(f"{arguments.samples} × {arguments.features}: {data / MB:.1f} MB of data; idle process {idle / MB:.0f} MB\n")
    print("| runner | workers | units/s | against 1 worker | CPU s a unit | peak above idle, MB | budget, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for (runner, workers), runs in found.items():
        rate = max(run["rate"] for run in runs)
        alone = max(run["rate"] for run in found[runner, 1])
        cpu = min(run["cpu"] / run["units"] for run in runs)
        peak = max(run["peak"] for run in runs) - idle
        budget = data * (1 + share * workers) + 100 * MB
        print(
            f"| {runner} | {workers} | {rate:.2f} | {rate / alone:.2f} | {cpu:.3f} | {peak / MB:.0f} "
            f"| {budget / MB:.0f} |"
        )


if __name__ == "__main__":
    main()
