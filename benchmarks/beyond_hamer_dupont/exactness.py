"""Does it matter whether the model inside the elimination is solved exactly?

python benchmarks/beyond_hamer_dupont/exactness.py prostate.parquet [--repeats 20] [--shapes none 1 0.1]

The same study twice, on the same bootstraps and the same β: with the exact optimum, and with scikit-learn's
LogisticRegression as it comes (lbfgs, tolerance 1e-4, at most 100 iterations) in the same loop: the same
standardisation, the same lift of β, the same shares dropped.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass, field

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from fselect.datasets import read_table
from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.protocols import single_task
from fselect.evaluation.stability import stability
from fselect.reproductions.evidence import mean_interval
from fselect.selectors.elimination import RFEMethod
from fselect.selectors.elimination.ranking import number_to_drop
from fselect.selectors.shrinkage import draw_log_shrinkage, lift


@dataclass
class DefaultTolerance:
    """The elimination with scikit-learn's default solver; counts the fits that it says did not converge."""

    n_features: int
    penalty: float
    step: float = 0.2
    fits: int = field(default=0)
    unconverged: int = field(default=0)

    def support(self, X, codes, counts, bias, rng):
        rows = counts > 0
        weight = counts[rows].astype(float)
        mean = np.average(X[rows], axis=0, weights=weight)
        sd = np.sqrt(np.average((X[rows] - mean) ** 2, axis=0, weights=weight))
        varies = np.ptp(X[rows], axis=0) > 0
        Z = np.where(varies, (X[rows] - mean) / np.where(varies, sd, 1.0), 0.0)
        log_beta = lift(bias, np.where(varies, 0.0, -np.inf), self.penalty)
        left = np.arange(X.shape[1])
        while len(left) > self.n_features:
            importance = self._importance(Z[:, left], codes[rows], weight, log_beta[left])
            importance[~varies[left]] = -np.inf
            order = np.lexsort((-left, importance))
            drop = order[: number_to_drop(len(left), self.n_features, self.step)]
            left = np.delete(left, drop)
        mask = np.zeros(X.shape[1], dtype=bool)
        mask[left] = True
        return mask

    def _importance(self, Z, codes, weight, log_beta):
        """log |w|, the largest 0."""
        model = LogisticRegression(C=1 / (2 * self.penalty))
        half = np.exp(-0.5 * log_beta)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", ConvergenceWarning)
            model.fit(Z * half, codes, sample_weight=weight)
        self.fits += 1
        self.unconverged += any(issubclass(one.category, ConvergenceWarning) for one in said)
        with np.errstate(divide="ignore"):
            return np.log(np.abs(model.coef_[0])) - 0.5 * log_beta


def run(table, rule, shape, repeat):
    """Sets and accuracies of one repeat."""
    bias = draw_log_shrinkage(table.n_features, shape, generator(0, Stream.SHRINKAGE, table.name, repeat))
    found = list(single_task(table, rule, bias, seed=0, repeat=repeat, bootstraps=30, penalty=0.1))
    return np.array([one.support for one in found]), np.mean([one.accuracy for one in found])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--shapes", nargs="+", default=["none", "1", "0.1"])
    asked = parser.parse_args()
    table = read_table(asked.table, "target", clip=(10, 16000), log=10)
    exact, rows = RFEMethod(20, penalty=0.1), []
    rules = {shape: DefaultTolerance(20, 0.1) for shape in asked.shapes}
    with threadpool_limits(1):
        for repeat in range(asked.repeats):
            for shape, rule in rules.items():
                number = None if shape == "none" else float(shape)
                rows.append((shape, run(table, exact, number, repeat), run(table, rule, number, repeat)))
            show(rows, rules, repeat + 1)


def show(rows, rules, repeats):
    print(f"\nscikit-learn {sklearn.__version__}, {repeats} repeats of 30 bootstraps")
    print(
        "| shape | same set | features in common | φ exact | φ default | difference of φ | of accuracy | unconverged |"
    )
    print("| --- " * 8 + "|")
    for shape, rule in rules.items():
        pairs = [(one, other) for name, one, other in rows if name == shape]
        common = np.concatenate([(one[0] & other[0]).sum(axis=1) for one, other in pairs])
        phi = np.array([[stability(one[0]), stability(other[0])] for one, other in pairs])
        accuracy = np.array([other[1] - one[1] for one, other in pairs])
        changes = [mean_interval("", values).text.strip() for values in (phi[:, 1] - phi[:, 0], accuracy)]
        cells = [
            shape,
            f"{(common == 20).mean():.1%}",
            f"{common.mean():.1f} of 20",
            f"{phi[:, 0].mean():.3f}",
            f"{phi[:, 1].mean():.3f}",
            *changes,
            f"{rule.unconverged / rule.fits:.0%} of fits",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
