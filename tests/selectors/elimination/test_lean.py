"""Eliminations that do not copy the sample select what those do that copy it; both are held to outside solves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import fselect.selectors.elimination.lean as lean
from fselect import BiasedRFE, TransferRFE
from fselect.errors import InputError
from fselect.selectors.elimination import eliminate
from fselect.selectors.elimination.lean import lean_source
from fselect.selectors.shrinkage import draw_log_shrinkage
from tests.oracles import elimination_oracle as oracle
from tests.selectors.elimination.test_elimination import as_lists, awkward_table, bootstrap, labels

SHAPES = (None, 10.0, 1.0, 0.1, 0.01)


@pytest.fixture
def every_table_is_large(monkeypatch):
    monkeypatch.setattr(lean, "LARGE", -1)
    monkeypatch.setattr(lean, "_SHARE", 0.0)
    monkeypatch.setattr(lean, "_BYTES", 0)


def counted(rng, n, d, density):
    """A table of counts like words in texts: most are in few rows, one is in most, one is full, one is constant."""
    X = np.where(rng.random((n, d)) < density * rng.exponential(size=d), rng.integers(1, 900, size=(n, d)), 0.0)
    X[:, 0] = np.where(rng.random(n) < 0.9, 1000.0 + rng.normal(size=n), 0.0)
    X[:, 1] = 5e4 + rng.normal(size=n)
    X[:, 2], X[:, 3], X[:, 5] = 7.0, X[:, 4], -2 * X[:, 4]
    return X


def task(seed, n, d, n_classes=2, make=counted):
    rng = np.random.default_rng(seed)
    X = make(rng, n, d, 0.05) if make is counted else awkward_table(rng, n, d)
    codes = rng.integers(0, n_classes, n)
    codes[:n_classes] = np.arange(n_classes)
    score = X[:, 6:12] @ rng.normal(size=6) if make is counted else labels(rng, X, 2)
    codes = np.where(score > np.median(score), 0, codes) if n_classes == 2 else codes
    codes[:n_classes] = np.arange(n_classes)
    return rng, X, codes, bootstrap(rng, codes)


def selected_alike(first, second):
    assert np.array_equal(first.ranking, second.ranking)
    assert as_lists(first.path) == as_lists(second.path)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(20, 60),
    d=st.integers(100, 400),
    shape=st.sampled_from([None, 10.0, 1.0]),
    penalty=st.sampled_from([1e-3, 0.1, 10.0]),
    n_classes=st.sampled_from([2, 2, 3]),
    standardize=st.booleans(),
)
def test_a_sparse_table_gives_the_elimination_of_its_dense_form(seed, n, d, shape, penalty, n_classes, standardize):
    rng, X, codes, counts = task(seed, n, d, n_classes)
    options = {"n_features": 4, "penalty": penalty, "n_classes": n_classes, "standardize": standardize}
    options["log_shrinkage"] = draw_log_shrinkage(d, shape, rng)
    selected_alike(eliminate(sparse.csr_array(X), codes, counts, **options), eliminate(X, codes, counts, **options))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [0.1, 0.01])
def test_a_sparse_table_gives_the_elimination_of_its_dense_form_under_a_strong_bias(seed, shape):
    # not by property: where one column tells the classes apart for hardly any penalty, the residuals of most rows are
    # differences that a double does not hold, and solves with 60 and with 120 digits order their columns differently
    rng, X, codes, counts = task(seed, 40, 250)
    options = {"n_features": 4, "penalty": 0.1, "n_classes": 2, "log_shrinkage": draw_log_shrinkage(250, shape, rng)}
    found = [eliminate(table, codes, counts, **options) for table in (sparse.csr_array(X), X)]
    assert np.array_equal(found[0].ranking, found[1].ranking)


@pytest.mark.usefixtures("every_table_is_large")
@pytest.mark.parametrize(("n", "d"), [(20, 300), (40, 41), (400, 40), (300, 24)])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_large_table_gives_the_elimination_of_a_small_one(n, d, shape, monkeypatch):
    for seed, n_classes in ((1, 2), (2, 3)):
        rng, X, codes, counts = task(seed, n, d, n_classes, make=awkward_table)
        options = {"n_features": 3, "penalty": 0.1, "n_classes": n_classes}
        options["log_shrinkage"] = draw_log_shrinkage(d, shape, rng)
        assert (lean_source(X, counts) is None) == (8 * d > (counts > 0).sum() >= d)
        found = eliminate(X, codes, counts, **options)
        with monkeypatch.context() as plain:
            plain.setattr(lean, "LARGE", 10**12)
            selected_alike(found, eliminate(X, codes, counts, **options))


@pytest.mark.usefixtures("every_table_is_large")
@pytest.mark.parametrize(("n", "d"), [(25, 200), (300, 24)])
def test_a_large_table_gives_the_order_of_an_outside_solve(n, d):
    rng, X, codes, counts = task(5, n, d, make=awkward_table)
    log_beta = draw_log_shrinkage(d, 1.0, rng)
    found = eliminate(X, codes, counts, n_features=5, penalty=0.1, n_classes=2, log_shrinkage=log_beta)
    wanted, _ = oracle.eliminate(
        X,
        codes,
        counts,
        keep=5,
        step=0.2,
        penalty=0.1,
        log_beta=log_beta,
        solver=oracle.outside("newton-cholesky"),
        exact=False,
    )
    assert as_lists(found.path) == wanted


@pytest.mark.usefixtures("every_table_is_large")
def test_in_a_tall_table_columns_that_mark_rows_beyond_doubt_are_ranked_as_with_sixty_digits():
    rng, codes = np.random.default_rng(1), np.arange(40) % 2
    X = np.zeros((40, 4))
    X[:, 0] = 2 * codes - 1 + rng.normal(size=40)
    X[:, 3] = rng.normal(size=40)
    X[[1, 2]] = 0.0
    X[1, 0], X[2, 0] = 60.0, -45.0
    X[1, 1] = X[2, 2] = 1.0
    wanted, _ = oracle.eliminate(
        X, codes, np.ones(40), keep=1, step=0.1, penalty=0.01, log_beta=np.zeros(4), solver=oracle.precise(60)
    )
    found = eliminate(X, codes, np.ones(40), n_features=1, step=0.1, penalty=0.01, n_classes=2)
    assert as_lists(found.path) == wanted


def test_a_sparse_table_gives_the_order_of_an_outside_solve():
    rng, X, codes, counts = task(7, 40, 200)
    log_beta = draw_log_shrinkage(200, 1.0, rng)
    options = {"n_features": 5, "penalty": 0.1, "n_classes": 2, "log_shrinkage": log_beta}
    wanted, _ = oracle.eliminate(
        X,
        codes,
        counts,
        keep=5,
        step=0.2,
        penalty=0.1,
        log_beta=log_beta,
        solver=oracle.outside("newton-cholesky"),
        exact=False,
    )
    assert as_lists(eliminate(sparse.csr_array(X), codes, counts, **options).path) == wanted


@pytest.mark.parametrize("form", [sparse.csr_array, np.array])
@pytest.mark.usefixtures("every_table_is_large")
def test_a_wide_table_of_fewer_columns_that_vary_than_half_its_rows_is_eliminated_as_by_a_precise_solve(form):
    rng, n, varying = np.random.default_rng(0), 30, [2, 50, 51, 77, 140, 199]
    X = np.zeros((n, 200))
    X[:, varying] = np.where(rng.random((n, 6)) < 0.4, rng.normal(size=(n, 6)), 0.0)
    codes, counts = (X[:, 50] + rng.normal(size=n) > 0).astype(int), np.ones(n)
    wanted, _ = oracle.eliminate(
        X, codes, counts, keep=1, step=0.2, penalty=0.1, log_beta=np.zeros(200), solver=oracle.precise(60), exact=True
    )
    found = eliminate(form(X), codes, counts, n_features=1, penalty=0.1, n_classes=2)
    assert as_lists(found.path) == wanted


@pytest.mark.parametrize("keep", [1, 30, 195, 199])
def test_any_number_of_features_can_be_kept_of_a_sparse_table(keep):
    _, X, codes, counts = task(8, 30, 200)
    options = {"n_features": keep, "penalty": 0.1, "n_classes": 2}
    found = eliminate(sparse.csr_array(X), codes, counts, **options)
    assert found.support.sum() == keep
    selected_alike(found, eliminate(X, codes, counts, **options))


def test_sparse_tables_are_used_as_they_are_only_where_that_pays():
    counts = np.ones(30)
    assert lean_source(sparse.csr_array(sparse.random(30, 300, density=0.05, random_state=0)), counts) is not None
    assert lean_source(sparse.csr_array(sparse.random(30, 300, density=0.5, random_state=0)), counts) is None
    assert lean_source(sparse.csr_array(sparse.random(30, 20, density=0.05, random_state=0)), counts) is None
    assert lean_source(sparse.csr_array(np.eye(30, 300) * 1e200), counts) is None  # whose squares are no numbers


def test_entries_of_zero_and_entries_given_twice_change_nothing():
    _, X, codes, counts = task(9, 30, 200)
    rows, columns = np.nonzero(X)
    half = X[rows, columns] / 2
    values = np.concatenate([half, half, [0.0]])
    places = np.concatenate([rows, rows, [0]]), np.concatenate([columns, columns, [2]])
    messy = sparse.csr_array(sparse.coo_array((values, places), shape=X.shape))
    options = {"n_features": 4, "penalty": 0.1, "n_classes": 2}
    selected_alike(eliminate(messy, codes, counts, **options), eliminate(X, codes, counts, **options))


@pytest.mark.parametrize("selector", [BiasedRFE(5), TransferRFE(5, history=[[True] * 3 + [False] * 197])])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_estimators_take_sparse_tables_of_any_form(selector, form):
    _, X, codes, _ = task(10, 40, 200)
    dense, found = selector.fit(X, codes), None
    wanted, coef = dense.support_.copy(), dense.coef_.copy()
    found = selector.fit(form(X), codes)
    assert np.array_equal(found.support_, wanted)
    np.testing.assert_allclose(found.coef_, coef, rtol=1e-9)
    assert found.transform(sparse.csr_array(X)).shape == (40, 5)


def test_a_sparse_table_with_a_missing_value_is_refused_by_column_and_row():
    X = sparse.lil_array((10, 50))
    X[3, 7], X[4, 2] = np.nan, 1.0
    with pytest.raises(InputError, match="column '7' holds NaN in row 3"):
        BiasedRFE(2).fit(X.tocsr(), np.arange(10) % 2)


@pytest.mark.usefixtures("every_table_is_large")
@pytest.mark.parametrize("form", [sparse.csr_array, np.array])
def test_a_sample_without_a_class_is_refused_as_it_always_is(form):
    X = np.zeros((30, 200))
    X[np.arange(30), np.arange(30)] = 1.0
    codes = np.arange(30) % 2
    with pytest.raises(InputError, match="rows of only 1 of 2 classes"):
        eliminate(form(X), codes, 1.0 * (codes == 0), n_features=3, penalty=0.1, n_classes=2)
