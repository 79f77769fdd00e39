"""The corrected variance of resampled differences, against its formula and against what it is for: coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from fselect.errors import InputError
from fselect.evaluation.paired import Paired, accuracy_interval, lower_limit, out_of_bag_ratio, paired_difference


def test_the_variance_is_that_of_nadeau_and_bengio():
    # (1/J + n2/n1) S², by hand: differences 0.02, 0.04, 0.06 have S² = 0.0004
    found = paired_difference([0.92, 0.94, 0.96], [0.9, 0.9, 0.9], test_ratio=0.5)
    assert found.difference == pytest.approx(0.04)
    assert found.variance == pytest.approx((1 / 3 + 0.5) * 0.0004)
    assert found.resamples == 3


def test_the_lower_limit_is_students():
    found = Paired(0.1, 0.0025, 10)
    # 1.833 is the 95 % quantile of t with 9 degrees of freedom in any printed table
    assert lower_limit(found, 0.95) == pytest.approx(0.1 - 1.833 * 0.05, abs=5e-5)


def test_more_resamples_do_not_make_a_small_table_certain():
    rng = np.random.default_rng(0)
    few, many = (rng.normal(0.05, 0.1, size) for size in (20, 20_000))
    short, long = (
        paired_difference(x, np.zeros_like(x), test_ratio=out_of_bag_ratio(50)).variance for x in (few, many)
    )
    assert long > 0.5 * 0.582 * 0.01
    assert short < 3 * long


def test_one_pair_has_no_limit_and_uneven_ones_are_refused():
    assert math.isnan(lower_limit(paired_difference([0.9], [0.8], test_ratio=0.5)))
    with pytest.raises(InputError, match="as many values"):
        paired_difference([0.9, 0.8], [0.8], test_ratio=0.5)


def test_the_out_of_bag_ratio_is_that_of_simulated_bootstraps():
    rng = np.random.default_rng(1)
    different = np.mean([len(np.unique(rng.integers(40, size=40))) for _ in range(4000)])
    assert out_of_bag_ratio(40) == pytest.approx((40 - different) / different, rel=0.02)


def test_an_accuracy_interval_stays_inside_the_unit_interval_and_around_its_mean():
    found = accuracy_interval([1.0, 0.98, 0.99, 1.0, 0.9], test_ratio=0.58)
    assert found.low < found.value < found.high == 1.0


def test_the_one_sided_limit_covers_about_as_often_as_it_says():
    """Two fixed rules of known difference, on bootstraps of small tables: the limit is to hold in 95 % of tables."""
    rng = np.random.default_rng(2)
    rows, resamples, tables = 80, 40, 300
    held = 0
    for _ in range(tables):
        first, second = rng.random(rows) < 0.8, rng.random(rows) < 0.75  # correct or not, row by row
        out = np.array([np.bincount(rng.integers(rows, size=rows), minlength=rows) == 0 for _ in range(resamples)])
        means = [(out * right).sum(axis=1) / out.sum(axis=1) for right in (first, second)]
        held += lower_limit(paired_difference(*means, test_ratio=out_of_bag_ratio(rows))) <= 0.05
    # A binomial count; wide below, because the correction is known to be approximate.
    assert stats.binomtest(held, tables, 0.95).pvalue > 1e-4 or held / tables > 0.95


def test_without_the_correction_the_limit_would_hold_far_less_often():
    rng = np.random.default_rng(2)
    rows, resamples, tables = 80, 40, 100
    held = 0
    for _ in range(tables):
        first, second = rng.random(rows) < 0.8, rng.random(rows) < 0.75
        out = np.array([np.bincount(rng.integers(rows, size=rows), minlength=rows) == 0 for _ in range(resamples)])
        means = [(out * right).sum(axis=1) / out.sum(axis=1) for right in (first, second)]
        held += lower_limit(paired_difference(*means, test_ratio=0.0)) <= 0.05
    assert held / tables < 0.85
