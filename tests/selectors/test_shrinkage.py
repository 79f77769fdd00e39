"""The laws of β."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from scipy.special import logsumexp

from fselect.errors import InputError
from fselect.selectors.shrinkage import (
    Prior,
    attractiveness,
    draw_log_shrinkage,
    transfer_log_shrinkage,
    with_prior,
)

HISTORIES = arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 8)))


def log_mean(log_beta: np.ndarray) -> float:
    return float(logsumexp(log_beta) - np.log(log_beta.size))


@pytest.mark.parametrize("shape", [None, 1e6, 100.0, 3.0, 1.0, 0.1, 0.01, 0.001])
def test_the_mean_of_beta_is_one_for_every_shape(shape):
    log_beta = draw_log_shrinkage(500, shape, np.random.default_rng(0))
    assert np.isfinite(log_beta).all()
    assert log_mean(log_beta) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("shape", [0.3, 1.0, 7.0])
def test_draws_follow_the_gamma_law(shape):
    log_beta = draw_log_shrinkage(20_000, shape, np.random.default_rng(1))
    # divided by a mean of 20 000 draws, which is the shape but for one per cent
    assert stats.kstest(np.exp(log_beta) * shape, stats.gamma(shape).cdf).pvalue > 1e-3


def test_a_large_shape_is_no_bias():
    assert np.abs(draw_log_shrinkage(200, 1e10, np.random.default_rng(0))).max() < 1e-4


def test_every_shape_uses_the_same_uniform_numbers():
    streams = [np.random.default_rng(3) for _ in range(4)]
    draws = [draw_log_shrinkage(300, a, g) for a, g in zip((None, 0.01, 0.02, 5.0), streams, strict=True)]
    assert len({g.random() for g in streams}) == 1
    assert stats.spearmanr(draws[1], draws[2]).statistic > 0.99


def test_a_shape_of_zero_or_less_is_refused():
    for shape in (0.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="shape"):
            draw_log_shrinkage(3, shape, np.random.default_rng(0))


def test_a_ranked_prior_hands_out_the_smallest_draws_in_its_order():
    log_beta = np.array([0.0, 3.0, -1.0, 2.0, 1.0])
    placed = with_prior(log_beta, Prior((4, 0, 2), ranked=True), np.random.default_rng(0))
    assert placed[[4, 0, 2]].tolist() == [-1.0, 0.0, 1.0]
    assert sorted(placed[[1, 3]]) == [2.0, 3.0]


def test_a_prior_without_order_hands_out_the_smallest_draws_in_every_order():
    log_beta = np.array([0.0, 1.0, 2.0, 3.0])
    rng = np.random.default_rng(0)
    placed = np.array([with_prior(log_beta, Prior((1, 3)), rng) for _ in range(200)])
    assert {tuple(row) for row in placed[:, [1, 3]]} == {(0.0, 1.0), (1.0, 0.0)}
    assert {tuple(row) for row in placed[:, [0, 2]]} == {(2.0, 3.0), (3.0, 2.0)}


def test_a_prior_uses_the_same_random_numbers_ranked_or_not_and_for_every_draw():
    states = []
    for ranked in (True, False):
        rng = np.random.default_rng(0)
        with_prior(np.arange(10.0) * (2 if ranked else 1), Prior((1, 5, 7), ranked), rng)
        states.append(rng.random())
    assert states[0] == states[1]


@pytest.mark.parametrize(("features", "message"), [((), "no feature"), ((1, 1), "twice")])
def test_a_prior_without_features_or_with_one_twice_is_refused(features, message):
    with pytest.raises(InputError, match=message):
        Prior(features)


def test_a_prior_of_unknown_columns_is_refused():
    with pytest.raises(InputError, match="column 9"):
        with_prior(np.zeros(3), Prior((0, 9)), np.random.default_rng(0))


@given(HISTORIES)
def test_the_attractiveness_is_the_gain_in_variance_that_the_paper_defines(history):
    N = len(history)
    chosen = history.sum(axis=0)

    def variance(count):
        return count / (N + 1) * (1 - count / (N + 1))

    gain = (N + 1) ** 2 / N * (variance(chosen) - variance(chosen + 1))
    np.testing.assert_allclose(attractiveness(history), gain, atol=1e-12)


def test_two_of_three_tasks_make_an_attractiveness_of_one_third():
    assert attractiveness(np.array([[1], [1], [0]], dtype=bool)) == pytest.approx(1 / 3)


@given(HISTORIES, st.floats(0, 32))
def test_transfer_shrinkage_has_mean_one_and_falls_with_every_selection(history, strength):
    log_beta = transfer_log_shrinkage(history, strength)
    assert log_mean(log_beta) == pytest.approx(0.0, abs=1e-9)
    share = history.mean(axis=0)
    np.testing.assert_allclose(log_beta - log_beta[0], -2 * strength * (share - share[0]), atol=1e-9)


def test_no_past_tasks_and_no_strength_are_no_bias():
    assert transfer_log_shrinkage(np.zeros((0, 4), dtype=bool), 3.0).tolist() == [0.0] * 4
    assert np.allclose(transfer_log_shrinkage(np.eye(4, dtype=bool), 0.0), 0.0)


def test_a_negative_strength_is_refused():
    with pytest.raises(InputError, match="strength"):
        transfer_log_shrinkage(np.eye(2, dtype=bool), -1.0)
