"""A logistic fit by walks over the rows of a table that is not copied: for many rows, each with its multiplicity.

The minimum of Σ c log(1 + exp(-y f)) + ½ Σ D v² in the weights v of standardised columns. Each step is a walk: rows
are standardised a block at a time in a buffer that stays in the second cache level, and give margins, loss and
gradient. A Hessian is computed seldom, at first of a part of the rows, and kept while columns leave, since that of
fewer columns is a part of it. It only says where to step; the steps and gradient differences of a fit (BFGS) correct
what it has wrong, and the gradients are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from fselect.classifiers.newton.lapack import add_inner, combine_rows, rows_dot
from fselect.classifiers.newton.loss import derivatives, loss, settle
from fselect.kernel import kernel

__all__ = ["Fitted", "RowSource", "fit_tall"]

_NUMBERS = 65_536  # in the buffer of rows
_MOST_STEPS = 200
_SETTLED = 0.3  # a change of margins from which on the kept Hessian does
_CHEAP = 300  # weights up to which a Hessian of all rows costs no more than a few walks
_ROWS = 30  # rows a column that a Hessian is made of: it is then right to about a fifth
_TOLERANCE = 1e-12  # of the margins, relative to the largest (or to 1)


@dataclass(frozen=True, eq=False)
class RowSource:
    """Rows of a table, of which some columns are standardised on the way.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table, C-ordered.
    rows : ndarray of shape (m,), int64
        Rows of the sample.
    counts : ndarray of shape (m,), float64
        Their multiplicities.
    places : ndarray of shape (k,), int64
        The columns.
    shift, factor : ndarray of shape (k,), float64
        A standardised value is (x - first - shift) · factor, with the value in the sample's first row as first: so a
        large common offset costs no digits.
    """

    X: np.ndarray
    rows: np.ndarray
    counts: np.ndarray
    places: np.ndarray
    shift: np.ndarray
    factor: np.ndarray


@dataclass(eq=False)
class Fitted:
    """Where a fit stands: what the next one starts from.

    Parameters
    ----------
    weight : ndarray of shape (k + 1,), float64
        Standardised weights; the last is the intercept.
    margins : ndarray of shape (m,), float64
        Theirs.
    hessian : ndarray of shape (k + 1, k + 1), float64, or None
        Second derivatives of the loss, somewhere near.
    """

    weight: np.ndarray
    margins: np.ndarray
    hessian: np.ndarray | None = None


def fit_tall(source: RowSource, D: np.ndarray, targets: np.ndarray, start: Fitted) -> Fitted:
    """Fit the weights.

    Parameters
    ----------
    source : RowSource
        The sample.
    D : ndarray of shape (k + 1,), float64
        Penalties, 0 for the intercept.
    targets : ndarray of shape (m,), float64
        0 or 1.
    start : Fitted
        Where to start; its Hessian is kept as long as it serves.

    Returns
    -------
    Fitted
        The optimum.
    """
    walk = _Walk(source, D, targets, start.margins.copy())
    weight, hessian = start.weight, start.hessian
    few, plan = _stride(walk, weight.size), list[int]()
    if hessian is None:
        plan = [few]
    elif weight.size <= _CHEAP:
        plan = [1]  # at the first step, which most of the way is done by
    value, gradient, _, fresh = walk.go(weight, few if hessian is None else 0)
    hessian = fresh if hessian is None else hessian
    assert hessian is not None
    solve, pairs, before = _solver(hessian, D), list[tuple[np.ndarray, np.ndarray]](), np.inf
    for _ in range(_MOST_STEPS):
        step = _direction(solve, pairs, gradient)
        new, value, after, change, fresh = _descend(walk, weight, step, value, plan.pop() if plan else 0)
        pairs.append((new - weight, gradient - after))
        weight, gradient = new, after
        if _finished(change, before, walk.largest):
            break
        if fresh is not None:
            hessian, pairs = fresh, []
            solve = _solver(hessian, D)
            if start.hessian is None and (change > _SETTLED or before > _SETTLED):
                plan = [few if change > _SETTLED else 1]
        elif len(pairs) > 2 and change > 0.3 * before and change > 1e-6:
            plan = [1]
        before = change
    return Fitted(weight, walk.margins, hessian)


def _stride(walk: _Walk, k: int) -> int:
    """Of how many rows one is taken for a Hessian that is soon to be replaced."""
    return max(1, walk.margins.size // (_ROWS * k + 1000))


class _Walk:
    """Walks over the rows, and the margins of the last one."""

    def __init__(self, source: RowSource, D: np.ndarray, targets: np.ndarray, margins: np.ndarray) -> None:
        self._source, self._D, self._targets = source, D, targets
        self.margins, self.largest = margins, 1.0

    def go(self, weight: np.ndarray, every: int) -> tuple[float, np.ndarray, float, np.ndarray | None]:
        """Return objective, descent gradient, largest change of a margin, and the Hessian by every so manieth row."""
        k = weight.size
        gradient, hessian = np.zeros(k), np.zeros((k, k) if every else (1, 1))
        source = self._source
        value, change, self.largest = _walk(
            source.X, source.rows, source.counts, source.places, source.shift, source.factor, self._targets,
            weight, self.margins, gradient, hessian, every,
        )  # fmt: skip
        whole = value + 0.5 * float(np.sum(self._D * weight * weight))
        return whole, gradient - self._D * weight, change, hessian if every else None


def _descend(
    walk: _Walk, weight: np.ndarray, step: np.ndarray, value: float, every: int
) -> tuple[np.ndarray, float, np.ndarray, float, np.ndarray | None]:
    """Take a step, halved until the objective falls."""
    for halving in range(60):
        new = weight + 0.5**halving * step
        now, gradient, change, hessian = walk.go(new, every)
        if now <= value * (1.0 + 1e-13) or change <= 1e-6:
            break
    return new, now, gradient, change, hessian


def _solver(hessian: np.ndarray, D: np.ndarray) -> tuple[tuple[np.ndarray, bool], np.ndarray]:
    """Factorise the objective's Hessian, its diagonal scaled to 1, if need be after a shift."""
    H = np.tril(hessian) + np.tril(hessian, -1).T
    H[np.diag_indices_from(H)] += D
    scale = 1.0 / np.sqrt(np.maximum(np.diag(H), 1e-300))
    H *= scale[:, None] * scale
    shift = 0.0
    while True:
        try:
            return cho_factor(H + shift * np.eye(len(H)), lower=True), scale
        except LinAlgError:
            shift = max(10.0 * shift, 1e-15)


