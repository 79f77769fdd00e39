"""What is measured for a claim: intervals over repeats, and the finding they lead to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from fselect.study.results import Point, Summary

__all__ = [
    "LEVEL",
    "Finding",
    "Measured",
    "Verdict",
    "mean_interval",
    "not_tested",
    "path",
    "resampled",
    "shown",
    "slope_interval",
    "values",
]

Verdict = Literal["reproduced", "not reproduced", "not tested"]

LEVEL = 0.95
"""Confidence level of every interval that a verdict rests on."""

RESAMPLES = 2000
"""Bootstrap resamples of the repeats."""


@dataclass(frozen=True)
class Measured:
    """A number with its interval; the limits are nan where there is none."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def text(self) -> str:
        """The number as a table shows it, with its interval.

        Examples
        --------
        >>> Measured("gain of φ", 0.1234, 0.1, 0.15).text
        'gain of φ +0.123 [+0.100, +0.150]'
        """
        if math.isnan(self.low):
            return f"{self.name} {self.value:.4g}"
        return f"{self.name} {self.value:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


@dataclass(frozen=True)
class Finding:
    """What was found of one part of a claim on one data set.

    Parameters
    ----------
    claim : str
        Number and part, ``1a`` say.
    statement : str
        What the paper says.
    data : str
        The data set or setting.
    in_paper : bool
        Whether the paper made the claim on this very data; the others are beside it.
    verdict : {"reproduced", "not reproduced", "not tested"}
        By the rule that the claim's function states.
    reason : str
        Why.
    measured : tuple of Measured
        The numbers that it rests on.
    repeats : int
        Repeats B of the study.
    """

    claim: str
    statement: str
    data: str
    in_paper: bool
    verdict: Verdict
    reason: str
    measured: tuple[Measured, ...] = field(default=())
    repeats: int = 0


def shown(findings: Sequence[Finding]) -> list[Finding]:
    """What people are shown: findings on the paper's own data, and those beside it that were tested.

    Ordered by claim, those on the paper's data first.
    """
    told = [finding for finding in findings if finding.in_paper or finding.verdict != "not tested"]
    return sorted(told, key=lambda one: (_numbered(one.claim), one.statement, not one.in_paper))


def _numbered(claim: str) -> tuple[int, str]:
    """The number of a claim, so that 10 comes after 9, and its part."""
    digits = claim[: len(claim) - len(claim.lstrip("0123456789"))]
    return int(digits or 0), claim


def not_tested(claim: str, statement: str, data: str, in_paper: bool, reason: str) -> Finding:
    """A finding that says why there is none."""
    return Finding(claim, statement, data, in_paper, "not tested", reason)


def path(summary: Summary) -> list[Point]:
    """The points of a study from no bias to the strongest, trivial strategies left out.

    Strength 0 of a transfer study begins its path: it is a trivial strategy there, but the bias starts from it.
    """
    if summary.protocol == "transfer":
        biased = [point for point in summary.points if point.strength is not None]
        return sorted(biased, key=lambda point: float(point.strength or 0))
    chosen = [point for point in summary.points if point.kind != "trivial"]
    return sorted(chosen, key=lambda point: -math.inf if point.shape is None else -point.shape)


def values(points: Sequence[Point], column: Literal["accuracy", "stability"]) -> np.ndarray:
    """One row a repeat, one column a point."""
    place = 0 if column == "accuracy" else 1
    return np.column_stack([point.pairs[:, place] for point in points])


def mean_interval(name: str, sample: np.ndarray, level: float = LEVEL) -> Measured:
    """The mean over repeats with Student's interval; of paired differences, say.

    Examples
    --------
    >>> mean_interval("gain", np.array([0.1, 0.2, 0.3])).text
    'gain +0.200 [-0.048, +0.448]'
    """
    n = len(sample)
    mean = float(sample.mean())
    if n < 2:
        return Measured(name, mean)
    half = float(stdtrit(n - 1, 0.5 + level / 2) * sample.std(ddof=1) / math.sqrt(n))
    return Measured(name, mean, mean - half, mean + half)


def slope_interval(name: str, table: np.ndarray) -> Measured:
    """The mean change from one point of the path to the next: each repeat's least-squares slope over the positions."""
    positions = np.arange(table.shape[1]) - (table.shape[1] - 1) / 2
    return mean_interval(name, table @ positions / (positions @ positions))


def resampled(pairs: np.ndarray, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Covariances of accuracy and stability at each point: the observed ones, and those of bootstrap resamples.

    Parameters
    ----------
    pairs : ndarray of shape (B, K, 2)
        A row a repeat; repeats are resampled jointly for all points.
    seed : int
        Of the draws.

    Returns
    -------
    (ndarray of shape (K, 2, 2), ndarray of shape (R, K, 2, 2))
    """
    n = len(pairs)
    rng = np.random.default_rng(seed)
    shares = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES) / n
    weights = np.vstack([np.full(n, 1 / n), shares])
    centred = pairs - pairs.mean(axis=0)
    means = np.einsum("rb,bki->rki", weights, centred)
    products = np.einsum("rb,bki,bkj->rkij", weights, centred, centred, optimize=True)
    found = (products - means[..., :, None] * means[..., None, :]) * n / (n - 1)
    return found[0], found[1:]
