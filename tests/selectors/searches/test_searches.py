"""The searches find what brute force and plain references find, and the frame holds its promises."""

import importlib.util
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fselect import (
    ABB,
    LVF,
    LVI,
    LVW,
    QBB,
    BeamSearch,
    BranchAndBound,
    ExhaustiveSearch,
    FloatingSearch,
    Focus,
    PlusMinusSearch,
    SequentialSearch,
)
from fselect.datasets import make_corral, make_disjunction, make_gmonks, make_monks, make_parity
from fselect.measures import Function, inconsistency_rate
from tests.oracles import floating_oracle as oracle

_spec = importlib.util.spec_from_file_location("references", Path(__file__).with_name("search_references.py"))
references = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(references)
noisy_nominal, numbers, separation = references.noisy_nominal, references.numbers, references.separation


def of(X, y, function):
    return lambda state: function(X[:, sorted(state)], y)


def chosen(search):
    return frozenset(search.get_support(indices=True).tolist())


def sets(masks):
    return {frozenset(np.flatnonzero(mask).tolist()) for mask in masks}


@pytest.mark.parametrize("seed", range(6))
def test_abb_and_focus_find_all_smallest_consistent_sets(seed):
    X, y = noisy_nominal(seed)
    wanted = references.smallest_consistent(of(X, y, inconsistency_rate), 7)
    for search in (ABB(random_state=seed), Focus(random_state=seed)):
        search.fit(X, y)
        assert sets(search.equals_) == wanted
        assert chosen(search) in wanted


@pytest.mark.parametrize("seed", range(3))
def test_lvf_and_qbb_find_a_smallest_consistent_set_with_enough_tries(seed):
    X, y = noisy_nominal(seed)
    wanted = references.smallest_consistent(of(X, y, inconsistency_rate), 7)
    for search in (LVF(max_tries=3000, random_state=seed), QBB(max_tries=400, random_state=seed)):
        search.fit(X, y)
        assert sets(search.equals_) <= wanted


@pytest.mark.parametrize("measure", ["consistency", "information", "distance"])
@pytest.mark.parametrize("size", [1, 3, 5])
def test_branch_and_bound_finds_the_best_of_a_size_with_fewer_evaluations(measure, size):
    X, y = noisy_nominal(3)
    found = BranchAndBound(size, measure=measure, random_state=0).fit(X, y)
    brute = ExhaustiveSearch(measure=measure, min_features=size, max_features=size).fit(X, y)
    assert found.value_ == pytest.approx(brute.value_)
    assert found.support_.sum() == size


def test_branch_and_bound_cuts_branches_off():
    X, y = numbers(0, d=10)
    found = BranchAndBound(3, measure="distance").fit(X, y)
    # without cutting it would meet every set of 3 to 10 columns
    assert found.evaluations_ < sum(len([s for s in references.all_subsets(10) if len(s) == k]) for k in range(3, 11))


@pytest.mark.parametrize("seed", range(3))
def test_exhaustive_search_finds_the_best_value_with_the_fewest_columns(seed):
    X, y = numbers(seed)
    value = of(X, y, separation)
    best = max(references.all_subsets(7), key=value)
    search = ExhaustiveSearch(measure=separation).fit(X, y)
    assert chosen(search) == best
    assert search.evaluations_ == 127
    X, y = noisy_nominal(seed)
    equal = ExhaustiveSearch().fit(X, y)
    assert sets(equal.equals_) == references.smallest_consistent(of(X, y, inconsistency_rate), 7)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("seed", range(8))
def test_floating_search_is_the_plain_one_size_by_size(direction, seed):
    X, y = numbers(seed, d=8)
    wanted = references.floating(of(X, y, separation), 8, forward=direction == "forward")
    search = FloatingSearch(direction, measure=separation).fit(X, y)
    assert {size: value for size, (value, _) in search.by_size_.items()} == pytest.approx(wanted)
    assert search.value_ == pytest.approx(max(value for size, value in wanted.items() if size))


