"""Information: entropy, mutual information and gain ratio, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fselect.measures.measure import Evaluator
from fselect.measures.patterns import Patterns, pattern_table
from fselect.measures.table import Table

__all__ = ["GainRatio", "Information", "entropy", "gain_ratio", "information_gains", "mutual_information"]


def entropy(values: Any) -> float:
    """Return the entropy of the distribution of some values, in bits.

    Parameters
    ----------
    values : array-like of shape (n,)
        Names or whole numbers.

    Returns
    -------
    float
        −Σ p log2 p.

    Examples
    --------
    >>> entropy(["a", "a", "b", "b"])
    1.0
    """
    return _entropy(np.unique(np.asarray(values), return_counts=True)[1])


def mutual_information(x: Any, y: Any) -> float:
    """Return the mutual information of two nominal variables, in bits: H(y) − H(y | x).

    Parameters
    ----------
    x, y : array-like of shape (n,)
        Names or whole numbers.

    Returns
    -------
    float
        0 or more.

    Examples
    --------
    >>> mutual_information([0, 0, 1, 1], ["a", "a", "b", "b"])
    1.0
    """
    return _information(_contingency(x, y))


def gain_ratio(x: Any, y: Any) -> float:
    """Return the mutual information of two nominal variables divided by the entropy of the first.

    Parameters
    ----------
    x, y : array-like of shape (n,)
        Names or whole numbers.

    Returns
    -------
    float
        Between 0 and 1; 0 if x is constant (Quinlan 1993, "C4.5", section 2.2).

    Examples
    --------
    >>> gain_ratio([0, 1, 2, 3], [0, 0, 1, 1])
    0.5
    """
    return _gain_ratio(_contingency(x, y))


def information_gains(table: Table) -> np.ndarray:
    """Return the information of each column alone about the class, H(C) − H(C | x), in bits.

    Parameters
    ----------
    table : Table
        The table; columns that are not nominal are cut.

    Returns
    -------
    ndarray of shape (d,), float64

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> information_gains(Table(X, np.array([0, 0, 1, 1]), 2, np.array([True, True])))
    array([1., 0.])
    """
    packed = table.patterns
    return np.array([_information(pattern_table(packed, np.array([j]))[1]) for j in range(table.n_columns)])


def _contingency(x: Any, y: Any) -> np.ndarray:
    (xs, rows), (ys, columns) = (np.unique(np.asarray(v), return_inverse=True) for v in (x, y))
    counts = np.bincount(rows * len(ys) + columns, minlength=len(xs) * len(ys))
    return counts.reshape(len(xs), len(ys))


def _entropy(counts: np.ndarray) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share @ np.log2(share))) + 0.0


def _information(counts: np.ndarray) -> float:
    """H(pattern) + H(class) − H(both); at least 0 but for rounding."""
    pattern, label, both = (_entropy(part.ravel()) for part in (counts.sum(axis=1), counts.sum(axis=0), counts))
    return max(0.0, pattern + label - both)


def _gain_ratio(counts: np.ndarray) -> float:
    split = _entropy(counts.sum(axis=1))
    return _information(counts) / split if split > 0 else 0.0


@dataclass(frozen=True)
class Information:
    """J = I(columns; class): the entropy of the class minus that which is left when the pattern is known.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> table = Table(X, np.array([0, 1, 1, 0]), 2, np.array([True, True]))
    >>> information = Information().prepare(table, np.random.default_rng(0))
    >>> information.value(np.array([0])), information.value(np.array([0, 1]))
    (0.0, 1.0)
    """

    monotone: ClassVar[bool] = True

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Pack the columns; see `fselect.measures.measure.Measure.prepare`."""
        return _PatternEvaluator(table.patterns, ratio=False)


@dataclass(frozen=True)
class GainRatio:
    """J = I(columns; class) / H(columns): many patterns count against a set.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> table = Table(X, np.array([0, 1, 1, 0]), 2, np.array([True, True]))
    >>> GainRatio().prepare(table, np.random.default_rng(0)).value(np.array([0, 1]))
    0.5
    """

    monotone: ClassVar[bool] = False

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Pack the columns; see `fselect.measures.measure.Measure.prepare`."""
        return _PatternEvaluator(table.patterns, ratio=True)


class _PatternEvaluator(Evaluator):
    def __init__(self, patterns: Patterns, *, ratio: bool) -> None:
        self._patterns, self._of = patterns, _gain_ratio if ratio else _information

    def value(self, columns: np.ndarray) -> float:
        return self._of(pattern_table(self._patterns, columns)[1])
