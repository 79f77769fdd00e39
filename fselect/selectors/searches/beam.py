"""Beam search: the best states are kept in a short list, and the best one that was not expanded is expanded next."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States, better
from fselect.selectors.searches.sequential import check_direction
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_count, check_target

__all__ = ["Beam"]


@dataclass(eq=False, repr=False)
class Beam(SubsetSearch):
    """Parameters and steps of a beam search; see `fselect.BeamSearch`."""

    width: int = 5
    direction: str = "forward"
    _: KW_ONLY
    n_features: int | None = None
    patience: int | None = None
    min_features: int = 1

    def _check(self, states: States, measure: Measure) -> None:
        check_direction(self.direction)
        check_count("width", self.width)
        check_count("min_features", self.min_features, 0)
        if self.patience is not None:
            check_count("patience", self.patience)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        forward = check_direction(self.direction)
        target = check_target(self.n_features, states)
        least = max(self.min_features - states.n_fixed, 0)
        start: State = frozenset() if forward else states.all
        journal.step(states, "start", start, start, states.value(start))
        self._offer(states, journal, start, target, least)
        if target is not None:
            self._by_level(states, journal, start, target, forward=forward)
            return
        beam, expanded, failures = [start], {start}, 0
        state: State | None = start
        while state is not None and (self.patience is None or failures < self.patience):
            successors = _successors(states, state, forward=forward)
            improved = [self._offer(states, journal, one, target, least) for one in successors]
            failures = 0 if any(improved) else failures + 1
            beam = self._best(states, [*beam, *successors])
            state = next((one for one in beam if one not in expanded), None)
            if state is not None:
                expanded.add(state)
                journal.step(states, "expand", (), state, states.value(state))

    def _by_level(self, states: States, journal: Journal, start: State, target: int, *, forward: bool) -> None:
        """Keep the best states of each size, down (up) to the size that is asked for."""
        level = [start]
        while len(level[0]) != target:
            level = self._best(states, [one for state in level for one in _successors(states, state, forward=forward)])
            journal.step(states, "level", (), level[0], states.value(level[0]))
        journal.settle(level[0], states.value(level[0]))

    def _best(self, states: States, candidates: list[State]) -> list[State]:
        """Give the best states: by value, then by fewest columns, then at random."""
        unique = list(dict.fromkeys(candidates))
        lots = states.rng.permutation(len(unique))
        keyed = sorted(zip(unique, lots, strict=True), key=lambda one: (-_rounded(states, one[0]), len(one[0]), one[1]))
        return [state for state, _ in keyed[: self.width]]

    @staticmethod
    def _offer(states: States, journal: Journal, state: State, target: int | None, least: int) -> bool:
        """Settle on a state if it is better than the answer so far, or as good with fewer columns."""
        value = states.value(state)
        if len(state) < least or (target is not None and len(state) != target):
            return False
        known = journal.answer
        improved = known is None or better(value, journal.value)
        if improved or (known is not None and not better(journal.value, value) and len(state) < len(known)):
            journal.settle(state, value)
            return True
        return False


def _rounded(states: States, state: State) -> float:
    return round(states.value(state), 12)


def _successors(states: States, state: State, *, forward: bool) -> list[State]:
    changed = sorted(states.all - state if forward else state)
    (states.adding if forward else states.dropping)(state, changed)
    return [state ^ {column} for column in changed]


@method("beam", "wrapper or filter", "sequential")
@dataclass(eq=False, repr=False)
class BeamMethod(SearchMethod, Beam):
    """Beam search: the best feature sets so far are kept in a short list, and expanded in the order of their worth."""
