"""The rules of the operating point, on fronts worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fselect.errors import InputError
from fselect.evaluation.operating_point import RULES, choose
from fselect.evaluation.pareto import pareto_front

#         unbiased      a            b            c            random set     dominated
POINTS = [(0.90, 0.10), (0.89, 0.30), (0.87, 0.60), (0.70, 0.80), (0.55, 1.00), (0.80, 0.20)]
ERRORS = [0.015, 0.01, 0.01, 0.01, 0.01, 0.01]
TRIVIAL = [False, False, False, False, True, False]
LABELS = ["unbiased", "shape 1", "shape 0.5", "shape 0.1", "random set", "shape 2"]
FRONT = [0, 1, 2, 3, 4]
VALUES = {"min_stability": 0.5, "max_accuracy_loss": 0.05, "weight": 0.5}


def pick(rule="one_se", value=None, points=POINTS, errors=ERRORS, front=FRONT, trivial=TRIVIAL, labels=LABELS):
    return choose(points, errors, front, trivial, rule, value, labels)


@pytest.mark.parametrize(
    ("rule", "value", "label", "numbers"),
    [
        ("one_se", None, "shape 1", ["0.890", "0.300", "0.885", "0.900", "0.015"]),
        ("min_stability", 0.5, "shape 0.5", ["0.870", "0.600", "0.500"]),
        ("min_stability", 0.6, "shape 0.5", ["0.600"]),
        ("min_stability", 0.9, "shape 0.1", ["no point reaches", "0.900", "0.800"]),
        ("max_accuracy_loss", 0.03, "shape 0.5", ["0.030", "0.900"]),
        ("max_accuracy_loss", 0.0, "unbiased", ["0.000"]),
        ("max_accuracy_loss", 1.0, "shape 0.1", ["1.000"]),
        ("weight", 0.0, "unbiased", ["0.900"]),
        ("weight", 0.5, "shape 0.1", ["0.750"]),
        ("weight", 0.3, "shape 0.5", ["0.789"]),
        ("weight", 1.0, "shape 0.1", ["0.800"]),
        ("knee", None, "shape 0.5", ["chord", "unbiased", "shape 0.1"]),
    ],
)
def test_each_rule_chooses_its_point_and_says_the_numbers(rule, value, label, numbers):
    choice = pick(rule, value)
    assert LABELS[choice.position] == label
    assert choice.reason.startswith(f"{rule}: ")
    assert choice.reason.endswith(".")
    assert all(number in choice.reason for number in [label, *numbers])


def test_the_result_unpacks_into_position_and_reason():
    position, reason = pick()
    assert (position, type(reason)) == (1, str)


def test_the_best_passes_its_own_threshold_without_a_standard_error():
    unknown = pick(errors=[float("nan")] * 6)
    assert unknown.position == 0
    assert "which one repeat does not give" in unknown.reason
    assert pick(errors=[0.0] * 6).position == 0


@pytest.mark.parametrize("rule", RULES)
def test_a_trivial_strategy_is_never_chosen_even_if_it_dominates_everything(rule):
    points = [(0.60, 0.10), (0.58, 0.30), (0.55, 0.20), (0.95, 1.00)]
    choice = choose(points, [0.01] * 4, pareto_front(points), [False, False, False, True], rule, VALUES.get(rule))
    assert choice.position in (0, 1)
    assert "Trivial strategies dominate every other point" in choice.reason


@pytest.mark.parametrize("rule", RULES)
def test_a_front_of_one_point_gives_that_point(rule):
    assert pick(rule, VALUES.get(rule), points=[(0.8, 0.5)], errors=[0.01], front=[0], trivial=[False]).position == 0


@pytest.mark.parametrize("rule", RULES)
def test_a_flat_front_gives_the_first_of_the_equal_points(rule):
    points = [(0.8, 0.5)] * 3
    choice = choose(points, [0.0] * 3, pareto_front(points), [False] * 3, rule, VALUES.get(rule))
    assert choice.position == 0


def test_the_only_non_trivial_point_of_the_front_is_told_as_such():
    choice = pick(front=[2, 4])
    assert choice.position == 2
    assert "only one that is not a trivial strategy" in choice.reason


def test_a_knee_of_two_points_or_of_a_front_below_its_chord_falls_back_to_one_se():
    two = choose([(0.9, 0.1), (0.5, 0.8)], [0.01] * 2, [0, 1], [False] * 2, "knee")
    assert two.position == 0
    assert "fewer than three different points, so by one_se" in two.reason
    hollow = choose([(0.9, 0.1), (0.5, 0.2), (0.4, 0.9)], [0.01] * 3, [0, 1, 2], [False] * 3, "knee")
    assert hollow.position == 0
    assert "no point above the chord, so by one_se" in hollow.reason


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)), min_size=3, max_size=9),
    st.floats(0.1, 1),
)
def test_the_knee_does_not_depend_on_the_scale_of_an_axis(points, scale):
    points = np.round(points, 3)
    front = pareto_front(points)
    a, s = points[front[0]], points[front[-1]]
    heights = np.abs((points[front] - a) @ [s[1] - a[1], a[0] - s[0]])
    flags, errors = [False] * len(points), [0.0] * len(points)
    if len(set(heights.round(9))) == len(heights):  # no ties: rounding cannot decide
        plain = choose(points, errors, front, flags, "knee").position
        assert choose(points * [1, scale], errors, front, flags, "knee").position == plain


def test_points_without_a_stability_are_passed_over():
    points = [(0.9, float("nan")), (0.8, 0.2), (0.7, 1.0)]
    assert choose(points, [0.0] * 3, [2], [False, False, True]).position == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "best"}, "unknown rule 'best'.*one_se"),
        ({"rule": "weight"}, "weight needs a value"),
        ({"rule": "min_stability", "value": 50}, "between 0 and 1, not 50"),
        ({"trivial": [True] * 6}, "all points are trivial"),
    ],
)
def test_a_rule_that_cannot_be_applied_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        pick(**change)
