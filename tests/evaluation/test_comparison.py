"""Bootstrap interval of the area and the paired comparison."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.evaluation.comparison import bootstrap_dominance_interval, compare_areas
from fselect.evaluation.pareto import dominance_area


def repeats(seed, n_repeats=30, n_points=4, shift=0.0, spread=0.03):
    rng = np.random.default_rng(seed)
    means = np.column_stack([np.linspace(0.9, 0.6, n_points), np.linspace(0.2, 0.9, n_points)])
    return [mean + shift + rng.normal(0, spread, (n_repeats, 2)) for mean in means]


def test_the_interval_is_the_percentile_interval_of_resampled_areas():
    pairs = repeats(0, n_repeats=12)
    found = bootstrap_dominance_interval(pairs, level=0.9, n_resamples=500, rng=7)
    stacked = np.array(pairs)
    assert found.value == pytest.approx(dominance_area(stacked.mean(axis=1)))
    # The plain way: rows drawn one by one, jointly for all points; other draws, so equal up to their noise.
    rng = np.random.default_rng(1)
    areas = [dominance_area(stacked[:, rng.integers(0, 12, 12)].mean(axis=1)) for _ in range(4000)]
    assert found.low == pytest.approx(np.quantile(areas, 0.05), abs=0.004)
    assert found.high == pytest.approx(np.quantile(areas, 0.95), abs=0.004)
    assert found.variance == pytest.approx(np.var(areas), rel=0.25)


def test_repeats_are_resampled_jointly_for_all_points():
    # Stability of one point rises as that of the other falls: in the same repeats their area is constant.
    lean = np.random.default_rng(0).normal(0, 0.05, 20)
    left = np.column_stack([np.full(20, 1.0), 0.3 + lean])
    right = np.column_stack([np.full(20, 0.5), 0.8 - lean])
    joint = bootstrap_dominance_interval([left, right], rng=0)
    alone = bootstrap_dominance_interval([left, right[::-1]], rng=0)
    # The area is half the sum of the two stabilities, 0.55 in every joint draw.
    assert joint.low == pytest.approx(0.55, abs=1e-12)
    assert joint.high == pytest.approx(0.55, abs=1e-12)
    assert alone.high - alone.low > 0.01


def test_the_same_seed_gives_the_same_interval_and_the_level_widens_it():
    pairs = repeats(1)
    assert bootstrap_dominance_interval(pairs, rng=3) == bootstrap_dominance_interval(pairs, rng=3)
    narrow = bootstrap_dominance_interval(pairs, level=0.5, rng=3)
    wide = bootstrap_dominance_interval(pairs, level=0.99, rng=3)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_a_density_gives_the_same_interval_as_the_law_it_stands_for():
    pairs = repeats(2, n_points=2)
    by_law = bootstrap_dominance_interval(pairs, n_resamples=20, rng=0, weight=((0, 1), (0, 1)))
    by_density = bootstrap_dominance_interval(pairs, n_resamples=20, rng=0, weight=lambda a, s: 1.0)
    assert by_density.low == pytest.approx(by_law.low, abs=1e-8)
    assert by_density.high == pytest.approx(by_law.high, abs=1e-8)


def test_negative_stabilities_count_as_zero_after_the_mean_is_taken():
    pairs = [np.column_stack([np.full(6, 0.5), [-0.4, 0.4, -0.1, 0.1, -0.2, 0.2]])]
    assert bootstrap_dominance_interval(pairs, rng=0).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "at least one point"),
        ([[(0.5, 0.5)] * 4, [(0.5, 0.5)] * 5], "same number"),
        ([[(0.5, 0.5)]], "at least 2 repeats"),
        ([[(50.0, 0.5)] * 4], "as shares"),
    ],
)
def test_pairs_that_cannot_be_resampled_jointly_are_refused(pairs, message):
    with pytest.raises(InputError, match=message):
        bootstrap_dominance_interval(pairs)


def test_a_method_compared_with_itself_differs_by_nothing_with_p_one():
    pairs = repeats(3)
    assert compare_areas(pairs, pairs, rng=0) == (0.0, 0.0, 0.0, 1.0)


def test_a_small_difference_common_to_all_repeats_is_seen_because_the_comparison_is_paired():
    pairs = repeats(4, spread=0.1)
    better = [point + np.array([0.01, 0.0]) for point in pairs]
    found = compare_areas(better, pairs, rng=0)
    assert found.low > 0
    assert found.p_value < 0.01
    assert found.difference == pytest.approx(0.01 * np.array(pairs)[-1].mean(axis=0)[1], rel=1e-6)
    # The areas themselves are far less certain than their difference.
    alone = bootstrap_dominance_interval(pairs, rng=0)
    assert found.high - found.low < (alone.high - alone.low) / 3


def test_the_comparison_is_antisymmetric():
    one, two = repeats(5), repeats(6)
    forth, back = compare_areas(one, two, rng=0), compare_areas(two, one, rng=0)
    assert back.difference == -forth.difference
    assert back.low == pytest.approx(-forth.high, abs=1e-12)
    assert back.p_value == forth.p_value


def test_p_values_of_equal_methods_are_about_uniform():
    # 200 comparisons under the null: the share below 0.2 is binomial, 4 standard deviations are 0.113;
    # the bootstrap of 25 repeats is a little narrow, which adds about (1 - sqrt(24/25)) of the rate.
    p_values = [compare_areas(repeats(i, 25), repeats(i + 500, 25), n_resamples=300, rng=i).p_value for i in range(200)]
    assert np.mean(np.array(p_values) < 0.2) == pytest.approx(0.2, abs=0.125)


def test_methods_with_different_repeats_cannot_be_paired():
    with pytest.raises(InputError, match="same repeats: one method has 30, one 20"):
        compare_areas(repeats(0), repeats(0, n_repeats=20))
