"""How far two selections' accuracies differ on the same bootstraps, with the spread that resampling itself hides.

Bootstraps of one table share its rows, so their accuracies are not independent, and the plain standard error of their
mean goes to zero as more are drawn, while the table stays as small as it is. Nadeau & Bengio (2003, Inference for the
generalization error, Machine Learning 52, section 3) correct the variance of the mean of J resampled estimates from
S²/J to (1/J + n₂/n₁) S², with n₂ test and n₁ training rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from fselect.errors import InputError
from fselect.evaluation.floats import as_floats
from fselect.evaluation.interval import Interval, check_level

__all__ = ["Paired", "accuracy_interval", "lower_limit", "out_of_bag_ratio", "paired_difference"]


class Paired(NamedTuple):
    """A mean of paired differences.

    Attributes
    ----------
    difference : float
        Mean of first minus second.
    variance : float
        Of that mean, corrected; nan of a single pair.
    resamples : int
        Pairs.
    """

    difference: float
    variance: float
    resamples: int


def out_of_bag_ratio(n_rows: int) -> float:
    """Rows out of the bag per different row in it, as expected of a bootstrap of `n_rows` rows.

    Decided here: the correction is derived for sampling without replacement; of a bootstrap the different rows in the
    bag count as training rows, because a repeated row brings nothing new.

    Examples
    --------
    >>> round(out_of_bag_ratio(1000), 3)
    0.582
    """
    left_out = (1 - 1 / n_rows) ** n_rows
    return float(left_out / (1 - left_out))


def paired_difference(first: ArrayLike, second: ArrayLike, *, test_ratio: float) -> Paired:
    """Return the mean difference of two accuracies on the same resamples, with its corrected variance.

    Parameters
    ----------
    first, second : array-like of shape (J,)
        Accuracies; position j belongs to the same resample in both.
    test_ratio : float
        Test rows per training row of a resample; see `out_of_bag_ratio`.

    Returns
    -------
    Paired

    Raises
    ------
    InputError
        The two differ in length, or are empty.

    Examples
    --------
    >>> paired_difference([0.9, 0.8, 0.85], [0.8, 0.8, 0.8], test_ratio=0.5).difference.__round__(3)
    0.05
    """
    one, two = as_floats(first, "the first values"), as_floats(second, "the second values")
    if one.shape != two.shape or one.ndim != 1 or not one.size:
        raise InputError(f"a paired difference needs as many values of both, not {one.shape} and {two.shape}")
    differences = one - two
    spread = float(differences.var(ddof=1)) if len(differences) > 1 else float("nan")
    return Paired(float(differences.mean()), (1 / len(differences) + test_ratio) * spread, len(differences))


def lower_limit(found: Paired, level: float = 0.95) -> float:
    """Return the lower limit of a one-sided confidence interval of a difference.

    Parameters
    ----------
    found : Paired
        The difference.
    level : float, default=0.95
        Confidence that the true difference is not below the limit.

    Returns
    -------
    float
        By Student's t with J − 1 degrees of freedom; nan of a single pair.

    Examples
    --------
    >>> lower_limit(Paired(0.01, 0.0004, 600)) < 0.01
    True
    """
    if found.resamples < 2:
        return float("nan")
    quantile = stdtrit(found.resamples - 1, check_level(level))
    return float(found.difference - quantile * np.sqrt(found.variance))


def accuracy_interval(values: ArrayLike, *, test_ratio: float, level: float = 0.95) -> Interval:
    """Return the mean of resampled accuracies with a two-sided interval, inside [0, 1].

    Parameters
    ----------
    values : array-like of shape (J,)
        Out-of-bag accuracies.
    test_ratio : float
        As for `paired_difference`.
    level : float, default=0.95
        Wanted coverage.

    Returns
    -------
    Interval

    Examples
    --------
    >>> accuracy_interval([0.8, 0.9, 0.85], test_ratio=0.5).value.__round__(3)
    0.85
    """
    shares = as_floats(values, "values")
    found = paired_difference(shares, np.zeros_like(shares), test_ratio=test_ratio)
    half = found.difference - lower_limit(found, (1 + check_level(level)) / 2)
    low, high = np.clip([found.difference - half, found.difference + half], 0, 1)
    return Interval(found.difference, float(low), float(high), found.variance)
