"""Stability: worked numbers, an independent route by pairs, edges, and properties."""

from __future__ import annotations

import time
from itertools import combinations
from math import isnan, sqrt
from statistics import NormalDist

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fselect.errors import InputError
from fselect.evaluation.stability import (
    compare_stabilities,
    set_stabilities,
    stability,
    stability_interval,
    stability_test,
)

FOUR = [[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0]]

tables = st.tuples(st.integers(2, 8), st.integers(2, 12)).flatmap(lambda shape: arrays(bool, shape))
defined_tables = tables.filter(lambda Z: Z.any() and not Z.all())


def stability_by_pairs(Z):
    """The other way round: the variance of a column is half the mean squared difference of its pairs."""
    sets = [{f for f, chosen in enumerate(row) if chosen} for row in Z]
    n_features = len(Z[0])
    pairs = list(combinations(sets, 2))
    disagreement = sum(len(a ^ b) for a, b in pairs) / len(pairs) / 2 / n_features
    share = sum(map(len, sets)) / len(sets) / n_features
    return 1 - disagreement / (share * (1 - share))


def variance_by_loops(Z):
    M, d = len(Z), len(Z[0])
    p = [sum(row[f] for row in Z) / M for f in range(d)]
    k = [sum(row) for row in Z]
    k_mean = sum(k) / M
    phi = stability_by_pairs(Z)
    terms = []
    for i in range(M):
        own = sum(Z[i][f] * p[f] for f in range(d)) / d - k[i] * k_mean / d**2
        correction = phi / 2 * (2 * k[i] * k_mean / d**2 - k[i] / d - k_mean / d + 1)
        terms.append((own + correction) / (k_mean / d * (1 - k_mean / d)))
    mean = sum(terms) / M
    return 4 / M**2 * sum((term - mean) ** 2 for term in terms)


def test_the_worked_example_gives_its_value_variance_and_interval():
    found = stability_interval(FOUR)
    assert found.value == pytest.approx(0.1608391608391609, abs=1e-14)
    assert found.variance == pytest.approx(0.0189761182782539, abs=1e-14)
    assert found.low == pytest.approx(-0.1091533889516310, abs=1e-12)
    assert found.high == pytest.approx(0.4308317106299531, abs=1e-12)


def test_two_disjoint_pairs_of_five_features_give_minus_two_thirds():
    assert stability([[1, 1, 0, 0, 0], [0, 0, 1, 1, 0]]) == pytest.approx(-2 / 3, abs=1e-15)


def test_complementary_halves_reach_the_lower_bound_minus_one():
    assert stability([[1, 1, 0, 0], [0, 0, 1, 1]]) == pytest.approx(-1)


@given(defined_tables)
def test_it_equals_the_mean_pairwise_disagreement_form(Z):
    assert stability(Z) == pytest.approx(stability_by_pairs(Z.tolist()), abs=1e-12)


@given(defined_tables)
def test_variance_and_interval_follow_their_definition(Z):
    found = stability_interval(Z, level=0.9)
    variance = variance_by_loops(Z.astype(int).tolist())
    margin = NormalDist().inv_cdf(0.95) * sqrt(variance)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.high - found.value == pytest.approx(margin, abs=1e-6)
    assert found.value - found.low == pytest.approx(margin, abs=1e-6)


@given(defined_tables)
def test_what_each_set_says_has_the_stability_as_mean_and_its_variance_as_spread(Z):
    values = set_stabilities(Z)
    assert values.mean() == pytest.approx(stability_by_pairs(Z.tolist()), abs=1e-12)
    assert values.var() / len(Z) == pytest.approx(variance_by_loops(Z.astype(int).tolist()), abs=1e-12)


