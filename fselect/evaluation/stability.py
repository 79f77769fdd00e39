"""Stability of feature selection, with its variance, interval and tests.

The measure is the one of Nogueira, Sechidis & Brown, "On the stability of feature selection algorithms"
(JMLR 18, 2018), which Hamer & Dupont (2019) use as their equation (1). With Z the table of M sets over d
features, p_f the share of sets that hold feature f, and k the mean size of a set,

    phi(Z) = 1 - mean_f[ M/(M-1) * p_f (1 - p_f) ] / ( k/d * (1 - k/d) ).

It is 1 exactly for identical sets and can be as low as -1/(M-1). Its expectation for sets drawn at random
is 0 if they are of one size; else it is below by the variance of k/d over (M-1) times the denominator.
The measures of older papers are here by name as well.
"""

from __future__ import annotations

import warnings
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from fselect.evaluation.importance import importance_weighted
from fselect.evaluation.interval import Interval, check_level
from fselect.evaluation.selections import as_selections
from fselect.evaluation.set_similarity import (
    dice,
    jaccard,
    kappa,
    kuncheva,
    lustgarten,
    phi_coefficient,
    sechidis,
)

__all__ = [
    "Interval",
    "StabilityTest",
    "compare_stabilities",
    "dice",
    "importance_weighted",
    "jaccard",
    "kappa",
    "kuncheva",
    "lustgarten",
    "phi_coefficient",
    "sechidis",
    "set_stabilities",
    "stability",
    "stability_interval",
    "stability_test",
]

# Rows are turned into floats this many values at a time, so that a large table is never copied whole.
_BLOCK_VALUES = 1 << 21
# Contributions that differ by less than this are equal up to rounding: the estimated variance is 0.
_ROUNDING = 1e-12


class StabilityTest(NamedTuple):
    """Outcome of a test on stabilities.

    Attributes
    ----------
    statistic : float
        The standard normal statistic.
    p_value : float
        Its p-value; nan, like the statistic, if the estimated variance is 0.

    Examples
    --------
    >>> StabilityTest(1.5, 0.0668).p_value
    0.0668
    """

    statistic: float
    p_value: float


def stability(Z: ArrayLike) -> float:
    """Return the stability of feature sets (Nogueira, Sechidis & Brown 2018).

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, 1 or True where the feature is selected.

    Returns
    -------
    float
        1 for identical sets, about 0 for random ones; nan with a warning if every set is empty or every
        set is full, where the definition divides by 0 (decided here: a value would have to be invented).

    Raises
    ------
    fselect.errors.InputError
        If Z has fewer than two rows or holds anything but 0 and 1.

    Examples
    --------
    >>> stability([[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0]])
    0.160839...
    """
    selections = as_selections(Z)
    return _phi(_counts(selections), len(selections))


def stability_interval(Z: ArrayLike, level: float = 0.95) -> Interval:
    """Return the stability of feature sets with its normal confidence interval.

    The sets must be independent of each other given the procedure, as bootstrap repeats are. The limits
    are not clipped: one above 1 shows that the normal law is a rough fit there. In simulations a 95 %
    interval covers the truth in 82 to 88 % of the cases with 8 sets, 92 to 94 % with 30, and 94 to 95 %
    with 100 (docs/coverage.md).

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, 1 or True where the feature is selected.
    level : float, default=0.95
        Wanted coverage.

    Returns
    -------
    Interval
        Value, limits and variance; all nan, with a warning, where the stability is undefined.

    Raises
    ------
    fselect.errors.InputError
        If Z has fewer than two rows or holds anything but 0 and 1, or level is not between 0 and 1.

    Examples
    --------
    >>> found = stability_interval([[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0],
    ...                             [1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0]])
    >>> print(f"{found.value:.4f} in [{found.low:.4f}, {found.high:.4f}]")
    0.1608 in [-0.1092, 0.4308]
    """
    half_width = float(ndtri(0.5 + check_level(level) / 2))
    phi, variance = _phi_and_variance(as_selections(Z))
    margin = half_width * sqrt(variance) if not isnan(variance) else nan
    return Interval(phi, phi - margin, phi + margin, variance)


def set_stabilities(Z: ArrayLike) -> NDArray[np.float64]:
    """Return what each set says of the stability: numbers whose mean is phi and whose spread is its uncertainty.

    They are phi + 2 (phi_i - mean phi), with the phi_i of Nogueira, Sechidis & Brown (2018): their variance (over M)
    divided by M is the variance of :func:`stability_interval`. Beside another score of the same sets, an accuracy
    say, they give the covariance of the two means, and beside those of another procedure on the same samples
    the differences that a paired comparison takes.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, 1 or True where the feature is selected.

    Returns
    -------
    ndarray of shape (M,)
        All nan, with a warning, where the stability is undefined.

    Raises
    ------
    fselect.errors.InputError
        If Z has fewer than two rows or holds anything but 0 and 1.

    Examples
    --------
    >>> values = set_stabilities([[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0]])
    >>> print(f"{values.mean():.4f}, variance {values.var() / 4:.4f}")
    0.1608, variance 0.0190
    """
    phi, contributions = _phi_and_contributions(as_selections(Z))
    return phi + 2 * (contributions - contributions.mean())


