"""Any function of columns and labels as a measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table

__all__ = ["Function"]


@dataclass(frozen=True)
class Function:
    """J = a function of the chosen columns and the classes, or minus it if it is a loss.

    Parameters
    ----------
    function : callable
        Called with X of shape (n, number of chosen columns), raw values, and the classes as numbers from 0;
        returns a number.
    greater_is_better : bool, optional
        False for a loss. Default: what the function's own attribute of this name says, else True.

    Examples
    --------
    >>> from fselect.measures import inconsistency_rate
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> table = Table(X, np.array([0, 0, 1, 1]), 2, np.array([True, True]))
    >>> loss = Function(inconsistency_rate).prepare(table, np.random.default_rng(0))
    >>> loss.value(np.array([0])), loss.value(np.array([1]))
    (-0.0, -0.5)
    """

    function: Callable[[np.ndarray, np.ndarray], float]
    greater_is_better: bool | None = None
    monotone: ClassVar[bool] = False

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Keep the table; see `fselect.measures.measure.Measure.prepare`."""
        better = self.greater_is_better
        if better is None:
            better = bool(getattr(self.function, "greater_is_better", True))
        return _FunctionEvaluator(table, self.function, 1.0 if better else -1.0)


class _FunctionEvaluator(Evaluator):
    def __init__(self, table: Table, function: Callable[..., Any], sign: float) -> None:
        self._table, self._function, self._sign = table, function, sign
        # columns are a copy each time; a function that writes into the classes would change all that comes after
        self._codes = table.codes.view()
        self._codes.setflags(write=False)

    def value(self, columns: np.ndarray) -> float:
        given = self._function(self._table.X[:, columns], self._codes)
        try:
            worth = float(given)
        except (TypeError, ValueError):
            raise InputError(f"the measure gave {given!r} for the columns {columns.tolist()}, not a number") from None
        if np.isnan(worth):
            raise InputError(f"the measure is not a number for the columns {columns.tolist()}")
        return self._sign * worth
