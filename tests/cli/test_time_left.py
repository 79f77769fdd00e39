"""The estimate of the time left, where there is no terminal for a bar."""

from collections import deque

from fselect.cli.running import _time_left


def test_the_time_in_which_kernels_were_compiled_is_forgotten():
    units = [0.0, 15.0] + [15.0 + 0.1 * number for number in range(1, 600)]  # the second one waited
    assert _time_left(deque(units), 100) == ", about 10 s left"


def test_units_that_take_minutes_have_an_estimate_from_the_second_on():
    assert _time_left(deque([100.0]), 5) == ""
    assert _time_left(deque([100.0, 400.0]), 5) == ", about 1500 s left"
    assert _time_left(deque([100.0, 400.0, 600.0]), 5) == ", about 1000 s left"


def test_nothing_is_said_at_the_end():
    assert _time_left(deque([1.0, 2.0]), 0) == ""
