"""The logistic loss of a weighted sample and its derivatives, by margin."""

from __future__ import annotations

import math

import numpy as np

from fselect.classifiers.arrays import vector
from fselect.kernel import inner

__all__ = ["derivatives", "loss", "null_margin", "penalty", "residuals", "settle"]

_LEAST_CURVATURE = 1e-280  # its square root can still be divided by


@inner
def derivatives(
    margins: np.ndarray, targets: np.ndarray, counts: np.ndarray, residual: np.ndarray, root: np.ndarray
) -> None:
    """Write ``c (t - σ(f))`` to residual and the square root of the curvature ``c σ(f) (1 - σ(f))`` to root.

    Both are computed from ``exp(-|f|)``, so that neither loses digits however large a margin is.
    """
    for i in range(margins.size):
        e = math.exp(-abs(margins[i]))
        s = 1.0 / (1.0 + e)
        low = e * s
        error = low if (targets[i] > 0.5) == (margins[i] >= 0.0) else s
        residual[i] = counts[i] * error if targets[i] > 0.5 else -counts[i] * error
        root[i] = math.sqrt(max(counts[i] * low * s, _LEAST_CURVATURE))


@inner
def residuals(margins: np.ndarray, targets: np.ndarray, counts: np.ndarray, residual: np.ndarray) -> None:
    """Write ``c (t - σ(f))`` to residual."""
    root = vector(margins.size)
    derivatives(margins, targets, counts, residual, root)


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
