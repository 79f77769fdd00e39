"""Gradients that follow a step in single precision: half the memory to walk through, which is what they cost.

What is computed in single precision is only how much margins and gradient change with a step, so that its error is that
part in ten million of the change, not of the gradient. Steps that shrink lose nothing; what the large ones
before them lost goes with the next gradient in double precision.
"""

from __future__ import annotations

import numpy as np

from fselect.classifiers.arrays import vector
from fselect.classifiers.newton.lapack_single import combine_columns_single, dot_columns_single
from fselect.classifiers.newton.loss import residuals
from fselect.kernel import bare, inner

__all__ = ["follow_single", "make_single"]

_CACHE = 200_000  # numbers of the columns that are handled at a time


@inner
def make_single(U: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the columns of U over their scales in single precision; the last, the intercept's, has none.

    They come in parts of as many rows as are handled at a time, one behind the other: a part's columns lie side by side
    then, where they are far apart in U, and the walk through them is as fast as memory is.
    """
    k, m = U.shape
    V, width = np.empty(k * m, dtype=np.float32), _width(k, m)
    for start in range(0, m, width):
        n = min(m, start + width) - start
        part = V[start * k : (start + n) * k].reshape(k, n)
        for j in range(k):
            inverse = 1.0 / scale[j] if j < k - 1 else 1.0
            line, out = U[j], part[j]
            for i in range(n):
                out[i] = line[start + i] * inverse
    return V


@bare
def _width(k: int, m: int) -> int:
    """Return how many rows of k columns are handled at a time."""
    return min(m, max(64, _CACHE // k))


@inner
def follow_single(
    V: np.ndarray,
    scale: np.ndarray,
    D: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    margins: np.ndarray,
    gradient: np.ndarray,
    step: np.ndarray,
    moved_to: np.ndarray,
    other: np.ndarray,
) -> None:
    """Write the margins and the gradient after a step, whose margins and gradient before it are given.

    Parameters
    ----------
    V, scale : ndarray of shape (k * m,), float32, and of shape (k - 1,)
        See `make_single`.
    D, targets, counts
        See `fselect.classifiers.newton.primal_newton.solve_primal`.
    margins, gradient : ndarray of shape (m,), (k,)
        Before the step: margins, and how fast the objective falls with each weight.
    step : ndarray of shape (k,)
        The step of the scaled weights.
    moved_to, other : ndarray of shape (m,), (k,)
        Written: margins and gradient after it.
    """
    k, m = step.size, margins.size
    single, change = np.empty(k, dtype=np.float32), np.empty(k, dtype=np.float32)
    size = _shrink(step, scale, single)
    for j in range(k):
        other[j] = 0.0
    width = _width(k, m)
    moved = np.empty(width, dtype=np.float32)
    before, after = vector(width), vector(width)
    for start in range(0, m, width):
        stop = min(m, start + width)
        n = stop - start
        part = V[start * k : stop * k].reshape(k, n)
        combine_columns_single(single, part, 0, moved[:n])
        for i in range(n):
            moved_to[start + i] = margins[start + i] + size * moved[i]
        residuals(margins[start:stop], targets[start:stop], counts[start:stop], before[:n])
        residuals(moved_to[start:stop], targets[start:stop], counts[start:stop], after[:n])
        largest = 1e-300
        for i in range(n):
            after[i] -= before[i]
            largest = max(largest, abs(after[i]))
        for i in range(n):
            moved[i] = after[i] / largest
        dot_columns_single(part, 0, moved[:n], change)
        for j in range(k):
            other[j] += largest * change[j]
    for j in range(k):
        unit = scale[j] if j < k - 1 else 1.0
        other[j] = gradient[j] + unit * other[j] - D[j] * step[j]


@bare
def _shrink(step: np.ndarray, scale: np.ndarray, single: np.ndarray) -> float:
    """Write the step of the standardised weights over the largest of them, which is returned."""
    k = step.size
    largest = abs(step[k - 1]) + 1e-300
    for j in range(k - 1):
        largest = max(largest, abs(step[j]) * scale[j])
    for j in range(k):
        unit = scale[j] if j < k - 1 else 1.0
        single[j] = step[j] * unit / largest
    return largest
