"""Pareto front, dominance area, and the interval of the area that confidence ellipses give.

Hamer & Dupont (2019), section 3. (a, phi) dominates (a', phi') iff a >= a', phi >= phi' and one of the
two is strict. The dominance area is the share of the unit square that a method's points dominate: the
hypervolume of the Pareto set against the reference (0, 0).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.ellipse import Ellipse, as_samples, confidence_ellipse
from fselect.evaluation.floats import as_floats
from fselect.evaluation.interval import Interval, check_level
from fselect.evaluation.weighting import Density, Separable, Weight, as_weighting

__all__ = [
    "Ellipse",
    "Interval",
    "confidence_ellipse",
    "dominance_area",
    "dominance_areas",
    "dominance_interval",
    "pareto_front",
]


def pareto_front(points: ArrayLike) -> NDArray[np.intp]:
    """Return which points no other point dominates, by rising stability.

    Equal points do not dominate each other: all of them are on the front, in their order. A point with a
    nan dominates nothing and is never on it (its stability is undefined, not bad). Takes n log n steps.

    Parameters
    ----------
    points : array-like of shape (n, 2)
        (accuracy, stability) rows.

    Returns
    -------
    ndarray of int, shape (m,)
        Positions of the front's points.

    Raises
    ------
    fselect.errors.InputError
        If points has another shape.

    Examples
    --------
    >>> pareto_front([(.90, .20), (.85, .50), (.70, .80), (.60, 1.00), (.80, .40)])
    array([0, 1, 2, 3])
    """
    pairs = _as_points(points)
    known = np.flatnonzero(~np.isnan(pairs).any(axis=1))
    accuracy, stability = pairs[known].T
    order = np.lexsort((-accuracy, -stability))
    best = np.maximum.accumulate(accuracy[order])
    # Against everything before it in this order, a point is dominated unless it raises the accuracy ...
    rises = np.ones(len(order), dtype=bool)
    rises[1:] = best[1:] > best[:-1]
    # ... or equals a point that did: equal points are neighbours, and share the fate of the first.
    same = np.zeros(len(order), dtype=bool)
    same[1:] = (np.diff(accuracy[order]) == 0) & (np.diff(stability[order]) == 0)
    first = np.maximum.accumulate(np.where(same, 0, np.arange(len(order))))
    front = known[order[rises[first]]]
    return front[np.lexsort((front, pairs[front, 1]))]


def dominance_area(points: ArrayLike, weight: Weight = None) -> float:
    """Return the dominance area of points, plain or weighted.

    A negative stability counts as 0, points with a nan count for nothing. The weighted area is the
    integral of the weight over the dominated region; its density must integrate to 1 over the unit
    square, so that the area stays between 0 and 1. A common use: only accuracy above that of always
    guessing the majority class counts, ``weight=((0.63, 1), (0, 1))``.

    Parameters
    ----------
    points : array-like of shape (n, 2)
        (accuracy, stability) rows; need not be a front.
    weight : None, pair or callable, default=None
        None for the plain area; a pair (accuracy first) of frozen continuous scipy laws or (low, high)
        intervals, exact through their distribution functions; or a density w(accuracy, stability), by
        numerical quadrature (about 1e-8 for a smooth one).

    Returns
    -------
    float
        Between 0 and 1; 0 for no points.

    Raises
    ------
    fselect.errors.InputError
        If points has another shape, a value is above 1, or the weight does not integrate to 1.

    Examples
    --------
    >>> front = [(.90, .20), (.85, .50), (.70, .80), (.60, 1.00), (.80, .40)]
    >>> round(dominance_area(front), 9)
    0.765
    >>> round(dominance_area(front, weight=((0.5, 1), (0, 1))), 9)
    0.53
    """
    pairs = _unit_points(points)
    weighting = as_weighting(weight)
    if isinstance(weighting, Density):
        return _quadrature(pairs[pareto_front(pairs)], weighting)
    return float(dominance_areas(pairs[None], weighting)[0])


def dominance_areas(points: NDArray[np.float64], weighting: Separable) -> NDArray[np.float64]:
    """Return the dominance areas of many sets of points at once.

    Parameters
    ----------
    points : ndarray of shape (R, n, 2)
        R sets of (accuracy, stability) rows in [0, 1]².
    weighting : Separable
        A weight with one law an axis, from ``as_weighting``.

    Returns
    -------
    ndarray of shape (R,)
        The areas.

    Examples
    --------
    >>> dominance_areas(np.array([[[0.5, 1.0], [1.0, 0.5]]]), as_weighting(None))
    array([0.75])
    """
    order = np.argsort(-points[:, :, 1], axis=1)
    accuracy = np.take_along_axis(points[:, :, 0], order, axis=1)
    stability = np.take_along_axis(points[:, :, 1], order, axis=1)
    # From the most stable point downwards: every stability is worth the best accuracy at or above it.
    height = weighting.accuracy(np.maximum.accumulate(accuracy, axis=1))
    reach = weighting.stability(stability)
    steps = reach.copy()
    steps[:, :-1] -= reach[:, 1:]
    return np.sum(height * steps, axis=1)


def dominance_interval(samples: Sequence[ArrayLike], level: float = 0.95, weight: Weight = None) -> Interval:
    """Return the dominance area of mean points with the interval that their ellipses give.

    The front of the means is taken; the most dominated and most dominant points of its ellipses are
    clipped to [0, 1]², and their areas are the limits (widened to hold the area itself: with a negative
    covariance a "dominant" point can lie below the mean). It is made of one statement a point, each at
    the level, and is no simultaneous statement; its measured coverage is in docs/coverage.md.

    Parameters
    ----------
    samples : sequence of array-like of shape (B, 2)
        For each point its (accuracy, stability) pairs, one a repeat.
    level : float, default=0.95
        Level of each ellipse.
    weight : None, pair or callable, default=None
        As for :func:`dominance_area`.

    Returns
    -------
    Interval
        The area and its limits; the limits are nan, with a warning, if a front point has fewer than three
        repeats.

    Raises
    ------
    fselect.errors.InputError
        If there are no points, a pair is not finite, or level or weight cannot be used.

    Examples
    --------
    >>> pairs = [(.80, .50), (.82, .55), (.78, .47), (.81, .52), (.79, .51), (.83, .56)]
    >>> found = dominance_interval([pairs])
    >>> print(f"{found.value:.4f} in [{found.low:.4f}, {found.high:.4f}]")
    0.4173 in [0.3578, 0.4802]
    """
    level = check_level(level)
    repeats = [as_samples(pairs) for pairs in samples]
    if not repeats:
        raise InputError("a dominance area needs the pairs of at least one point")
    means = np.array([pairs.mean(axis=0) for pairs in repeats])
    value = dominance_area(means, weight)
    front = [repeats[position] for position in pareto_front(means)]
    if min(len(pairs) for pairs in front) < 3:
        warnings.warn("no interval: a front point has fewer than 3 repeats", RuntimeWarning, stacklevel=2)
        return Interval(value, nan, nan)
    ellipses = [confidence_ellipse(pairs, level) for pairs in front]
    low = dominance_area(np.clip([ellipse.most_dominated for ellipse in ellipses], 0, 1), weight)
    high = dominance_area(np.clip([ellipse.most_dominant for ellipse in ellipses], 0, 1), weight)
    return Interval(value, min(value, low), max(value, high))


def _as_points(points: ArrayLike) -> NDArray[np.float64]:
    pairs = as_floats(points, "points")
    if pairs.size == 0:
        return pairs.reshape(0, 2)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f"points must be (accuracy, stability) rows, not the shape {pairs.shape}")
    return pairs


def _unit_points(points: ArrayLike) -> NDArray[np.float64]:
    """Points that count, in [0, 1]²; at least one row, so that the empty area needs no case of its own."""
    pairs = _as_points(points)
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if (pairs > 1 + 1e-9).any():
        row = int(np.argmax((pairs > 1 + 1e-9).any(axis=1)))
        raise InputError(f"point {pairs[row].tolist()} lies above 1; give accuracy and stability as shares")
    return np.clip(pairs, 0, 1) if len(pairs) else np.zeros((1, 2))


def _quadrature(front: NDArray[np.float64], density: Density) -> float:
    """Sum over the steps of the staircase, by rising stability."""
    lows = np.concatenate([[0.0], front[:-1, 1]])
    return sum(density.strip(accuracy, low, high) for (accuracy, high), low in zip(front, lows, strict=True))
