"""Made-up summaries with chosen means, spreads and correlations; small tables under the names of the paper's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fselect.datasets import make_microarray
from fselect.evaluation.pareto import confidence_ellipse, pareto_front
from tests.factories import make_point, make_summary

SHAPES = (None, 10, 1, 0.5, 0.1)
STRENGTHS = (0, 0.5, 2, 16)


def scattered(label, accuracy, stability, *, repeats=40, spread=0.01, correlation=0.0, seed=0):
    """A point whose repeats have these means exactly, and about this spread and correlation."""
    drawn = np.random.default_rng(seed).standard_normal((repeats, 2))
    drawn -= drawn.mean(axis=0)
    drawn[:, 1] = correlation * drawn[:, 0] + np.sqrt(1 - correlation**2) * drawn[:, 1]
    pairs = np.array([accuracy, stability]) + spread * drawn
    if label in ("random set", "first set"):
        pairs[:, 1] = 1.0
    ellipse = confidence_ellipse(pairs, 0.95)
    return make_point(label, accuracy, stability, pairs=pairs, repeats=repeats, ellipse=ellipse)


def with_fronts(summary):
    """The summary with the first front over all its points."""
    members = tuple(range(len(summary.points)))
    means = np.array([[point.accuracy, point.stability] for point in summary.points])
    front = tuple(int(place) for place in pareto_front(means))
    return replace(summary, fronts=(replace(summary.fronts[0], members=members, front=front), *summary.fronts[1:]))


def single(accuracies, stabilities, *, random=0.6, **spread):
    """A single-task summary over SHAPES."""
    labels = ["unbiased" if shape is None else f"shape {shape}" for shape in SHAPES]
    points = [
        scattered(*values, seed=seed, **spread)
        for seed, values in enumerate(zip(labels, accuracies, stabilities, strict=True))
    ]
    strategy = scattered("random set", random, 1.0, seed=99, **spread)
    return with_fronts(make_summary(protocol="single", points=[*points, strategy]))


def transfer(accuracies, stabilities, *, first, **spread):
    """A transfer summary over STRENGTHS; `first` is the accuracy of the first set reused."""
    points = [
        scattered(f"strength {values[0]}", *values[1:], seed=seed, **spread)
        for seed, values in enumerate(zip(STRENGTHS, accuracies, stabilities, strict=True))
    ]
    return with_fronts(make_summary(points=[*points, scattered("first set", first, 1.0, seed=99, **spread)]))


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Small positive tables under the names of Prostate and Dexter; none of the others."""
    folder = tmp_path_factory.mktemp("tables")
    for name, d in (("prostate_singh_12600", 110), ("dexter", 120)):
        made = make_microarray(40, d, n_relevant=5, block_size=4, random_state=1)
        frame = made.frame("target")
        columns = list(made.names)
        frame[columns] = 10 ** (2.5 + 0.3 * frame[columns])
        frame.to_parquet(folder / f"{name}.parquet", index=False)
    return folder
