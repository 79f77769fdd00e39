"""Divergence: how different the distributions of the columns are in two classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Evaluator
from fselect.measures.patterns import pattern_table
from fselect.measures.table import Table

__all__ = ["Divergence"]

_LEAST = 1e-12
_RIDGE = 1e-6


@dataclass(frozen=True)
class Divergence:
    """J = Σ P(i) P(j) D(i, j) over pairs of classes, D a divergence of their distributions of the columns.

    Parameters
    ----------
    kind : {"kullback_leibler", "bhattacharyya"}
        The symmetrised Kullback-Leibler divergence, or −ln Σ √(p q).
    law : {"histogram", "gaussian"}
        Frequencies of patterns of nominal and cut columns (for Kullback-Leibler with ½ added to each count, or an
        absent pattern would be infinitely far), or normal laws with the classes' means and covariances, to whose
        diagonal 10⁻⁶ of the column's variance is added so that copies do no harm.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 2.1; Devijver and Kittler (1982), section 5.4.

    Examples
    --------
    >>> X, codes = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0], [1.0], [0.0]]), np.repeat([0, 1], 4)
    >>> table = Table(X, codes, 2, np.array([True]))
    >>> evaluator = Divergence("bhattacharyya").prepare(table, np.random.default_rng(0))
    >>> round(evaluator.value(np.array([0])), 4)  # ¼ · −ln(2 · √(¾ · ¼))
    0.036
    """

    kind: str = "kullback_leibler"
    law: str = "histogram"
    monotone: ClassVar[bool] = False  # smoothed histograms are not quite

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Estimate the laws; see `fselect.measures.measure.Measure.prepare`."""
        if self.kind not in _HISTOGRAM:
            raise InputError(f"kind of divergence must be one of {', '.join(_HISTOGRAM)}, not {self.kind!r}")
        if self.law == "histogram":
            return _HistogramEvaluator(table, _HISTOGRAM[self.kind])
        if self.law == "gaussian":
            return _GaussianEvaluator(table, _GAUSSIAN[self.kind])
        raise InputError(f"law must be histogram or gaussian, not {self.law!r}")


class _HistogramEvaluator(Evaluator):
    def __init__(self, table: Table, divergence: Callable[[np.ndarray, np.ndarray], float]) -> None:
        self._patterns, self._shares, self._divergence = table.patterns, table.class_shares, divergence

    def value(self, columns: np.ndarray) -> float:
        counts = pattern_table(self._patterns, columns)[1].astype(np.float64)
        shares = self._shares
        pairs = combinations(range(len(shares)), 2)
        return float(sum(shares[i] * shares[j] * self._divergence(counts[:, i], counts[:, j]) for i, j in pairs))


def _jeffreys(one: np.ndarray, other: np.ndarray) -> float:
    p, q = ((counts + 0.5) / (counts + 0.5).sum() for counts in (one, other))
    return float((p - q) @ np.log(p / q))


def _bhattacharyya(one: np.ndarray, other: np.ndarray) -> float:
    overlap = np.sqrt(one / one.sum()) @ np.sqrt(other / other.sum())
    return float(-np.log(min(max(overlap, _LEAST), 1.0))) + 0.0


_Law = tuple[np.ndarray, np.ndarray]


class _GaussianEvaluator(Evaluator):
    def __init__(self, table: Table, divergence: Callable[[_Law, _Law], float]) -> None:
        spread = table.X.var(axis=0)
        ridge = np.diag(_RIDGE * np.where(spread > 0, spread, 1.0))
        members = [table.X[table.codes == c] for c in range(table.n_classes)]
        self._laws = [(rows.mean(axis=0), np.atleast_2d(np.cov(rows.T, bias=True)) + ridge) for rows in members]
        self._shares, self._divergence = table.class_shares, divergence

    def value(self, columns: np.ndarray) -> float:
        if not columns.size:
            return 0.0
        laws = [(mean[columns], covariance[np.ix_(columns, columns)]) for mean, covariance in self._laws]
        shares = self._shares
        pairs = combinations(range(len(shares)), 2)
        return float(sum(shares[i] * shares[j] * self._divergence(laws[i], laws[j]) for i, j in pairs))


def _jeffreys_gaussian(one: _Law, other: _Law) -> float:
    (m, S), (k, T) = one, other
    difference = m - k
    spread = np.trace(np.linalg.solve(S, T)) + np.trace(np.linalg.solve(T, S)) - 2 * len(m)
    apart = difference @ (np.linalg.solve(S, difference) + np.linalg.solve(T, difference))
    return float(0.5 * (spread + apart))


def _bhattacharyya_gaussian(one: _Law, other: _Law) -> float:
    (m, S), (k, T) = one, other
    difference, middle = m - k, 0.5 * (S + T)
    logs = [np.linalg.slogdet(matrix)[1] for matrix in (middle, S, T)]
    return float(difference @ np.linalg.solve(middle, difference) / 8 + 0.5 * (logs[0] - 0.5 * (logs[1] + logs[2])))


_HISTOGRAM: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "kullback_leibler": _jeffreys,
    "bhattacharyya": _bhattacharyya,
}
_GAUSSIAN: dict[str, Callable[[_Law, _Law], float]] = {
    "kullback_leibler": _jeffreys_gaussian,
    "bhattacharyya": _bhattacharyya_gaussian,
}
