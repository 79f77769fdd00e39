"""How the cost of a study grows with rows, columns, bootstraps, repeats and strengths; and two very large tables.

python benchmarks/cost.py                     doublings, with fitted exponents; docs/images/cost.png
python benchmarks/cost.py --large             200,000 × 500 and 100 × 500,000: seconds and peak memory

Times are processor seconds of one thread, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fselect.datasets import Dataset, make_microarray, noisy_tasks
from fselect.evaluation.protocols import single_task, transfer
from fselect.selectors.catalogue import get_method
from fselect.selectors.shrinkage import draw_log_shrinkage

LARGE = [(200_000, 500), (100, 500_000)]
PENALTY = 0.1


def rule(k=20):
    return get_method("rfe", n_features=k, penalty=PENALTY)


def table(n, d):
    """Blocks of correlated columns, twenty of them relevant."""
    return make_microarray(n, d, random_state=0)


def gaussian(n, d):
    """Independent columns, ten relevant, made without a second copy."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    y = (X[:, :10].sum(axis=1) + rng.standard_normal(n) * 3 > 0).astype(int)
    X.flags.writeable = False
    return Dataset(X, y)


def single(data, bootstraps=4, repeats=1, shape=1.0):
    bias = draw_log_shrinkage(data.n_features, shape, np.random.default_rng(0))
    for repeat in range(repeats):
        for _ in single_task(data, rule(), bias, seed=0, repeat=repeat, bootstraps=bootstraps, penalty=PENALTY):
            pass


def transferred(tasks, n_strengths):
    for strength in np.linspace(0, 8, n_strengths):
        for _ in transfer(tasks, rule(10), float(strength), seed=0, repeat=0, penalty=1.0):
            pass


def seconds(work, *arguments, **options):
    """Processor seconds, the least of two runs."""
    found = []
    for _ in range(2):
        started = time.process_time()
        work(*arguments, **options)
        found.append(time.process_time() - started)
    return min(found)


def doublings():
    """For each quantity: its values, and seconds."""
    base = table(100, 4000)
    tasks = noisy_tasks(table(100, 1000), 3)
    single(base, 1)  # compiled code is loaded
    transferred(tasks, 1)
    counts = [4, 8, 16, 32]
    rows, columns = [50, 100, 200, 400, 800], [4000, 8000, 16000, 32000, 64000, 128000]
    yield "rows n (d = 4000)", rows, [seconds(single, table(n, 4000)) for n in rows]
    yield "columns d (n = 100)", columns, [seconds(single, table(100, d)) for d in columns]
    yield "bootstraps M", counts, [seconds(single, base, m) for m in counts]
    yield "repeats B (M = 2)", counts, [seconds(single, base, 2, b) for b in counts]
    yield "strengths", counts, [seconds(transferred, tasks, s) for s in counts]


def exponent(sizes, times):
    """Slope in logarithms: 1 is proportional."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def plot(found, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    for name, sizes, times in found:
        relative = np.array(sizes) / sizes[0]
        label = f"{name}: exponent {exponent(sizes, times):.2f}"
        axes.loglog(relative, np.array(times) / times[0], "o-", base=2, label=label)
    axes.set(xlabel="size, against the smallest", ylabel="processor time, against the smallest")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110)


def large(n, d):
    """One selection with its out-of-bag estimates on a table of this size, in this process."""
    data = gaussian(n, d)
    single(gaussian(200, 60), 1)
    single(gaussian(60, 200), 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    started, wall = time.process_time(), time.perf_counter()
    single(data, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"| {n:,} × {d:,} | {data.X.nbytes / 1e9:.2f} | {time.process_time() - started:.1f} "
        f"| {time.perf_counter() - wall:.1f} | {before:.2f} | {peak:.2f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--one", type=int, nargs=2, metavar=("N", "D"), help="one large table, in this process")
    parser.add_argument("--output", type=Path, default=Path("docs/images/cost.png"))
    arguments = parser.parse_args()
    with threadpool_limits(1):
        if arguments.one:
            large(*arguments.one)
        elif arguments.large:
            print(
                "| table | data, GB | processor s | wall s | GB before | GB at peak |\n|---|---:|---:|---:|---:|---:|"
            )
            sys.stdout.flush()
            for n, d in LARGE:
                subprocess.run([sys.executable, "-P", __file__, "--one", str(n), str(d)], check=True)
        else:
            found = list(doublings())
            for name, sizes, times in found:
                shown = ", ".join(f"{size}: {value:.2f} s" for size, value in zip(sizes, times, strict=True))
                print(f"{name}: exponent {exponent(sizes, times):.2f} ({shown})", flush=True)
            plot(found, arguments.output)


if __name__ == "__main__":
    main()
