"""How often the stated 95 % intervals cover the truth, by simulation.

python benchmarks/interval_coverage.py                 the figures of docs/coverage.md (about six minutes)
python benchmarks/interval_coverage.py --simulations 200    a quick look
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
from scipy.stats import beta, norm

from fselect.evaluation.comparison import bootstrap_dominance_interval
from fselect.evaluation.pareto import confidence_ellipse, dominance_area, dominance_interval
from fselect.evaluation.stability import stability_interval

LEVEL = 0.95


@dataclass(frozen=True)
class Coverage:
    """Shares of intervals that cover the truth, and that lie below or above it."""

    simulations: int
    covered: float
    too_low: float = float("nan")
    too_high: float = float("nan")

    @property
    def error(self) -> float:
        return sqrt(self.covered * (1 - self.covered) / self.simulations)


# Stability: sets of k features, the k largest of fixed scores plus Gumbel noise.


def draw_sets(rng, n_sets, n_features, size, strength):
    """Sets of one size in which the first features are preferred, the more so the larger the strength."""
    scores = strength * np.linspace(1, 0, n_features) ** 4
    noisy = scores + rng.gumbel(size=(n_sets, n_features))
    chosen = np.zeros((n_sets, n_features), dtype=bool)
    np.put_along_axis(chosen, np.argpartition(-noisy, size, axis=1)[:, :size], True, axis=1)
    return chosen


@cache
def true_stability(n_features, size, strength, n_sets=60_000):
    """Stability of infinitely many sets, from the selection probabilities (error below 0.001)."""
    rng = np.random.default_rng(1)
    shares = np.zeros(n_features)
    for _ in range(n_sets // 2000):
        shares += draw_sets(rng, 2000, n_features, size, strength).sum(axis=0)
    shares /= n_sets
    # p(1-p) of estimated shares is too small by the factor (1 - 1/n_sets).
    variance = np.mean(shares * (1 - shares)) * n_sets / (n_sets - 1)
    return 1 - variance / (size / n_features * (1 - size / n_features))


def stability_coverage(simulations, n_sets, n_features, size, strength, seed=0):
    truth = true_stability(n_features, size, strength)
    rng = np.random.default_rng(seed)
    drawn = (draw_sets(rng, n_sets, n_features, size, strength) for _ in range(simulations))
    return truth, _count([stability_interval(Z, LEVEL) for Z in drawn], truth)


# Pairs (accuracy, stability) of repeats.


@dataclass(frozen=True)
class Law:
    """A law of pairs: beta or normal margins, joined by a normal copula."""

    means: tuple[tuple[float, float], ...]
    spread: float = 0.04
    correlation: float = 0.6
    shared: float = 0.5  # how much of the noise the points have in common, as with common random numbers
    skewed: bool = True

    def draw(self, rng, n_repeats):
        """Pairs for every point: shape (points, n_repeats, 2)."""
        common = rng.normal(size=(1, n_repeats, 2))
        own = rng.normal(size=(len(self.means), n_repeats, 2))
        noise = sqrt(self.shared) * common + sqrt(1 - self.shared) * own
        noise[..., 1] = self.correlation * noise[..., 0] + sqrt(1 - self.correlation**2) * noise[..., 1]
        means = np.array(self.means)[:, None, :]
        if not self.skewed:
            return means + self.spread * noise
        total = means * (1 - means) / self.spread**2 - 1
        return beta(means * total, (1 - means) * total).ppf(norm.cdf(noise))


def ellipse_coverage(simulations, n_repeats, law, seed=0):
    rng = np.random.default_rng(seed)
    truth = law.means[0]
    inside = [confidence_ellipse(law.draw(rng, n_repeats)[0], LEVEL).contains(truth) for _ in range(simulations)]
    return Coverage(simulations, float(np.mean(inside)))


def area_coverage(simulations, n_repeats, law, seed=0, n_resamples=1000):
    """Coverage of the dominance area of the true means, by ellipses and by bootstrap."""
    rng = np.random.default_rng(seed)
    truth = dominance_area(law.means)
    drawn = [law.draw(rng, n_repeats) for _ in range(simulations)]
    ellipses = [dominance_interval(list(pairs), LEVEL) for pairs in drawn]
    bootstraps = [bootstrap_dominance_interval(list(pairs), LEVEL, n_resamples=n_resamples, rng=rng) for pairs in drawn]
    widths = [float(np.mean([found.high - found.low for found in each])) for each in (ellipses, bootstraps)]
    return _count(ellipses, truth), _count(bootstraps, truth), widths


def _count(intervals, truth):
    low = np.array([found.high < truth for found in intervals])
    high = np.array([found.low > truth for found in intervals])
    covered = [found.low <= truth <= found.high for found in intervals]  # nan covers nothing
    return Coverage(len(intervals), float(np.mean(covered)), float(low.mean()), float(high.mean()))


STABILITY_CASES = [
    (n_sets, n_features, size, strength)
    for n_features, size, strength in [(100, 10, 2.0), (100, 10, 6.0), (2000, 20, 12.0)]
    for n_sets in (8, 30, 100)
]
SINGLE = ((0.85, 0.5),)
APART = ((0.92, 0.10), (0.90, 0.40), (0.84, 0.70), (0.75, 0.90), (0.60, 0.97))
WIDE = ((0.85, 0.15), (0.82, 0.35), (0.77, 0.50), (0.70, 0.65), (0.60, 0.78))
CLOSE = ((0.860, 0.50), (0.858, 0.51), (0.856, 0.52), (0.854, 0.53), (0.852, 0.54), (0.850, 0.55))
ELLIPSE_LAWS = {
    "normal": Law(SINGLE, skewed=False),
    "beta": Law(SINGLE),
    "beta, near the edge": Law(((0.95, 0.93),), spread=0.05),
}
AREA_LAWS = {
    "five points apart": Law(APART, spread=0.02),
    "five points, wide": Law(WIDE, spread=0.05, skewed=False),
    "six points close together": Law(CLOSE, spread=0.04),
    "one point": Law(SINGLE),
}
REPEATS = (5, 20, 100)


def stability_table(simulations):
    yield "| sets M | features d | size k | true stability | coverage | interval below | interval above |"
    yield "|---:|---:|---:|---:|---:|---:|---:|"
    for case in STABILITY_CASES:
        truth, found = stability_coverage(simulations, *case)
        n_sets, n_features, size, _ = case
        yield (
            f"| {n_sets} | {n_features} | {size} | {truth:.3f} | {_percent(found)} | {found.too_low:.1%} "
            f"| {found.too_high:.1%} |"
        )


def ellipse_table(simulations):
    yield "| law of the pairs | repeats B | coverage |"
    yield "|---|---:|---:|"
    for name, law in ELLIPSE_LAWS.items():
        for n_repeats in REPEATS:
            yield f"| {name} | {n_repeats} | {_percent(ellipse_coverage(simulations, n_repeats, law))} |"


def area_table(simulations):
    yield "| points | repeats B | ellipses | width | bootstrap | width | bootstrap below | above |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, law in AREA_LAWS.items():
        for n_repeats in REPEATS:
            ellipses, bootstraps, widths = area_coverage(simulations, n_repeats, law)
            yield (
                f"| {name} | {n_repeats} | {_percent(ellipses)} | {widths[0]:.3f} | {_percent(bootstraps)} "
                f"| {widths[1]:.3f} | {bootstraps.too_low:.1%} | {bootstraps.too_high:.1%} |"
            )


def _percent(found):
    return f"{found.covered:.1%} ± {found.error:.1%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=4000, help="simulations a row (default 4000)")
    simulations = parser.parse_args().simulations
    start = time.perf_counter()
    for title, table in [
        ("Stability", stability_table),
        ("Ellipse", ellipse_table),
        ("Dominance area", area_table),
    ]:
        print(f"\n{title}, {simulations} simulations a row\n")
        for line in table(simulations):
            print(line, flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