def stability_test(Z: ArrayLike, threshold: float = 0.0) -> StabilityTest:
    """Test whether a selection procedure is more stable than a threshold.

    One-sided: the statistic is V = (phi - threshold) / sqrt(variance), the p-value 1 - Phi(V).

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, 1 or True where the feature is selected.
    threshold : float, default=0
        The stability under the null hypothesis; 0 is that of random sets.

    Returns
    -------
    StabilityTest
        Statistic and p-value; nan, with a warning, if the estimated variance is 0 or phi undefined.

    Raises
    ------
    fselect.errors.InputError
        If Z has fewer than two rows or holds anything but 0 and 1.

    Examples
    --------
    >>> outcome = stability_test([[1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0],
    ...                           [1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 1, 0]])
    >>> print(f"V = {outcome.statistic:.3f}, p = {outcome.p_value:.3f}")
    V = 1.168, p = 0.121
    """
    phi, variance = _phi_and_variance(as_selections(Z))
    statistic = _standardised(phi - threshold, variance)
    return StabilityTest(statistic, float(ndtr(-statistic)))


def compare_stabilities(Z1: ArrayLike, Z2: ArrayLike) -> StabilityTest:
    """Test whether two selection procedures differ in stability.

    Two-sided: the statistic is T = (phi2 - phi1) / sqrt(variance1 + variance2). It is meant for runs that
    are independent of each other; on common bootstrap samples the two are correlated and the test errs,
    usually towards seeing no difference.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (M1, d1) and (M2, d2)
        The sets of the first and of the second procedure.

    Returns
    -------
    StabilityTest
        Statistic (positive if the second is more stable) and p-value; nan, with a warning, if both
        estimated variances are 0 or a stability is undefined.

    Raises
    ------
    fselect.errors.InputError
        If a table has fewer than two rows or holds anything but 0 and 1.

    Examples
    --------
    >>> outcome = compare_stabilities([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]],
    ...                               [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]])
    >>> outcome.statistic > 0
    True
    """
    phi1, variance1 = _phi_and_variance(as_selections(Z1))
    phi2, variance2 = _phi_and_variance(as_selections(Z2))
    statistic = _standardised(phi2 - phi1, variance1 + variance2)
    return StabilityTest(statistic, float(2 * ndtr(-abs(statistic))))


def _counts(selections: NDArray[np.bool_]) -> NDArray[np.int64]:
    return selections.sum(axis=0, dtype=np.int64)


def _phi(counts: NDArray[np.int64], n_sets: int) -> float:
    filled, cells = int(counts.sum()), n_sets * counts.size
    if filled in (0, cells):
        kind = "empty" if filled == 0 else "full"
        warnings.warn(f"stability is undefined (nan): every set is {kind}", RuntimeWarning, stacklevel=3)
        return nan
    shares = counts / n_sets
    variance = n_sets / (n_sets - 1) * np.mean(shares * (1 - shares))
    return float(1 - variance / (filled / cells * (1 - filled / cells)))


def _phi_and_variance(selections: NDArray[np.bool_]) -> tuple[float, float]:
    phi, contributions = _phi_and_contributions(selections)
    return phi, float(4 / len(selections) * np.var(contributions))


def _phi_and_contributions(selections: NDArray[np.bool_]) -> tuple[float, NDArray[np.float64]]:
    """The stability, and the phi_i of which its variance is made; equal ones if they are so up to rounding."""
    n_sets, n_features = selections.shape
    counts = _counts(selections)
    phi = _phi(counts, n_sets)
    if isnan(phi):
        return nan, np.full(n_sets, nan)
    sizes = selections.sum(axis=1) / n_features
    mean_size = counts.sum() / (n_sets * n_features)
    agreement = _agreement(selections, counts) / (n_sets * n_features)
    contributions = (agreement - sizes * mean_size + phi / 2 * (2 * sizes * mean_size - sizes - mean_size + 1)) / (
        mean_size * (1 - mean_size)
    )
    return phi, np.zeros(n_sets) if np.ptp(contributions) <= _ROUNDING else contributions


def _agreement(selections: NDArray[np.bool_], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sum, for each set, how often its features were selected; whole numbers, so exact in any order."""
    rows = max(1, _BLOCK_VALUES // selections.shape[1])
    weights = counts.astype(float)
    blocks = [selections[i : i + rows].astype(float) @ weights for i in range(0, len(selections), rows)]
    return np.concatenate(blocks)


def _standardised(difference: float, variance: float) -> float:
    if variance == 0:
        warnings.warn(
            "the test is undefined (nan): the estimated variance of the stability is 0",
            RuntimeWarning,
            stacklevel=3,
        )
        return nan
    return difference / sqrt(variance) if not isnan(variance) else nan
