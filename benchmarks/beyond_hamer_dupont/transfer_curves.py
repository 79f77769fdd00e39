"""Does it matter by which curve β falls as a feature was selected more often?

python benchmarks/beyond_hamer_dupont/transfer_curves.py prostate.parquet [--repeats 20] [--noise 3]

All curves run from β = 1 for a feature that was always selected to β = R for one that never was, with R = exp(2 α)
for the strength α of the exponential one; in between, for a feature selected in a share p of the tasks, they differ:

    exponential   β = R^(1 - p)                      what fselect does
    linear        β = 1 + (R - 1) (1 - p)            half of the tasks count little: p = 0.5 is nearly as dear as p = 0
    harmonic      1/β = 1/R + (1 - 1/R) p            half of the tasks count much: p = 0.5 is nearly as cheap as p = 1
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp
from threadpoolctl import threadpool_limits

from fselect.datasets import noisy_tasks, read_table
from fselect.evaluation.comparison import compare_areas
from fselect.evaluation.protocols import transfer
from fselect.evaluation.stability import stability
from fselect.reproductions.evidence import mean_interval
from fselect.selectors.elimination import RFEMethod

STRENGTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
CURVES = {
    "exponential": lambda p, log_r: (1 - p) * log_r,
    "linear": lambda p, log_r: np.log1p(np.expm1(log_r) * (1 - p)),
    "harmonic": lambda p, log_r: -np.log(np.exp(-log_r) + (1 - np.exp(-log_r)) * p),
}


@dataclass(frozen=True)
class Curved:
    """The elimination under another curve; called with the exponential bias of strength 1, of which it reads p."""

    rfe: RFEMethod
    curve: str
    strength: float

    def support(self, X, codes, counts, bias, rng):
        share = (bias.max() - bias) / 2  # some feature was never selected: there are far more than were
        log_beta = CURVES[self.curve](share, 2 * self.strength)
        return self.rfe.support(X, codes, counts, log_beta - logsumexp(log_beta) + np.log(log_beta.size), rng)


def pair(tasks, rule, strength, repeat):
    """Accuracy and stability of one repeat."""
    found = list(transfer(tasks, rule, strength, seed=0, repeat=repeat, penalty=1.0))
    return np.mean([one.accuracy for one in found]), stability(np.array([one.support for one in found]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table")
    parser.add_argument("--noise", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=20)
    asked = parser.parse_args()
    table = read_table(asked.table, "target", clip=(10, 16000), log=10)
    tasks = noisy_tasks(table, 8, noise=asked.noise, seed=0)
    rfe, repeats = RFEMethod(10, penalty=1.0), range(asked.repeats)
    with threadpool_limits(1):
        start = np.array([pair(tasks, rfe, 0.0, repeat) for repeat in repeats])
        curves = {
            name: [
                np.array([pair(tasks, Curved(rfe, name, strength), 1.0, repeat) for repeat in repeats])
                for strength in STRENGTHS
            ]
            for name in CURVES
        }
    show(start, curves)


def show(start, curves):
    print("| strength | " + " | ".join(curves) + " |\n| --- |" + " --- |" * len(curves))
    print("| 0 |" + f" {start[:, 0].mean():.3f} / {start[:, 1].mean():.3f} |" * len(curves))
    for place, strength in enumerate(STRENGTHS):
        cells = [f"{pairs[place][:, 0].mean():.3f} / {pairs[place][:, 1].mean():.3f}" for pairs in curves.values()]
        print(f"| {strength:g} | " + " | ".join(cells) + " |")
    reference = curves["exponential"]
    for name, pairs in curves.items():
        if name == "exponential":
            continue
        found = compare_areas([start, *pairs], [start, *reference], rng=0)
        print(f"{name} less exponential: area {found.difference:+.4f} [{found.low:+.4f}, {found.high:+.4f}]")
        best = max(range(len(STRENGTHS)), key=lambda place: pairs[place][::2, 0].mean())
        other = max(range(len(STRENGTHS)), key=lambda place: reference[place][::2, 0].mean())
        gain = mean_interval("accuracy at each one's best strength", (pairs[best] - reference[other])[1::2, 0])
        print(f"  {gain.text} ({STRENGTHS[best]:g} and {STRENGTHS[other]:g}, chosen on the other half of the repeats)")


if __name__ == "__main__":
    main()