@pytest.mark.parametrize("case", list(oracle.SAME), ids=str)
def test_floating_search_finds_the_sets_of_mlxtend(case):
    seed, direction = case
    search = FloatingSearch(direction, measure=separation).fit(*numbers(seed))
    assert ["".join(map(str, search.by_size_[size][1])) for size in range(1, 7)] == oracle.SAME[case]
    assert seed == 3 or len(search.history_) > 8, "no step was undone"


@pytest.mark.parametrize("case", list(oracle.STRICTER), ids=str)
def test_floating_search_finds_better_sets_where_mlxtend_does_not_go_back(case):
    seed, direction = case
    X, y = numbers(seed)
    search = FloatingSearch(direction, measure=separation).fit(X, y)
    theirs = [separation(X[:, [int(column) for column in columns]], y) for columns in oracle.STRICTER[case]]
    gains = [search.by_size_[size][0] - worth for size, worth in enumerate(theirs, start=1)]
    assert min(gains) > -1e-12
    assert max(gains) > 1e-3


def test_floating_search_goes_back():
    # columns 0 and 1 are best together, and 2 is best alone; of three, 2 is the least useful
    worth = {(2,): 3, (0,): 1, (1,): 1, (0, 2): 4, (1, 2): 4, (0, 1): 5, (0, 1, 2): 5.5}
    columns = np.random.default_rng(0).normal(size=(20, 3)) + np.arange(3) * 100
    value = Function(lambda X, y: worth.get(tuple((X.mean(axis=0) / 100).round().astype(int)), 0))
    search = FloatingSearch(measure=value).fit(columns, np.arange(20) % 2)
    assert search.by_size_[2] == (5, (0, 1))
    assert search.history_["action"].tolist() == ["start", "add", "add", "add", "drop", "add"]


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_floating_search_ends_when_all_sets_are_equal(direction):
    X, y = noisy_nominal(0)
    search = FloatingSearch(direction, measure=lambda X, y: 1.0, random_state=0).fit(X, y)
    assert search.support_.sum() == 1
    assert len(search.history_) <= 8


@pytest.mark.parametrize("make", [make_parity, make_disjunction, make_gmonks])
def test_floating_search_answers_with_the_best_value_and_then_the_fewest_columns(make):
    data = make(6, 3, random_state=0)
    search = FloatingSearch(random_state=0).fit(data.X, data.y)
    assert search.value_ == 1
    assert search.support_.sum() == min(size for size, (value, _) in search.by_size_.items() if value == 1)


def test_backward_consistency_keeps_the_consistency_of_all_columns_and_could_drop_no_more():
    for seed in range(4):
        X, y = noisy_nominal(seed)
        search = SequentialSearch("backward", measure="consistency", random_state=seed).fit(X, y)
        rate = of(X, y, inconsistency_rate)
        left = chosen(search)
        assert rate(left) == rate(range(7))
        assert all(rate(left - {column}) > rate(left) for column in left)


def test_forward_consistency_ends_at_the_consistency_of_all_columns():
    X, y = noisy_nominal(1)
    search = SequentialSearch(random_state=0).fit(X, y)
    assert 1 - search.value_ == pytest.approx(inconsistency_rate(X, y))
    assert search.history_["action"].tolist() == ["start"] + ["add"] * int(search.support_.sum())


def test_a_forward_wrapper_adds_while_accuracy_rises_and_a_backward_one_drops_while_it_does_not_fall():
    X, y = numbers(2)
    up = SequentialSearch(measure=GaussianNB(), random_state=0).fit(X, y)
    values = up.history_["value"].to_numpy()
    assert (np.diff(values[:-1]) > 0).all()
    assert values[-1] <= values[-2] or up.support_.all()
    down = SequentialSearch("backward", measure=GaussianNB(), random_state=0).fit(X, y)
    values = down.history_["value"].to_numpy()
    assert (np.diff(values[:-1]) >= 0).all()
    assert down.value_ == values[:-1].max() or down.support_.sum() == 1


