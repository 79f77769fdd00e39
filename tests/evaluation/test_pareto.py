"""Front, dominance area and the interval of the ellipses."""

from __future__ import annotations

import time
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fselect.errors import InputError
from fselect.evaluation.pareto import dominance_area, dominance_interval, pareto_front

FIVE = [(0.90, 0.20), (0.85, 0.50), (0.70, 0.80), (0.60, 1.00), (0.80, 0.40)]
SIX = [(0.80, 0.50), (0.82, 0.55), (0.78, 0.47), (0.81, 0.52), (0.79, 0.51), (0.83, 0.56)]
PLAIN = ((0, 1), (0, 1))

# Values from a coarse grid, so that ties and duplicates are common.
grid = st.integers(0, 6).map(lambda value: value / 6)
point_lists = st.lists(st.tuples(grid, grid), min_size=1, max_size=12)


def dominates(p, q):
    return p[0] >= q[0] and p[1] >= q[1] and p != q


@given(point_lists)
def test_the_front_is_what_no_point_dominates_by_rising_stability(points):
    front = pareto_front(points)
    expected = {i for i, q in enumerate(points) if not any(dominates(p, q) for p in points)}
    assert set(front.tolist()) == expected
    ordered = [(points[i][1], i) for i in front]
    assert ordered == sorted(ordered)


def test_the_worked_front_drops_the_dominated_point_and_has_area_0_765():
    assert pareto_front(FIVE).tolist() == [0, 1, 2, 3]
    assert dominance_area(FIVE) == pytest.approx(0.765, abs=1e-12)


def test_points_without_a_stability_are_left_out_and_no_points_have_no_area():
    assert pareto_front([(0.9, float("nan")), (0.5, 0.5)]).tolist() == [1]
    assert dominance_area([(0.9, float("nan")), (0.5, 0.5)]) == 0.25
    assert pareto_front([]).tolist() == []
    assert dominance_area([]) == 0.0
    assert dominance_area([(0.9, float("nan"))]) == 0.0


def test_a_negative_stability_counts_as_zero():
    assert dominance_area([(0.9, -0.3)]) == 0.0
    assert dominance_area([(0.9, -0.3), (0.5, 0.5)]) == 0.25


def test_values_in_per_cent_are_refused():
    with pytest.raises(InputError, match="as shares"):
        dominance_area([(0.9, 0.5), (92.0, 0.4)])


@pytest.mark.parametrize("points", [[0.1, 0.2], [[0.1, 0.2, 0.3]]])
def test_rows_that_are_no_pairs_are_refused(points):
    with pytest.raises(InputError, match="rows"):
        pareto_front(points)


@given(point_lists, st.tuples(grid, grid))
def test_a_further_point_never_lowers_the_area_and_a_dominated_one_leaves_it(points, extra):
    before, after = dominance_area(points), dominance_area([*points, extra])
    assert after >= before - 1e-12
    if any(dominates(p, extra) for p in points):
        assert after == pytest.approx(before, abs=1e-12)


@given(point_lists)
def test_the_area_is_the_share_of_a_grid_that_is_dominated(points):
    # All points lie on the lines of the grid, so the middles of its cells decide exactly.
    middles = (np.arange(6) + 0.5) / 6
    covered = [any(a >= x and s >= y for a, s in points) for x in middles for y in middles]
    assert dominance_area(points) == pytest.approx(np.mean(covered), abs=1e-12)


@given(point_lists)
def test_accuracy_and_stability_play_the_same_part_in_the_plain_area(points):
    assert dominance_area(points) == pytest.approx(dominance_area([p[::-1] for p in points]), abs=1e-12)


@given(point_lists)
def test_uniform_weights_give_the_plain_area(points):
    plain = dominance_area(points)
    assert dominance_area(points, PLAIN) == pytest.approx(plain, abs=1e-12)
    assert dominance_area(points, [None, [0, 1]]) == pytest.approx(plain, abs=1e-12)
    assert dominance_area(points, (stats.uniform(0, 1), stats.beta(1, 1))) == pytest.approx(plain, abs=1e-9)


def test_a_separable_weight_agrees_with_a_monte_carlo_count():
    laws = (stats.beta(4, 2), stats.beta(2, 3))
    rng = np.random.default_rng(5)
    accuracy, stability = laws[0].rvs(400_000, random_state=rng), laws[1].rvs(400_000, random_state=rng)
    inside = np.zeros(len(accuracy), dtype=bool)
    for a, s in FIVE:
        inside |= (accuracy <= a) & (stability <= s)
    error = np.sqrt(inside.mean() * (1 - inside.mean()) / len(inside))
    assert abs(dominance_area(FIVE, laws) - inside.mean()) < 4 * error


