"""The verdicts on made-up summaries whose verdict is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fselect.reproductions.evidence import mean_interval, path, resampled, slope_interval
from fselect.reproductions.hamer_dupont import claims
from tests.reproductions.conftest import scattered, single, transfer, with_fronts

RISING, FALLING = (0.3, 0.35, 0.5, 0.6, 0.9), (0.9, 0.88, 0.8, 0.75, 0.7)


def verdict(findings, data="Prostate"):
    return next(finding.verdict for finding in findings if finding.data == data)


def reason(findings, data="Prostate"):
    return next(finding.reason for finding in findings if finding.data == data)


def test_the_trend_is_reproduced_where_stability_rises_and_accuracy_falls():
    assert verdict(claims.trend({"prostate": single(FALLING, RISING)})) == "reproduced"


def test_the_trend_is_not_reproduced_where_accuracy_stays():
    found = claims.trend({"prostate": single((0.8,) * 5, RISING)})
    assert verdict(found) == "not reproduced"
    assert reason(found) == "it is not shown that accuracy falls"


def test_a_study_that_was_not_run_is_not_tested_and_says_so():
    found = claims.trend({"prostate": single(FALLING, RISING)})
    assert verdict(found, "Gisette") == "not tested"
    assert reason(found, "Gisette") == "the study was not run"


def test_few_repeats_decide_nothing():
    found = claims.trend({"prostate": single(FALLING, RISING, repeats=4)})
    assert verdict(found) == "not tested"
    assert "4 repeats are too few" in reason(found)


def test_a_price_paid_at_the_first_clear_gain_is_dear_on_prostate_and_not_cheap_on_gisette():
    dear = single((0.9, 0.89, 0.8, 0.7, 0.6), RISING)
    found = claims.price_of_stability({"prostate": dear, "gisette": dear})
    assert [verdict(found), verdict(found, "Gisette")] == ["reproduced", "not reproduced"]
    assert found[0].measured[0].name == "φ at shape 1"


def test_stability_for_nothing_is_cheap_on_gisette_and_not_dear_on_prostate():
    cheap = single((0.9, 0.9, 0.899, 0.7, 0.6), RISING)
    found = claims.price_of_stability({"prostate": cheap, "gisette": cheap})
    assert [verdict(found), verdict(found, "Gisette")] == ["not reproduced", "reproduced"]


def test_a_price_without_any_gain_is_not_reproduced():
    flat = single(FALLING, (0.3, 0.31, 0.32, 0.33, 0.35))
    assert verdict(claims.price_of_stability({"prostate": flat})) == "not reproduced"


def test_a_prior_pays_where_the_area_grows_by_more_than_the_margin():
    without, given = single(FALLING, RISING), single(tuple(a + 0.08 for a in FALLING), RISING)
    found = claims.prior_pays({"prostate": without, "prostate-prior": given})
    assert verdict(found) == "reproduced"
    difference = found[0].measured[0]
    # With 0.08 more accuracy at each of the biased points, whose stabilities reach to 0.9, the area grows by 0.072.
    assert difference.value == pytest.approx(0.08 * 0.9, abs=1e-9)
    assert difference.low > claims.MARGIN


def test_a_prior_that_gains_less_than_the_margin_is_not_considerable():
    without, given = single(FALLING, RISING), single(tuple(a + 0.01 for a in FALLING), RISING)
    assert verdict(claims.prior_pays({"prostate": without, "prostate-prior": given})) == "not reproduced"


def test_a_prior_without_its_counterpart_is_not_tested():
    assert verdict(claims.prior_pays({"prostate-prior": single(FALLING, RISING)})) == "not tested"


def growing(spreads, correlation):
    base = single(FALLING, RISING)
    points = [
        scattered(point.label, point.accuracy, point.stability, spread=spread, correlation=correlation, seed=seed)
        for seed, (point, spread) in enumerate(zip(base.points, [*spreads, 0.01], strict=True))
    ]
    return with_fronts(replace(base, points=tuple(points)))


def test_ellipses_that_grow_and_lean_right_are_reproduced():
    found = {"prostate": growing((0.005, 0.01, 0.015, 0.02, 0.03), 0.7)}
    assert verdict(claims.ellipses_grow(found)) == "reproduced"
    assert verdict(claims.ellipses_lean(found)) == "reproduced"


def test_ellipses_that_shrink_or_lean_left_are_not_reproduced():
    found = {"prostate": growing((0.03, 0.02, 0.015, 0.01, 0.005), -0.7)}
    assert verdict(claims.ellipses_grow(found)) == "not reproduced"
    assert verdict(claims.ellipses_lean(found)) == "not reproduced"


def test_a_single_shape_that_leans_left_is_enough_against():
    lean = growing((0.01,) * 5, 0.9)
    left = scattered("shape 0.1", 0.7, 0.9, correlation=-0.9, seed=5)
    points = tuple(left if point.label == "shape 0.1" else point for point in lean.points)
    found = claims.ellipses_lean({"prostate": replace(lean, points=points)})
    assert verdict(found) == "not reproduced"
    assert "none leans left" in reason(found)


TASKS = "Prostate, 8 tasks, noise 3"


def test_a_moderate_strength_that_gains_both_is_reproduced_and_a_strong_one_pays():
    found = {"transfer-noise-3": transfer((0.8, 0.85, 0.82, 0.75), (0.1, 0.3, 0.5, 0.8), first=0.74)}
    assert verdict(claims.moderate_strength(found), TASKS) == "reproduced"
    assert verdict(claims.strong_strength(found), TASKS) == "reproduced"
    assert verdict(claims.beyond_the_trivial(found), TASKS) == "reproduced"


def test_transfer_that_only_costs_is_not_reproduced():
    found = {"transfer-noise-3": transfer((0.8, 0.78, 0.77, 0.77), (0.1, 0.3, 0.5, 0.8), first=0.79)}
    assert verdict(claims.moderate_strength(found), TASKS) == "not reproduced"
    assert "more accurate than the first set" in reason(claims.beyond_the_trivial(found), TASKS)


def test_accuracy_that_never_falls_again_is_not_the_cost_of_a_strong_bias():
    found = {"transfer-noise-3": transfer((0.8, 0.85, 0.85, 0.86), (0.1, 0.3, 0.5, 0.8), first=0.7)}
    assert verdict(claims.strong_strength(found), TASKS) == "not reproduced"


def test_the_strength_is_chosen_on_even_repeats_and_tested_on_odd_ones():
    summary = transfer((0.8, 0.8, 0.8, 0.8), (0.1, 0.3, 0.5, 0.8), first=0.7, spread=1e-3)
    lucky = summary.points[1].pairs.copy()
    lucky[::2, 0] += 0.1  # shows on the repeats of the choice only
    points = [replace(point, pairs=lucky) if point.strength == 0.5 else point for point in summary.points]
    found = claims.moderate_strength({"transfer-noise-3": replace(summary, points=tuple(points))})
    assert "strength 0.5" in found[0].measured[1].name
    assert verdict(found, TASKS) == "not reproduced"


def test_a_stability_of_one_in_every_repeat_contradicts_the_last_claim():
    below = single(FALLING, (0.3, 0.4, 0.5, 0.7, 0.95))
    at_one = scattered("shape 0.1", 0.7, 1.0, spread=0.0)
    reached = replace(below, points=tuple(at_one if p.label == "shape 0.1" else p for p in below.points))
    assert verdict(claims.never_one({"prostate": below})) == "reproduced"
    assert verdict(claims.never_one({"prostate": reached})) == "not reproduced"


def test_data_that_the_paper_does_not_use_are_marked():
    found = claims.trend({"arcene": single(FALLING, RISING)})
    assert {finding.data: finding.in_paper for finding in found}["Arcene"] is False
    assert verdict(found, "Arcene") == "reproduced"


def test_the_path_starts_at_no_bias_whatever_the_order_of_points():
    summary = single(FALLING, RISING)
    shuffled = replace(summary, points=summary.points[::-1])
    assert [point.label for point in path(shuffled)] == ["unbiased", "shape 10", "shape 1", "shape 0.5", "shape 0.1"]


def test_intervals_are_students():
    from scipy import stats

    sample = np.random.default_rng(3).normal(size=12)
    found = mean_interval("x", sample)
    low, high = stats.t.interval(0.95, 11, loc=sample.mean(), scale=stats.sem(sample))
    assert [found.low, found.high] == pytest.approx([low, high])


def test_the_slope_over_the_grid_is_the_least_squares_one():
    table = np.random.default_rng(4).normal(size=(6, 5))
    expected = np.polyfit(np.arange(5), table.mean(axis=0), 1)[0]
    assert slope_interval("x", table).value == pytest.approx(expected)


def test_observed_covariances_are_numpys_and_resamples_scatter_about_them():
    pairs = np.random.default_rng(5).normal(size=(60, 2, 2))
    observed, drawn = resampled(pairs)
    for place in range(2):
        assert observed[place] == pytest.approx(np.cov(pairs[:, place].T))
    assert np.median(drawn[:, :, 0, 0], axis=0) == pytest.approx(observed[:, 0, 0], rel=0.1)
