"""Whole studies of very large tables, from the file to the archive: seconds and peak memory of each step.

python -P benchmarks/large_studies.py                           200,000 × 500 and 100 × 500,000
python -P benchmarks/large_studies.py --one 100 500000 --workers 2
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.study_memory import MB, Peak, idle_bytes

SIZES = [(200_000, 500), (100, 500_000)]

MAKE = """
import sys; from pathlib import Path; import numpy as np
n, d = int(sys.argv[2]), int(sys.argv[3]); rng = np.random.default_rng(0)
X = rng.standard_normal((n, d)); y = (X[:, :10].sum(axis=1) + rng.standard_normal(n) * 3 > 0).astype(int)
(Path(sys.argv[1]) / "data" / "tables").mkdir(parents=True)
np.savez(Path(sys.argv[1]) / "data" / "tables" / "large.npz", X=X, target=y)
"""

STEP = """
import json, sys
from pathlib import Path
from fselect import stages
from fselect.study.config import parse_config
from fselect.study.project import Project
if __name__ == "__main__":
    project = Project(Path(sys.argv[1]), parse_config(json.loads(sys.argv[2])))
    steps = {"tasks": stages.make_tasks, "select": stages.select, "evaluate": stages.evaluate, "report": stages.report}
    steps[sys.argv[3]](project)
"""


def values(arguments):
    return {
        "study": {"name": "large", "seed": 0, "protocol": "single"},
        "tasks": {"source": "table", "table": "large.npz", "target": "target"},
        "selection": {"n_features": 20, "penalty": 0.1, "shapes": [None, 1], "bootstraps": 2, "repeats": 1},
        "execution": {"runner": arguments.runner, "workers": arguments.workers},
        "limits": {"columns": 1_000_000},
    }


def step(root, arguments, name):
    """Seconds of one step, in a process of its own, its processor seconds, and its peak memory."""
    started, spent = time.perf_counter(), children_seconds()
    command = [sys.executable, str(root / "step.py"), str(root), json.dumps(values(arguments)), name]
    process = subprocess.Popen(command)
    peak = Peak(psutil.Process(process.pid))
    peak.start()
    if process.wait():
        raise SystemExit(process.returncode)
    peak.join()
    return time.perf_counter() - started, children_seconds() - spent, peak.bytes


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def study(n, d, arguments):
    idle = idle_bytes()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "step.py").write_text(STEP)
        subprocess.run([sys.executable, "-c", MAKE, folder, str(n), str(d)], check=True)
        for name in ("tasks", "select", "evaluate", "report"):
            seconds, processor, peak = step(root, arguments, name)
            table = f"{n:,} × {d:,} | {n * d * 8 / MB:.0f}"
            print(f"| {table} | {name} | {seconds:.0f} | {processor:.0f} | {(peak - idle) / MB:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one", type=int, nargs=2, metavar=("N", "D"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--runner", default="threads")
    arguments = parser.parse_args()
    print("| table | data, MB | step | wall s | processor s | peak above idle, MB |\n|---|---:|---|---:|---:|---:|")
    for n, d in [arguments.one] if arguments.one else SIZES:
        study(n, d, arguments)


if __name__ == "__main__":
    main()
