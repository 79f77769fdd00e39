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
def test_once_the_pace_is_known_chunks_take_five_to_sixty_seconds_until_half_is_done(seconds_a_unit):
    sizes = cut(50_000, seconds_a_unit, slots=4)
    done = [sum(sizes[:place]) for place in range(len(sizes))]
    early = [size * seconds_a_unit for size, before in zip(sizes[1:], done[1:], strict=True) if before < 25_000]
    assert len(early) > 10
    assert all(4.5 <= seconds <= 61 for seconds in early)


def test_units_of_minutes_go_one_by_one():
    assert set(cut(50, 120.0, slots=4)) == {1}


def test_the_last_chunks_are_small_enough_for_all_to_end_together():
    assert max(cut(10_000, 0.5, slots=8)[-8:]) * 0.5 <= 1.5
