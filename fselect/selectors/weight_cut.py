"""From weights to a subset: where the falling weights are cut."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.errors import InputError

__all__ = ["CUTS", "cut_weights"]

CUTS = ("half_mean", "product", "drop")


def cut_weights(weights: np.ndarray, cut: Any = "half_mean", rng: np.random.Generator | None = None) -> np.ndarray:
    """Choose the columns whose weights are large.

    Parameters
    ----------
    weights : ndarray of shape (d,), float64
        More is more relevant.
    cut : {"half_mean", "product", "drop"}, int or float
        ``"half_mean"`` keeps weights above half of the mean weight, or of 0 if the mean is negative, and if there are
        none the best one (decided here: it finds the right number whether irrelevant columns are few or many).
        ``"product"`` sorts weights, falling and shifted so that the least is 0 if it was negative, and cuts after
        the j-th that maximises σ_j (n − j), σ_j being the sum of the first j (nearest to the survey's formula, which is
        damaged in print); all are kept if all are 0. ``"drop"`` cuts at the largest drop between neighbours, 0 being
        the last. A whole number keeps so many, any other number the weights above it (and at least the best one).
    rng : numpy.random.Generator, optional
        Which of equal weights at the cut are kept; without it the first ones.

    Returns
    -------
    ndarray of shape (d,), bool
        At least one column.

    Raises
    ------
    InputError
        Another cut.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 5.3.

    Examples
    --------
    >>> weights = np.array([0.9, 0.05, 1.0, -0.1])
    >>> [np.flatnonzero(cut_weights(weights, cut)).tolist() for cut in ("half_mean", "product", "drop", 1, 0.02)]
    [[0, 2], [0, 2], [0, 2], [2], [0, 1, 2]]
    """
    lots = np.arange(len(weights)) if rng is None else rng.permutation(len(weights))
    if isinstance(cut, str):
        if cut not in CUTS:
            raise InputError(f"cut must be one of {', '.join(CUTS)}, a number of features, or a threshold, not {cut!r}")
        return _by_rule(weights, cut, lots)
    if isinstance(cut, bool | np.bool_) or not isinstance(cut, int | float | np.number) or np.isnan(cut):
        raise InputError(f"cut must be one of {', '.join(CUTS)}, a number of features, or a threshold, not {cut!r}")
    if isinstance(cut, int | np.integer):
        if cut < 1:
            raise InputError(f"cut is {cut}, but at least 1 feature is kept")
        return _first(weights, min(int(cut), len(weights)), lots)
    return _above(weights, float(cut), lots)


def _by_rule(weights: np.ndarray, cut: str, lots: np.ndarray) -> np.ndarray:
    if cut == "half_mean":
        return _above(weights, 0.5 * max(0.0, float(weights.mean())), lots)
    falling = np.sort(weights)[::-1]
    if cut == "drop":
        drops = falling - np.append(falling[1:], 0.0)
        return _first(weights, int(np.argmax(drops)) + 1, lots)
    n = len(weights)
    sums = np.cumsum(falling - min(0.0, float(falling[-1])))
    if sums[-1] <= 0:
        return np.ones(n, dtype=bool)
    products = sums * (n - np.arange(1, n + 1))
    return _first(weights, int(np.argmax(products)) + 1, lots)


def _above(weights: np.ndarray, threshold: float, lots: np.ndarray) -> np.ndarray:
    kept = weights > threshold
    return kept if kept.any() else _first(weights, 1, lots)


def _first(weights: np.ndarray, number: int, lots: np.ndarray) -> np.ndarray:
    kept = np.zeros(len(weights), dtype=bool)
    kept[np.lexsort((lots, -weights))[:number]] = True
    return kept
