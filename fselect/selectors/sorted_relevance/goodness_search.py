"""Searches whose states are compared by accuracy, size and relevance: what they share."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from fselect.errors import InputError
from fselect.measures.accuracy import Accuracy
from fselect.measures.held_out import HeldOut
from fselect.measures.measure import Measure
from fselect.measures.named import get_measure
from fselect.measures.table import Table
from fselect.selectors.searches.frame import Journal, State, States
from fselect.selectors.searches.subset_search import SubsetSearch
from fselect.selectors.sorted_relevance.goodness import RULES, Candidate, Goodness
from fselect.selectors.sorted_relevance.relevance import relevance_order
from fselect.workers import worker_count

__all__ = ["GoodnessSearch", "evaluate"]


@dataclass(kw_only=True, eq=False, repr=False)
class GoodnessSearch(SubsetSearch):
    """Parameters of searches that compare by a measure of goodness; see `fselect.SortedRelevanceSearch`."""

    measure: Any = "held_out"
    goodness: str = "accuracy"
    beta: float = 0.0
    relevance: Any = "auto"
    n_jobs: int | None = 1

    @abstractmethod
    def _walk(self, states: States, journal: Journal, goodness: Goodness) -> None:
        """Search; write steps and the answer so far into the journal."""

    def _measure(self) -> Measure:
        workers = worker_count(self.n_jobs)
        measure = get_measure(self.measure)
        if isinstance(measure, HeldOut) and workers > 1:
            return replace(measure, n_jobs=workers)
        return measure

    def _check(self, states: States, measure: Measure) -> None:
        if self.goodness not in RULES:
            raise InputError(f"goodness must be one of {', '.join(RULES)}, not {self.goodness!r}")
        beta = self.beta
        if isinstance(beta, bool | str) or not 0 <= beta < math.inf:
            raise InputError(f"beta must be a number of at least 0, in units of the measure, not {beta!r}")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        everything = relevance_order(self.relevance, table, states.evaluator, states.rng)
        order = tuple(int(column) for column in everything if int(column) in states.all)
        row = {"action": "sort", "columns": order, "n_features": 0, "value": math.nan, "evaluations": 0}
        journal.rows.append(row)  # the order of the columns is what it tells
        floor = -math.inf
        if self.goodness == "smallest":
            full = states.value(states.all)
            journal.step(states, "full", states.all, states.all, full)
            floor = full - float(self.beta)
        self._walk(states, journal, Goodness(order, self.goodness, float(self.beta), floor, _highest(measure)))


def _highest(measure: Measure) -> float:
    """The value that no set can pass."""
    accuracy = isinstance(measure, Accuracy) and measure.scoring == "accuracy"
    return float(getattr(measure, "highest", 1.0 if accuracy else math.inf))


def evaluate(states: States, state: State, added: Iterable[int] = (), dropped: Iterable[int] = ()) -> list[Candidate]:
    """Evaluate neighbours of a state, those of one kind together.

    Parameters
    ----------
    states : States
        What is searched.
    state : State
        The state.
    added, dropped : iterable of int
        Columns that one neighbour each has more, or less.

    Returns
    -------
    list of Candidate
        Those with a column more first, by column.
    """
    more, less = sorted(added), sorted(dropped)
    found = [] if not more else zip(more, states.adding(state, more), strict=True)
    candidates = [Candidate(state | {column}, float(value)) for column, value in found]
    lost = [] if not less else zip(less, states.dropping(state, less), strict=True)
    return [*candidates, *(Candidate(state - {column}, float(value)) for column, value in lost)]
