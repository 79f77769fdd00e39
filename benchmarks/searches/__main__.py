"""Measure searches and weightings, and print how many times faster this package is.

python -m benchmarks.searches               about a minute; two more with the rivals
python -m benchmarks.searches --repeats 5   more samples for each median

The rivals are fast-select, skrebate and mlxtend, which `make bench` installs; by hand,
pip install 'fselect-pipeline[bench]'.
"""

from __future__ import annotations

import argparse
import importlib
import os
import time
from importlib.metadata import version

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.searches.datasets.numbers import Dataset
from benchmarks.searches.objective import Objective
from fselect.measures.patterns import agreements, pack

CASES = (("relieff", (1000, 1000), ("fast_select", "skrebate")), ("floating", (200, 60), ("mlxtend",)))


def load(name: str):
    """Return a solver, or None if what it needs is not installed."""
    try:
        return importlib.import_module(f"benchmarks.searches.solvers.{name}").Solver()
    except ImportError:
        return None


def seconds(solver, problem: dict) -> tuple[float, np.ndarray]:
    """Return the processor time of one run, and its answer."""
    solver.set_objective(**problem)
    start = time.process_time()
    solver.run(None)
    return time.process_time() - start, solver.get_result()["answer"]


def measure(task: str, shape: tuple[int, int], rivals: tuple[str, ...], repeats: int) -> list[str]:
    """Run all in turn, a table each time; return lines of the table."""
    solvers = {name: load(name) for name in ("fselect", *rivals)}
    spent: dict[str, list[float]] = {name: [] for name in solvers}
    apart: dict[str, float] = dict.fromkeys(solvers, 0.0)
    objective = Objective()
    for seed in range(repeats):
        objective.set_data(**Dataset(task=task, shape=shape, seed=seed).get_data())
        problem = objective.get_objective()
        reference = None
        for name, solver in solvers.items():
            # what takes a minute is measured once
            if solver is None or (name == "skrebate" and seed):
                continue
            if seed == 0 and name != "skrebate":
                seconds(solver, problem)  # compiled, and memory at hand
            found, answer = seconds(solver, problem)
            reference = answer if reference is None else reference
            spent[name].append(found)
            apart[name] = max(apart[name], objective.evaluate_result(answer, reference)["value"])
    own = float(np.median(spent["fselect"]))
    lines = (
        [f"| {task} {shape[0]} × {shape[1]} | {1e3 * own:.1f} | alone | | | |"]
        if not any(solvers[name] for name in rivals)
        else []
    )
    for name in rivals:
        if solvers[name] is not None:
            rival = float(np.median(spent[name]))
            lines.append(
                f"| {task} {shape[0]} × {shape[1]} | {1e3 * own:.1f} | {name} {version(name.replace('_', '-'))} "
                f"| {1e3 * rival:.1f} | {rival / own:.1f} | {apart[name]:.1g} |"
            )
    return lines


def inconsistency() -> str:
    """Time one neighbour of a set of 20 columns on 4,000 rows, as a backward search asks for them."""
    lines = []
    for levels in (2, 5):
        rng = np.random.default_rng(0)
        packed = pack(rng.integers(levels, size=(4000, 60)), rng.integers(2, size=4000), 2)
        columns = np.sort(rng.permutation(60)[:20])
        agreements(packed, columns, columns)
        start = time.process_time()
        for _ in range(20):
            agreements(packed, columns, columns)
        lines.append(f"{levels} values a column: {1e6 * (time.process_time() - start) / 400:.0f} µs")
    return "inconsistency of 20 of 60 columns on 4000 rows, a column dropped each time; " + ", ".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="tables for each median")
    options = parser.parse_args()
    print("one thread, processor time, medians;", ", ".join(f"{n} {version(n)}" for n in ("numpy", "numba")))
    absent = sorted({name.replace("_", "-") for *_, rivals in CASES for name in rivals if load(name) is None})
    if absent:
        print(f"not installed, so left out: {', '.join(absent)}; pip install 'fselect-pipeline[bench]'")
    print(inconsistency(), flush=True)
    print("| search | fselect ms | rival | rival ms | times | largest difference of the answers |")
    print("|---|---|---|---|---|---|")
    with threadpool_limits(1):
        for task, shape, rivals in CASES:
            print("\n".join(measure(task, shape, rivals, options.repeats)), flush=True)


if __name__ == "__main__":
    main()
