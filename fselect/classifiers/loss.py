"""The logistic loss of a weighted sample and its derivatives, by margin."""

from __future__ import annotations

import math

import numpy as np

from fselect.kernel import inner

__all__ = ["derivatives", "loss", "null_margin", "penalty", "residuals", "settle"]

_LEAST_CURVATURE = 1e-280  # its square root can still be divided by
_PER_LOG_2 = 1.0 / math.log(2.0)
_LOG_2_HIGH = 6.93147180369123816490e-01  # the leading 32 bits of log 2: an integer times it is exact
_LOG_2_LOW = 1.90821492927058770002e-10


@inner
def _decays(margins: np.ndarray, out: np.ndarray) -> None:
    """Write ``exp(-|f|)`` to out, to a unit in the last place; a few margins at a time, where math.exp takes one.

    With n the integer nearest to -|f| / log 2, it is 2ⁿ times the exponential of what remains, which is below
    ½ log 2, so that fourteen terms of its series do. Below exp(-708) it is that.
    """
    exponents = np.empty(margins.size, dtype=np.int64)
    powers = exponents.view(np.float64)
    for i in range(margins.size):
        f = max(-abs(margins[i]), -708.0)
        n = math.floor(f * _PER_LOG_2 + 0.5)
        r = (f - n * _LOG_2_HIGH) - n * _LOG_2_LOW
        rest = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0
        rest = ((rest * r + 1.0 / 39916800.0) * r + 1.0 / 3628800.0) * r + 1.0 / 362880.0
        rest = ((rest * r + 1.0 / 40320.0) * r + 1.0 / 5040.0) * r + 1.0 / 720.0
        rest = (((rest * r + 1.0 / 120.0) * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5
        out[i] = 1.0 + (r + r * r * rest)
        exponents[i] = (np.int64(n) + 1023) << 52
    for i in range(margins.size):
        out[i] *= powers[i]


@inner
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


@inner
def residuals(margins: np.ndarray, targets: np.ndarray, counts: np.ndarray, residual: np.ndarray) -> None:
    """Write ``c (t - σ(f))`` to residual."""
    _decays(margins, residual)
    for i in range(margins.size):
        s = 1.0 / (1.0 + residual[i])
        error = residual[i] * s if (targets[i] > 0.5) == (margins[i] >= 0.0) else s
        residual[i] = counts[i] * error if targets[i] > 0.5 else -counts[i] * error


@inner
def loss(margins: np.ndarray, targets: np.ndarray, counts: np.ndarray) -> float:
    """Sum ``c log(1 + exp(-y f))`` over the rows, where y = 2 t - 1."""
    total = 0.0
    for i in range(margins.size):
        f = margins[i] if targets[i] > 0.5 else -margins[i]
        total += counts[i] * (math.log1p(math.exp(-abs(f))) + max(-f, 0.0))
    return total


@inner
def null_margin(targets: np.ndarray, counts: np.ndarray) -> float:
    """Return the best margin where no column has a weight: the logarithm of the odds of the classes."""
    positive, negative = 0.0, 0.0
    for i in range(counts.size):
        if targets[i] > 0.5:
            positive += counts[i]
        else:
            negative += counts[i]
    return math.log(positive / negative)


@inner
def penalty(D: np.ndarray, omega: np.ndarray, step: np.ndarray) -> float:
    """Return ``Σ D ω δ``."""
    total = 0.0
    for j in range(D.size):
        total += D[j] * omega[j] * step[j]
    return total


@inner
def settle(margins: np.ndarray, current: np.ndarray) -> tuple[float, float]:
    """Copy current to margins; return the largest change, and the largest of |current|."""
    change, largest = 0.0, 0.0
    for i in range(margins.size):
        change = max(change, abs(current[i] - margins[i]))
        largest = max(largest, abs(current[i]))
        margins[i] = current[i]
    return change, largest