@given(defined_tables, st.randoms(use_true_random=False))
def test_the_order_of_features_and_of_sets_does_not_matter(Z, random):
    rows, columns = list(range(Z.shape[0])), list(range(Z.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    plain, shuffled = stability_interval(Z), stability_interval(Z[rows][:, columns])
    assert shuffled.value == pytest.approx(plain.value, abs=1e-12)
    assert shuffled.variance == pytest.approx(plain.variance, abs=1e-12)


@given(defined_tables)
def test_stability_lies_between_its_bounds(Z):
    n_sets = len(Z)
    assert -1 / (n_sets - 1) - 1e-9 <= stability(Z) <= 1


@given(arrays(bool, st.integers(2, 12)).filter(lambda row: row.any() and not row.all()), st.integers(2, 9))
def test_identical_sets_have_stability_exactly_one_and_variance_exactly_zero(row, n_sets):
    found = stability_interval(np.tile(row, (n_sets, 1)))
    assert (found.value, found.low, found.high, found.variance) == (1.0, 1.0, 1.0, 0.0)


@pytest.mark.parametrize("sizes", [[5] * 10, [2, 17, 9, 4, 4, 12, 3, 8, 16, 5]], ids=["equal", "differing"])
def test_random_sets_have_expectation_zero_up_to_the_variance_of_their_sizes(sizes):
    rng = np.random.default_rng(3)
    values = []
    for _ in range(1000):
        order = rng.random((10, 30)).argsort(axis=1).argsort(axis=1)
        values.append(stability(order < np.array(sizes)[:, None]))
    shares = np.array(sizes) / 30
    # Two random sets of shares p, q differ in p + q - 2pq of the features: summed over the pairs this is
    # the denominator plus the variance of the shares over M - 1.
    expected = -shares.var() / 9 / (shares.mean() * (1 - shares.mean()))
    assert abs(np.mean(values) - expected) < 4 * np.std(values) / sqrt(len(values))


def test_one_set_alone_is_refused():
    with pytest.raises(InputError, match="at least 2 rows, it has 1"):
        stability([[1, 0, 1]])


@pytest.mark.parametrize(("fill", "word"), [(0, "empty"), (1, "full")])
def test_all_empty_or_all_full_sets_are_nan_with_a_warning_that_says_why(fill, word):
    Z = np.full((3, 4), fill)
    with pytest.warns(RuntimeWarning, match=f"every set is {word}"):
        assert isnan(stability(Z))
    with pytest.warns(RuntimeWarning, match=word):
        found = stability_interval(Z)
    assert all(map(isnan, (found.value, found.low, found.high, found.variance)))
    with pytest.warns(RuntimeWarning, match=word):
        assert all(map(isnan, stability_test(Z)))


@pytest.mark.parametrize(
    "Z",
    [
        np.array(FOUR, dtype=bool),
        np.array(FOUR, dtype=np.int8),
        np.array(FOUR, dtype=float),
        [tuple(map(bool, row)) for row in FOUR],
        pd.DataFrame(FOUR),
        pd.DataFrame(FOUR).astype("boolean"),
        pd.DataFrame(FOUR).astype("Int8"),
        pl.DataFrame(FOUR, orient="row"),
    ],
    ids=["bool", "int8", "float", "tuples", "pandas", "nullable boolean", "nullable int", "polars"],
)
def test_every_kind_of_table_gives_the_same_value(Z):
    assert stability(Z) == pytest.approx(0.1608391608391609)


@pytest.mark.parametrize(
    ("Z", "message"),
    [
        ([[0, 1, 2], [0, 1, 1]], "row 0, column 2 .from 0. is 2"),
        ([[0.0, 1.0], [0.0, 0.5]], "row 1, column 1 .from 0. is 0.5"),
        ([[0, 1], [float("nan"), 1]], "row 1, column 0"),
        (pd.DataFrame({"a": [True, None], "b": [False, True]}).astype("boolean"), "row 1, column 0"),
        ([["1", "0"], ["0", "1"]], "not values of type"),
        (pd.DataFrame({"a": ["1", "0"], "b": [0, 1]}), "row 0, column 0"),
        ([[1, 0], [1]], "differ in length"),
        ([1, 0, 1], "one row a set"),
        (np.zeros((3, 0)), "one column a feature"),
    ],
)
def test_a_table_that_is_not_binary_is_refused_with_the_place(Z, message):
    with pytest.raises(InputError, match=message):
        stability(Z)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_a_level_outside_zero_to_one_is_refused(level):
    with pytest.raises(InputError, match="level"):
        stability_interval(FOUR, level=level)


def test_the_one_sided_test_is_the_normal_tail_of_its_statistic():
    outcome = stability_test(FOUR, 0.05)
    expected = (0.1608391608391609 - 0.05) / sqrt(0.0189761182782539)
    assert outcome.statistic == pytest.approx(expected, rel=1e-10)
    assert outcome.p_value == pytest.approx(1 - NormalDist().cdf(expected), rel=1e-10)


def test_the_two_sided_comparison_is_antisymmetric_and_uses_both_variances():
    other = [[1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0]]
    first, second = stability_interval(FOUR), stability_interval(other)
    expected = (second.value - first.value) / sqrt(first.variance + second.variance)
    outcome = compare_stabilities(FOUR, other)
    assert outcome.statistic == pytest.approx(expected, rel=1e-10)
    assert outcome.p_value == pytest.approx(2 * (1 - NormalDist().cdf(abs(expected))), rel=1e-8)
    assert compare_stabilities(other, FOUR).statistic == pytest.approx(-expected, rel=1e-10)


def test_tests_on_sets_without_variance_are_nan_with_a_warning():
    same = [[1, 0, 1]] * 3
    with pytest.warns(RuntimeWarning, match="variance of the stability is 0"):
        assert all(map(isnan, stability_test(same, 0.2)))
    with pytest.warns(RuntimeWarning, match="variance of the stability is 0"):
        assert all(map(isnan, compare_stabilities(same, same)))


def test_a_thousand_sets_of_twenty_thousand_features_take_under_two_seconds():
    Z = np.random.default_rng(0).random((1000, 20_000)) < 0.01
    start = time.process_time()
    found = stability_interval(Z)
    assert time.process_time() - start < 2
    # An estimate of 0 with the standard error it states.
    assert abs(found.value) < 5 * sqrt(found.variance)


@settings(max_examples=30)
@given(defined_tables)
def test_a_table_larger_than_one_block_gives_the_same_variance(Z):
    from fselect.evaluation import stability as module

    plain = stability_interval(Z)
    whole, module._BLOCK_VALUES = module._BLOCK_VALUES, 1
    try:
        assert stability_interval(Z) == plain
    finally:
        module._BLOCK_VALUES = whole
