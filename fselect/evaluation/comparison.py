"""Bootstrap interval of a dominance area, and the paired comparison of two methods' areas.

Repeats share their random draws across all points and methods, so they are resampled jointly: the same
repeats everywhere. This keeps the correlation between points, which the ellipses of Hamer & Dupont
(2019) leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.ellipse import as_samples
from fselect.evaluation.interval import Interval, check_level
from fselect.evaluation.pareto import dominance_area, dominance_areas
from fselect.evaluation.weighting import Density, Weight, as_weighting

__all__ = ["Comparison", "bootstrap_dominance_interval", "compare_areas"]

Random = np.random.Generator | int | None


class Comparison(NamedTuple):
    """Difference of two dominance areas.

    Attributes
    ----------
    difference : float
        Area of the first method minus area of the second.
    low, high : float
        Limits of its percentile-bootstrap interval.
    p_value : float
        Two-sided, for equal areas.

    Examples
    --------
    >>> Comparison(0.05, 0.01, 0.09, 0.02).difference
    0.05
    """

    difference: float
    low: float
    high: float
    p_value: float


def bootstrap_dominance_interval(
    pairs: Sequence[ArrayLike],
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Random = None,
    weight: Weight = None,
) -> Interval:
    """Return the dominance area of mean points with its percentile-bootstrap interval.

    The repeats are drawn with replacement, the same ones for all points; of each draw the means, their
    front and its area are taken anew. With few repeats a bootstrap interval is too narrow: see
    docs/coverage.md.

    Parameters
    ----------
    pairs : sequence of array-like of shape (B, 2)
        For each point its (accuracy, stability) pairs; row b belongs to the same repeat in all.
    level : float, default=0.95
        Wanted coverage.
    n_resamples : int, default=2000
        Draws; 2000 fix a 95 % limit to about a tenth of the area's standard error.
    rng : numpy.random.Generator, int or None, default=None
        Source of the draws, or a seed.
    weight : None, pair or callable, default=None
        As for :func:`fselect.evaluation.pareto.dominance_area`; a callable is integrated anew for each
        draw, which is slow.

    Returns
    -------
    Interval
        Area, limits, and the bootstrap variance.

    Raises
    ------
    fselect.errors.InputError
        If the points differ in their number of repeats or there are fewer than two, a pair is not finite,
        or level, n_resamples or weight cannot be used.

    Examples
    --------
    >>> left = [(.80, .50), (.82, .55), (.78, .47), (.81, .52)]
    >>> right = [(.70, .90), (.68, .80), (.72, .90), (.70, .80)]
    >>> found = bootstrap_dominance_interval([left, right], rng=0)
    >>> found.low < found.value < found.high
    True
    """
    stacked = _stack(pairs)
    draws = _draws(len(stacked), n_resamples, rng)
    areas = _areas(np.concatenate([_observed(len(stacked)), draws]), stacked, weight)
    low, high = _limits(areas[1:], level)
    return Interval(float(areas[0]), low, high, float(np.var(areas[1:], ddof=1)))


def compare_areas(
    pairs_a: Sequence[ArrayLike],
    pairs_b: Sequence[ArrayLike],
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Random = None,
    weight: Weight = None,
) -> Comparison:
    """Compare the dominance areas of two methods on the same repeats.

    Paired: each draw takes the same repeats of both, so what the repeats have in common (bootstraps, draws
    of the bias) cancels. The p-value is twice the smaller share of draws on either side of 0, each counted
    with one draw more so that it is never 0.

    Parameters
    ----------
    pairs_a, pairs_b : sequence of array-like of shape (B, 2)
        For each point of the method its pairs; row b belongs to the same repeat in all. The two methods may
        have different numbers of points.
    level : float, default=0.95
        Wanted coverage of the interval of the difference.
    n_resamples : int, default=2000
        Draws; the p-value cannot be below 2 / (n_resamples + 1).
    rng : numpy.random.Generator, int or None, default=None
        Source of the draws, or a seed.
    weight : None, pair or callable, default=None
        As for :func:`fselect.evaluation.pareto.dominance_area`.

    Returns
    -------
    Comparison
        Difference (first minus second), its limits and its p-value.

    Raises
    ------
    fselect.errors.InputError
        If the methods differ in their repeats, or as in :func:`bootstrap_dominance_interval`.

    Examples
    --------
    >>> first = [[(.80, .50), (.82, .55), (.78, .47), (.81, .52)]]
    >>> second = [[(.70, .40), (.72, .45), (.68, .37), (.71, .42)]]
    >>> compare_areas(first, second, rng=0).p_value < 0.01
    True
    """
    first, second = _stack(pairs_a), _stack(pairs_b)
    if len(first) != len(second):
        raise InputError(f"a paired comparison needs the same repeats: one method has {len(first)}, one {len(second)}")
    draws = np.concatenate([_observed(len(first)), _draws(len(first), n_resamples, rng)])
    differences = _areas(draws, first, weight) - _areas(draws, second, weight)
    low, high = _limits(differences[1:], level)
    return Comparison(float(differences[0]), low, high, _p_value(differences[1:]))


def _stack(pairs: Sequence[ArrayLike]) -> NDArray[np.float64]:
    """Pairs of all points by repeat: shape (B, points, 2)."""
    repeats = [as_samples(point) for point in pairs]
    lengths = {len(point) for point in repeats}
    if not repeats:
        raise InputError("a dominance area needs the pairs of at least one point")
    if len(lengths) > 1:
        raise InputError(f"repeats are resampled jointly: every point needs the same number, not {sorted(lengths)}")
    if lengths == {1}:
        raise InputError("a bootstrap needs at least 2 repeats, there is 1; raise repeats")
    stacked = np.stack(repeats, axis=1)
    if (largest := stacked.mean(axis=0).max()) > 1 + 1e-9:
        raise InputError(f"a mean of {largest:.4g} lies above 1; give accuracy and stability as shares")
    return stacked


def _observed(n_repeats: int) -> NDArray[np.float64]:
    return np.full((1, n_repeats), 1 / n_repeats)


def _draws(n_repeats: int, n_resamples: int, rng: Random) -> NDArray[np.float64]:
    """Share of each repeat in each draw with replacement: shape (n_resamples, B)."""
    if n_resamples < 2:
        raise InputError(f"n_resamples must be at least 2, not {n_resamples}")
    even = np.full(n_repeats, 1 / n_repeats)
    return np.random.default_rng(rng).multinomial(n_repeats, even, size=n_resamples) / n_repeats


def _areas(shares: NDArray[np.float64], stacked: NDArray[np.float64], weight: Weight) -> NDArray[np.float64]:
    """Dominance area of the mean points under each row of shares."""
    weighting = as_weighting(weight)
    means = np.clip(np.tensordot(shares, stacked, axes=1), 0, 1)
    if isinstance(weighting, Density):
        return np.array([dominance_area(points, weighting) for points in means])
    return dominance_areas(means, weighting)


def _limits(values: NDArray[np.float64], level: float) -> tuple[float, float]:
    tail = (1 - check_level(level)) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def _p_value(differences: NDArray[np.float64]) -> float:
    # A difference of rounding size is no difference: equal methods must not look different.
    below = np.sum(differences <= 1e-12)
    above = np.sum(differences >= -1e-12)
    return float(min(1.0, 2 * (1 + min(below, above)) / (1 + len(differences))))
