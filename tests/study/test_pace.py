"""How many units make a chunk."""

from __future__ import annotations

import pytest

from fselect.study.runners.pace import Pace


def cut(n_units, seconds_a_unit, slots):
    """The chunks of a whole study whose units all take the same time."""
    pace, left, sizes = Pace(), n_units, []
    while left:
        size = pace.size(left, slots)
        sizes.append(size)
        pace.learn(size, size * seconds_a_unit)
        left -= size
    return sizes


@pytest.mark.parametrize("seconds_a_unit", [0.02, 0.2, 0.5])
def test_a_hundred_thousand_units_are_a_few_hundred_chunks(seconds_a_unit):
    assert 100 <= len(cut(100_000, seconds_a_unit, slots=16)) <= 1000


@pytest.mark.parametrize("seconds_a_unit", [0.01, 0.3, 2.0])
def test_chunks_take_five_to_sixty_seconds_but_for_the_first_and_the_last(seconds_a_unit):
    sizes = cut(50_000, seconds_a_unit, slots=4)
    inner = [size * seconds_a_unit for size in sizes[1:] if size > sizes[-1] * 20 and size < 1000]
    assert all(4.5 <= seconds <= 61 for seconds in inner)


def test_units_of_minutes_go_one_by_one():
    assert set(cut(50, 120.0, slots=4)) == {1}


def test_the_last_chunks_are_small_enough_for_all_to_end_together():
    assert cut(10_000, 0.5, slots=8)[-16:] == [2] * 16
