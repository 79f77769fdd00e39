"""Eliminations against independent solves, and the rules around them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.special import gammaincinv

from fselect.classifiers.logistic import fit_logistic
from fselect.errors import InputError
from fselect.selectors.elimination import eliminate
from fselect.selectors.elimination.ranking import lowest, number_to_drop, put_in_order
from fselect.selectors.shrinkage import draw_log_shrinkage
from tests.oracles import elimination_oracle as oracle

SHAPES = (0.05, 0.2, 0.5, 1.0, 10.0, 100.0, None)
SIZES = ((25, 300), (40, 50), (40, 40), (300, 24), (30, 120))  # n ≪ d, n ≈ d, n ≫ d


def awkward_table(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Scales over twelve decades, large offsets, two constant columns, a copy and a reflection."""
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-6, 6, size=d)
    X += X.std(axis=0) * rng.choice([0, 0, 100], size=d)
    X[:, 7], X[:, 12 % d] = 3.0, 5.0
    X[:, d - 1], X[:, 11] = X[:, 2], -X[:, 2]
    return X


def labels(rng: np.random.Generator, X: np.ndarray, n_classes: int) -> np.ndarray:
    Z = (X[:, :3] - X[:, :3].mean(axis=0)) / X[:, :3].std(axis=0)
    score = Z.sum(axis=1) + rng.normal(size=len(X))
    return np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


def bootstrap(rng: np.random.Generator, codes: np.ndarray) -> np.ndarray:
    while True:
        counts = np.bincount(rng.integers(0, codes.size, codes.size), minlength=codes.size).astype(float)
        if len(np.unique(codes[counts > 0])) == len(np.unique(codes)):
            return counts


def as_lists(path) -> list[list[int]]:
    return [group.tolist() for group in path]


def both_ways(X, codes, counts, penalty, log_beta, solver, *, keep=5, exact=False):
    """Eliminate here and with the oracle."""
    found = eliminate(
        X,
        codes,
        counts,
        n_features=keep,
        penalty=penalty,
        n_classes=int(codes.max()) + 1,
        log_shrinkage=log_beta,
    )
    wanted, _ = oracle.eliminate(
        X, codes, counts, keep=keep, step=0.2, penalty=penalty, log_beta=log_beta, solver=solver, exact=exact
    )
    return as_lists(found.path), wanted


@pytest.mark.parametrize("case", range(40))
def test_the_whole_order_is_that_of_an_independent_tight_solve(case):
    rng = np.random.default_rng(case)
    n, d = SIZES[case % 5]
    penalty = 10.0 ** (-3 + (7 * case % 13) / 2)
    X = awkward_table(rng, n, d)
    codes = labels(rng, X, 2)
    log_beta = draw_log_shrinkage(d, SHAPES[case % 7], rng)
    if case % 3 == 0:  # copies with the same β: a tie that no solver may break
        log_beta[d - 1] = log_beta[11] = log_beta[2]
    found, wanted = both_ways(X, codes, bootstrap(rng, codes), penalty, log_beta, oracle.outside("newton-cholesky"))
    assert found == wanted


def one_fit_a_round(X, codes, counts, penalty, keep, step) -> list[list[int]]:
    """Eliminate with fits that know nothing of each other."""
    left, path = np.arange(X.shape[1]), []
    while left.size > keep:
        fit = fit_logistic(X[:, left], codes, counts, penalty, n_classes=2)
        number = number_to_drop(left.size, keep, step)
        places, keys = lowest(np.log(fit.importance), left, number)
        path.append(put_in_order(left[places], keys, np.zeros(number, dtype=int)).tolist())
        left = np.delete(left, places)
    return path


@pytest.mark.parametrize("seed", [2675, 2708, 2762, 2773, 2806, 3119, 3556, 3699])
def test_a_fit_that_went_astray_is_done_anew(seed):
    # separable classes, columns of heavy tails and hardly a penalty: what is kept of the last fit is far off here,
    # and steps by it, cut shorter and shorter, look like those at a solution
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 60)) + 10.0 ** rng.uniform(-4, 0) * rng.normal(size=(200, 60))
    X *= rng.standard_t(1, size=X.shape)
    score = X[:, :3].sum(axis=1)
    codes = (score > np.median(score)).astype(int)
    counts, penalty = bootstrap(rng, codes), 10.0 ** rng.uniform(-6, -4)
    found = eliminate(X, codes, counts, n_features=5, step=0.5, penalty=penalty, n_classes=2)
    assert as_lists(found.path) == one_fit_a_round(X, codes, counts, penalty, 5, 0.5)


