"""Sorting and selecting in compiled code: short, so that they compile in a moment, and stable."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.arrays import copy_to, integers, vector
from fselect.kernel import bare, inner

__all__ = ["around", "order_of", "quickselect", "smallest"]

_SAMPLE = 256  # keys that say where about to look in a long array


@inner
def order_of(keys: np.ndarray) -> np.ndarray:
    """Return the places of the keys from the smallest to the largest; equal keys keep their order.

    Parameters
    ----------
    keys : ndarray of shape (n,), float64
        No NaN among them.

    Returns
    -------
    ndarray of shape (n,), int64
        Places.

    Examples
    --------
    >>> from fselect.kernel import kernel
    >>> kernel(lambda keys: order_of(keys))(np.array([2.0, 1.0, 2.0, -np.inf]))
    array([3, 1, 0, 2])
    """
    n = keys.size
    order, other = integers(n, 0), integers(n, 0)
    for place in range(n):
        order[place] = place
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            _merge(keys, order, other, start, min(start + width, n), min(start + 2 * width, n))
        order, other = other, order
        width *= 2
    return order


@bare
def _merge(keys: np.ndarray, order: np.ndarray, out: np.ndarray, start: int, middle: int, stop: int) -> None:
    left, right = start, middle
    for place in range(start, stop):
        if left < middle and (right >= stop or keys[order[left]] <= keys[order[right]]):
            out[place] = order[left]
            left += 1
        else:
            out[place] = order[right]
            right += 1


@inner
def smallest(keys: np.ndarray, rank: int) -> float:
    """Return the key that would be at the place rank (from 0) if the keys were sorted.

    Parameters
    ----------
    keys : ndarray of shape (n,), float64
        No NaN among them.
    rank : int
        0 … n - 1.

    Returns
    -------
    float
        The key.

    Examples
    --------
    >>> from fselect.kernel import kernel
    >>> kernel(lambda keys, rank: smallest(keys, rank))(np.array([5.0, 1.0, 3.0]), 1)
    3.0
    """
    window, below = around(keys, rank)
    return quickselect(window, rank - below)


@inner
def around(keys: np.ndarray, rank: int) -> tuple[np.ndarray, int]:
    """Return a copy of some keys, the one of the rank among them, and how many are below all of these.

    Of many keys they are those between two bounds that a sample makes likely to enclose the rank.
    """
    window = vector(keys.size)
    if keys.size > 4 * _SAMPLE:
        low, high = _bounds(keys, rank)
        found, below = 0, 0
        for key in keys:
            below += key < low
            window[found] = key
            found += low <= key <= high
        if below <= rank < below + found:
            return window[:found], below
    copy_to(keys, window)
    return window, 0


@inner
def _bounds(keys: np.ndarray, rank: int) -> tuple[float, float]:
    sample = vector(_SAMPLE)
    for place in range(_SAMPLE):
        sample[place] = keys[place * (keys.size // _SAMPLE)]
    middle, margin = rank * _SAMPLE // keys.size, _SAMPLE // 12
    high = quickselect(sample, min(_SAMPLE - 1, middle + margin)) if middle + margin < _SAMPLE else np.inf
    low = quickselect(sample, middle - margin) if middle >= margin else -np.inf
    return low, high


@bare
def quickselect(work: np.ndarray, rank: int) -> float:
    """Return the key of a rank; the order of work changes."""
    low, high = 0, work.size - 1
    while low < high:
        first, middle, last = work[low], work[(low + high) // 2], work[high]
        pivot = max(min(first, middle), min(max(first, middle), last))
        place = _part(work, low, high, pivot, False)
        if rank < place:
            high = place - 1
        elif place > low:
            low = place
        else:  # the pivot is the lowest key
            place = _part(work, low, high, pivot, True)
            if rank < place:
                return pivot
            low = place
    return work[low]


@bare
def _part(work: np.ndarray, low: int, high: int, pivot: float, with_equals: bool) -> int:
    """Move the keys from low to high that are below the pivot to the front; return the place behind them.

    Keys change places whether they have to or not: a branch here is one that nothing could predict.
    """
    place = low
    for i in range(low, high + 1):
        key = work[i]
        work[i] = work[place]
        work[place] = key
        place += (key < pivot) | (with_equals & (key == pivot))
    return place