def test_a_forward_wrapper_may_find_that_nothing_is_better_if_it_is_told():
    data = make_parity(6, 2, random_state=0)
    constant = Function(lambda X, y: 0.5)
    assert SequentialSearch(measure=constant, random_state=0).fit(data.X, data.y).support_.sum() == 1
    with pytest.warns(UserWarning, match="No features"):
        assert SequentialSearch(measure=constant, min_features=0).fit(data.X, data.y).transform(data.X).shape[1] == 0


@pytest.mark.parametrize(("direction", "sizes"), [("forward", [0, 1, 2, 3]), ("backward", [7, 6, 5, 4, 3])])
def test_a_number_of_features_is_reached_one_by_one(direction, sizes):
    X, y = numbers(0)
    search = SequentialSearch(direction, measure=separation, n_features=3).fit(X, y)
    assert search.history_["n_features"].tolist() == sizes
    assert search.support_.sum() == 3


def test_several_columns_at_once_are_the_best_combination():
    X, y = numbers(1)
    search = SequentialSearch(measure=separation, n_features=2, at_once=2).fit(X, y)
    pairs = [s for s in references.all_subsets(7) if len(s) == 2]
    assert chosen(search) == max(pairs, key=of(X, y, separation))
    assert SequentialSearch(measure=separation, n_features=5, at_once=2).fit(X, y).support_.sum() == 5


def test_patience_looks_beyond_a_step_that_brings_nothing():
    X, y = numbers(4)
    value = Function(lambda X, y: {0: 0, 1: 1, 2: 0.9, 3: 2}.get(X.shape[1], 0.5))
    assert SequentialSearch(measure=value, patience=1).fit(X, y).support_.sum() == 1
    assert SequentialSearch(measure=value, patience=2).fit(X, y).support_.sum() == 3


def test_a_threshold_ends_a_search():
    X, y = numbers(4)
    size = Function(lambda X, y: X.shape[1])
    assert SequentialSearch(measure=size, threshold=4).fit(X, y).support_.sum() == 4
    assert SequentialSearch("backward", measure=size, threshold=4).fit(X, y).support_.sum() == 4


@pytest.mark.parametrize(("forward", "backward"), [(2, 1), (3, 1), (1, 2), (0, 1), (1, 0)])
@pytest.mark.parametrize("n_features", [2, 3, 6])
def test_plus_minus_reaches_the_number_of_features(forward, backward, n_features):
    X, y = numbers(1)
    search = PlusMinusSearch(forward, backward, measure=separation, n_features=n_features, random_state=0).fit(X, y)
    assert search.support_.sum() == n_features


def test_plus_one_minus_none_is_a_forward_search_and_none_one_a_backward_one():
    X, y = numbers(3)
    for amounts, direction in (((1, 0), "forward"), ((0, 1), "backward")):
        one = PlusMinusSearch(*amounts, measure=separation, n_features=4).fit(X, y)
        other = SequentialSearch(direction, measure=separation, n_features=4).fit(X, y)
        assert chosen(one) == chosen(other)


def test_equal_steps_exchange_until_one_is_undone():
    X, y = numbers(5)
    search = PlusMinusSearch(1, 1, measure=separation, n_features=3, random_state=0).fit(X, y)
    assert (np.diff(search.history_["value"]) > 0).all()
    value = of(X, y, separation)
    start = chosen(search)
    best_up = max((start | {c} for c in set(range(7)) - start), key=value)
    assert value(max((best_up - {c} for c in best_up), key=value)) <= value(start)


def test_a_beam_of_one_climbs_and_a_wide_one_finds_the_best_of_all():
    X, y = numbers(6)
    narrow = BeamSearch(1, measure=separation).fit(X, y)
    climb = SequentialSearch(measure=separation, patience=1).fit(X, y)
    assert chosen(narrow) == chosen(climb)
    wide = BeamSearch(200, measure=separation).fit(X, y)
    assert wide.value_ == ExhaustiveSearch(measure=separation).fit(X, y).value_
    assert BeamSearch(3, measure=separation, n_features=4).fit(X, y).support_.sum() == 4


