"""What a round adds and drops, on payoffs whose contributions are known."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.selectors.contribution.checkpoints import RoundFiles
from fselect.selectors.contribution.rounds import run_rounds, sets_after
from fselect.selectors.contribution.sampling import Contributions, Sampled
from fselect.selectors.contribution.settings import Settings
from fselect.selectors.contribution.steps import add_greedily, add_top, drop_lowest


class Game:
    """A payoff of sets of columns that counts what it is asked."""

    compiled = True

    def __init__(self, v):
        self.v, self.asked = v, 0

    def value(self, columns):
        self.asked += 1
        return float(self.v(frozenset(columns)))

    def along(self, base, order):
        return np.array([self.value([*base, *order[: k + 1]]) for k in range(len(order))])


def sampled(values, *, draws=None, idle=(), never=()):
    values = np.array(values, dtype=float)
    draws = np.full(len(values), 6) if draws is None else np.array(draws)
    counts = np.where(np.isin(np.arange(len(values)), never), 0, draws)
    errors = np.full(len(values), 0.01)
    return Sampled(Contributions(values, errors, counts), draws, np.isin(np.arange(len(values)), idle))


def searched(v, columns=range(6), *, seed=0, n_jobs=1, keeping=None, **settings):
    options = {"size": 3, "n_permutations": 120} | settings
    made = Settings(**options)
    rounds = run_rounds(Game(v), columns, made, seed=seed, n_jobs=n_jobs, keeping=keeping)
    return rounds, list(sets_after(rounds, made))


def test_the_best_above_the_threshold_are_added_and_of_equals_the_lower_column_first():
    round_ = sampled([0.1, 0.3, 0.1, 0.05, np.nan])
    assert add_top(round_, 2, 0.0).tolist() == [1, 0]
    assert add_top(round_, 9, 0.05).tolist() == [1, 0, 2]
    assert add_top(round_, 9, 0.3).tolist() == []


def test_the_lowest_below_the_threshold_are_dropped_and_of_equals_the_higher_column_first():
    round_ = sampled([-0.1, 0.2, -0.1, -0.3, 0.0])
    assert drop_lowest(round_, 2, 0.0).tolist() == [3, 2]
    assert drop_lowest(round_, 9, 0.0).tolist() == [3, 2, 0]
    assert drop_lowest(round_, 9, 0.1).tolist() == [3, 2, 0, 4]


def test_fractions_that_are_equal_but_for_rounding_are_equal():
    round_ = sampled([0.1 + 0.2, 0.3, 0.3 - 1e-16])
    assert add_top(round_, 1, 0.0).tolist() == [0]
    assert drop_lowest(sampled([1e-17, -1e-17, 0.2]), 2, 0.0).tolist() == []


def test_features_that_never_changed_a_payoff_are_dropped_unless_the_threshold_is_below_zero():
    round_ = sampled([0.0, 0.0, 0.2], idle=(0,))
    assert drop_lowest(round_, 5, 0.0).tolist() == [0]
    assert drop_lowest(round_, 5, -0.1).tolist() == []


def test_the_last_feature_stays():
    assert drop_lowest(sampled([-0.1, -0.2, -0.3]), 5, 0.0).tolist() == [2, 1]
    assert drop_lowest(sampled([-0.1]), 1, 0.0).tolist() == []


def test_features_without_a_draw_stay_and_those_without_any_payoff_go_first():
    round_ = sampled([np.nan, np.nan, -0.1, 0.1], draws=[0, 6, 6, 6], never=(1,))
    assert drop_lowest(round_, 1, 0.0).tolist() == [1]
    assert drop_lowest(round_, 4, 0.0).tolist() == [1, 2]
    assert add_top(round_, 4, 0.0).tolist() == [3]


def test_greedy_addition_goes_on_while_each_raises_the_payoff():
    round_ = sampled([0.1, 0.4, 0.3, 0.2])
    payoffs = {(1,): 0.7, (1, 2): 0.8, (1, 2, 3): 0.8, (1, 2, 3, 0): 0.95}
    added = add_greedily(round_, 0.0, lambda places: payoffs[tuple(places)], 0.5)
    assert added.tolist() == [1, 2]


def test_greedy_addition_takes_no_payoff_that_is_no_number():
    round_ = sampled([0.1, 0.4])
    assert add_greedily(round_, 0.0, lambda places: np.nan, 0.5).tolist() == []
    assert add_greedily(round_, 0.0, lambda places: np.nan if len(places) > 1 else 0.6, np.nan).tolist() == [1]


def pair_and_single(S):
    """Column 4 helps alone, 1 and 2 only together, 3 harms, 0 and 5 do nothing."""
    return 0.5 + 0.1 * (4 in S) + 0.3 * ({1, 2} <= S) - 0.05 * (3 in S)


def test_backward_drops_what_harms_and_what_does_nothing():
    _, sets = searched(pair_and_single, direction="backward")
    assert sets[-1] == [1, 2, 4]
    assert sets[-2] == sets[-1]  # the last round drops nothing


def test_forward_with_longer_permutations_sees_the_pair_that_single_steps_do_not():
    _, sets = searched(pair_and_single, direction="forward")
    assert sorted(sets[-1]) == [1, 2, 4]
    _, greedy = searched(pair_and_single, direction="forward", size=1)
    assert greedy[-1] == [4]


def test_single_steps_are_the_greedy_wrapper():
    weights = np.array([0.02, 0.05, -0.01, 0.04, 0.03, 0.0])
    rounds, sets = searched(lambda S: 0.5 + weights[list(S)].sum(), direction="forward", size=1, n_permutations=36)
    assert sets[-1] == [1, 3, 4, 0]
    assert [one.payoff for one in rounds] == pytest.approx([0.55, 0.59, 0.62, 0.64, 0.64])


def test_backward_measures_sets_of_remaining_features_and_not_losses_from_all():
    # the copy makes each of 0 and 1 worthless given the other; small sets show that both say something
    _, sets = searched(lambda S: 0.5 + 0.4 * bool(S & {0, 1}), columns=range(4), direction="backward", size=2)
    assert sets[-1] == [0, 1]


def test_larger_steps_add_and_drop_several_at_once():
    rounds, sets = searched(lambda S: 0.1 * len(S & {0, 1, 2, 3}), direction="forward", step=3)
    assert [len(one) for one in sets] == [3, 4, 4]
    rounds, _ = searched(lambda S: -0.1 * len(S & {0, 1, 2, 3}), direction="backward", step=3)
    assert rounds[0].moved.tolist() == [3, 2, 1]


def test_a_constant_payoff_selects_nothing_in_either_direction():
    for direction in ("forward", "backward"):
        rounds, sets = searched(lambda S: 0.6, direction=direction)
        assert sets == [[]]
        assert len(rounds) == 1


def test_where_only_noise_is_left_backward_keeps_one_feature():
    _, sets = searched(lambda S: 0.5 - 0.01 * len(S), direction="backward", step=4)
    assert len(sets[-1]) == 1


def test_payoffs_that_are_no_number_never_win():
    def broken(S):
        return np.nan if 0 in S else pair_and_single(S)

    for direction in ("forward", "backward"):
        _, sets = searched(broken, direction=direction)
        assert sorted(sets[-1]) == [1, 2, 4]


def test_the_number_of_permutations_falls_with_the_candidates():
    rounds, _ = searched(pair_and_single, direction="backward", n_permutations=None, draws=30)
    assert [one.n_permutations for one in rounds] == [10 * len(one.candidates) for one in rounds]
    assert len(rounds[-1].candidates) < len(rounds[0].candidates)
    by_rule = Settings(size=20)
    assert [by_rule.permutations(n) for n in (278, 200, 4)] == [70, 51, 6]  # the smallest t with t·l/n > 5


def test_too_few_permutations_are_raised_and_that_is_said():
    with pytest.warns(UserWarning, match=r"4 permutations of 3 of 6 features draw each 2 times.*raised to 11"):
        rounds, _ = searched(pair_and_single, n_permutations=4)
    assert rounds[0].n_permutations == 11  # 11 · 3 / 6 = 5.5; 10 give 5, which is not more than 5
    with pytest.warns(UserWarning, match=r"draw each 0.5 times, and the method needs more than 5: .* without a draw"):
        rounds, sets = searched(pair_and_single, n_permutations=1, raise_permutations=False)
    assert rounds[0].n_permutations == 1
    undrawn = rounds[0].candidates[rounds[0].draws == 0]
    assert len(undrawn) == 3
    assert set(undrawn.tolist()) <= set(sets[0])


def test_any_number_of_workers_gives_the_same_rounds():
    runs = [searched(pair_and_single, n_jobs=n, n_permutations=37)[0] for n in (1, 2, 5)]
    for other in runs[1:]:
        for one, two in zip(runs[0], other, strict=True):
            np.testing.assert_array_equal(one.contributions.values, two.contributions.values)
            np.testing.assert_array_equal(one.moved, two.moved)


class KilledError(Exception):
    pass


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("stop", [1, 60, 200, 500])
def test_a_search_goes_on_from_its_finished_rounds_with_the_same_result(tmp_path, direction, stop):
    whole, sets = searched(pair_and_single, direction=direction)
    left = [stop]

    def dies(S):
        left[0] -= 1
        if left[0] < 0:
            raise KilledError
        return pair_and_single(S)

    files = RoundFiles(tmp_path / "rounds")
    with contextlib.suppress(KilledError):
        searched(dies, direction=direction, keeping=files)
    finished = len(files.rounds())
    made = Settings(direction=direction, size=3, n_permutations=120)
    game = Game(pair_and_single)
    again = run_rounds(game, range(6), made, seed=0, keeping=files)
    assert list(sets_after(again, made)) == sets
    assert game.asked <= sum(3 * 120 + 4 for _ in whole[finished:])  # finished rounds are not run again
    for one, two in zip(whole, again, strict=True):
        np.testing.assert_array_equal(one.contributions.standard_errors, two.contributions.standard_errors)


def test_a_damaged_round_is_run_again(tmp_path):
    files = RoundFiles(tmp_path)
    whole, _ = searched(pair_and_single, keeping=files)
    damaged = tmp_path / "round-00001.npz"
    damaged.write_bytes(damaged.read_bytes()[:50])
    assert len(files.rounds()) == 1
    again, _ = searched(pair_and_single, keeping=files)
    assert [one.moved.tolist() for one in again] == [one.moved.tolist() for one in whole]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"step": 0}, "step must be an integer of at least 1, not 0"),
        ({"size": 0}, "size"),
        ({"step": 1.5}, "step"),
        ({"threshold": np.inf}, "threshold must be a finite number, not inf"),
        ({"threshold": np.nan}, "threshold"),
        ({"direction": "up"}, "direction must be 'backward' or 'forward', not 'up'"),
        ({"addition": "all"}, "addition"),
        ({"n_permutations": 0}, "n_permutations"),
        ({"draws": 0}, "draws must be a finite number above 0"),
        ({"draws": 6, "n_permutations": 5}, "give one of them"),
        ({"raise_permutations": 1}, "raise_permutations"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(changes, sentence):
    with pytest.raises(InputError, match=sentence):
        Settings(**changes)
