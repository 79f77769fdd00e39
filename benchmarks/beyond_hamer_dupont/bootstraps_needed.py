"""How many bootstraps until the stability is known to ±0.02?

python benchmarks/beyond_hamer_dupont/bootstraps_needed.py prostate.parquet [--most 600]

Two questions. For one draw of β, how many bootstraps M: from the variance that Nogueira, Sechidis & Brown (2018) give,
and, to see whether it can be believed, from the spread of φ over separate blocks of bootstraps. For the mean over
draws of β, how many repeats B of M = 30: from the spread of φ over the repeats of a study (its summary.json).
"""

from __future__ import annotations

import argparse
from math import ceil
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fselect.datasets import read_table
from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.protocols import draw_bootstrap
from fselect.evaluation.stability import stability, stability_interval
from fselect.reproductions.evidence import path
from fselect.selectors.elimination import RFEMethod
from fselect.selectors.shrinkage import draw_log_shrinkage
from fselect.study.results import Summary

WIDTH = 0.02
NORMAL = 1.959964


def selections(table, shape, most):
    """The sets of so many bootstraps under one draw of β."""
    rfe = RFEMethod(20, penalty=0.1)
    bias = draw_log_shrinkage(table.n_features, shape, generator(0, Stream.SHRINKAGE, table.name))
    found = []
    for number in range(most):
        drawn = draw_bootstrap(table, generator(0, Stream.BOOTSTRAP, table.name, 0, number))
        found.append(rfe.support(table.X, table.codes, drawn.counts, bias, np.random.default_rng(0)))
    return np.array(found)


def spread(Z, size):
    """Standard deviation of φ over blocks of `size` sets, and the one that the formula gives, on average."""
    blocks = [Z[start : start + size] for start in range(0, len(Z) - size + 1, size)]
    values = [stability(block) for block in blocks]
    stated = [stability_interval(block).variance for block in blocks]
    return np.std(values, ddof=1), np.sqrt(np.mean(stated))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table")
    parser.add_argument("--most", type=int, default=600, help="bootstraps for one draw of β")
    parser.add_argument("--summary", type=Path, help="summary.json of a single-task study")
    asked = parser.parse_args()
    table = read_table(asked.table, "target", clip=(10, 16000), log=10)
    print("| shape | φ | sd of φ, M = 10: seen / stated | M = 30: seen / stated | M for ±0.02 |\n" + "| --- " * 5 + "|")
    for shape in (None, 1.0, 0.2, 0.05):
        with threadpool_limits(1):
            Z = selections(table, shape, asked.most)
        whole = stability_interval(Z)
        ten, thirty = spread(Z, 10), spread(Z, 30)
        needed = ceil((NORMAL / WIDTH) ** 2 * whole.variance * len(Z))
        cells = [f"{seen:.4f} / {stated:.4f}" for seen, stated in (ten, thirty)]
        print(f"| {'none' if shape is None else shape} | {whole.value:.3f} | {cells[0]} | {cells[1]} | {needed} |")
    if asked.summary:
        repeats_needed(Summary.read(asked.summary))


def repeats_needed(summary):
    print("| point | φ | sd over draws of β | B for ±0.02 |\n" + "| --- " * 4 + "|")
    for point in path(summary):
        sd = point.pairs[:, 1].std(ddof=1)
        print(f"| {point.label} | {point.stability:.3f} | {sd:.4f} | {max(2, ceil((NORMAL * sd / WIDTH) ** 2))} |")


if __name__ == "__main__":
    main()
