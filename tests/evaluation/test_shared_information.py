"""The shared information of models against its authors' code, against assignment, and where it is known by hand."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from fselect.errors import InputError
from fselect.evaluation.shared_information import rank_correlation, shared_information
from tests.oracles.stability_in_r import CASES


@pytest.mark.parametrize("case", CASES)
def test_it_gives_the_numbers_of_the_authors_own_code(case):
    W, C = case["importances"], rank_correlation(case["values"])
    assert shared_information(W, C) == pytest.approx(case["phi_lin"], abs=1e-10)
    assert shared_information(W, np.eye(len(C))) == pytest.approx(case["phi_lin_uncorrelated"], abs=1e-10)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 4), st.integers(2, 7), st.data(), st.integers(0, 1000))
def test_equal_importances_of_sets_of_one_size_are_assigned_one_to_one(n_sets, d, data, seed):
    k = data.draw(st.integers(1, d))
    rng = np.random.default_rng(seed)
    C = rank_correlation(rng.normal(size=(6, d)))
    Z = np.argsort(rng.random((n_sets, d)), axis=1) < k
    best = []
    for first, second in combinations(Z, 2):
        gain = np.abs(C[np.ix_(first, second)])
        best.append(gain[linear_sum_assignment(gain, maximize=True)].sum() / k)
    assert shared_information(Z * 2.5, C) == pytest.approx(np.mean(best), abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 4), st.integers(2, 6), st.integers(0, 1000))
def test_without_correlations_it_is_the_common_part_of_the_importances(n_sets, d, seed):
    W = np.random.default_rng(seed).gamma(0.5, size=(n_sets, d)) + 1e-3
    shares = W / W.sum(axis=1, keepdims=True)
    expected = np.mean([np.minimum(first, second).sum() for first, second in combinations(shares, 2)])
    assert shared_information(W, np.eye(d)) == pytest.approx(expected, abs=1e-9)


def test_a_feature_split_into_perfect_copies_is_still_shared_whole():
    copies = [[1, -1, 0], [-1, 1, 0], [0, 0, 1]]
    assert shared_information([[2, 0, 2], [1, 1, 2]], copies) == pytest.approx(1)
    assert shared_information([[2, 0, 2], [1, 1, 2]], np.eye(3)) == pytest.approx(0.75)


def test_the_unit_of_a_row_does_not_matter():
    W = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 1.0]])
    C = [[1, 0.3, 0.5], [0.3, 1, 0.2], [0.5, 0.2, 1]]
    for units in ([[1e308 / 3], [1.0]], [[1e-300], [1e-308]]):
        assert shared_information(W * units, C) == pytest.approx(shared_information(W, C), abs=1e-12)


@given(st.integers(0, 1000))
def test_rank_correlations_are_those_of_scipy_and_0_for_constant_columns(seed):
    X = np.random.default_rng(seed).integers(0, 4, size=(9, 4)).astype(float)
    X[:2] = [[0, 1, 2, 3], [1, 2, 3, 0]]  # no column is constant
    assert rank_correlation(X) == pytest.approx(spearmanr(X).statistic, abs=1e-12)
    X[:, 2] = 7
    found = rank_correlation(X)
    assert found[2].tolist() == [0, 0, 1, 0]
    assert np.diag(found).tolist() == [1, 1, 1, 1]


def test_a_set_without_importance_makes_it_nan_with_the_reason():
    with pytest.warns(RuntimeWarning, match="no importance at all"):
        assert isnan(shared_information([[1, 0], [0, 0]], np.eye(2)))


@pytest.mark.parametrize(
    ("correlation", "sentence"),
    [
        (np.eye(3), r"shape \(2, 2\)"),
        ([[1, 2], [2, 1]], "from -1 to 1"),
        ([[1, np.nan], [np.nan, 1]], "from -1 to 1"),
        ([[1, 0.5], [0.2, 1]], "symmetric"),
        ([[0, 0.5], [0.5, 0]], "ones on its diagonal"),
        ([["a", "b"], ["c", "d"]], "must be numbers"),
    ],
)
def test_a_matrix_that_holds_no_correlations_is_refused(correlation, sentence):
    with pytest.raises(InputError, match=sentence):
        shared_information([[1, 0], [0, 1]], correlation)
