"""ABB: from all columns downward, level by level, as long as the consistency of all columns is kept."""

from __future__ import annotations

from dataclasses import dataclass

from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, LimitReachedError, State, States, better
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_guard

__all__ = ["AutomaticBranchAndBound", "smallest_below"]


def smallest_below(
    states: States, start: State, wanted: float, journal: Journal, max_states: int | None = None
) -> list[State]:
    """Give all smallest parts of a set that are worth as much as is wanted, by a monotone measure.

    A part that is not worth enough is cut off with all its parts. Each set is met once: columns are dropped in rising
    order only, and since all that contains a set worth enough is worth enough, none is missed.

    Parameters
    ----------
    states : States
        What is searched.
    start : State
        Worth enough itself.
    wanted : float
        The bound.
    journal : Journal
        The answer so far is kept there, if it has none or a larger one.
    max_states : int, optional
        Sets that may be met.

    Returns
    -------
    list of State
        Of one size, the smallest.

    Raises
    ------
    LimitReachedError
        If a limit ends it; the journal has the smallest set so far.
    """
    level, met = [(start, 0)], 1
    columns = sorted(start)
    while level:
        smallest = [state for state, _ in level]
        if journal.answer is None or len(smallest[0]) < len(journal.answer):
            state = smallest[int(states.rng.integers(len(smallest)))]
            journal.settle(state, states.value(state))
        if len(smallest[0]) <= states.least:
            return smallest
        following = []
        for state, first in level:
            later = columns[first:]
            values = states.dropping(state, later)
            met += len(later)
            if max_states is not None and met > max_states:
                raise LimitReachedError("max_states")
            kept = [place for place, value in enumerate(values) if not better(wanted, float(value))]
            following += [(state - {later[place]}, first + place + 1) for place in kept]
        level = following
    return smallest


@dataclass(kw_only=True, eq=False, repr=False)
class AutomaticBranchAndBound(SubsetSearch):
    """Parameters and steps of ABB; see `fselect.ABB`."""

    def _check(self, states: States, measure: Measure) -> None:
        check_guard(states, "ABB")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        wanted = states.value(states.all)
        journal.step(states, "start", states.all, states.all, wanted)
        equals = smallest_below(states, states.all, wanted, journal)
        state = equals[int(states.rng.integers(len(equals)))]
        journal.settle(state, states.value(state), equals)
        journal.step(states, "smallest", state, state, states.value(state))


@method("abb", "filter", "exponential")
@dataclass(kw_only=True, eq=False, repr=False)
class ABBMethod(SearchMethod, AutomaticBranchAndBound):
    """ABB: the smallest feature set that is as consistent as all features, dropping one a level and cutting off."""
