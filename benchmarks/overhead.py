"""What a whole study costs beside its selections alone, and what two workers gain: units a second, in one run.

python -P benchmarks/overhead.py                     102 × 12600, thirty bootstraps a unit, as in the paper

The bare kernel's rate is that of `eliminate` on the same bootstraps with the same shrinkages, drawn beforehand. Rates
of one worker are taken from processor time, since other work on a machine would be counted otherwise; the gain of two
workers is of wall time, beside two bare kernels at the same time (what the machine itself gives for two).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[1]))

from fselect.datasets import make_microarray
from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.protocols import draw_bootstrap
from fselect.selectors.elimination import eliminate
from fselect.selectors.shrinkage import draw_log_shrinkage
from fselect.study.config import parse_config
from fselect.study.plan import make_plan
from fselect.study.run import run_units
from fselect.study.store import UnitStore

BOOTSTRAPS = 30
FEATURES, PENALTY = 20, 0.1


def plan(data, repeats):
    values = {
        "study": {"name": "bench", "seed": 0, "protocol": "single"},
        "tasks": {"source": "table", "table": "bench.parquet", "target": "target"},
        "selection": {
            "n_features": FEATURES,
            "penalty": PENALTY,
            "shapes": [1],
            "bootstraps": BOOTSTRAPS,
            "repeats": repeats,
        },
    }
    units = make_plan(parse_config(values), [data])
    return [unit for unit in units if unit.protocol == "single" and unit.trivial is None]


def bare_samples(data, unit):
    """What the kernel alone is given of a unit."""
    rng = generator(unit.seed, Stream.SHRINKAGE, data.name, unit.repeat)
    log_beta = draw_log_shrinkage(data.n_features, unit.shape, rng)
    for number in range(unit.bootstraps):
        yield log_beta, draw_bootstrap(data, generator(0, Stream.BOOTSTRAP, data.name, unit.repeat, number)).counts


def bare(data, samples):
    for log_beta, counts in samples:
        eliminate(data.X, data.codes, counts, n_features=FEATURES, penalty=PENALTY, n_classes=2, log_shrinkage=log_beta)


def processor(work, *arguments, **options):
    started = time.process_time()
    work(*arguments, **options)
    return time.process_time() - started


def wall(work, *arguments, **options):
    started = time.perf_counter()
    work(*arguments, **options)
    return time.perf_counter() - started


def in_threads(data, samples, number):
    """The bare kernel on so many threads, each with its share."""
    threads = [threading.Thread(target=bare, args=(data, samples[place::number])) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def study(units, data, **options):
    with tempfile.TemporaryDirectory() as folder:
        run_units(units, [data], UnitStore(Path(folder) / "store"), **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    data = make_microarray(102, 12600, random_state=0)
    units = plan(data, arguments.units)
    samples = [sample for unit in units for sample in bare_samples(data, unit)]
    with threadpool_limits(1):
        study(units[:1], data)  # compiled code is loaded
        found = {"overhead": [], "threads": [], "processes": [], "bare": []}
        for _ in range(arguments.rounds):
            found["overhead"].append(processor(study, units, data) / processor(bare, data, samples))
            for runner in ("threads", "processes"):
                alone = wall(study, units, data, runner=runner, workers=1)
                found[runner].append(alone / wall(study, units, data, runner=runner, workers=2))
            found["bare"].append(wall(in_threads, data, samples, 1) / wall(in_threads, data, samples, 2))
        rate = len(units) / processor(bare, data, samples)
    middle = {name: statistics.median(values) for name, values in found.items()}
    print(f"bare kernel: {rate:.2f} units/s of {BOOTSTRAPS} bootstraps, 102 × 12600, one thread")
    print(f"whole study: {rate / middle['overhead']:.2f} units/s, {100 / middle['overhead']:.0f} % of that")
    for runner in ("threads", "processes"):
        print(f"two workers, {runner}: {middle[runner]:.2f} × one (with the start of the workers)")
    print(f"two bare kernels on two threads: {middle['bare']:.2f} × one")


if __name__ == "__main__":
    main()
