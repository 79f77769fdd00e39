"""Dependence: columns that go along with the class, and not with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fselect.measures.measure import Evaluator
from fselect.measures.table import Table

__all__ = ["Correlation"]


@dataclass(frozen=True)
class Correlation:
    """J = k r̄(column, class) / √(k + k (k − 1) r̄(column, column)), of absolute Pearson correlations.

    The correlation with a class of several is that with the indicator of one of them that is largest. Nominal columns
    are taken as numbers, which is right for two values. (The other measure of dependence is the mutual information,
    `fselect.measures.information.Information`.)

    References
    ----------
    Hall (1999), "Correlation-based feature selection for machine learning", equation 4.2.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> table = Table(X, np.array([0, 0, 1, 1]), 2, np.array([True, True]))
    >>> correlation = Correlation().prepare(table, np.random.default_rng(0))
    >>> round(correlation.value(np.array([0])), 6), round(correlation.value(np.array([0, 1])), 6)
    (1.0, 0.707107)
    """

    monotone: ClassVar[bool] = False

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Correlate the columns; see `fselect.measures.measure.Measure.prepare`."""
        return _CorrelationEvaluator(table)


class _CorrelationEvaluator(Evaluator):
    def __init__(self, table: Table) -> None:
        self._columns = _standardised(table.X)
        indicators = _standardised((table.codes[:, None] == np.arange(table.n_classes)).astype(np.float64))
        self._with_class = np.abs(self._columns.T @ indicators).max(axis=1)

    def value(self, columns: np.ndarray) -> float:
        if not columns.size:
            return 0.0
        chosen = self._columns[:, columns]
        among = np.abs(chosen.T @ chosen).sum() - len(columns)
        return float(self._with_class[columns].sum() / np.sqrt(len(columns) + max(among, 0.0)))


def _standardised(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and length 1; constant ones are 0."""
    Z = X - X.mean(axis=0)
    length = np.sqrt((Z**2).sum(axis=0))
    scaled: np.ndarray = Z / np.where(length > 1e-12 * np.abs(X).max(axis=0, initial=0), length, np.inf)
    return scaled
