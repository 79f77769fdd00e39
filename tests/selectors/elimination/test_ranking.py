"""Who goes first among near-equals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect.classifiers.newton.ordering import order_of, smallest
from fselect.kernel import kernel
from fselect.selectors.elimination.ranking import is_certain, lowest, lowest_inside, number_to_drop, put_in_order


@kernel
def places_in_order(keys):
    return order_of(keys)


@kernel
def at_rank(keys, rank):
    return smallest(keys, rank)


@kernel
def certain(keys, error, number):
    return is_certain(keys, error, lowest_inside(keys, np.arange(keys.size), number)[0])


def dropped(weights, number, index=None):
    with np.errstate(divide="ignore"):
        logs = np.log(np.array(weights, dtype=float))
    index = np.arange(len(weights)) if index is None else np.array(index)
    places, keys = lowest(logs, index, number)
    return put_in_order(index[places], keys, np.zeros(number, dtype=int)).tolist()


def test_of_tied_weights_the_later_column_goes_first():
    assert dropped([2.0, 1.0, 1.0 + 1e-12, 1.0], 2) == [3, 2]


def test_a_chain_of_near_ties_is_one_group_though_its_ends_differ():
    chain = [1.0 + 0.9e-9 * i for i in range(5)]
    assert dropped(chain, 1) == [4]


def test_a_relative_difference_above_a_thousand_millionth_is_no_tie():
    assert dropped([1.0, 1.0 + 1.1e-9], 1) == [0]


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e300])
def test_ties_are_relative_and_not_absolute(scale):
    assert dropped([1.0 * scale, 1.1 * scale], 1) == [0]
    assert dropped([1.0 * scale, (1.0 + 1e-10) * scale], 1) == [1]


def test_weights_of_zero_are_one_group_below_all_others():
    assert dropped([1e-300, 0.0, 5.0, 0.0], 3) == [3, 1, 0]


def test_later_means_later_in_the_table_and_not_in_memory():
    assert dropped([1.0, 1.0, 3.0], 1, index=[9, 4, 2]) == [9]


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.5, 1.0, 1.0 + 1e-10, 2.0, 3.0]), min_size=1, max_size=40), st.data())
def test_the_lowest_are_the_start_of_the_full_order(weights, data):
    number = data.draw(st.integers(1, len(weights)))
    everyone = dropped(weights, len(weights))
    assert dropped(weights, number) == everyone[:number]
    assert sorted(everyone) == list(range(len(weights)))


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 11))
def test_an_order_that_is_certain_is_that_of_all_weights_within_the_errors(seed, number):
    rng = np.random.default_rng(seed)
    keys, error = rng.normal(size=12), rng.choice([1e-3, 1e-2, 0.05]) * rng.random(12)
    if certain(keys, error, number):
        for sign in rng.uniform(-1, 1, size=(50, 12)):
            assert (
                lowest(keys + sign * error, np.arange(12), number)[0].tolist()
                == lowest(keys, np.arange(12), number)[0].tolist()
            )
            first = np.argsort(keys + sign * error)[:number]
            assert first.tolist() == np.argsort(keys)[:number].tolist()


def test_nothing_is_certain_of_weights_that_are_nought_or_tie_or_may_be_anything():
    keys, error = np.array([0.0, 1.0, 2.0, 3.0]), np.full(4, 0.1)
    assert certain(keys, error, 2)
    assert not certain(np.array([-np.inf, 1.0, 2.0, 3.0]), error, 2)
    assert not certain(np.array([0.0, 1.0, 1.0, 3.0]), np.zeros(4), 2)
    assert certain(np.array([0.0, 1.0, 2.0, 2.0]), np.zeros(4), 2)  # a tie among those that stay
    assert not certain(keys, np.array([0.1, 0.1, 0.1, np.inf]), 2)


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=60), st.data())
def test_sorting_and_selecting_are_those_of_numpy(values, data):
    keys = np.array(values)
    rank = data.draw(st.integers(0, len(values) - 1))
    assert places_in_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()
    assert at_rank(keys, rank) == np.sort(keys)[rank]


@pytest.mark.parametrize("values", ["normal", "few", "sorted", "mixed"])
@pytest.mark.parametrize("rank", [0, 1, 700, 2500, 4998, 4999])
def test_selecting_from_a_long_array_is_that_of_numpy(values, rank):
    rng = np.random.default_rng(rank)
    keys = {
        "normal": rng.normal(size=5000),
        "few": rng.integers(0, 4, size=5000).astype(float),
        "sorted": np.sort(rng.normal(size=5000)),
        "mixed": np.where(rng.random(5000) < 0.3, -np.inf, np.exp(rng.normal(size=5000) * 100)),
    }[values]
    assert at_rank(keys, rank) == np.sort(keys)[rank]


@pytest.mark.parametrize(
    ("left", "keep", "step", "number"),
    [(10, 1, 0.2, 2), (4, 1, 0.2, 1), (10, 9, 0.5, 1), (10, 1, 0.3, 3), (3, 1, 1.0, 2)],
)
def test_the_number_to_drop_is_at_least_one_and_never_goes_below_what_is_kept(left, keep, step, number):
    assert number_to_drop(left, keep, step) == number
