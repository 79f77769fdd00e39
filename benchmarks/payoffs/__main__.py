"""Measure accuracies along permutations, and print how many times faster this package is than refits.

python -m benchmarks.payoffs                 about two minutes
python -m benchmarks.payoffs --only trees    one group
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks.payoffs.datasets.made_up import Dataset
from benchmarks.payoffs.objective import Objective
from benchmarks.payoffs.solvers import fselect, scikit_learn
from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier

TREE = DecisionTreeClassifier(criterion="entropy", random_state=0)


@dataclass(frozen=True)
class Case:
    """A table, a classifier of each side, and how many columns the permutation has."""

    group: str
    name: str
    own: Any
    rival: Any
    table: dict[str, Any]
    length: int = 20


def _naive_bayes(kind: str) -> NaiveBayesClassifier:
    return NaiveBayesClassifier(kind, min_categories=3 if kind == "categorical" else None)


def _tree(nominal: str) -> C45Classifier:
    return C45Classifier(min_weight=1, pruned=False, nominal=nominal)


NOMINAL = {"size": (300, 64), "kind": "nominal"}
NUMERIC = {"size": (300, 64), "kind": "normal"}
NEAREST = NearestNeighbourClassifier()

CASES = (
    Case("bayes", "Gaussian", _naive_bayes("gaussian"), GaussianNB(), {"size": (450, 278), "kind": "normal"}),
    Case("bayes", "Gaussian", _naive_bayes("gaussian"), GaussianNB(), NUMERIC),
    Case("bayes", "categorical", _naive_bayes("categorical"), CategoricalNB(min_categories=3), NOMINAL | {"values": 3}),
    Case("bayes", "multinomial", _naive_bayes("multinomial"), MultinomialNB(), {"size": (450, 278), "kind": "counts"}),
    Case(
        "bayes",
        "multinomial",
        _naive_bayes("multinomial"),
        MultinomialNB(),
        {"size": (450, 278), "kind": "counts", "n_classes": 6},
    ),
    Case("neighbour", "1-NN", NEAREST, KNeighborsClassifier(1, algorithm="brute"), {"size": (450, 278)}),
    Case("neighbour", "1-NN", NEAREST, KNeighborsClassifier(1), {"size": (450, 278)}),
    Case("neighbour", "1-NN", NEAREST, KNeighborsClassifier(1), {"size": (100, 278)}, 12),
    Case("trees", "C4.5, binary columns", _tree("all"), TREE, NOMINAL | {"values": 2}, 64),
    Case("trees", "C4.5, three values", _tree("all"), TREE, NOMINAL | {"values": 3}, 64),
    Case("trees", "C4.5, numeric", _tree("none"), TREE, NUMERIC, 64),
)


def seconds(solver: Any, runs: int) -> float:
    """Return the median processor time of a run."""
    spent = []
    for _ in range(runs):
        start = time.process_time()
        solver.run(None)
        spent.append(time.process_time() - start)
    return float(np.median(spent))


def measure(case: Case) -> str:
    """Run both; return a line of the table."""
    objective = Objective()
    data = Dataset(**({"n_classes": 2, "values": 2, "kind": "normal"} | case.table)).get_data()
    objective.set_data(**data)
    problem = objective.get_objective()
    problem["permutation"] = np.random.default_rng(1).permutation(data["X"].shape[1])[: case.length]
    own, rival = fselect.Solver(case.own), scikit_learn.Solver(case.rival)
    own.set_objective(**problem)
    rival.set_objective(**problem)
    own.run(None)  # compiled, and memory at hand
    fast, slow = seconds(own, 5 if case.group == "trees" else 51), seconds(rival, 1)
    n, d = data["X"].shape
    difference = objective.evaluate_result(own.accuracies, rival.accuracies)["value"]
    told = "other trees" if case.group == "trees" else f"{difference:g}"
    classes = data["y"].max() + 1
    rival_name = type(case.rival).__name__ + (", brute" if getattr(case.rival, "algorithm", "") == "brute" else "")
    what = f"{case.name} | {n} × {d} | {classes} | {case.length} | {1e6 * fast:9.0f}"
    return f"| {what} | {rival_name} | {1e3 * slow:8.0f} | {slow / fast:7.0f} | {told} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("bayes", "neighbour", "trees"))
    options = parser.parse_args()
    names = ("numpy", "numba", "scikit-learn")
    print("one thread, processor time; a permutation, ten folds;", ", ".join(f"{n} {version(n)}" for n in names))
    print("| classifier | table | classes | columns | fselect µs | rival | rival ms | times | largest difference |")
    print("|---|---|---|---|---|---|---|---|---|")
    with threadpool_limits(1):
        for case in CASES:
            if options.only in (None, case.group):
                print(measure(case), flush=True)


if __name__ == "__main__":
    main()
