"""Rivals of the sorted-relevance search on the same evaluations: forward, backward, (p, q) and beam (Boz 2002)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from fselect.errors import InputError
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States
from fselect.selectors.searches.sequential import check_direction
from fselect.selectors.searches.subset_search import SearchMethod, check_count
from fselect.selectors.sorted_relevance.goodness import Candidate, Goodness
from fselect.selectors.sorted_relevance.goodness_search import GoodnessSearch, evaluate

__all__ = ["RelevanceBeam", "RelevanceExchange", "RelevanceStepwise"]


@dataclass(eq=False, repr=False)
class RelevanceStepwise(GoodnessSearch):
    """Forward or backward search, to the first step that improves nothing or to the end of the lattice.

    Parameters
    ----------
    direction : {"forward", "backward"}
        SFS from no feature, SBE from all.
    test_all : bool
        Whether it goes on to the end; the best set that was seen is the answer.
    """

    direction: str = "forward"
    _: KW_ONLY
    test_all: bool = False

    def _walk(self, states: States, journal: Journal, goodness: Goodness) -> None:
        forward = check_direction(self.direction)
        state: State = frozenset() if forward else states.all
        best = None if forward else Candidate(state, states.value(state))
        if best is not None:
            _settle(states, journal, "start", best)
        while len(state) != (len(states.columns) if forward else states.least):
            found = goodness.best(_successors(states, state, forward=forward))
            state = found.state
            improved = best is None or goodness.beats(found, best)
            if improved:
                best = found
                _settle(states, journal, "add" if forward else "drop", found)
            elif not self.test_all:
                return


@dataclass(eq=False, repr=False)
class RelevanceExchange(GoodnessSearch):
    """(p, q) search: p features are added one at a time and q dropped, as long as that gives a better set.

    Parameters
    ----------
    p, q : int
        With p > q it starts from no feature and adds first, else from all, or a random set, and drops first.
    random_start : bool
        Whether it starts from a random set.
    """

    p: int = 2
    q: int = 1
    _: KW_ONLY
    random_start: bool = False

    def _walk(self, states: States, journal: Journal, goodness: Goodness) -> None:
        check_count("p", self.p, 0)
        check_count("q", self.q, 0)
        if self.p == self.q == 0:
            raise InputError("p and q are both 0: nothing would move; set one of them to 1 or more")
        best = self._start(states)
        if best is not None:
            _settle(states, journal, "start", best)
        while True:
            state = frozenset() if best is None else best.state
            found = self._round(states, goodness, state)
            if found is None or (best is not None and not goodness.beats(found, best)):
                return
            best = found
            _settle(states, journal, "exchange", found)

    def _start(self, states: States) -> Candidate | None:
        if self.random_start:
            chosen = states.rng.random(len(states.columns)) < 0.5
            state = frozenset(column for column, one in zip(states.columns, chosen, strict=True) if one)
            state = state or frozenset(states.columns[:1])
        elif self.p > self.q:
            return None
        else:
            state = states.all
        return Candidate(state, states.value(state))

    def _round(self, states: States, goodness: Goodness, state: State) -> Candidate | None:
        """Add p and drop q, or drop first where q is more; as many as there are."""
        moves = [True] * self.p + [False] * self.q if self.p > self.q else [False] * self.q + [True] * self.p
        found = None
        for forward in moves:
            end = len(states.columns) if forward else states.least
            if len(state) != end:
                found = goodness.best(_successors(states, state, forward=forward))
                state = found.state
        return found


@dataclass(eq=False, repr=False)
class RelevanceBeam(GoodnessSearch):
    """Beam search: the best sets are kept in order, and the best that was not expanded is expanded next.

    Parameters
    ----------
    width : int
        How many are kept.
    direction : {"forward", "backward"}
        Whether successors have a feature more, or one less.
    """

    width: int = 5
    direction: str = "forward"

    def _walk(self, states: States, journal: Journal, goodness: Goodness) -> None:
        check_count("width", self.width)
        forward = check_direction(self.direction)
        beam = [] if forward else [Candidate(states.all, states.value(states.all))]
        current: State | None = frozenset() if forward else states.all
        best = None if forward else beam[0]
        expanded = {current}
        while current is not None:
            successors = _successors(states, current, forward=forward)
            beam = sorted({*beam, *successors}, key=goodness.key, reverse=True)[: self.width]
            top = goodness.best([*([] if best is None else [best]), *beam])
            if best is None or goodness.beats(top, best):
                best = top
                _settle(states, journal, "expand", top)
            current = next((one.state for one in beam if one.state not in expanded), None)
            expanded.add(current)


def _successors(states: States, state: State, *, forward: bool) -> list[Candidate]:
    if forward:
        return evaluate(states, state, added=states.all - state)
    return evaluate(states, state, dropped=state if len(state) > states.least else ())


def _settle(states: States, journal: Journal, action: str, one: Candidate) -> None:
    before = journal.answer or frozenset()
    journal.step(states, action, one.state ^ before, one.state, one.value)
    journal.settle(*one)


@method("relevance-stepwise", "wrapper", "sequential", keeps_missing=True)
@dataclass(eq=False, repr=False)
class RelevanceStepwiseMethod(SearchMethod, RelevanceStepwise):
    """Forward or backward search that compares by accuracy, then size, then relevance."""


@method("relevance-exchange", "wrapper", "sequential", keeps_missing=True)
@dataclass(eq=False, repr=False)
class RelevanceExchangeMethod(SearchMethod, RelevanceExchange):
    """(p, q) search that compares by accuracy, then size, then relevance."""


@method("relevance-beam", "wrapper", "sequential", keeps_missing=True)
@dataclass(eq=False, repr=False)
class RelevanceBeamMethod(SearchMethod, RelevanceBeam):
    """Beam search that compares by accuracy, then size, then relevance."""
