"""The measures of older papers against set arithmetic, and Sechidis against its matrix definition."""

from __future__ import annotations

import time
import tracemalloc
from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array, identity
from sklearn.metrics import cohen_kappa_score, f1_score, jaccard_score, matthews_corrcoef

from fselect.errors import InputError
from fselect.evaluation.measure_table import MEASURES, all_measures
from fselect.evaluation.shared_information import rank_correlation
from fselect.evaluation.stability import (
    dice,
    jaccard,
    kappa,
    kuncheva,
    lustgarten,
    phi_coefficient,
    sechidis,
    stability,
)
from fselect.evaluation.stand_ins import stand_ins
from tests.oracles.stability_in_r import CASES

tables = st.tuples(st.integers(2, 6), st.integers(3, 10)).flatmap(lambda shape: arrays(bool, shape))
proper = tables.filter(lambda Z: Z.any(axis=1).all() and not Z.all(axis=1).any())


def mean_over_pairs(Z, measure):
    return np.mean([measure(a, b) for a, b in combinations(Z, 2)])


@settings(deadline=None)
@given(proper)
def test_jaccard_and_dice_equal_scikit_learns(Z):
    assert jaccard(Z) == pytest.approx(mean_over_pairs(Z, jaccard_score))
    assert dice(Z) == pytest.approx(mean_over_pairs(Z, f1_score))


@settings(deadline=None)
@given(proper)
def test_phi_and_kappa_equal_scikit_learns_for_two_raters(Z):
    assert phi_coefficient(Z) == pytest.approx(mean_over_pairs(Z, matthews_corrcoef))
    assert kappa(Z) == pytest.approx(mean_over_pairs(Z, cohen_kappa_score))


def test_phi_and_kappa_of_a_case_by_hand():
    # Sizes 2, 1, 3 of 6; shared 1, 1, 0: expected 1/3, 1, 1/2.
    Z = [[1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0]]
    pairs = [((2 * 4 / 6) * (5 / 6), 1 - 1 / 3, 3 / 2), ((2 * 4 / 6) * (3 / 2), 1 - 1, 5 / 2)]
    pairs.append(((5 / 6) * (3 / 2), 0 - 1 / 2, 4 / 2))
    expected = [1 / 3, 1, 1 / 2]
    assert phi_coefficient(Z) == pytest.approx(np.mean([above / below**0.5 for below, above, _ in pairs]))
    assert kappa(Z) == pytest.approx(
        np.mean([above / (mean - e) for (_, above, mean), e in zip(pairs, expected, strict=True)])
    )


@given(st.integers(2, 6), st.integers(3, 12), st.data())
def test_for_sets_of_one_size_phi_and_kappa_equal_kuncheva(n_sets, n_features, data):
    size = data.draw(st.integers(1, n_features - 1))
    Z = np.array([data.draw(st.permutations([True] * size + [False] * (n_features - size))) for _ in range(n_sets)])
    assert phi_coefficient(Z) == pytest.approx(kuncheva(Z), abs=1e-12)
    assert kappa(Z) == pytest.approx(kuncheva(Z), abs=1e-12)


def test_stand_ins_are_the_strong_correlations_of_numpy_and_ones():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 7))
    X[:, 5], X[:, 6] = -2 * X[:, 1] + 0.1 * X[:, 0], 4.0
    found = stand_ins(X, 0.8).toarray()
    expected = np.abs(np.corrcoef(X[:, :6].T)) >= 0.8
    assert (found[:6, :6] == expected).all()
    assert expected[1, 5]
    assert found[6].tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_stand_ins_of_a_table_in_spells_of_rows_are_those_of_the_whole_without_a_copy_of_it():
    rng = np.random.default_rng(1)
    X = 7.0 + rng.normal(size=(90_000, 100))  # 72 MB: five spells
    X[:, 40:60] = X[:, :20] + np.linspace(0.1, 1.0, 20) * rng.normal(size=(90_000, 20))
    X[:, 70] = 4.0
    tracemalloc.start()
    try:
        found = stand_ins(X).toarray()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    with np.errstate(invalid="ignore"):
        expected = np.abs(np.nan_to_num(np.corrcoef(X.T))) >= 0.9
    expected[70, 70] = True
    assert (found == expected).all()
    assert 0 < expected[:20, 40:60].sum() < 20
    assert peak < X.nbytes


