"""Which features go next: the lowest weights, with a rule for ties that rounding cannot decide."""

from __future__ import annotations

import math

import numpy as np

from fselect.classifiers.ordering import order_of, smallest
from fselect.kernel import kernel

__all__ = ["lowest", "number_to_drop"]

_TIE = 1e-9  # relative difference of neighbours


@kernel
def number_to_drop(left: int, keep: int, step: float) -> int:
    """Return ``max(1, floor(step · left + 1e-9))``, never so many that fewer than keep are left."""
    return min(max(1, math.floor(step * left + 1e-9)), left - keep)


@kernel
def lowest(log_importance: np.ndarray, index: np.ndarray, number: int) -> np.ndarray:
    """Return the places of the least important features, in the order in which they go.

    After sorting, neighbours with a relative difference below 1e-9 form one group, and inside a group the
    later columns of the table go first (decided here: copies of a column tie only up to rounding).

    Parameters
    ----------
    log_importance : ndarray of shape (p,), float64
        Logarithms of |w|; -inf for 0.
    index : ndarray of shape (p,), int64
        Column of each in the table.
    number : int
        How many go, 1 … p.

    Returns
    -------
    ndarray of shape (number,), int64
        Places in log_importance.
    """
    among = _candidates(log_importance, number)
    keys = np.empty(among.size)
    for r in range(among.size):
        keys[r] = log_importance[among[r]]
    order = order_of(keys)
    out = np.empty(among.size, dtype=np.int64)
    start = 0
    for stop in range(1, order.size + 1):
        if stop == order.size or not _tied(keys[order[stop - 1]], keys[order[stop]]):
            later = np.empty(stop - start)
            for r in range(start, stop):
                later[r - start] = -float(index[among[order[r]]])
            within = order_of(later) if later.size > 1 else np.zeros(1, dtype=np.int64)
            for r in range(start, stop):
                out[r] = among[order[start + within[r - start]]]
            start = stop
    return out[:number]


@kernel
def _tied(low: float, high: float) -> bool:
    # relative difference of |w|, from the difference of its logarithms; two zeros are equal
    return low == high or high - low < _TIE


@kernel
def _candidates(log_importance: np.ndarray, number: int) -> np.ndarray:
    """Return the places of the lowest few and of all that are tied with the highest of them."""
    if number == log_importance.size:
        return np.arange(number)
    bound = smallest(log_importance, number - 1)
    while True:
        # a chain of ties may lead on from one to the next
        following = np.inf
        for value in log_importance:
            if bound < value < following:
                following = value
        if not (following < np.inf and _tied(bound, following)):
            return _up_to(log_importance, bound)
        bound = following


@kernel
def _up_to(log_importance: np.ndarray, bound: float) -> np.ndarray:
    places = np.empty(log_importance.size, dtype=np.int64)
    found = 0
    for j in range(log_importance.size):
        if log_importance[j] <= bound:
            places[found] = j
            found += 1
    return places[:found]
