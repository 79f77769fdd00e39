"""Units in chunks."""

import pytest

from flows import chunks as module
from flows.chunks import chunks


class Clock:
    """A clock that the test moves."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def sizes(clock, seconds_a_unit, **options):
    found = []
    for chunk in chunks(range(1000), **options):
        found.append(len(chunk))
        clock.now += seconds_a_unit * len(chunk)
    return found


def test_all_units_come_once_and_in_order(clock):
    assert [unit for chunk in chunks(range(1000), workers=3) for unit in chunk] == list(range(1000))


def test_after_a_first_small_chunk_the_others_take_the_time_asked_for(clock):
    assert sizes(clock, 0.1, workers=2, seconds=20.0) == [4, 200, 200, 200, 200, 196]


def test_slow_units_still_give_every_worker_one(clock):
    assert sizes(clock, 60.0, workers=4, seconds=20.0)[1:-1] == [4] * 247


def test_quick_units_are_not_put_into_one_task_without_end(clock):
    assert sizes(clock, 1e-5, workers=2, most=300) == [4, 300, 300, 300, 96]


def test_nothing_to_do_gives_no_chunk(clock):
    assert list(chunks([], workers=2)) == []
