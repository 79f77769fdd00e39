"""Shapley values against their axioms, and their estimates against them."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect.errors import InputError
from fselect.selectors.contribution import contribution_values, shapley_values
from fselect.selectors.contribution.sampling import draw_permutations, gather


def subsets(n):
    return [frozenset(one) for size in range(n + 1) for one in itertools.combinations(range(n), size)]


@st.composite
def games(draw, n=None):
    """A game of 1 to 5 players as a table of payoffs."""
    players = n or draw(st.integers(1, 5))
    numbers = st.integers(-64, 64).map(lambda i: i / 64)  # sums of these are exact
    return players, {subset: draw(numbers) for subset in subsets(players)}


def over_all_orders(v, n):
    """The definition: mean marginal over all n! orders."""
    values = np.zeros(n)
    for order in itertools.permutations(range(n)):
        for place, player in enumerate(order):
            before = frozenset(order[:place])
            values[player] += v[before | {player}] - v[before]
    return values / factorial(n)


@given(games())
def test_exact_values_are_the_mean_over_all_orders(game):
    n, v = game
    np.testing.assert_allclose(shapley_values(v.__getitem__, n), over_all_orders(v, n), atol=1e-12)


@given(games())
def test_efficiency_the_values_share_out_all_that_is_gained(game):
    n, v = game
    gain = v[frozenset(range(n))] - v[frozenset()]
    assert shapley_values(v.__getitem__, n).sum() == pytest.approx(gain, abs=1e-12)


@given(games(), st.data())
def test_symmetry_renamed_players_keep_their_values(game, data):
    n, v = game
    new = data.draw(st.permutations(range(n)))
    renamed = {frozenset(new[player] for player in subset): payoff for subset, payoff in v.items()}
    values = shapley_values(v.__getitem__, n)
    np.testing.assert_allclose(shapley_values(renamed.__getitem__, n)[list(new)], values, atol=1e-12)


@given(games())
def test_a_player_who_adds_nothing_to_any_coalition_gets_nothing(game):
    n, v = game
    values = shapley_values(lambda S: v[S - {n}], n + 1)
    assert values[n] == 0
    np.testing.assert_allclose(values[:n], shapley_values(v.__getitem__, n), atol=1e-12)


@given(games(n=4), games(n=4), st.integers(-3, 3))
def test_linearity_the_values_of_a_sum_of_games_are_the_sums(one, other, factor):
    v, w = one[1], other[1]
    together = shapley_values(lambda S: v[S] + factor * w[S], 4)
    apart = shapley_values(v.__getitem__, 4) + factor * shapley_values(w.__getitem__, 4)
    np.testing.assert_allclose(together, apart, atol=1e-12)


def test_the_airport_game_has_the_published_values():
    # Littlechild & Owen (1973): each segment of the runway is shared by those who need it
    costs = np.array([8.0, 11.0, 13.0, 18.0])
    values = shapley_values(lambda S: max((costs[i] for i in S), default=0.0), 4)
    np.testing.assert_allclose(values, [8 / 4, 8 / 4 + 3 / 3, 8 / 4 + 3 / 3 + 2 / 2, 8 / 4 + 3 / 3 + 2 / 2 + 5])


def test_each_coalition_is_asked_for_once():
    asked = []
    shapley_values(lambda S: asked.append(S) or 0.0, 6)
    assert len(asked) == len(set(asked)) == 64


@pytest.mark.parametrize("n", [0, 21, 2.0, True])
def test_exact_values_of_too_many_players_are_refused(n):
    with pytest.raises(InputError, match="from 1 to 20"):
        shapley_values(lambda S: 0.0, n)


@settings(max_examples=60)
@given(st.integers(1, 9), st.data())
def test_draws_are_balanced_and_no_block_repeats_a_player(n, data):
    size, t = data.draw(st.integers(1, n)), data.draw(st.integers(1, 40))
    blocks = draw_permutations(n, size, t, np.random.default_rng(data.draw(st.integers(0, 99))))
    assert blocks.shape == (t, size)
    assert all(len(set(block)) == size for block in blocks.tolist())
    counts = np.bincount(blocks.ravel(), minlength=n)
    assert counts.min() >= t * size // n
    assert counts.max() <= -(-t * size // n)


def test_every_block_alone_is_uniform_over_ordered_subsets():
    # 5 players in blocks of 3: the second block is filled from the next shuffle
    rng = np.random.default_rng(0)
    draws = np.array([draw_permutations(5, 3, 3, rng) for _ in range(12000)])
    for block in range(3):
        _, counts = np.unique(draws[:, block], axis=0, return_counts=True)
        assert len(counts) == 60
        chi2 = ((counts - 200) ** 2 / 200).sum()
        assert chi2 < 105  # 59 degrees of freedom: p = 0.0002


@settings(max_examples=30)
@given(games(n=5), st.integers(1, 5), st.integers(0, 99))
def test_the_marginals_of_a_permutation_telescope(game, size, seed):
    _, v = game
    blocks = draw_permutations(5, size, 7, np.random.default_rng(seed))
    payoffs = np.array([[v[frozenset(block[: k + 1].tolist())] for k in range(size)] for block in blocks])
    found = gather(blocks, payoffs, v[frozenset()], 5).contributions
    total = np.nansum(found.values * found.counts)
    assert total == pytest.approx(sum(payoffs[:, -1] - v[frozenset()]), abs=1e-9)


def interactions(S):
    """A game with single, pair and opposed effects."""
    return 0.2 * (0 in S) + 0.3 * ({1, 2} <= S) - 0.1 * (3 in S and 0 in S) + 0.05 * len(S & {4, 5}) ** 2


def test_whole_permutations_estimate_the_exact_values_within_their_standard_errors():
    exact = shapley_values(interactions, 6)
    scores = []
    for seed in range(40):
        found = contribution_values(interactions, range(6), size=6, n_permutations=300, rng=seed)
        varies = found.standard_errors > 0
        scores.append(((found.values - exact) / np.where(varies, found.standard_errors, 1))[varies])
    z = np.concatenate(scores)
    assert abs(z.mean()) < 4 / np.sqrt(len(z))
    assert 0.8 < z.std() < 1.2  # errors are as large as they are said to be


def test_bounded_values_are_the_mean_marginals_of_bounded_coalitions():
    size, n = 2, 6
    exact = np.zeros(n)
    for player in range(n):
        others = [i for i in range(n) if i != player]
        alone = interactions({player}) - interactions(set())
        after_one = np.mean([interactions({i, player}) - interactions({i}) for i in others])
        exact[player] = (alone + after_one) / size
    found = contribution_values(interactions, range(n), size=size, n_permutations=20000, rng=1)
    assert (np.abs(found.values - exact) <= 4.5 * found.standard_errors + 1e-12).all()
    pairs = np.mean([interactions(set(pair)) for pair in itertools.combinations(range(n), 2)])
    assert exact.sum() == pytest.approx(n / size * pairs)  # the expected sum of bounded values


def test_given_a_base_single_draws_are_the_gains_of_a_greedy_search():
    found = contribution_values(interactions, [2, 3, 4], size=1, n_permutations=6, base={0, 1}, rng=0)
    gains = [interactions({0, 1, i}) - interactions({0, 1}) for i in (2, 3, 4)]
    np.testing.assert_allclose(found.values, gains)
    assert found.counts.tolist() == [2, 2, 2]
    np.testing.assert_allclose(found.standard_errors, 0, atol=1e-15)


def test_values_come_in_the_order_of_the_players_and_standard_errors_are_those_of_a_mean():
    marginals = {7: [], 3: []}
    last = {"S": frozenset(), "value": 0.0}

    def v(S):
        # records the marginals that the estimate is made of: prefixes come in order
        value = 10.0 * (7 in S) + (3 in S) * len(S)
        if not S:
            last.update(S=S, value=value)
            return value
        (new,) = S - last["S"] if last["S"] < S else S
        before = last["value"] if last["S"] < S else 0.0
        marginals[new].append(value - before)
        last.update(S=S, value=value)
        return value

    found = contribution_values(v, [7, 3], size=2, n_permutations=9, rng=5)
    for place, player in enumerate([7, 3]):
        sample = np.array(marginals[player])
        assert found.counts[place] == len(sample) == 9
        assert found.values[place] == pytest.approx(sample.mean())
        assert found.standard_errors[place] == pytest.approx(sample.std(ddof=1) / 3)


def test_a_player_without_two_draws_has_no_standard_error():
    found = contribution_values(lambda S: float(len(S)), range(5), size=2, n_permutations=3, rng=0)
    assert sorted(found.counts.tolist()) == [1, 1, 1, 1, 2]
    assert np.isnan(found.standard_errors[found.counts == 1]).all()
    few = contribution_values(lambda S: float(len(S)), range(5), size=2, n_permutations=1, rng=0)
    assert np.isnan(few.values).sum() == 3


def test_payoffs_that_are_no_number_are_left_out():
    found = contribution_values(
        lambda S: np.nan if 1 in S else 0.1 * len(S), range(3), size=3, n_permutations=60, rng=0
    )
    assert np.isnan(found.values[1])
    assert found.counts[1] == 0
    np.testing.assert_allclose(found.values[[0, 2]], 0.1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"size": 4}, "size must be an integer from 1 to 3"),
        ({"size": 0}, "size"),
        ({"n_permutations": 0}, "n_permutations"),
        ({"base": {1}}, "player 1 is in the base"),
        ({"players": [0, 1, 1]}, "player 1 occurs more than once"),
        ({"players": []}, "players is empty"),
        ({"players": [0.5, 1.7, 2.0]}, "player 0.5 is not an integer"),
        ({"base": {3.5}}, "player 3.5 is not an integer"),
    ],
)
def test_what_cannot_be_sampled_is_refused(changes, sentence):
    options = {"players": [0, 1, 2], "size": 2, "n_permutations": 5} | changes
    players = options.pop("players")
    with pytest.raises(InputError, match=sentence):
        contribution_values(lambda S: 0.0, players, **options)