@pytest.mark.parametrize("case", range(24))
def test_fits_that_end_early_leave_no_doubt_about_the_order(case):
    # weights of twins differ by a part of 10⁻⁴ to 10⁻¹⁴, which only exact fits, each by itself, can tell apart
    rng = np.random.default_rng(case)
    n, d = ((400, 60), (2000, 30), (150, 80))[case % 3]
    X = rng.normal(size=(n, d))
    codes = labels(rng, X, 2)
    twins = rng.permutation(d)[: 2 * (case % 4)].reshape(2, -1)
    X[:, twins[0]] = X[:, twins[1]] + 10.0 ** rng.uniform(-14, -4, size=twins.shape[1]) * rng.normal(size=(n, 1))
    counts = bootstrap(rng, codes)
    found = eliminate(X, codes, counts, n_features=5, penalty=0.5, n_classes=2)
    assert as_lists(found.path) == one_fit_a_round(X, codes, counts, 0.5, 5, 0.2)


@pytest.mark.parametrize("case", range(12))
def test_the_whole_order_is_that_of_a_solve_with_fifty_digits(case):
    rng = np.random.default_rng(1000 + case)
    n, d = ((10, 25), (14, 14), (25, 13))[case % 3]
    penalty = 10.0 ** rng.uniform(-3, 3)
    X = awkward_table(rng, n, d)
    codes = labels(rng, X, 3 if case % 4 == 0 else 2)
    log_beta = draw_log_shrinkage(d, (0.05, 0.05, 1.0, None)[case % 4], rng)
    found, wanted = both_ways(X, codes, bootstrap(rng, codes), penalty, log_beta, oracle.precise(50), exact=True)
    assert found == wanted


@pytest.mark.parametrize("case", range(6))
def test_in_wide_tables_the_order_is_that_of_a_solve_with_fifty_digits(case):
    rng = np.random.default_rng(2000 + case)
    X = awkward_table(rng, 12, 200)
    codes = labels(rng, X, 2)
    log_beta = draw_log_shrinkage(200, (0.02, 0.05, 0.5)[case % 3], rng)
    penalty = 10.0 ** rng.uniform(-3, 1)
    found, wanted = both_ways(X, codes, np.ones(12), penalty, log_beta, oracle.precise(50), exact=True)
    assert found == wanted


@pytest.mark.parametrize("seed", [501, 502, 503, 523, 537])
def test_columns_of_few_values_under_a_strong_bias_are_ranked_as_with_sixty_digits(seed):
    # a clipped column that is constant but for rows of tiny residuals has a weight far below the rounding of its
    # scalar product with all residuals: some 1e-43 in the case of seed 523
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(14, 26)), int(rng.integers(20, 60))
    X = np.maximum(rng.normal(size=(n, d)), rng.choice([0.5, 1.0, 1.5, -9.0], size=d))
    codes = rng.permutation(np.arange(n) % 2)
    counts = np.bincount(rng.integers(n, size=n), minlength=n).astype(float)
    shape = float(rng.choice([0.05, 0.1, 0.2]))
    log_beta = np.log(gammaincinv(shape + 1, rng.random(d))) + np.log(rng.random(d)) / shape
    log_beta -= log_beta.max()
    found, wanted = both_ways(X - X.min(axis=0), codes, counts, 0.1, log_beta, oracle.precise(60), exact=True)
    assert found == wanted