def test_lvf_keeps_equals_in_the_order_in_which_they_were_found():
    data = make_parity(3, 1, 2, random_state=1)  # copies make several smallest sets
    search = LVF(max_tries=500, random_state=0).fit(data.X, data.y)
    assert (search.equals_[0] == search.support_).all()
    assert len(search.equals_) == np.prod([len(group) for group in data.truth.groups.values()])
    assert all(inconsistency_rate(data.X[:, mask], data.y) == 0 for mask in search.equals_)


def test_lvf_draws_sizes_and_subsets_uniformly():
    from fselect.selectors.searches.frame import Limits, States
    from fselect.selectors.searches.las_vegas import _blocks

    states = States(None, range(4), [], np.random.default_rng(0), Limits())
    drawn = [subset for block in _blocks(states, 20_000) for subset in block.subsets(states, 0, 3)]
    sizes = np.bincount([len(s) for s in drawn])
    # four standard errors of a share of a third
    assert sizes[1:] / 20_000 == pytest.approx([1 / 3] * 3, abs=0.0134)
    pairs = [tuple(sorted(s)) for s in drawn if len(s) == 2]
    shares = np.unique(pairs, axis=0, return_counts=True)[1] / len(pairs)
    assert shares == pytest.approx([1 / 6] * 6, abs=0.019)


def test_gamma_allows_a_smaller_set():
    X, y = noisy_nominal(2)
    strict, loose = (LVF(max_tries=1000, gamma=gamma, random_state=0).fit(X, y) for gamma in (None, 0.4))
    assert loose.support_.sum() < strict.support_.sum()
    assert inconsistency_rate(X[:, loose.support_], y) <= 0.4


def test_lvi_is_consistent_on_all_rows_though_it_looks_at_few():
    data = make_disjunction(5, 4, random_state=0)
    search = LVI(max_tries=500, random_state=0).fit(data.X, data.y)
    assert inconsistency_rate(data.X[:, search.support_], data.y) == 0
    first = int(search.history_["action"].iloc[0].split()[0])
    assert first == 36


def test_lvw_takes_what_is_better_or_as_good_and_smaller():
    X, y = numbers(7)
    search = LVW(measure=GaussianNB(), max_failures=30, random_state=0).fit(X, y)
    steps = search.history_[["value", "n_features"]].to_numpy()
    for before, after in pairwise(steps):
        assert after[0] > before[0] or (after[0] == before[0] and after[1] < before[1])


def test_qbb_says_when_branching_was_cut_short():
    data = make_parity(8, 8, random_state=0)
    with pytest.warns(UserWarning, match="max_states = 20"):
        search = QBB(max_tries=20, max_states=20, random_state=0).fit(data.X, data.y)
    assert search.stopped_ == "max_states"
    assert inconsistency_rate(data.X[:, search.support_], data.y) == 0


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_problems_are_solved_by_what_is_complete(problem):
    data = make_monks(problem)
    for search in (ABB(), Focus(), QBB(max_tries=400, random_state=0), SequentialSearch("backward")):
        assert tuple(search.fit(data.X, data.y).get_support(indices=True)) == data.truth.relevant


def test_corral_tempts_forward_searches_only():
    data = make_corral(random_state=0)
    assert chosen(SequentialSearch("backward", random_state=0).fit(data.X, data.y)) == {0, 1, 2, 3}
    assert 5 in chosen(SequentialSearch(random_state=0).fit(data.X, data.y))


@pytest.mark.parametrize("n_irrelevant", [0, 4, 8])
def test_backward_consistency_is_perfect_on_parity_of_four(n_irrelevant):
    # Molina, Belanche and Nebot (2002), figure 3(a): a score of 1 at any number of irrelevant columns
    for seed in range(5):
        data = make_parity(4, n_irrelevant, random_state=seed)
        assert chosen(SequentialSearch("backward", random_state=seed).fit(data.X, data.y)) == set(data.truth.relevant)