@pytest.mark.parametrize("threshold", [0.0, 1.5, float("nan")])
def test_a_threshold_that_is_no_correlation_is_refused(threshold):
    with pytest.raises(InputError, match="threshold"):
        stand_ins(np.eye(4), threshold)


def test_the_table_holds_every_measure_and_nan_where_one_is_undefined(recwarn):
    W, values = [[2, 1, 0, 0], [1, 0, 0, 0]], [[1, 2, 3, 5], [2, 1, 3, 4], [3, 5, 5, 3]]
    found = all_measures([[1, 1, 0, 0], [1, 0, 0, 0]], np.eye(4), W, values)
    assert list(found) == list(MEASURES)
    assert [name for name, value in found.items() if isnan(value)] == ["kuncheva"]
    assert not recwarn.list


@given(proper)
def test_lustgarten_equals_its_formula_on_python_sets(Z):
    def formula(a, b):
        a, b, n = set(np.flatnonzero(a)), set(np.flatnonzero(b)), len(a)
        least = max(0, len(a) + len(b) - n)
        return (len(a & b) - len(a) * len(b) / n) / (min(len(a), len(b)) - least)

    assert lustgarten(Z) == pytest.approx(mean_over_pairs(Z, formula))


@given(st.integers(2, 6), st.integers(3, 12), st.data())
def test_kuncheva_equals_the_stability_for_sets_of_one_size(n_sets, n_features, data):
    size = data.draw(st.integers(1, n_features - 1))
    Z = np.array([data.draw(st.permutations([True] * size + [False] * (n_features - size))) for _ in range(n_sets)])
    assert kuncheva(Z) == pytest.approx(stability(Z), abs=1e-12)


def test_kuncheva_refuses_sets_of_different_sizes():
    with pytest.raises(InputError, match="sets of one size, these have 1 to 2 features"):
        kuncheva([[1, 0, 0], [1, 1, 0]])


@pytest.mark.parametrize("measure", [jaccard, dice, kuncheva, lustgarten, phi_coefficient, kappa])
def test_a_pair_of_empty_sets_gives_nan_with_a_warning(measure):
    with pytest.warns(RuntimeWarning, match="empty or full"):
        assert isnan(measure([[0, 0, 0], [0, 0, 0]]))


@pytest.mark.parametrize(("measure", "expected"), [(jaccard, 1.0), (dice, 1.0), (kuncheva, 1.0), (lustgarten, 0.5)])
def test_identical_halves_reach_one_except_with_lustgarten(measure, expected):
    assert measure([[1, 1, 0, 0], [1, 1, 0, 0]]) == pytest.approx(expected)


@given(proper)
def test_sechidis_without_stand_ins_is_the_plain_stability(Z):
    assert sechidis(Z, np.eye(Z.shape[1])) == pytest.approx(stability(Z), abs=1e-10)
    assert sechidis(Z, identity(Z.shape[1], format="csr")) == pytest.approx(stability(Z), abs=1e-10)


