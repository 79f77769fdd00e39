"""How much faster an elimination of a sparse table is than of the same table made dense, and whether it is the same.

python -P benchmarks/sparse.py dexter.parquet [--samples 4]

For each shape of the law of β some bootstraps, each selected from twice: processor time of one thread, in one run.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from fselect.datasets import read_table
from fselect.datasets.seeds import Stream, generator
from fselect.datasets.sparse_tables import dense
from fselect.evaluation.protocols import draw_bootstrap
from fselect.selectors.elimination import eliminate
from fselect.selectors.shrinkage import draw_log_shrinkage

SHAPES = (None, 10.0, 1.0, 0.1, 0.01)


def timed(X, codes, counts, log_beta):
    """Return the processor time of a selection of 20 features, and its ranking of all."""
    start = time.process_time()
    found = eliminate(X, codes, counts, n_features=20, penalty=0.1, n_classes=2, log_shrinkage=log_beta)
    return time.process_time() - start, found.ranking


def main() -> None:
    """Print a row a shape."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--target", default="target")
    parser.add_argument("--samples", type=int, default=4, help="bootstraps a shape")
    options = parser.parse_args()
    data = read_table(options.table, options.target)
    X = dense(data.X)
    tables = (X, csr_array(X))
    print(f"{data.name}: {X.shape[0]} × {X.shape[1]}, {(X != 0).mean():.2%} of entries")
    print("| shape | dense s | sparse s | times | same ranking |\n|---|---|---|---|---|")
    with threadpool_limits(1):
        for number, shape in enumerate((SHAPES[0], *SHAPES)):
            log_beta = draw_log_shrinkage(data.n_features, shape, generator(0, Stream.SHRINKAGE, data.name))
            spent, same = [], 0
            for sample in range(options.samples if number else 1):  # the first row compiles, and is not shown
                counts = draw_bootstrap(data, generator(0, Stream.BOOTSTRAP, data.name, 0, sample)).counts
                (slow, first), (fast, second) = (timed(table, data.codes, counts, log_beta) for table in tables)
                spent.append((slow, fast, slow / fast))
                same += np.array_equal(first, second)
            if number:
                slow, fast, ratio = (statistics.median(column) for column in zip(*spent, strict=True))
                print(f"| {shape} | {slow:.3f} | {fast:.3f} | {ratio:.1f} | {same}/{len(spent)} |", flush=True)


if __name__ == "__main__":
    main()
