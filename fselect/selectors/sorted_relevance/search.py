"""Search from the best prefix of the features sorted by relevance, then among its neighbours (Boz 2002, section V)."""

from __future__ import annotations

from dataclasses import dataclass

from fselect.errors import InputError
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States
from fselect.selectors.searches.subset_search import SearchMethod
from fselect.selectors.sorted_relevance.goodness import Candidate, Goodness
from fselect.selectors.sorted_relevance.goodness_search import GoodnessSearch, evaluate

__all__ = ["SortedRelevance"]


@dataclass(eq=False, repr=False, kw_only=True)
class SortedRelevance(GoodnessSearch):
    """Parameters and steps of a sorted-relevance search; see `fselect.SortedRelevanceSearch`."""

    neighbours: bool = True

    def _walk(self, states: States, journal: Journal, goodness: Goodness) -> None:
        if not isinstance(self.neighbours, bool):
            raise InputError(f"neighbours must be True or False, not {self.neighbours!r}")
        start = sorted_phase(states, journal, goodness)
        if self.neighbours:
            neighbour_phase(states, journal, goodness, start)


def sorted_phase(states: States, journal: Journal, goodness: Goodness) -> Candidate:
    """Evaluate the most relevant feature, the two most relevant ones and so on; a perfect set ends that.

    Parameters
    ----------
    states : States
        What is searched.
    journal : Journal
        Where steps and the answer are written.
    goodness : Goodness
        The order of the features, and what is better.

    Returns
    -------
    Candidate
        The best of them.
    """
    state: State = frozenset()
    best = None
    for column in goodness.order:
        state = state | {column}
        one = Candidate(state, states.value(state))
        journal.step(states, "sorted", [column], state, one.value)
        if best is None or goodness.beats(one, best):
            best = one
            journal.settle(*best)
        if goodness.is_perfect(one.value):
            break
    if best is None:  # all columns are fixed
        best = Candidate(state, states.value(state))
        journal.settle(*best)
    return best


def neighbour_phase(states: States, journal: Journal, goodness: Goodness, start: Candidate) -> None:
    """Go to the best neighbour that beats the best so far, until there is none.

    Neighbours differ by one feature; those that were evaluated are left out. Where several are equally good but for
    their relevance, the less relevant ones are tried in turn if the neighbours of the more relevant bring nothing.

    Parameters
    ----------
    states : States
        What is searched.
    journal : Journal
        Where steps and the answer are written.
    goodness : Goodness
        What is better.
    start : Candidate
        The best of the sorted phase.
    """
    best = current = start
    others: list[Candidate] = []
    alone = len(start.state) + states.n_fixed == 1
    while not _is_final(best, states, goodness):
        better = _better(_neighbours(states, goodness, current.state, best), goodness, best)
        if not better and alone:  # the start may be a column that often agrees with the class, but at random
            better = _better(_singles(states), goodness, best)
        alone = False
        if better:
            best = current = goodness.best(better)
            others = goodness.equals(best, better)
            journal.settle(*best, [one.state for one in others])
            journal.step(states, "neighbour", (), best.state, best.value)
        elif others:
            current = others.pop(0)
            journal.step(states, "back", (), current.state, current.value)
        else:
            return


def _is_final(best: Candidate, states: States, goodness: Goodness) -> bool:
    return goodness.is_perfect(best.value) and len(best.state) + states.n_fixed == 1


def _better(candidates: list[Candidate], goodness: Goodness, best: Candidate) -> list[Candidate]:
    return [one for one in candidates if goodness.beats(one, best)]


def _neighbours(states: States, goodness: Goodness, state: State, best: Candidate) -> list[Candidate]:
    """Evaluate those that were not; larger ones only while there is something to be gained, the empty set never."""
    larger = frozenset() if goodness.is_perfect(best.value) else states.all - state
    added = [column for column in larger if not states.knows(state | {column})]
    smaller = state if len(state) > states.least else frozenset()
    dropped = [column for column in smaller if not states.knows(state - {column})]
    return evaluate(states, state, added, dropped)


def _singles(states: States) -> list[Candidate]:
    new = [column for column in states.columns if not states.knows(frozenset({column}))]
    return evaluate(states, frozenset(), new)


@method("sorted-relevance", "wrapper", "sequential", keeps_missing=True)
@dataclass(eq=False, repr=False, kw_only=True)
class SortedRelevanceMethod(SearchMethod, SortedRelevance):
    """Sorted relevance: the best prefix of the features sorted by relevance, then a climb among its neighbours."""