@pytest.mark.parametrize("penalty", [1e-3, 1e-2])
@pytest.mark.parametrize("d", [4, 30])
def test_columns_that_mark_rows_beyond_doubt_are_ranked_as_with_sixty_digits(d, penalty):
    rng, codes = np.random.default_rng(1), np.arange(24) % 2
    X = np.zeros((24, d))
    X[:, 0] = 2 * codes - 1 + rng.normal(size=24)
    X[:, 3:] = rng.normal(size=(24, d - 3))
    X[[1, 2]] = 0.0
    X[1, 0], X[2, 0] = 60.0, -45.0  # so that these rows hardly count, and no other column tells of them but one each
    X[1, 1] = X[2, 2] = 1.0
    log_beta = np.repeat([0.0, 6.0], [4, d - 4])
    wanted, _ = oracle.eliminate(
        X, codes, np.ones(24), keep=d // 4, step=0.1, penalty=penalty, log_beta=log_beta, solver=oracle.precise(60)
    )
    options = {"step": 0.1, "penalty": penalty, "n_classes": 2, "log_shrinkage": log_beta}
    found = eliminate(X, codes, np.ones(24), n_features=d // 4, **options)
    assert as_lists(found.path) == wanted


def test_where_the_outside_solvers_err_fifty_digits_say_that_we_are_right():
    # at 1e-10 newton-cg and newton-cholesky stop with errors of 1e-4 in some weights here, and both swap two
    # columns of the third round whose weights differ by 1.1e-5
    rng = np.random.default_rng(0)
    X = awkward_table(rng, 60, 600)
    codes = labels(rng, X, 2)
    counts, log_beta = bootstrap(rng, codes), draw_log_shrinkage(600, 0.5, rng)
    found, wanted = both_ways(X, codes, counts, 2.65e-3, log_beta, oracle.precise(50), keep=300, exact=True)
    assert found == wanted


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize(("n", "d"), [(40, 90), (120, 30)])
def test_several_classes_are_fitted_one_against_the_rest(n, d, n_classes):
    rng = np.random.default_rng(n + n_classes)
    X = awkward_table(rng, n, d)
    codes = labels(rng, X, n_classes)
    counts = bootstrap(rng, codes) * rng.uniform(0.2, 2.0, size=n)
    found, wanted = both_ways(X, codes, counts, 0.3, draw_log_shrinkage(d, 1.0, rng), oracle.outside("newton-cholesky"))
    assert found == wanted


@pytest.mark.parametrize("penalty", [1e-6, 1e-9])
@pytest.mark.parametrize(("n", "d"), [(12, 40), (30, 12)])
def test_separable_classes_with_hardly_any_penalty_are_solved_to_the_end(n, d, penalty):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d))
    codes = (X[:, 0] > 0).astype(int)
    found, wanted = both_ways(X, codes, np.ones(n), penalty, np.zeros(d), oracle.precise(60), exact=True)
    assert found == wanted


def test_newton_cg_agrees_at_the_size_of_a_microarray():
    # lbfgs swaps two neighbours within a round here; newton-cg and newton-cholesky side with this package
    rng = np.random.default_rng(5)
    X = rng.normal(size=(62, 1000))
    codes = labels(rng, X, 2)
    counts, log_beta = bootstrap(rng, codes), draw_log_shrinkage(1000, 1.0, rng)
    found, wanted = both_ways(X, codes, counts, 1.0, log_beta, oracle.outside("newton-cg"), keep=20)
    assert found == wanted


def test_counts_are_the_same_as_repeated_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 80))
    codes = labels(rng, X, 2)
    counts = bootstrap(rng, codes)
    repeated = np.repeat(np.arange(30), counts.astype(int))
    once = eliminate(X, codes, counts, n_features=4, penalty=0.1, n_classes=2)
    again = eliminate(X[repeated], codes[repeated], np.ones(30), n_features=4, penalty=0.1, n_classes=2)
    assert as_lists(once.path) == as_lists(again.path)


@pytest.mark.parametrize("n", [20, 200])
@pytest.mark.parametrize("scale", [1e30, 1e100, 1e300, 1e-300])
def test_enormous_and_minute_columns_change_nothing_when_standardised(n, scale):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 60))
    codes = labels(rng, X, 2)
    scaled = X.copy()
    scaled[:, ::3] *= scale
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [eliminate(table, codes, np.ones(n), n_features=3, penalty=0.1, n_classes=2) for table in (X, scaled)]
    assert as_lists(found[0].path) == as_lists(found[1].path)


def test_without_standardising_the_scale_of_a_column_matters():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 6))
    codes = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[:, 0] *= 1e-3
    kept = {
        standardize: np.flatnonzero(
            eliminate(X, codes, np.ones(50), n_features=1, penalty=1.0, n_classes=2, standardize=standardize).support
        ).tolist()
        for standardize in (True, False)
    }
    assert kept[False] == [1]
    assert eliminate(X, codes, np.ones(50), n_features=2, penalty=1.0, n_classes=2).support.tolist() == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(("n", "d"), [(30, 60), (60, 30)])
def test_without_standardising_the_order_is_that_of_scikit_learn_on_the_raw_columns(n, d):
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 2.0, size=d)
    codes = labels(rng, X, 2)
    found = eliminate(X, codes, np.ones(n), n_features=d - 1, step=0.01, penalty=0.5, n_classes=2, standardize=False)
    model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-10).fit(X, codes)
    assert found.path[0].tolist() == [np.argmin(np.abs(model.coef_[0]))]


