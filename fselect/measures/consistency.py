"""Consistency: how few rows contradict the most frequent class among the rows that look like them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from fselect.errors import InputError
from fselect.measures.discretise import apply_cuts, cut_points
from fselect.measures.measure import Evaluator
from fselect.measures.patterns import agreements, first_in_agreement, pack
from fselect.measures.table import Table

__all__ = ["Consistency", "inconsistency_rate"]

_AS_IT_IS = np.array([-1])
_NEAR = 1e-9


def inconsistency_rate(X: Any, y: Any, *, discretize: str | None = None, n_bins: int = 5) -> float:
    """Return the share of rows that are not of the most frequent class among the rows with the same values.

    Over patterns, not rows: Σ (count − largest class) / n (Liu and Setiono 1996; the survey's printed sum runs over
    rows, and could pass 1). It never rises when a column is added.

    Parameters
    ----------
    X : array-like or frame of shape (n, d)
        Nominal columns: whole numbers, text, categories or booleans. Without columns, all rows are alike.
    y : array-like of shape (n,)
        Labels.
    discretize : {"equal_frequency", "equal_width", "mdl"}, optional
        How columns that hold fractions are cut; by default they are refused.
    n_bins : int, default=5
        Into how many parts.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    InputError
        A missing value, fractions that nothing says how to cut, or labels that do not fit the rows.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 2.1.

    Examples
    --------
    >>> inconsistency_rate([[0, 1], [0, 1], [0, 1], [1, 0]], ["a", "a", "b", "b"])
    0.25
    """
    frame = (
        X if isinstance(X, pd.DataFrame) else pd.DataFrame(X.to_pandas() if hasattr(X, "to_pandas") else np.asarray(X))
    )
    labels = pd.factorize(np.asarray(y).ravel())[0]
    if len(labels) != len(frame):
        raise InputError(f"y has {len(labels)} labels and X has {len(frame)} rows; give one label a row")
    if not len(labels):
        raise InputError("X has no rows; an inconsistency rate needs one or more")
    if (labels < 0).any():
        raise InputError(f"y has no label in row {int(np.argmax(labels < 0))}; every row needs one")
    levels = [_levels(frame.iloc[:, j], labels, discretize, n_bins) for j in range(frame.shape[1])]
    columns = np.column_stack(levels) if levels else np.zeros((len(labels), 0), dtype=np.int64)
    packed = pack(columns, labels, int(labels.max()) + 1)
    agree = agreements(packed, np.arange(columns.shape[1]), _AS_IT_IS)[0]
    return float((len(labels) - agree) / len(labels))


# A loss: whoever gives it to a search as a function need not say so.
inconsistency_rate.greater_is_better = False  # type: ignore[attr-defined]


def _levels(column: pd.Series, labels: np.ndarray, discretize: str | None, n_bins: int) -> np.ndarray:
    if column.isna().any():
        raise InputError(f"column {column.name!r} holds a missing value; impute it, or drop the row or the column")
    numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    values = column.to_numpy(dtype=np.float64) if numeric else None
    if values is not None and not np.isfinite(values).all():
        raise InputError(f"column {column.name!r} holds inf (infinity); drop the row or the column")
    if values is not None and (values != np.floor(values)).any():
        if discretize is None:
            raise InputError(
                f"column {column.name!r} holds fractions, which are not nominal; set discretize to equal_frequency, "
                "equal_width or mdl"
            )
        return apply_cuts(values, cut_points(values, labels, discretize, n_bins))
    return np.asarray(pd.factorize(column)[0], dtype=np.int64)


@dataclass(frozen=True)
class Consistency:
    """J = 1 − inconsistency rate, of nominal columns and cut ones; a set is never worth less than a part of it.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> table = Table(X, np.array([0, 1, 1, 0]), 2, np.array([True, True]))
    >>> consistency = Consistency().prepare(table, np.random.default_rng(0))
    >>> consistency.value(np.array([0, 1])), consistency.dropping(np.array([0, 1]), np.array([0, 1]))
    (1.0, array([0.5, 0.5]))
    """

    monotone: ClassVar[bool] = True

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Pack the columns; see `fselect.measures.measure.Measure.prepare`."""
        return _ConsistencyEvaluator(table)


class _ConsistencyEvaluator(Evaluator):
    def __init__(self, table: Table) -> None:
        self._patterns, self._n = table.patterns, len(table.codes)

    def value(self, columns: np.ndarray) -> float:
        return float(agreements(self._patterns, columns, _AS_IT_IS)[0] / self._n)

    def first_enough(self, columns: np.ndarray, ends: np.ndarray, least: float) -> tuple[int, float]:
        # rounding must not decide: what is nearer to the border than this counts as enough
        most = np.floor((1.0 - least + _NEAR) * self._n)
        place, agree = first_in_agreement(self._patterns, columns, ends, int(max(most, -1)))
        return place, float(agree / self._n)

    def adding(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        values: np.ndarray = agreements(self._patterns, columns, candidates) / self._n
        return values

    dropping = adding
