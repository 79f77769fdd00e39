"""The importance-weighted measure against its authors' code, its definition, and the measures of plain sets."""

from __future__ import annotations

from itertools import combinations, permutations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fselect.errors import InputError
from fselect.evaluation.stability import importance_weighted, phi_coefficient, stability
from tests.oracles.stability_in_r import CASES

weights = st.floats(0, 100).map(lambda value: round(value, 3))
rows = st.tuples(st.integers(2, 4), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=weights))
tables = rows.filter(lambda W: (np.ptp(W, axis=1) > 0).all())


@pytest.mark.parametrize("case", CASES)
def test_it_gives_the_numbers_of_the_authors_own_code(case):
    assert importance_weighted(case["importances"]) == pytest.approx(case["phi_pears"], abs=1e-13)


@settings(deadline=None)
@given(tables)
def test_it_is_the_mean_correlation_of_two_rows(W):
    expected = np.mean([np.corrcoef(first, second)[0, 1] for first, second in combinations(W, 2)])
    assert importance_weighted(W) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(tables)
def test_importances_dealt_out_at_random_have_the_mean_0(W):
    first, second = W[:2]
    dealt = [importance_weighted([first, second[list(order)]]) for order in permutations(range(len(second)))]
    assert np.mean(dealt) == pytest.approx(0, abs=1e-9)


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(3, 12), st.integers(0, 1000), st.data())
def test_equal_importances_give_the_measures_of_plain_sets(n_sets, d, seed, data):
    sizes = np.array(data.draw(st.lists(st.integers(1, d - 1), min_size=n_sets, max_size=n_sets)))
    places = np.argsort(np.random.default_rng(seed).random((n_sets, d)), axis=1)
    assert importance_weighted((places < sizes[:, None]) * 3.7) == pytest.approx(
        phi_coefficient(places < sizes[:, None]), abs=1e-12
    )
    assert importance_weighted((places < sizes[0]) * 3.7) == pytest.approx(stability(places < sizes[0]), abs=1e-12)


@settings(deadline=None)
@given(tables, st.integers(0, 1000))
def test_neither_the_unit_of_a_row_nor_the_order_of_rows_and_features_matters(W, seed):
    rng = np.random.default_rng(seed)
    units = 10.0 ** rng.uniform(-300, 300, size=(len(W), 1))
    changed = (W * units)[rng.permutation(len(W))][:, rng.permutation(W.shape[1])]
    assert importance_weighted(changed) == pytest.approx(importance_weighted(W), abs=1e-9)


def test_proportional_rows_are_wholly_stable_and_others_are_not():
    assert importance_weighted([[3, 1, 0, 0], [6, 2, 0, 0]]) == pytest.approx(1)
    assert importance_weighted([[3, 1, 0, 0], [6, 3, 0, 0]]) < 1


def test_a_feature_that_models_hardly_use_does_not_raise_it_as_it_raises_the_plain_stability():
    W = np.array([[1, 0, 0, 0.01, 0, 0], [0, 1, 0, 0.01, 0, 0], [0, 0, 1, 0.01, 0, 0]])
    assert stability(W > 0) > 0.2
    assert importance_weighted(W) < -0.15  # three sets of one feature each, none shared, have -1/5


def test_a_case_by_hand():
    # deviations (2, 0, -1, -1) and (2, -1, 0, -1): 5 over 6
    assert importance_weighted([[3, 1, 0, 0], [3, 0, 1, 0]]) == pytest.approx(5 / 6)


@pytest.mark.parametrize("W", [[[1, 0], [0, 0]], [[1, 0, 2], [2, 2, 2]], [[0.3, 0.1 * 3], [0, 1]]])
def test_where_all_features_are_equally_important_it_is_nan_with_the_reason(W):
    with pytest.warns(RuntimeWarning, match="equally important to a set"):
        assert isnan(importance_weighted(W))


@pytest.mark.parametrize(
    ("W", "sentence"),
    [
        ([[1, -2], [0, 1]], "row 0, column 1"),
        ([[1, 2], [np.nan, 1]], "row 1, column 0"),
        ([[1, 2]], "at least 2 rows"),
        ([1, 2], "one row a set"),
        ([["a"], ["b"]], "importances in W must be numbers"),
    ],
)
def test_bad_importances_are_named(W, sentence):
    with pytest.raises(InputError, match=sentence):
        importance_weighted(W)