def test_constant_columns_go_first_and_the_later_of_them_before_the_earlier():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(20, 10))
    X[:, [1, 5, 8]] = 7.0
    codes = labels(rng, X[:, [0, 2, 3]], 2)
    found = eliminate(X, codes, np.ones(20), n_features=7, penalty=1.0, n_classes=2)
    assert as_lists(found.path) == [[8, 5], [1]]


def test_a_column_that_varies_only_in_rows_of_weight_zero_is_constant():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(20, 6))
    X[:, 3] = 0.1
    X[0, 3] = 9.0
    counts = np.ones(20)
    counts[0] = 0
    found = eliminate(X, labels(rng, X, 2), counts, n_features=5, penalty=1.0, n_classes=2)
    assert as_lists(found.path) == [[3]]


@pytest.mark.parametrize(("n", "d"), [(20, 60), (60, 20)])
@pytest.mark.parametrize("penalty", [1e-3, 1.0, 1e3])
def test_of_copies_the_later_ones_go_first(n, d, penalty):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(n, d))
    codes = labels(rng, X, 2)
    copies = np.hstack([X, 2.0 * X, -X[:, :5]])  # a positive multiple and a reflection are copies too
    found = eliminate(copies, codes, np.ones(n), n_features=1, step=0.01, penalty=penalty, n_classes=2)
    order = np.concatenate([np.flatnonzero(found.support), *found.path[::-1]]).tolist()
    assert all(order.index(f) < order.index(f + d) for f in range(d))
    assert all(order.index(f + d) < order.index(f + 2 * d) for f in range(5))


@pytest.mark.parametrize(
    ("d", "keep", "step", "sizes"),
    [
        (10, 3, 0.2, [2, 1, 1, 1, 1, 1]),  # 20 % of what remains: 2 of 10, then 1 of 8, 7, …
        (50, 20, 0.2, [10, 8, 6, 5, 1]),
        (10, 1, 0.3, [3, 2, 1, 1, 1, 1]),  # 0.3 · 10 is 2.999… in binary
        (10, 4, 1.0, [6]),
    ],
)
def test_each_round_drops_a_share_of_what_remains(d, keep, step, sizes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, d))
    found = eliminate(X, labels(rng, X, 2), np.ones(30), n_features=keep, step=step, penalty=1.0, n_classes=2)
    assert [len(group) for group in found.path] == sizes


def test_the_ranking_is_one_for_the_kept_and_counts_rounds_backwards():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 10))
    found = eliminate(X, labels(rng, X, 2), np.ones(30), n_features=3, penalty=1.0, n_classes=2)
    assert (found.ranking[found.support] == 1).all()
    assert [set(found.ranking[group]) for group in found.path] == [{7}, {6}, {5}, {4}, {3}, {2}]


def test_the_smallest_shrinkage_wins_when_draws_span_hundreds_of_decades():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3000))
    log_beta = draw_log_shrinkage(3000, 0.01, rng)
    assert np.ptp(log_beta) > 600  # far beyond what a double can hold
    found = eliminate(X, labels(rng, X, 2), np.ones(40), n_features=5, penalty=0.1, n_classes=2, log_shrinkage=log_beta)
    assert set(np.flatnonzero(found.support)) <= set(np.argsort(log_beta)[:10])


@pytest.mark.parametrize("extra", [0, 3])
def test_asking_for_all_columns_keeps_all_with_a_warning(extra):
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.warns(UserWarning, match="all are kept"):
        found = eliminate(
            X, labels(np.random.default_rng(1), X, 2), np.ones(20), n_features=4 + extra, penalty=1.0, n_classes=2
        )
    assert found.support.all()
    assert found.path == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_features": 0}, "at least 1"),
        ({"step": 0.0}, "step"),
        ({"step": 1.5}, "step"),
        ({"penalty": 0.0}, "penalty"),
        ({"penalty": np.nan}, "penalty"),
        ({"n_classes": 3}, "2 of 3 classes"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(changes, message):
    X = np.random.default_rng(0).normal(size=(20, 4))
    settings = {"n_features": 2, "penalty": 1.0, "n_classes": 2} | changes
    with pytest.raises(InputError, match=message):
        eliminate(X, np.arange(20) % 2, np.ones(20), **settings)


def test_an_input_is_left_as_it_was():
    X = np.random.default_rng(0).normal(size=(20, 50))
    kept = X.copy()
    X.setflags(write=False)
    eliminate(X, np.arange(20) % 2, np.ones(20), n_features=2, penalty=1.0, n_classes=2)
    assert np.array_equal(X, kept)
