"""A measure that a search may use for so many processor seconds: a paused or crowded machine takes none of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fselect.measures.measure import Evaluator, Measure
from fselect.measures.table import Table
from fselect.selectors.searches.frame import LimitReachedError

__all__ = ["Allowed"]

_AT_ONCE = 8  # neighbours between two looks at the clock


@dataclass
class Allowed:
    """A measure, and how long it may be asked.

    The clock is the thread's processor time and starts when this is made; a search has its own limit of elapsed time,
    in which other work on the machine would count. A thread cannot use more of the processor than time elapses, so its
    clock, which is dear to read, is not looked at before that much has elapsed.

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
    _clock: _Clock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._clock = _Clock(self.seconds)

    @property
    def monotone(self) -> bool:
        """That of the measure."""
        return self.measure.monotone

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Prepare the measure; see `fselect.measures.measure.Measure.prepare`."""
        return _AllowedEvaluator(self.measure.prepare(table, rng), self._clock)


class _Clock:
    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds
        self._not_before = time.monotonic() + seconds

    def look(self) -> None:
        """Raise where the allowance is used up."""
        now = time.monotonic()
        if now < self._not_before:
            return
        left = self._end - time.thread_time()
        if left <= 0:
            raise LimitReachedError("max_seconds")
        self._not_before = now + left


class _AllowedEvaluator(Evaluator):
    def __init__(self, evaluator: Evaluator, clock: _Clock) -> None:
        self._evaluator, self._look = evaluator, clock.look

    def value(self, columns: np.ndarray) -> float:
        self._look()
        return self._evaluator.value(columns)

    def first_enough(self, columns: np.ndarray, ends: np.ndarray, least: float) -> tuple[int, float]:
        self._look()
        return self._evaluator.first_enough(columns, ends, least)

    def adding(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        return np.concatenate([self._evaluator.adding(columns, part) for part in self._parts(candidates)])

    def dropping(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        return np.concatenate([self._evaluator.dropping(columns, part) for part in self._parts(candidates)])

    def _parts(self, candidates: np.ndarray) -> Iterator[np.ndarray]:
        for start in range(0, len(candidates), _AT_ONCE):
            self._look()
            yield candidates[start : start + _AT_ONCE]
