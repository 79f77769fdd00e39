"""Fits against solvers of others and of many digits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from fselect.classifiers.logistic import decision, fit_logistic, lift, predict_codes, sample_log_variance
from fselect.classifiers.newton.columns import standardise
from fselect.errors import InputError
from fselect.selectors.shrinkage import draw_log_shrinkage
from tests.oracles import elimination_oracle as oracle


def sample(seed: int, n: int, d: int, n_classes: int = 2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-4, 4, size=d) + rng.normal(size=d)
    codes = rng.permutation(np.arange(n) % n_classes)
    return X, codes, np.append(rng.uniform(0.1, 3.0, size=n - 1), 0.0)


@pytest.mark.parametrize("penalty", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("n", "d", "n_classes"), [(80, 20, 2), (30, 90, 2), (60, 15, 3), (25, 40, 4)])
def test_weights_and_intercepts_are_those_of_scikit_learn(n, d, n_classes, penalty):
    X, codes, counts = sample(n, n, d, n_classes)
    fit = fit_logistic(X, codes, counts, penalty, n_classes=n_classes)
    rows = counts > 0
    mean = np.average(X[rows], axis=0, weights=counts[rows])
    scale = np.sqrt(np.average((X[rows] - mean) ** 2, axis=0, weights=counts[rows]))
    for row, k in enumerate([1] if n_classes == 2 else range(n_classes)):
        model = LogisticRegression(C=0.5 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=500)
        model.fit((X[rows] - mean) / scale, codes[rows] == k, sample_weight=counts[rows])
        np.testing.assert_allclose(fit.coef[row] * scale, model.coef_[0], rtol=1e-8, atol=1e-12)
        assert fit.intercept[row] + fit.coef[row] @ mean == pytest.approx(model.intercept_[0], abs=1e-9)


@pytest.mark.parametrize("standardize", [True, False])
def test_the_objective_is_the_papers_sum_of_losses_plus_lambda_times_squares(standardize):
    X, codes, counts = sample(1, 30, 4)
    X = X / X.std(axis=0)
    beta = np.array([0.5, 1.0, 2.0, 0.5])
    fit = fit_logistic(X, codes, counts, 0.7, n_classes=2, log_beta=np.log(beta), standardize=standardize)
    mean = np.average(X, axis=0, weights=counts)
    unit = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=counts)) if standardize else np.ones(4)

    def objective(v):
        margins = (2 * codes - 1) * (X @ v[:4] + v[4])
        return counts @ np.logaddexp(0, -margins) + 0.7 * beta @ (v[:4] * unit) ** 2

    found = np.append(fit.coef[0], fit.intercept)
    best = minimize(objective, np.zeros(5), method="BFGS", options={"gtol": 1e-9})
    assert objective(found) <= best.fun + 1e-10
    np.testing.assert_allclose(found, best.x, atol=1e-4)
    np.testing.assert_allclose(fit.importance, np.abs(fit.coef[0] * unit), rtol=1e-12)


@pytest.mark.parametrize("case", range(16))
def test_every_weight_has_ten_right_digits_however_uneven_the_penalties(case):
    rng = np.random.default_rng(case)
    n, d = ((10, 30), (15, 15), (24, 12), (16, 40))[case % 4]
    penalty = 10.0 ** rng.uniform(-6, 3)
    X = rng.normal(size=(n, d))
    if case % 3 == 0:
        X[:, 5] = X[:, 0] + 1e-6 * X[:, 5]  # nearly a copy
    codes = (X[:, 0] > 0).astype(int)  # separable
    log_beta = draw_log_shrinkage(d, (0.05, 0.2, 1.0, None)[case // 4], rng)
    fit = fit_logistic(X, codes, np.ones(n), penalty, n_classes=2, log_beta=log_beta)
    Z, _ = oracle.standardise(X, np.ones(n))
    log_penalty = log_beta + np.log(penalty) + max(0.0, np.log(1e-10) + logsumexp(-log_beta) - np.log(penalty))
    wanted = oracle.precise(60)(Z, codes.astype(float), np.ones(n), log_penalty)
    seen = wanted > -600  # the rest is 0 as a double
    np.testing.assert_allclose(np.log(fit.importance[seen]), wanted[seen], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", range(8))
def test_a_minute_penalty_on_columns_that_nearly_depend_on_others_costs_no_digits(case):
    rng = np.random.default_rng(case)
    n, d = ((20, 30), (30, 40))[case % 2]
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, d)) + 1e-3 * rng.normal(size=(n, d))
    X *= rng.standard_t(1, size=(n, 1))
    codes = (X[:, :3].sum(axis=1) > np.median(X[:, :3].sum(axis=1))).astype(int)
    fit = fit_logistic(X, codes, np.ones(n), 1e-7, n_classes=2)
    Z, _ = oracle.standardise(X, np.ones(n))
    wanted = oracle.precise(60)(Z, codes.astype(float), np.ones(n), np.full(d, np.log(1e-7)))
    np.testing.assert_allclose(np.log(fit.importance), wanted, rtol=0, atol=1e-9)


def test_a_sample_of_counts_is_the_sample_of_repeated_rows():
    X, codes, _ = sample(2, 40, 8)
    counts = np.random.default_rng(0).integers(0, 4, size=40)
    rows = np.repeat(np.arange(40), counts)
    once = fit_logistic(X, codes, counts, 0.1, n_classes=2)
    again = fit_logistic(X[rows], codes[rows], np.ones(rows.size), 0.1, n_classes=2)
    np.testing.assert_allclose(once.coef, again.coef, rtol=1e-9)
    np.testing.assert_allclose(once.intercept, again.intercept, rtol=1e-9)


def test_columns_of_any_scale_give_the_same_margins():
    X, codes, counts = sample(3, 40, 6)
    scaled = X * np.array([1e30, 1e100, 1e-200, 1e250, 1.0, -1e-30])
    fits = [fit_logistic(table, codes, counts, 0.1, n_classes=2) for table in (X, scaled)]
    margins = [decision(table, fit.coef, fit.intercept) for table, fit in zip((X, scaled), fits, strict=True)]
    np.testing.assert_allclose(margins[0], margins[1], rtol=1e-8)


def test_a_large_common_offset_costs_no_digits():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, size=(30, 3)).astype(float)
    codes = rng.integers(0, 2, size=30)
    plain, moved = (fit_logistic(T, codes, np.ones(30), 0.1, n_classes=2).coef for T in (X, X + 2.0**45))
    np.testing.assert_allclose(plain, moved, rtol=1e-12)


def test_a_constant_column_has_weight_zero_even_if_its_mean_rounds():
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    fit = fit_logistic(X, np.arange(7) % 2, np.full(7, 0.3), 1.0, n_classes=2)
    assert fit.coef[0, 0] == 0.0
    assert np.isneginf(standardise(X, np.arange(7), np.full(7, 0.3)).log_scale[0])


def test_without_a_varying_column_the_intercept_is_the_log_odds():
    fit = fit_logistic(np.ones((4, 2)), np.array([0, 1, 1, 1]), np.ones(4), 1.0, n_classes=2)
    assert fit.intercept[0] == pytest.approx(np.log(3))
    assert not fit.coef.any()


def test_copies_share_a_weight_exactly():
    X, codes, counts = sample(4, 50, 3)
    copies = np.column_stack([X, X[:, 0], -X[:, 0]])
    fit = fit_logistic(copies, codes, counts, 1e-6, n_classes=2)
    assert fit.importance[0] == fit.importance[3] == fit.importance[4]
    assert fit.coef[0, 4] == -fit.coef[0, 0]


@pytest.mark.parametrize(
    ("penalty", "n_classes", "message"),
    [
        (0.0, 2, "penalty"),
        (-1.0, 2, "penalty"),
        (np.inf, 2, "penalty"),
        (1.0, 3, "2 of 3"),
        (1.0, 1, "2 of 2|2 of 1|classes"),
    ],
)
def test_what_cannot_be_fitted_is_refused(penalty, n_classes, message):
    with pytest.raises(InputError, match=message):
        fit_logistic(np.eye(4), np.array([0, 1, 0, 1]), np.ones(4), penalty, n_classes=n_classes)


def test_the_lift_leaves_ratios_alone_and_puts_the_ridge_at_one_ten_thousand_millionth():
    log_beta = np.array([-100.0, -50.0, 0.0])
    lifted = lift(log_beta, np.zeros(3), 2.0)
    np.testing.assert_allclose(lifted - log_beta, lifted[0] + 100.0)
    # λ β is then 1e-10 of Σ v / β · β_min: the smallest λ β equals 1e-10 where one β dominates the sum
    assert 2.0 * np.exp(lifted[0]) == pytest.approx(1e-10)


def test_the_lift_counts_variances_and_not_constant_columns():
    assert lift(np.array([-300.0, 0.0]), np.array([-np.inf, 0.0]), 1.0).tolist() == [-300.0, 0.0]
    raw = lift(np.zeros(2), np.array([100.0, 0.0]), 1.0)
    assert raw[0] == pytest.approx(100.0 + np.log(1e-10))


def test_log_variances_survive_columns_whose_squares_do_not_fit_a_double():
    X = np.array([[0.0, 0.0, 1.0], [2e200, 2e-200, 1.0]])
    found = sample_log_variance(X, np.ones(2), standardize=False)
    np.testing.assert_allclose(found, [400 * np.log(10), -400 * np.log(10), -np.inf], rtol=1e-12)


def test_the_class_is_one_only_above_zero_and_else_the_largest_score():
    assert predict_codes(np.array([-1.0, 0.0, 1e-300])).tolist() == [0, 0, 1]
    assert predict_codes(np.array([[0.0, 2.0, 1.0], [3.0, 3.0, 1.0]])).tolist() == [1, 0]
