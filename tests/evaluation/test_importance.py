"""The importance-weighted measure against its definition by brute force, and against Kuncheva's index."""

from __future__ import annotations

from itertools import combinations, permutations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fselect.errors import InputError
from fselect.evaluation.stability import importance_weighted, kuncheva

weights = st.floats(0, 100).map(lambda value: round(value, 3))
rows = st.tuples(st.integers(2, 4), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=weights))
tables = rows.filter(lambda W: W.any(axis=1).all())


def by_all_permutations(W):
    """Average the shared importance over every way to deal out the second set's importances."""
    shares = W / W.sum(axis=1, keepdims=True)
    above = below = 0.0
    for a, b in combinations(shares, 2):
        at_random = np.mean([np.minimum(a, b[list(order)]).sum() for order in permutations(range(len(b)))])
        above, below = above + np.minimum(a, b).sum() - at_random, below + 1 - at_random
    return above / below


@settings(deadline=None)
@given(tables.filter(lambda W: np.ptp(W / W.sum(axis=1, keepdims=True)) > 1e-6))
def test_chance_is_the_mean_over_all_ways_to_deal_out_the_importances(W):
    assert importance_weighted(W) == pytest.approx(by_all_permutations(W), abs=1e-9)


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(3, 12), st.integers(0, 1000), st.data())
def test_equal_importances_of_sets_of_one_size_give_kunchevas_index(n_sets, d, seed, data):
    k = data.draw(st.integers(1, d - 1))
    Z = np.argsort(np.random.default_rng(seed).random((n_sets, d)), axis=1) < k
    assert importance_weighted(Z * 3.7) == pytest.approx(kuncheva(Z), abs=1e-12)


@settings(deadline=None)
@given(tables.filter(lambda W: np.ptp(W / W.sum(axis=1, keepdims=True)) > 1e-6), st.integers(0, 1000))
def test_neither_the_unit_of_a_row_nor_the_order_of_rows_and_features_matters(W, seed):
    rng = np.random.default_rng(seed)
    changed = (W * rng.uniform(0.1, 10, size=(len(W), 1)))[rng.permutation(len(W))][:, rng.permutation(W.shape[1])]
    assert importance_weighted(changed) == pytest.approx(importance_weighted(W), abs=1e-9)


def test_proportional_rows_are_wholly_stable_and_others_are_not():
    assert importance_weighted([[3, 1, 0, 0], [6, 2, 0, 0]]) == pytest.approx(1)
    assert importance_weighted([[3, 1, 0, 0], [6, 3, 0, 0]]) < 1


def test_importances_dealt_out_at_random_are_not_stable():
    rng = np.random.default_rng(0)
    W = rng.permuted(np.tile(np.r_[np.arange(1.0, 11), np.zeros(190)], (400, 1)), axis=1)
    assert abs(importance_weighted(W)) < 0.003


def test_a_case_by_hand():
    # shared .5 of each; at random (min(.5, .5) · 4) / 4 = .5 for the first pair: no better than chance
    assert importance_weighted([[1, 1, 0, 0], [1, 0, 1, 0]]) == pytest.approx(0, abs=1e-15)
    # shared .75; at random (.75 + 3 · .25) / 4 = .375
    assert importance_weighted([[3, 1, 0, 0], [3, 0, 1, 0]]) == pytest.approx(0.375 / 0.625)


@pytest.mark.parametrize(
    ("W", "reason"), [([[1, 0], [0, 0]], "no importance at all"), ([[1, 1], [2, 2]], "random sets would not differ")]
)
def test_where_it_is_undefined_it_is_nan_with_the_reason(W, reason):
    with pytest.warns(RuntimeWarning, match=reason):
        assert isnan(importance_weighted(W))


@pytest.mark.parametrize(
    ("W", "sentence"),
    [
        ([[1, -2], [0, 1]], "row 0, column 1"),
        ([[1, 2], [np.nan, 1]], "row 1, column 0"),
        ([[1, 2]], "at least 2 rows"),
        ([1, 2], "one row a set"),
        ([["a"], ["b"]], "one row of numbers"),
    ],
)
def test_bad_importances_are_named(W, sentence):
    with pytest.raises(InputError, match=sentence):
        importance_weighted(W)
