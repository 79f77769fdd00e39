"""Measure the eliminations and print how many times faster this package is.

python -m benchmarks.rfe                 about five minutes
python -m benchmarks.rfe --repeats 9     more samples for each median
python -m benchmarks.rfe --only 62x2000  one table
"""

from __future__ import annotations

import argparse
import importlib
import os
import time
from dataclasses import dataclass
from importlib.metadata import version

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.rfe.datasets.blocks import Dataset
from benchmarks.rfe.objective import Objective
from fselect.evaluation.pareto import dominance_area
from fselect.evaluation.stability import stability

RIVALS = {
    "lbfgs, tol 1e-4 (default)": ("lbfgs", {"tol": 1e-4}),
    "lbfgs, tol 1e-6": ("lbfgs", {"tol": 1e-6}),
    "lbfgs, tol 1e-10": ("lbfgs", {"tol": 1e-10}),
    "newton-cholesky, tol 1e-4 (default)": ("newton_cholesky", {"tol": 1e-4}),
}
LOOSE, MIDDLE, TIGHT, CHOLESKY = RIVALS


@dataclass(frozen=True)
class Case:
    """A table, its rivals and how many times faster this package is meant to be, and how often each is run."""

    size: tuple[int, int]
    shape: float
    penalty: float
    asked: dict[str, float]
    repeats: int


# the factors are asked for at the penalty λ / 2 Σ β w² with λ = 1, which is ours with λ = 0.5
CASES = (
    *(Case((102, 12600), 1.0, penalty, {LOOSE: 25, TIGHT: 60}, 3) for penalty in (0.5, 0.1, 1.0)),
    *(Case((102, 12600), 10.0, penalty, {LOOSE: 12, TIGHT: 25}, 3) for penalty in (0.5, 0.1, 1.0)),
    Case((62, 2000), 1.0, 0.5, {LOOSE: 45, TIGHT: 60}, 5),
    Case((62, 2000), 10.0, 0.5, {LOOSE: 45, TIGHT: 60}, 5),
    Case((500, 50), 1.0, 0.5, {CHOLESKY: 12}, 11),
    Case((20000, 200), 1.0, 0.5, {CHOLESKY: 6}, 3),
    Case((6000, 5000), 1.0, 0.5, {LOOSE: 6, MIDDLE: 12}, 1),
)


def load(name: str, **parameters: object):
    """Return a solver, or None if what it needs is not installed."""
    try:
        return importlib.import_module(f"benchmarks.rfe.solvers.{name}").Solver(**parameters)
    except ImportError:
        return None


def seconds(solver, problem: dict) -> tuple[float, np.ndarray]:
    """Return the processor time of one run, and its set."""
    solver.set_objective(**problem)
    start = time.process_time()
    solver.run(None)
    return time.process_time() - start, solver.get_result()["support"]


def measure(case: Case, repeats: int) -> list[str]:
    """Run all in turn, a bootstrap and a draw of β each time; return lines of the table."""
    solvers = {"fselect": load("fselect")} | {r: load(RIVALS[r][0], **RIVALS[r][1]) for r in case.asked}
    solvers = {name: solver for name, solver in solvers.items() if solver is not None}
    spent: dict[str, list[float]] = {name: [] for name in solvers}
    same = dict.fromkeys(solvers, 0)
    for seed in range(repeats):
        objective = Objective()
        dataset = Dataset(shape_of_table=case.size, shape=case.shape, penalty=case.penalty, seed=seed)
        objective.set_data(**dataset.get_data())
        problem = objective.get_objective()
        if seed == 0:
            seconds(solvers["fselect"], problem)  # compiled, and memory at hand
        reference = None
        for name, solver in solvers.items():
            runs = 5 if name == "fselect" and case.size[0] * case.size[1] < 1e7 else 1
            found = [seconds(solver, problem) for _ in range(runs)]
            spent[name].append(float(np.median([spent_ for spent_, _ in found])))
            reference = found[0][1] if reference is None else reference
            same[name] += int(np.array_equal(reference, found[0][1]))
    own = float(np.median(spent["fselect"]))
    what = f"{case.size[0]} × {case.size[1]} | Γ({case.shape:g}) | {case.penalty:g} | {1e3 * own:9.2f}"
    return [
        f"| {what} | {name} | {1e3 * np.median(spent[name]):9.1f} | {np.median(spent[name]) / own:6.1f} "
        f"| {case.asked[name]:g} | {same[name]}/{repeats} |"
        for name in solvers
        if name != "fselect"
    ]


def others() -> list[str]:
    """Time what is done once a study."""
    rng = np.random.default_rng(0)
    sets = rng.random((1000, 20000)) < 0.001
    points = rng.random((100_000, 2))
    lines = []
    for name, function, argument in (
        ("stability of 1000 sets of 20000 features", stability, sets),
        ("dominance area of 100000 points", dominance_area, points),
    ):
        spent = []
        for _ in range(5):
            start = time.process_time()
            function(argument)
            spent.append(time.process_time() - start)
        lines.append(f"{name}: {1e3 * np.median(spent):.1f} ms")
    return lines


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, help="samples a table (fewer for large ones by default)")
    parser.add_argument("--only", help="one size, such as 102x12600")
    options = parser.parse_args()
    names = ("numpy", "scipy", "numba", "scikit-learn")
    print("one thread, processor time, medians;", ", ".join(f"{name} {version(name)}" for name in names))
    print("20 columns are left, 20 % of what remains goes each time; block-correlated columns, weak signal")
    print("| table | β | λ | fselect ms | rival | rival ms | times | asked for | same set |")
    print("|---|---|---|---|---|---|---|---|---|")
    with threadpool_limits(1):
        for case in CASES:
            if options.only in (None, f"{case.size[0]}x{case.size[1]}"):
                print("\n".join(measure(case, options.repeats or case.repeats)), flush=True)
        if options.only is None:
            print("\n".join(others()))


if __name__ == "__main__":
    main()