def _direction(
    solve: tuple[tuple[np.ndarray, bool], np.ndarray],
    pairs: list[tuple[np.ndarray, np.ndarray]],
    gradient: np.ndarray,
) -> np.ndarray:
    """Newton's step of the kept Hessian, corrected by the pairs of steps and gradient differences."""
    q, used = gradient.copy(), []
    for moved, turned in reversed(pairs):
        product = float(moved @ turned)
        if product > 0.0:
            alpha = float(moved @ q) / product
            q -= alpha * turned
            used.append((moved, turned, alpha, product))
    factor, scale = solve
    step = scale * cho_solve(factor, scale * q)
    for moved, turned, alpha, product in reversed(used):
        step += (alpha - float(turned @ step) / product) * moved
    return np.asarray(step)


def _finished(change: float, before: float, largest: float) -> bool:
    """Tell whether another step would be lost in rounding; see `fselect.classifiers.newton.primal_newton.finished`."""
    scale = max(1.0, largest)
    if change <= _TOLERANCE * scale:
        return True
    if math.isinf(before) or change > 1e-4 * scale:
        return False
    if change >= 0.5 * before:
        return change <= 1e-10 * scale
    return change * change / before <= _TOLERANCE * scale


@kernel
def _walk(
    X: np.ndarray,
    rows: np.ndarray,
    counts: np.ndarray,
    places: np.ndarray,
    shift: np.ndarray,
    factor: np.ndarray,
    targets: np.ndarray,
    weight: np.ndarray,
    margins: np.ndarray,
    gradient: np.ndarray,
    hessian: np.ndarray,
    every: int,
) -> tuple[float, float, float]:
    """Add the gradient, and the Hessian unless every is 0; replace the margins; return loss, change, largest margin."""
    m, k = rows.size, places.size
    few = max(16, _NUMBERS // (k + 1))
    tile = np.ones((few, k + 1))
    current, residual, root, part = np.empty(few), np.empty(few), np.empty(few), np.empty(k + 1)
    value, change, largest, used = 0.0, 0.0, 0.0, 0
    for start in range(0, m, few):
        stop = min(start + few, m)
        b = stop - start
        _fill(X, rows[start:stop], rows[0], places, shift, factor, tile)
        rows_dot(tile, b, weight, current[:b])
        moved, size = settle(margins[start:stop], current[:b])
        change, largest = max(change, moved), max(largest, size)
        derivatives(current[:b], targets[start:stop], counts[start:stop], residual[:b], root[:b])
        value += loss(current[:b], targets[start:stop], counts[start:stop])
        combine_rows(residual[:b], tile[:b], part)
        for j in range(k + 1):
            gradient[j] += part[j]
        if every:
            taken = 0
            for i in range((-start) % every, b, every):
                for j in range(k + 1):
                    tile[taken, j] = tile[i, j] * root[i]
                taken += 1
            if taken > 0:
                add_inner(hessian, tile, taken, 1.0)
            tile[:, k] = 1.0
            used += taken
    if every:
        hessian *= m / used
    return value, change, largest


@kernel
def _fill(
    X: np.ndarray,
    rows: np.ndarray,
    reference: int,
    places: np.ndarray,
    shift: np.ndarray,
    factor: np.ndarray,
    tile: np.ndarray,
) -> None:
    k = places.size
    first = np.empty(k)
    for j in range(k):
        first[j] = X[reference, places[j]]
    for i in range(rows.size):
        line, out = X[rows[i]], tile[i]
        for j in range(k):
            out[j] = ((line[places[j]] - first[j]) - shift[j]) * factor[j]
