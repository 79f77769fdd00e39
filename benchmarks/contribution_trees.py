"""How long a permutation of contribution selection takes with C4.5, and so the first round of a backward search.

python -P benchmarks/contribution_trees.py colon_alon_2000.parquet --rows 40 --size 3 --permutations 2000

Each prefix of a permutation is one ten-fold cross-validation: processor time of one thread, mean of sixty permutations.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split
from threadpoolctl import threadpool_limits

from fselect.classifiers import C45Classifier, nested_payoff
from fselect.datasets import read_table

DRAWN = 60


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--target", default="target")
    parser.add_argument("--rows", type=int, required=True, help="rows that are trained on")
    parser.add_argument("--size", type=int, required=True, help="l, features in a permutation")
    parser.add_argument("--permutations", type=int, required=True, help="t, of a round")
    options = parser.parse_args()
    data = read_table(options.table, options.target)
    rows, _ = train_test_split(np.arange(data.n_samples), train_size=options.rows, stratify=data.codes, random_state=0)
    X, codes = np.ascontiguousarray(data.X[rows]), data.codes[rows]
    folds = np.empty(len(rows), dtype=np.int64)
    for number, (_, out) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(X, codes)):
        folds[out] = number
    rng = np.random.default_rng(0)
    with threadpool_limits(1):
        payoff = nested_payoff(C45Classifier(), X, codes, folds)
        permutations = [rng.permutation(X.shape[1])[: options.size] for _ in range(DRAWN + 1)]
        payoff.accuracies(permutations[0])
        start = time.process_time()
        for permutation in permutations[1:]:
            payoff.accuracies(permutation)
        spent = (time.process_time() - start) / DRAWN
    trees = 10 * options.size
    print(
        f"{data.name}: {1e6 * spent / trees:.0f} µs a tree, {1 / spent:.0f} permutations a second, "
        f"{options.permutations * spent:.1f} s a round"
    )


if __name__ == "__main__":
    main()
