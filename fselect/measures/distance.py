"""Distance between classes: how far apart rows of different classes lie on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.kernel import kernel
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table

__all__ = ["InterclassDistance", "interclass_distance"]


def interclass_distance(X: Any, y: Any) -> float:
    """Return Σ over pairs of classes P(i) P(j) D(i, j), D being the mean Euclidean distance of their rows.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Numbers, taken as they are.
    y : array-like of shape (n,)
        Labels.

    Returns
    -------
    float
        0 or more; each pair of classes counts once.

    Raises
    ------
    InputError
        Values that are not finite numbers, or not one label a row.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 2.1; Devijver and Kittler (1982), "Pattern Recognition", section 5.3.

    Examples
    --------
    >>> interclass_distance([[0.0], [2.0], [5.0]], ["a", "a", "b"])
    0.8888888888888888
    """
    values = np.ascontiguousarray(X, dtype=np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise InputError("X must be a table of finite numbers; impute or drop missing and infinite values")
    codes = np.unique(np.asarray(y), return_inverse=True)[1]
    if codes.shape != (len(values),):
        raise InputError(f"y has {codes.size} labels and X has {len(values)} rows; give one label a row")
    nominal = np.zeros(values.shape[1], dtype=bool)
    return float(_mean_distance(values.T.copy(), nominal, codes, np.arange(values.shape[1])))


@kernel
def _mean_distance(columns: np.ndarray, nominal: np.ndarray, codes: np.ndarray, chosen: np.ndarray) -> float:
    """Sum the distances of all pairs of rows of different classes, divided by n²: the P(i) P(j) weighting."""
    n = codes.size
    square, total = np.empty(n), 0.0
    for i in range(n - 1):
        square[:] = 0.0
        for f in chosen:
            here = columns[f, i]
            if nominal[f]:
                for j in range(i + 1, n):
                    square[j] += 1.0 if columns[f, j] != here else 0.0
            else:
                for j in range(i + 1, n):
                    square[j] += (columns[f, j] - here) ** 2
        for j in range(i + 1, n):
            if codes[j] != codes[i]:
                total += np.sqrt(square[j])
    return total / n / n


@dataclass(frozen=True)
class InterclassDistance:
    """J = Σ P(i) P(j) D(i, j) over pairs of classes, D the mean Euclidean distance of their rows.

    Differences are |Δ| / range for numbers, 0 or 1 for names. The cost grows with the square of the rows.

    Examples
    --------
    >>> table = Table(np.array([[0.0], [0.0], [1.0]]), np.array([0, 0, 1]), 2, np.array([True]))
    >>> round(InterclassDistance().prepare(table, np.random.default_rng(0)).value(np.array([0])), 4)
    0.2222
    """

    monotone: ClassVar[bool] = True

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Scale the columns; see `fselect.measures.measure.Measure.prepare`."""
        return _DistanceEvaluator(table)


class _DistanceEvaluator(Evaluator):
    def __init__(self, table: Table) -> None:
        self._columns, self._nominal = np.ascontiguousarray(table.scaled.T), table.nominal
        self._codes = table.codes

    def value(self, columns: np.ndarray) -> float:
        return float(_mean_distance(self._columns, self._nominal, self._codes, columns))
