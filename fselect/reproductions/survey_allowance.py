"""A measure that a search may use for so many processor seconds: a paused or crowded machine takes none of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fselect.measures.measure import Evaluator, Measure
from fselect.measures.table import Table
from fselect.selectors.search_frame import LimitReachedError

__all__ = ["Allowed"]

_AT_ONCE = 8  # neighbours, or questions whether a set is worth enough, between two looks at the clock


@dataclass
class Allowed:
    """A measure, and how long it may be asked.

    The clock is the thread's processor time and starts when this is made; a search has its own limit of elapsed time,
    in which other work on the machine would count.

    Parameters
    ----------
    measure : Measure
        What is measured.
    seconds : float
        Processor seconds, after which the search ends as by its limit ``max_seconds``.

    Examples
    --------
    >>> from fselect import SequentialSearch
    >>> from fselect.datasets import make_parity
    >>> from fselect.measures import get_measure
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> search = SequentialSearch("backward", measure=Allowed(get_measure("consistency"), 60.0))
    >>> search.fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    measure: Measure
    seconds: float
    _end: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._end = time.thread_time() + self.seconds

    @property
    def monotone(self) -> bool:
        """That of the measure."""
        return self.measure.monotone

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Prepare the measure; see `fselect.measures.measure.Measure.prepare`."""
        return _AllowedEvaluator(self.measure.prepare(table, rng), self._end)


class _AllowedEvaluator(Evaluator):
    def __init__(self, evaluator: Evaluator, end: float) -> None:
        self._evaluator, self._end, self._asked = evaluator, end, 0

    def _look(self) -> None:
        if time.thread_time() >= self._end:
            raise LimitReachedError("max_seconds")

    def value(self, columns: np.ndarray) -> float:
        self._look()
        return self._evaluator.value(columns)

    def value_if(self, columns: np.ndarray, least: float) -> float:
        self._asked += 1
        if self._asked % _AT_ONCE == 0:
            self._look()
        return self._evaluator.value_if(columns, least)

    def adding(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        return np.concatenate([self._evaluator.adding(columns, part) for part in self._parts(candidates)])

    def dropping(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        return np.concatenate([self._evaluator.dropping(columns, part) for part in self._parts(candidates)])

    def _parts(self, candidates: np.ndarray) -> Iterator[np.ndarray]:
        for start in range(0, len(candidates), _AT_ONCE):
            self._look()
            yield candidates[start : start + _AT_ONCE]
