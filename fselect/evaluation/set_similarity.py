"""Stability as mean pairwise similarity, for comparison with older papers, and with correlated stand-ins.

None of the pairwise measures replaces :func:`fselect.evaluation.stability.stability`: Jaccard and Dice
are not corrected for chance, Kuncheva's needs sets of one size, Lustgarten's is not 1 for identical
sets. Sechidis et al. (2020) is the same variance ratio as the stability, with credit for stand-ins.
"""

from __future__ import annotations

import warnings
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.floats import as_floats
from fselect.evaluation.selections import as_selections

__all__ = ["dice", "jaccard", "kappa", "kuncheva", "lustgarten", "phi_coefficient", "sechidis"]

# Columns turned into floats at a time when the sets are intersected.
_BLOCK_COLUMNS = 4096


def kuncheva(Z: ArrayLike) -> float:
    """Return Kuncheva's consistency index, averaged over all pairs of sets.

    (r d - k²) / (k (d - k)) for two sets of size k with r features in common (Kuncheva, "A stability
    index for feature selection", 2007). For sets of one size it equals the stability of Nogueira et al.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set, all of the same size.

    Returns
    -------
    float
        1 for identical sets, about 0 for random ones; nan with a warning if the sets are empty or full.

    Raises
    ------
    fselect.errors.InputError
        If the sets differ in size, there are fewer than two, or Z holds anything but 0 and 1.

    Examples
    --------
    >>> round(kuncheva([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]]), 6)
    0.166667
    """
    selections = as_selections(Z)
    sizes = selections.sum(axis=1)
    if sizes.min() != sizes.max():
        raise InputError(
            f"Kuncheva's index needs sets of one size, these have {sizes.min()} to {sizes.max()} features; "
            "use stability, which does not"
        )
    common, size, n_features = _common(selections), float(sizes[0]), selections.shape[1]
    return _mean_ratio(common * n_features - size**2, np.full_like(common, size * (n_features - size)))


def jaccard(Z: ArrayLike) -> float:
    """Return the Jaccard index |A ∩ B| / |A ∪ B|, averaged over all pairs of sets.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set.

    Returns
    -------
    float
        Between 0 and 1, not corrected for chance; nan with a warning if two sets are empty.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two sets or Z holds anything but 0 and 1.

    Examples
    --------
    >>> round(jaccard([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]]), 6)
    0.333333
    """
    selections = as_selections(Z)
    common, (first, second) = _common(selections), _sizes(selections)
    return _mean_ratio(common, first + second - common)


def dice(Z: ArrayLike) -> float:
    """Return Dice's coefficient 2 |A ∩ B| / (|A| + |B|), averaged over all pairs of sets.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set.

    Returns
    -------
    float
        Between 0 and 1, not corrected for chance; nan with a warning if two sets are empty.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two sets or Z holds anything but 0 and 1.

    Examples
    --------
    >>> dice([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]])
    0.5
    """
    selections = as_selections(Z)
    first, second = _sizes(selections)
    return _mean_ratio(2 * _common(selections), first + second)


def lustgarten(Z: ArrayLike) -> float:
    """Return Lustgarten's adjusted measure, averaged over all pairs of sets.

    (r - k₁k₂/d) / (min(k₁, k₂) - max(0, k₁ + k₂ - d)) for sets of sizes k₁, k₂ with r features in common
    (Lustgarten, Gopalakrishnan & Visweswaran, AMIA 2009).

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set; the sizes may differ.

    Returns
    -------
    float
        About 0 for random sets, below 1 even for identical ones; nan with a warning if a set is empty or
        full.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two sets or Z holds anything but 0 and 1.

    Examples
    --------
    >>> round(lustgarten([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]]), 6)
    0.1
    """
    selections = as_selections(Z)
    first, second = _sizes(selections)
    n_features = selections.shape[1]
    most, least = np.minimum(first, second), np.maximum(0, first + second - n_features)
    return _mean_ratio(_common(selections) - first * second / n_features, most - least)


def phi_coefficient(Z: ArrayLike) -> float:
    """Return the Phi coefficient, Pearson's correlation of two indicator vectors, averaged over all pairs of sets.

    (r - k₁k₂/d) / √(k₁ (1 - k₁/d) k₂ (1 - k₂/d)) for sets of sizes k₁, k₂ with r features in common (Nogueira &
    Brown, "Measuring the stability of feature selection", 2016). For sets of one size it equals Kuncheva's index.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set; the sizes may differ.

    Returns
    -------
    float
        1 for identical sets, about 0 for random ones; nan with a warning if a set is empty or full.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two sets or Z holds anything but 0 and 1.

    Examples
    --------
    >>> round(phi_coefficient([[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]]), 6)   # (1 - 2/5) / √(6/5 · 4/5)
    0.612372
    """
    selections = as_selections(Z)
    first, second = _sizes(selections)
    n_features = selections.shape[1]
    variances = first * (1 - first / n_features) * second * (1 - second / n_features)
    return _mean_ratio(_common(selections) - first * second / n_features, np.sqrt(variances))


