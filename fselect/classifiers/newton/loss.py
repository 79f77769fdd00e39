"""The logistic loss of a weighted sample and its derivatives, by margin."""

from __future__ import annotations

import math

import numpy as np

from fselect.kernel import bare

__all__ = ["derivatives", "loss", "loss_along", "null_margin", "penalty", "residuals", "settle"]

_LEAST_CURVATURE = 1e-280  # its square root can still be divided by
_PER_LOG_2 = 1.0 / math.log(2.0)
_LOG_2_HIGH = 6.93147180369123816490e-01  # the leading 32 bits of log 2: an integer times it is exact
_LOG_2_LOW = 1.90821492927058770002e-10


@bare
def _decays(margins: np.ndarray, out: np.ndarray) -> None:
    """Write ``exp(-|f|)`` to out, to a unit in the last place; a few margins at a time, where math.exp takes one.

    With n the integer nearest to -|f| / log 2, it is 2ⁿ times the exponential of what remains, which is below
    ½ log 2, so that fourteen terms of its series do. Below exp(-708) it is that.
    """
    bits = out.view(np.int64)
    for i in range(margins.size):
        f = max(-abs(margins[i]), -708.0)
        n = math.floor(f * _PER_LOG_2 + 0.5)
        r = (f - n * _LOG_2_HIGH) - n * _LOG_2_LOW
        rest = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0
        rest = ((rest * r + 1.0 / 39916800.0) * r + 1.0 / 3628800.0) * r + 1.0 / 362880.0
        rest = ((rest * r + 1.0 / 40320.0) * r + 1.0 / 5040.0) * r + 1.0 / 720.0
        rest = (((rest * r + 1.0 / 120.0) * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5
        out[i] = 1.0 + (r + r * r * rest)
        bits[i] += np.int64(n) << 52  # times 2ⁿ: no result is too small to have an exponent of its own


@bare
def derivatives(
    margins: np.ndarray, targets: np.ndarray, counts: np.ndarray, residual: np.ndarray, root: np.ndarray
) -> None:
    """Write ``c (t - σ(f))`` to residual and the square root of the curvature ``c σ(f) (1 - σ(f))`` to root.

    Both are computed from ``exp(-|f|)``, so that neither loses digits however large a margin is.
    """
    _decays(margins, root)
    for i in range(margins.size):
        s = 1.0 / (1.0 + root[i])
        low = root[i] * s
        error = low if (targets[i] > 0.5) == (margins[i] >= 0.0) else s
        residual[i] = counts[i] * error if targets[i] > 0.5 else -counts[i] * error
        root[i] = math.sqrt(max(counts[i] * low * s, _LEAST_CURVATURE))


@bare
def residuals(margins: np.ndarray, targets: np.ndarray, counts: np.ndarray, residual: np.ndarray) -> None:
    """Write ``c (t - σ(f))`` to residual."""
    _decays(margins, residual)
    for i in range(margins.size):
        s = 1.0 / (1.0 + residual[i])
        error = residual[i] * s if (targets[i] > 0.5) == (margins[i] >= 0.0) else s
        residual[i] = counts[i] * error if targets[i] > 0.5 else -counts[i] * error


@bare
def loss(margins: np.ndarray, targets: np.ndarray, counts: np.ndarray) -> float:
    """Sum ``c log(1 + exp(-y f))`` over the rows, where y = 2 t - 1."""
    return loss_along(margins, margins, 0.0, targets, counts)


@bare
def loss_along(
    margins: np.ndarray, direction: np.ndarray, length: float, targets: np.ndarray, counts: np.ndarray
) -> float:
    """Sum the same where the margins have moved by a length in a direction."""
    total = 0.0
    for i in range(margins.size):
        moved = margins[i] + length * direction[i]
        f = moved if targets[i] > 0.5 else -moved
        total += counts[i] * (math.log1p(math.exp(-abs(f))) + max(-f, 0.0))
    return total


@bare
def null_margin(targets: np.ndarray, counts: np.ndarray) -> float:
    """Return the best margin where no column has a weight: the logarithm of the odds of the classes."""
    positive, negative = 0.0, 0.0
    for i in range(counts.size):
        if targets[i] > 0.5:
            positive += counts[i]
        else:
            negative += counts[i]
    return math.log(positive / negative)


@bare
def penalty(D: np.ndarray, omega: np.ndarray, step: np.ndarray) -> float:
    """Return ``Σ D ω δ``."""
    total = 0.0
    for j in range(D.size):
        total += D[j] * omega[j] * step[j]
    return total


@bare
def settle(margins: np.ndarray, current: np.ndarray) -> tuple[float, float]:
    """Copy current to margins; return the largest change, and the largest of |current|."""
    change, largest = 0.0, 0.0
    for i in range(margins.size):
        change = max(change, abs(current[i] - margins[i]))
        largest = max(largest, abs(current[i]))
        margins[i] = current[i]
    return change, largest