def test_a_density_by_quadrature_equals_the_same_laws_through_their_distribution_functions():
    laws = (stats.beta(3, 2), stats.beta(2, 2))

    def density(accuracy, stability):
        return 12 * accuracy**2 * (1 - accuracy) * 6 * stability * (1 - stability)

    assert dominance_area(FIVE, density) == pytest.approx(dominance_area(FIVE, laws), abs=1e-8)


def test_a_density_with_a_jump_equals_the_interval_it_stands_for():
    density = dominance_area(FIVE, lambda accuracy, stability: 2.0 * (accuracy > 0.5))
    assert density == pytest.approx(dominance_area(FIVE, ((0.5, 1), (0, 1))), abs=1e-6)


def test_only_accuracy_above_the_floor_counts_with_an_interval():
    assert dominance_area([(0.5, 1.0)], ((0.5, 1), (0, 1))) == 0.0
    assert dominance_area([(0.75, 1.0)], ((0.5, 1), (0, 1))) == 0.5


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (lambda a, s: 2.0, "integrates to 2"),
        (lambda a, s: 3.0 * a - 0.5, "not negative"),
        ((stats.norm(0.5, 1), (0, 1)), "must lie in"),
        ((stats.uniform(0, 2), None), "must lie in"),
        ((stats.binom(1, 0.5), None), "continuous"),
        (((0.5, 1.5), (0, 1)), "0 <= low < high <= 1"),
        (((0.5, 0.5), (0, 1)), "0 <= low < high <= 1"),
        ((0.5, 1), "continuous frozen law"),
        ("beta", "must be a pair"),
        (1.0, "must be a pair"),
    ],
)
def test_a_weight_that_is_no_density_on_the_square_is_refused(weight, message):
    with pytest.raises(InputError, match=message):
        dominance_area(FIVE, weight)


def test_a_hundred_thousand_points_take_under_a_second():
    rng = np.random.default_rng(0)
    points = rng.random((100_000, 2))
    angle = np.linspace(0, np.pi / 2, 100_000)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    start = time.process_time()
    assert len(pareto_front(points)) < 100
    assert len(pareto_front(circle)) == 100_000
    # The staircase under a quarter circle.
    assert dominance_area(circle) == pytest.approx(np.pi / 4, abs=1e-4)
    assert time.process_time() - start < 1


def test_the_interval_of_one_point_is_made_of_its_extreme_points():
    found = dominance_interval([SIX])
    means = np.mean(SIX, axis=0)
    assert found.value == pytest.approx(means[0] * means[1], abs=1e-12)
    assert found.high == pytest.approx(0.83619846 * 0.57431354, abs=1e-7)
    assert found.low == pytest.approx(0.77380154 * 0.46235312, abs=1e-7)


def test_dominated_points_do_not_enter_the_interval():
    low = np.asarray(SIX) - 0.2
    with_it, without = dominance_interval([SIX, low]), dominance_interval([SIX])
    assert (with_it.value, with_it.low, with_it.high) == (without.value, without.low, without.high)


def test_the_limits_stay_in_zero_to_one_and_hold_the_area():
    near_one = [(1.0, 0.98), (0.9, 1.0), (1.0, 1.0), (0.95, 0.97)]
    found = dominance_interval([near_one])
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(st.integers(0, 10_000))
def test_the_interval_holds_the_area_even_if_accuracy_and_stability_run_against_each_other(seed):
    rng = np.random.default_rng(seed)
    lean = rng.normal(0, 0.1, 8)
    pairs = [np.column_stack([0.6 + lean, 0.5 - 3 * lean]) + rng.normal(0, 0.01, (8, 2)) for _ in range(3)]
    found = dominance_interval(pairs)
    assert found.low <= found.value <= found.high


def test_a_fixed_random_set_adds_a_segment_without_error():
    fixed = np.column_stack([[0.55, 0.60, 0.50, 0.58, 0.57, 0.61], np.ones(6)])
    found = dominance_interval([SIX, fixed])
    assert found.low < found.value < found.high


def test_fewer_than_three_repeats_give_the_area_without_limits_and_say_so():
    with pytest.warns(RuntimeWarning, match="fewer than 3 repeats"):
        found = dominance_interval([SIX[:2]])
    assert found.value > 0
    assert isnan(found.low)
    assert isnan(found.high)


def test_the_interval_takes_a_weight():
    weight = ((0.5, 1), (0, 1))
    found = dominance_interval([SIX], weight=weight)
    assert found.value == pytest.approx(dominance_area([np.mean(SIX, axis=0)], weight))
    assert found.low < found.value < found.high


def test_no_points_are_refused():
    with pytest.raises(InputError, match="at least one point"):
        dominance_interval([])
