"""Confidence ellipse: worked numbers, geometry, degenerate covariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import betainc, findroot

from fselect.errors import InputError
from fselect.evaluation.pareto import confidence_ellipse

SIX = [(0.80, 0.50), (0.82, 0.55), (0.78, 0.47), (0.81, 0.52), (0.79, 0.51), (0.83, 0.56)]


def radius(ellipse, samples):
    """Length of the longer half axis in units of the standard deviation along it."""
    return ellipse.radii[0] / np.std(np.asarray(samples) @ ellipse.axes[:, 0], ddof=1)


def test_the_worked_example_gives_its_radius_and_extreme_points():
    ellipse = confidence_ellipse(SIX)
    assert radius(ellipse, SIX) == pytest.approx(1.7010134124, abs=1e-9)
    assert ellipse.most_dominant == pytest.approx([0.83619846, 0.57431354], abs=5e-9)
    assert ellipse.most_dominated == pytest.approx([0.77380154, 0.46235312], abs=5e-9)
    assert ellipse.center == pytest.approx([0.805, 0.51833333], abs=1e-8)


@pytest.mark.parametrize(("n_pairs", "level"), [(3, 0.95), (10, 0.9), (100, 0.99)])
def test_the_radius_uses_the_upper_point_of_the_f_law(n_pairs, level):
    samples = np.random.default_rng(1).normal(0.5, 0.1, (n_pairs, 2))
    freedom = n_pairs - 2

    def cdf(value):  # of F(2, freedom), through the incomplete beta function
        return betainc(1, freedom / 2, 0, 2 * value / (2 * value + freedom), regularized=True) - level

    # For 2 and m degrees of freedom the quantile is known: m/2 ((1-level)^(-2/m) - 1), a start for the root.
    upper = findroot(cdf, freedom / 2 * ((1 - level) ** (-2 / freedom) - 1) * 1.01)
    expected = np.sqrt(2 * (n_pairs - 1) / (n_pairs * freedom) * float(upper))
    assert radius(confidence_ellipse(samples, level), samples) == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 10_000))
def test_the_extreme_points_are_farthest_along_the_diagonal(seed):
    samples = np.random.default_rng(seed).normal(0.5, 0.1, (7, 2)) @ [[1, 0.7], [0, 0.4]]
    ellipse = confidence_ellipse(samples)
    heights = ellipse.outline(20_001).sum(axis=1)
    assert ellipse.most_dominant.sum() == pytest.approx(heights.max(), abs=1e-7)
    assert ellipse.most_dominated.sum() == pytest.approx(heights.min(), abs=1e-7)


@given(st.integers(0, 10_000))
def test_axes_are_orthonormal_directions_in_columns_the_longer_first(seed):
    samples = np.random.default_rng(seed).normal(0.5, 0.1, (6, 2))
    ellipse = confidence_ellipse(samples)
    assert ellipse.axes.T @ ellipse.axes == pytest.approx(np.eye(2), abs=1e-12)
    assert ellipse.radii[0] >= ellipse.radii[1]
    along = (samples - samples.mean(axis=0)) @ ellipse.axes
    assert np.sum(along[:, 0] * along[:, 1]) == pytest.approx(0, abs=1e-12)


def test_the_border_satisfies_the_defining_equation():
    samples = np.array(SIX)
    step = confidence_ellipse(samples).outline(37) - samples.mean(axis=0)
    distance = np.einsum("ij,jk,ik->i", step, np.linalg.inv(np.cov(samples.T)), step)
    assert distance == pytest.approx(np.full(37, 1.7010134124**2), rel=1e-8)


def test_a_point_is_inside_exactly_if_it_satisfies_the_inequality():
    ellipse = confidence_ellipse(SIX)
    assert ellipse.contains(ellipse.center)
    border = ellipse.outline(9)
    assert all(ellipse.contains(ellipse.center + 0.99 * (p - ellipse.center)) for p in border)
    assert not any(ellipse.contains(ellipse.center + 1.01 * (p - ellipse.center)) for p in border)


def test_a_constant_stability_makes_the_ellipse_a_segment_along_accuracy():
    samples = np.column_stack([[0.5, 0.6, 0.7, 0.55], np.full(4, 0.1)])
    ellipse = confidence_ellipse(samples)
    assert ellipse.radii[1] == 0
    assert ellipse.axes[:, 0] == pytest.approx([1, 0])
    assert ellipse.most_dominant[1] == pytest.approx(0.1, abs=1e-15)
    assert ellipse.most_dominant[0] == pytest.approx(ellipse.center[0] + ellipse.radii[0])
    assert ellipse.contains((0.59, ellipse.center[1]))
    assert not ellipse.contains((0.59, 0.11))


def test_equal_repeats_make_the_ellipse_a_point():
    ellipse = confidence_ellipse([(0.7, 0.1)] * 5)
    assert ellipse.radii.tolist() == [0, 0]
    assert ellipse.most_dominant == pytest.approx([0.7, 0.1])
    assert np.array_equal(ellipse.most_dominant, ellipse.most_dominated)
    assert np.isfinite(ellipse.outline()).all()


def test_without_variance_along_the_diagonal_the_extreme_points_are_the_mean():
    lean = np.array([-0.2, 0.0, 0.1, 0.05])
    ellipse = confidence_ellipse(np.column_stack([0.6 + lean, 0.6 - lean]))
    assert np.array_equal(ellipse.most_dominant, ellipse.center)
    assert ellipse.radii[0] > 0


def test_a_negative_covariance_can_put_the_dominant_point_below_the_mean_in_one_score():
    lean = np.array([-0.02, 0.0, 0.01, 0.015, -0.005])
    jitter = np.array([0.001, -0.001, 0.001, 0.0, -0.001])
    ellipse = confidence_ellipse(np.column_stack([0.6 + lean + jitter, 0.6 - 4 * lean]))
    assert ellipse.most_dominant[0] < ellipse.center[0]
    assert ellipse.most_dominant.sum() > ellipse.center.sum()


@pytest.mark.parametrize("n_pairs", [1, 2])
def test_fewer_than_three_repeats_have_no_ellipse(n_pairs):
    with pytest.raises(InputError, match=f"no ellipse: .* at least 3 repeats, there (is|are) {n_pairs}"):
        confidence_ellipse(SIX[:n_pairs])


@pytest.mark.parametrize("samples", [[], [0.1, 0.2], [[0.1, 0.2, 0.3]] * 4])
def test_samples_of_another_shape_are_refused(samples):
    with pytest.raises(InputError, match="rows"):
        confidence_ellipse(samples)


def test_a_repeat_without_a_value_is_named():
    with pytest.raises(InputError, match="row 1 of samples"):
        confidence_ellipse([(0.5, 0.5), (0.5, float("nan")), (0.4, 0.4)])
