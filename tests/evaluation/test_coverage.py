"""The stated intervals cover the truth as often as docs/coverage.md says."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from math import sqrt
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "interval_coverage.py"


@pytest.fixture(scope="module")
def coverage():
    spec = spec_from_file_location("coverage_simulation", SCRIPT)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    yield spec.loader.exec_module(module) or module
    del sys.modules[spec.name]


def within_chance(found, expected, simulations=None):
    """Four standard deviations of a binomial share, a miss once in 16 000 if the expected share is true.

    Where it is itself an estimate from simulations, as in docs/coverage.md, its own variance counts too.
    """
    shares = 1 / found.simulations + (1 / simulations if simulations else 0)
    return abs(found.covered - expected) < 4 * sqrt(expected * (1 - expected) * shares)


@pytest.mark.parametrize("n_repeats", [5, 20])
def test_the_ellipse_of_normal_pairs_covers_at_exactly_its_level(coverage, n_repeats):
    # Hotelling's law is exact here, so the level itself is the expected value.
    law = coverage.Law(coverage.SINGLE, skewed=False)
    assert within_chance(coverage.ellipse_coverage(1500, n_repeats, law, seed=11), 0.95)


@pytest.mark.parametrize(("n_sets", "documented"), [(8, 0.815), (30, 0.923), (100, 0.942)])
def test_the_stability_interval_covers_as_documented(coverage, n_sets, documented):
    _, found = coverage.stability_coverage(400, n_sets, 100, 10, 6.0, seed=12)
    assert within_chance(found, documented, simulations=4000)


def test_the_intervals_of_the_dominance_area_cover_as_documented(coverage):
    law = coverage.AREA_LAWS["five points, wide"]
    ellipses, bootstraps, widths = coverage.area_coverage(300, 20, law, seed=13)
    assert ellipses.covered > 0.98
    assert within_chance(bootstraps, 0.922, simulations=4000)
    assert widths[1] < widths[0]
