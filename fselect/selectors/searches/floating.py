"""Floating search: after each step the search goes back as long as that beats the best set of the smaller size."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States, better
from fselect.selectors.searches.sequential import add_best, check_direction, drop_worst
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_count, check_target

__all__ = ["Floating", "best_of_sizes"]


@dataclass(eq=False, repr=False)
class Floating(SubsetSearch):
    """Parameters and steps of a floating search; see `fselect.FloatingSearch`."""

    direction: str = "forward"
    _: KW_ONLY
    n_features: int | None = None
    min_features: int = 1

    def _check(self, states: States, measure: Measure) -> None:
        check_direction(self.direction)
        check_count("min_features", self.min_features, 0)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        forward = check_direction(self.direction)
        target = check_target(self.n_features, states)
        least = min(max(self.min_features - states.n_fixed, 0), len(states.columns))
        state: State = frozenset() if forward else states.all
        end = target if target is not None else (len(states.columns) if forward else least)
        self._visit(states, journal, "start", state, state, states.value(state), (target, least))
        while len(state) != end:
            state = self._step(states, journal, state, (target, least), forward=forward)

    def _step(
        self, states: States, journal: Journal, state: State, goal: tuple[int | None, int], *, forward: bool
    ) -> State:
        """Take a step, and undo others as long as that gives the best set of its size so far."""
        following, value = (add_best if forward else drop_worst)(states, state)
        (taken,) = state ^ following
        state = following
        self._visit(states, journal, "add" if forward else "drop", {taken}, state, value, goal)
        while (undone := _undo(states, state, taken, forward=forward)) is not None:
            following, value = undone
            known = journal.by_size.get(len(following))
            if known is not None and not better(value, known[0]):
                break
            changed, state = state ^ following, following
            self._visit(states, journal, "drop" if forward else "add", changed, state, value, goal)
        return state

    @staticmethod
    def _visit(
        states: States,
        journal: Journal,
        action: str,
        changed: State | set[int],
        state: State,
        value: float,
        goal: tuple[int | None, int],
    ) -> None:
        """Write a step down, keep the state if it is the best of its size, and settle on the best of all."""
        journal.step(states, action, changed, state, value)
        known = journal.by_size.get(len(state))
        if known is None or better(value, known[0]):
            journal.by_size[len(state)] = (value, state)
        answer = best_of_sizes(journal.by_size, *goal)
        if answer is not None:
            journal.settle(answer[1], answer[0])


def _undo(states: States, state: State, taken: int, *, forward: bool) -> tuple[State, float] | None:
    """Give the best state without (with) one of the others than the column just taken; None if there is none."""
    others = sorted(state - {taken} if forward else states.all - state - {taken})
    if not others or (forward and len(state) - 1 < states.least):
        return None
    values = states.dropping(state, others) if forward else states.adding(state, others)
    place = states.pick(values)
    return state ^ {others[place]}, float(values[place])


def best_of_sizes(
    by_size: dict[int, tuple[float, State]], target: int | None, least: int
) -> tuple[float, State] | None:
    """Give the best of the best states of each size, of equals the smallest; or that of the target size.

    Examples
    --------
    >>> best_of_sizes({1: (0.5, frozenset({3})), 2: (0.9, frozenset({0, 3})), 3: (0.9, frozenset({0, 1, 3}))}, None, 1)
    (0.9, frozenset({0, 3}))
    """
    if target is not None and target in by_size:
        return by_size[target]
    answer: tuple[float, State] | None = None
    for size in sorted(by_size):
        if size >= least and (answer is None or better(by_size[size][0], answer[0])):
            answer = by_size[size]
    return answer


@method("floating", "wrapper or filter", "sequential")
@dataclass(eq=False, repr=False)
class FloatingMethod(SearchMethod, Floating):
    """Floating search: after each step, earlier ones are undone as long as that gives a better set of its size."""
