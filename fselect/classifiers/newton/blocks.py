"""The free columns of a fit as one block, equal columns joined; and the Gram matrix of the others."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import copy_row, fill, integers, matrix, vector
from fselect.classifiers.newton.columns import Columns
from fselect.classifiers.newton.lapack import add_inner, dot, rows_dot
from fselect.classifiers.newton.ordering import order_of, smallest
from fselect.kernel import inner

__all__ = ["Block", "add_gram", "choose_free", "find_equal", "make_block", "subtract_gram"]

_BLOCK = 1024  # columns at a time in the Gram matrix: they stay in the second cache level
_GATHERED = 1024  # columns at a time that are taken from it
_ABOVE = 100.0  # a column is free if its q is this much above what the rest and the rows can resolve
_GOLDEN = 0.6180339887498949
_EQUAL = 1e-14  # of standardised values: a few units in the last place


class Block(NamedTuple):
    """The free columns of a fit, equal ones joined, and the intercept.

    Attributes
    ----------
    U : ndarray of shape (k + 1, m)
        One column of each group times its scale; the last row is the intercept's ones.
    D : ndarray of shape (k + 1,)
        Penalties of the scaled weights, 0 for the intercept.
    scale : ndarray of shape (k,)
        What each standardised column is multiplied by in U.
    log_ratio : ndarray of shape (k,)
        Logarithm of the sum of q over each group.
    first : ndarray of shape (k,)
        Position of a column of each group.
    group : ndarray of shape (k,)
        Number of each group.
    place : ndarray of shape (n_free,)
        Positions of all free columns.
    slot : ndarray of shape (n_free,)
        Row of U that each of them belongs to.
    """

    U: np.ndarray
    D: np.ndarray
    scale: np.ndarray
    log_ratio: np.ndarray
    first: np.ndarray
    group: np.ndarray
    place: np.ndarray
    slot: np.ndarray


@inner
def add_gram(K: np.ndarray, columns: Columns, p: int) -> None:
    """Add the first p columns, but the free ones, to K."""
    first = 0
    for j in range(p + 1):
        if j == p or columns.free[j] or j - first == _BLOCK:
            if j > first:
                add_inner(K, columns.Z[first:j], j - first, 1.0)
            first = j + 1 if j < p and columns.free[j] else j


@inner
def subtract_gram(K: np.ndarray, columns: Columns, places: np.ndarray) -> None:
    """Take the columns at some places, but the free ones, from K."""
    parts = max(1, -(-places.size // _GATHERED))  # of one length: a short one would cost more than its share
    gathered = matrix(-(-places.size // parts), K.shape[0])
    found = 0
    for place in places:
        if not columns.free[place]:
            copy_row(columns.Z, place, gathered, found)
            found += 1
        if found == gathered.shape[0]:
            add_inner(K, gathered, found, -1.0)
            found = 0
    if found > 0:
        add_inner(K, gathered, found, -1.0)


@inner
def choose_free(columns: Columns, p: int, total: float) -> None:
    """Mark the columns whose weights are unknowns of their own among the first p, which outnumber the rows.

    The m-th largest q is the scale at which K has full rank. Columns far above it (and above 1 / Σc, where a
    penalty outweighs the data) would take digits from K; there are fewer than m of them by construction.
    """
    m = columns.Z.shape[1]
    at = smallest(columns.log_ratio[:p], p - m)
    bound = math.log(_ABOVE) + max(at, -math.log(total))
    for j in range(p):
        columns.free[j] = columns.log_ratio[j] > bound
    find_equal(columns, p)


@inner
def find_equal(columns: Columns, p: int) -> None:
    """Give free columns that are equal up to sign and rounding, among the first p, one group number.

    Equal columns share a weight in proportion to their q exactly: solved for one by one they would differ by
    rounding errors that a small penalty magnifies, and chance would rank them.
    """
    free = _free_places(columns, p)
    m = columns.Z.shape[1]
    direction, key = vector(m), vector(free.size)
    for i in range(m):
        turns = _GOLDEN * i * i
        direction[i] = turns - math.floor(turns) - 0.5  # any fixed direction that no data have a reason to avoid
    if free.size == p:
        rows_dot(columns.Z, p, direction, key)
    for s in range(free.size):
        product = key[s] if free.size == p else dot(columns.Z[free[s]], direction)
        key[s] = abs(product) / columns.root[free[s]]
        columns.group[free[s]] = free[s]
        columns.sign[free[s]] = 1.0
    order = order_of(key)
    for s in range(1, free.size):
        j = free[order[s]]
        r = s - 1
        while r >= 0 and key[order[s]] - key[order[r]] <= 1e-11 * columns.norm[j] / columns.root[j]:
            leader = columns.group[free[order[r]]]
            sign = _same(columns.Z[j], columns.Z[leader], columns.root[j], columns.root[leader])
            if leader == free[order[r]] and sign != 0.0:
                columns.group[j] = leader
                columns.sign[j] = sign
                break
            r -= 1


@inner
def _free_places(columns: Columns, p: int) -> np.ndarray:
    found = 0
    for j in range(p):
        found += columns.free[j]
    places = integers(found, 0)
    if found > 0:
        found = 0
        for j in range(p):
            if columns.free[j]:
                places[found] = j
                found += 1
    return places


@inner
def _same(x: np.ndarray, y: np.ndarray, x_root: float, y_root: float) -> float:
    """Return 1 if x / x_root = y / y_root, -1 if they are opposite, 0 if neither, up to rounding."""
    ratio = x_root / y_root
    for sign in (1.0, -1.0):
        worst = 0.0
        largest = 0.0
        for i in range(x.size):
            worst = max(worst, abs(x[i] - sign * ratio * y[i]) / x_root)
            largest = max(largest, abs(x[i]) / x_root)
            if worst > 10.0 * _EQUAL + _EQUAL * largest:
                break
        if worst <= _EQUAL * max(1.0, largest):
            return sign
    return 0.0


@inner
def make_block(columns: Columns, p: int, dual: bool) -> Block:
    """Collect the free columns among the first p; unless dual, the row behind them may become the intercept's."""
    place = _free_places(columns, p)
    n_free = place.size
    slot_of_group = integers(columns.place.size if n_free > 0 else 0, -1)
    slot, first, log_ratio = integers(n_free, -1), integers(n_free, 0), vector(n_free)
    k = 0
    for r in range(n_free):
        j = place[r]
        s = slot_of_group[columns.group[j]]
        if s < 0:
            s = k
            slot_of_group[columns.group[j]] = s
            log_ratio[s] = columns.log_ratio[j]
            first[s] = j
            k += 1
        else:
            high = max(log_ratio[s], columns.log_ratio[j])
            low = min(log_ratio[s], columns.log_ratio[j])
            log_ratio[s] = high + math.log1p(math.exp(low - high))
        slot[r] = s
    D, scale, group = vector(k + 1), vector(k), integers(k, 0)
    D[k] = 0.0
    for s in range(k):
        scale[s], group[s] = columns.root[first[s]], columns.group[first[s]]
        # a minute root stands for one that is more minute still: no weight, then, and no infinity
        D[s] = math.exp(min(2.0 * math.log(scale[s]) - log_ratio[s], 600.0))
    return Block(_rows(columns, p, first[:k], dual), D, scale, log_ratio[:k], first[:k], group, place, slot)


@inner
def _rows(columns: Columns, p: int, first: np.ndarray, dual: bool) -> np.ndarray:
    """Return the columns at the places first and the intercept's ones: where that is all, without copying."""
    k, m = first.size, columns.Z.shape[1]
    plain = k == p and not dual
    if plain:
        for j in range(p):
            plain &= columns.sign[j] > 0.0
    if plain:
        fill(columns.Z[p], 1.0)
        return columns.Z[: p + 1]
    U = matrix(k + 1, m)
    fill(U[k], 1.0)
    for s in range(k):
        # times the sign, so that a group's row is the same column whoever of it is still there
        for i in range(m):
            U[s, i] = columns.sign[first[s]] * columns.Z[first[s], i]
    return U