def kappa(Z: ArrayLike) -> float:
    """Return Cohen's kappa of two sets as two raters of the features, averaged over all pairs of sets.

    (r - k₁k₂/d) / ((k₁ + k₂)/2 - k₁k₂/d) for sets of sizes k₁, k₂ with r features in common (Cohen, "A coefficient
    of agreement for nominal scales", 1960; also in R's stabm). For sets of one size it equals Kuncheva's
    index.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set; the sizes may differ.

    Returns
    -------
    float
        1 for identical sets, about 0 for random ones; nan with a warning if two sets are both empty or both full.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two sets or Z holds anything but 0 and 1.

    Examples
    --------
    >>> round(kappa([[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]]), 6)             # (1 - 2/5) / (3/2 - 2/5)
    0.545455
    """
    selections = as_selections(Z)
    first, second = _sizes(selections)
    expected = first * second / selections.shape[1]
    return _mean_ratio(_common(selections) - expected, (first + second) / 2 - expected)


def sechidis(Z: ArrayLike, similarity: Any) -> float:
    """Return the stability that counts a correlated stand-in as the feature it stands for.

    1 - trace(C S) / trace(C Σ) with S the sample covariance of the columns of Z and Σ their covariance
    under random sets of the same mean size and size variance (Sechidis, Papangelou, Nogueira, Weatherall
    & Brown, "On the stability of feature selection in the presence of feature correlations", 2020). With
    C the identity it is :func:`fselect.evaluation.stability.stability`.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set.
    similarity : array or scipy sparse array of shape (d, d)
        C, symmetric and not negative, 1 on the diagonal: 1 where two features can replace each other (for
        example |correlation| above a threshold), 0 where not. Above some 20 000 features give it sparse.

    Returns
    -------
    float
        1 for identical sets; nan with a warning where trace(C Σ) is 0, as for empty or full sets.

    Raises
    ------
    fselect.errors.InputError
        If similarity is not such a matrix, there are fewer than two sets, or Z holds anything but 0 and 1.

    Examples
    --------
    >>> pair = [[1, 0, 0, 0], [0, 1, 0, 0]]
    >>> twins = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    >>> sechidis(pair, twins)                  # the two sets differ only by a stand-in
    1.0
    """
    selections = as_selections(Z)
    n_sets, n_features = selections.shape
    C = _similarity(similarity, n_features)
    centred = selections - selections.mean(axis=0)
    numerator = float(np.sum((C @ centred.T) * centred.T)) / (n_sets - 1)
    denominator = _random_trace(C, selections.sum(axis=1).astype(float), n_features)
    if denominator <= 1e-12 * C.sum():
        warnings.warn("the measure is undefined (nan): random sets would not vary", RuntimeWarning, stacklevel=2)
        return nan
    return 1 - numerator / denominator


def _random_trace(C: Any, sizes: NDArray[np.float64], n_features: int) -> float:
    """Trace of C times the covariance of the columns for random sets of these sizes."""
    share = sizes.mean() / n_features
    pairs = n_features * max(n_features - 1, 1)
    covariance = np.mean(sizes * (sizes - 1)) / pairs - share**2
    diagonal = float(C.diagonal().sum())
    return float(diagonal * share * (1 - share) + (C.sum() - diagonal) * covariance)


def _similarity(similarity: Any, n_features: int) -> Any:
    C = similarity.tocsr() if hasattr(similarity, "tocsr") else as_floats(similarity, "similarities")
    if C.shape != (n_features, n_features):
        raise InputError(f"similarity must have the shape ({n_features}, {n_features}), not {C.shape}")
    sound = C.min() >= 0 and abs(C - C.T).max() <= 1e-9 and abs(C.diagonal() - 1).max() <= 1e-9
    if not sound:  # nor is what holds nan
        raise InputError("similarity must be symmetric and not negative, with ones on its diagonal")
    return C


def _common(selections: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Sizes of the intersections, one a pair of sets; whole numbers, exact in single precision."""
    n_sets, n_features = selections.shape
    common = np.zeros((n_sets, n_sets))
    for start in range(0, n_features, _BLOCK_COLUMNS):
        block = selections[:, start : start + _BLOCK_COLUMNS].astype(np.float32)
        common += block @ block.T
    return common[np.triu_indices(n_sets, 1)]


def _sizes(selections: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    sizes = selections.sum(axis=1).astype(float)
    first, second = np.triu_indices(len(sizes), 1)
    return sizes[first], sizes[second]


def _mean_ratio(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> float:
    """Mean of the ratios; nan with a warning if one pair has none, instead of silently leaving it out."""
    if (denominators == 0).any():
        warnings.warn("the measure is undefined (nan): some sets are empty or full", RuntimeWarning, stacklevel=3)
        return nan
    return float(np.mean(numerators / denominators))
