"""Whether contributions follow a power law, as figure 2 of Cohen, Ruppin & Dror (2005) shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["BINS", "PowerLaw", "power_law"]

BINS = 12
"""Equal intervals of the logarithm of the size (decided here, because the paper does not tell its own)."""

FEWEST = 3
"""Intervals with contributions below which there is no line."""


NOTHING = 1e-12
"""A contribution up to this is 0: means of fractions whose sum is 0 differ from it by rounding."""


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """Logarithms to the base 10 of sizes and of their frequencies, with the line through them.

    Attributes
    ----------
    sizes, frequencies : ndarray of shape (k,)
        Middles of the intervals that hold contributions, and log10 of the share of contributions in each.
    slope, intercept, explained : float
        Of the least-squares line, and the share of variance that it explains; nan with fewer than three intervals.
    zeros : int
        How many of the given contributions are 0, and left out.
    """

    sizes: np.ndarray
    frequencies: np.ndarray
    slope: float
    intercept: float
    explained: float
    zeros: int


def power_law(contributions: Sequence[float]) -> PowerLaw:
    """Fit a line to the log-log histogram of the contributions' sizes.

    Parameters
    ----------
    contributions : sequence of float
        Contributions of a first round; those that are 0 or no number have no logarithm and are left out.

    Returns
    -------
    PowerLaw

    Examples
    --------
    >>> law = power_law([0.0, *10.0 ** -np.repeat([4, 3, 2], [100, 10, 1])])
    >>> round(law.slope, 2), round(law.explained, 2), law.zeros
    (-1.09, 1.0, 1)
    """
    sizes = np.abs(np.asarray(contributions, dtype=float))
    logs, zeros = np.log10(sizes[np.isfinite(sizes) & (sizes > NOTHING)]), int((sizes <= NOTHING).sum())
    if not logs.size or np.ptp(logs) == 0:
        return PowerLaw(np.array([]), np.array([]), np.nan, np.nan, np.nan, zeros)
    counts, edges = np.histogram(logs, bins=BINS)
    held = counts > 0
    x, y = ((edges[:-1] + edges[1:]) / 2)[held], np.log10(counts[held] / logs.size)
    if held.sum() < FEWEST:
        return PowerLaw(x, y, np.nan, np.nan, np.nan, zeros)
    slope, intercept = np.polyfit(x, y, 1)
    residual, total = ((y - slope * x - intercept) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    explained = float(1 - residual / total) if total > 0 else np.nan
    return PowerLaw(x, y, float(slope), float(intercept), explained, zeros)