@given(proper, st.integers(0, 99))
def test_sechidis_is_one_minus_a_ratio_of_traces(Z, seed):
    d = Z.shape[1]
    C = np.random.default_rng(seed).random((d, d))
    C = (C + C.T) / 2
    np.fill_diagonal(C, 1)
    S = np.cov(Z.T.astype(float))
    sizes = Z.sum(axis=1)
    share, both = sizes.mean() / d, np.mean(sizes * (sizes - 1)) / (d * (d - 1))
    Sigma = np.full((d, d), both - share**2)
    np.fill_diagonal(Sigma, share * (1 - share))
    if np.trace(C @ Sigma) > 1e-9:
        expected = 1 - np.trace(C @ S) / np.trace(C @ Sigma)
        assert sechidis(Z, C) == pytest.approx(expected, abs=1e-9)
        assert sechidis(Z, csr_array(C)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_stability_and_sechidis_give_the_numbers_of_the_code_of_hamer_and_dupont(case):
    Z = np.array(case["importances"]) > 0
    assert stability(Z) == pytest.approx(case["stability"], abs=1e-12)
    assert sechidis(Z, np.abs(rank_correlation(case["values"]))) == pytest.approx(case["phi_C"], abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_all_measures_of_sets_give_the_numbers_of_the_package_stabm(case):
    similar = np.abs(rank_correlation(case["values"]))
    found = all_measures(np.array(case["importances"]) > 0, np.where(similar >= 0.5, similar, 0))
    same_names = {name: value for name, value in found.items() if name in case["stabm"]}
    assert same_names == pytest.approx(case["stabm"], abs=1e-12)
    assert set(found) - set(case["stabm"]) <= {"kuncheva"}


def test_swapping_a_feature_for_its_twin_costs_nothing_with_sechidis_but_does_with_the_plain_stability():
    Z = [[1, 0, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0], [1, 0, 1, 0, 0, 0]]
    C = np.eye(6)
    C[0, 1] = C[1, 0] = 1
    assert sechidis(Z, C) == pytest.approx(1.0)
    assert stability(Z) < 0.8


def test_a_similarity_is_taken_in_every_sparse_form_and_refused_with_nan():
    Z, C = [[1, 0, 1, 0], [1, 1, 0, 0]], np.eye(4)
    C[0, 1] = C[1, 0] = 0.5
    for sparse in (csr_array(C), csr_array(C).todia(), csr_array(C).todok(), csr_array(C).tocoo()):
        assert sechidis(Z, sparse) == pytest.approx(sechidis(Z, C), abs=1e-12)
    C[0, 1] = C[1, 0] = np.nan
    for broken in (C, csr_array(C)):
        with pytest.raises(InputError, match="similarity must"):
            sechidis(Z, broken)


def test_tables_of_other_sets_are_refused():
    Z = [[1, 0, 1, 0], [1, 1, 0, 0]]
    with pytest.raises(InputError, match=r"importances must have Z's shape \(2, 4\), not \(2, 2\)"):
        all_measures(Z, importances=[[1, 2], [2, 3]])
    with pytest.raises(InputError, match=r"values must have a column a feature of Z, 4, not \(5, 3\)"):
        all_measures(Z, importances=Z, values=np.ones((5, 3)))


def test_columns_of_small_units_are_not_taken_for_constant():
    x = np.arange(10.0) ** 2
    assert stand_ins(np.c_[x, 2 * x] * 1e-15).toarray().all()


@pytest.mark.parametrize(
    "similarity",
    [np.eye(3), -np.eye(4), np.zeros((4, 4)), np.triu(np.ones((4, 4)))],
    ids=["size", "sign", "diagonal", "symmetry"],
)
def test_sechidis_refuses_a_matrix_that_is_no_similarity(similarity):
    with pytest.raises(InputError, match="similarity must"):
        sechidis([[1, 0, 0, 0], [0, 1, 0, 0]], similarity)


def test_pairs_of_a_thousand_large_sets_take_seconds():
    Z = np.random.default_rng(0).random((1000, 5000)) < 0.01
    start = time.process_time()
    value = jaccard(Z)
    assert time.process_time() - start < 5
    # Two random sets of share p have an expected Jaccard index of about p / (2 - p).
    assert value == pytest.approx(0.01 / 1.99, rel=0.05)
