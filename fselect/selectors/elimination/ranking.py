"""Which features go next: the lowest weights, with a rule for ties that rounding cannot decide."""

from __future__ import annotations

import math

import numpy as np

from fselect.classifiers.arrays import integers, vector
from fselect.classifiers.newton.ordering import around, order_of, quickselect, smallest
from fselect.kernel import inner, kernel

__all__ = ["is_certain", "lowest", "lowest_inside", "number_to_drop", "put_in_order"]

_TIE = 1e-9  # relative difference of neighbours


@kernel
def number_to_drop(left: int, keep: int, step: float) -> int:
    """Return ``max(1, floor(step · left + 1e-9))``, never so many that fewer than keep are left."""
    return min(max(1, math.floor(step * left + 1e-9)), left - keep)


@kernel
def lowest(log_importance: np.ndarray, index: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the least important features.

    After sorting, neighbours with a relative difference below 1e-9 form one group, and inside a group the
    later columns of the table go first (decided here: copies of a column tie only up to rounding). Only a group
    that is cut in two is looked at here; `put_in_order` does the sorting, for those who ask for it.

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
    places : ndarray of shape (number,), int64
        Places in log_importance, rising.
    keys : ndarray of shape (number,), float64
        Their logarithms; one number for all of a group that was cut.
    """
    return lowest_inside(log_importance, index, number)


@inner
def lowest_inside(log_importance: np.ndarray, index: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Do what `lowest` does, within compiled code."""
    p = log_importance.size
    near, below = around(log_importance, number - 1)
    cut = quickselect(near, number - 1 - below)
    low, high, inside = _group_of(near, cut)
    if not inside:  # a tie may reach beyond
        near, below = log_importance, 0
        low, high, _ = _group_of(near, cut)
    within = 0
    for value in near:
        below += value < low
        within += low <= value <= high
    first = -1  # column from which on the group goes
    if below + within > number:
        columns = vector(within)
        at = 0
        for j in range(p):
            if low <= log_importance[j] <= high:
                columns[at] = float(index[j])
                at += 1
        first = int(smallest(columns, within - (number - below)))
    places, keys = integers(number + 1, 0), vector(number + 1)
    found = 0
    for j in range(p):  # without branches, which nothing could predict: what stays is written over
        value = log_importance[j]
        places[found] = j
        keys[found] = low if first >= 0 and value >= low else value
        found += (value < low) | ((value <= high) & (index[j] >= first))
    return places[:number], keys[:number]


@inner
def is_certain(log_importance: np.ndarray, error: np.ndarray, places: np.ndarray) -> bool:
    """Tell whether logarithms without their errors would have given the same places, in the same order, without ties.

    Parameters
    ----------
    log_importance, error : ndarray of shape (p,), float64
        Logarithms of |w|, and what they may be wrong by.
    places : ndarray of shape (number,), int64
        Where the lowest ones are, as `lowest_inside` found them.

    Returns
    -------
    bool
        False where a weight is 0.

    Examples
    --------
    >>> certain = kernel(lambda x, e: is_certain(x, e, lowest_inside(x, np.arange(3), 2)[0]))
    >>> certain(np.array([1.0, 3.0, 2.0]), np.full(3, 0.4)), certain(np.array([1.0, 3.0, 2.0]), np.full(3, 0.6))
    (True, False)
    """
    keys = vector(places.size)
    for r in range(keys.size):
        keys[r] = log_importance[places[r]]
    order = order_of(keys)
    top = -np.inf
    for r in order:
        low = log_importance[places[r]] - error[places[r]]
        if not (low > top + _TIE and low > -np.inf):
            return False
        top = log_importance[places[r]] + error[places[r]]
    at = 0
    for j in range(log_importance.size):
        if at < places.size and places[at] == j:
            at += 1
        elif not log_importance[j] - error[j] > top + _TIE:
            return False
    return True


@inner
def _tied(low: float, high: float) -> bool:
    # relative difference of |w|, from the difference of its logarithms; two zeros are equal
    return low == high or high - low < _TIE


@inner
def _group_of(values: np.ndarray, value: float) -> tuple[float, float, bool]:
    """Return the lowest and the highest of the group of a value, and whether there are values on both sides.

    A chain of ties may make it long.
    """
    low, high = value, value
    while True:
        above, below = np.inf, -np.inf
        for other in values:
            if other > high:
                above = min(above, other)
            elif other < low:
                below = max(below, other)
        grown = False
        if above < np.inf and _tied(high, above):
            high, grown = above, True
        if below > -np.inf and _tied(below, low):
            low, grown = below, True
        if not grown:
            return low, high, below > -np.inf and above < np.inf


def put_in_order(columns: np.ndarray, keys: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Sort dropped features as they went: by round, then by weight, of tied ones the later columns first.

    Parameters
    ----------
    columns : ndarray of shape (n,), int64
        Columns of the table.
    keys : ndarray of shape (n,), float64
        Logarithms of |w|; -inf for 0, NaN for a constant column, which goes before all of its round.
    rounds : ndarray of shape (n,), int64
        The round in which each went, never falling.

    Returns
    -------
    ndarray of shape (n,), int64
        The columns in their order.

    Examples
    --------
    >>> put_in_order(np.array([4, 2, 3, 7]), np.array([0.0, -1.0, -1.0, 5.0]), np.array([0, 0, 0, 1]))
    array([3, 2, 4, 7])
    """
    # zeros, and constant columns below them, at finite distances, so that differences are numbers
    seen = np.isfinite(keys)
    floor = np.min(keys[seen], initial=0.0)
    level = np.where(seen, keys, np.where(np.isnan(keys), floor - 2.0, floor - 1.0))
    order = np.lexsort((level, rounds))
    level, rounds, columns = level[order], rounds[order], columns[order]
    starts = np.append(True, (np.diff(level) >= _TIE) | (np.diff(rounds) != 0))[: columns.size]
    if starts.all():
        return columns
    return columns[np.lexsort((-columns, np.cumsum(starts)))]
