"""Sequential search: add the best column, or drop the least useful one, until a rule says stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import Any

from fselect.errors import InputError
from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States, better
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_count, check_target

__all__ = ["Rules", "Sequential", "add_best", "check_direction", "drop_worst", "make_rules"]

_MOST_COMBINATIONS = 1_000_000

Move = Callable[[States, State, int], tuple[State, float]]


@dataclass(frozen=True)
class Rules:
    """When a sequential search stops (the survey's three rules).

    Attributes
    ----------
    target : int or None
        Number of chosen columns at which it stops.
    patience : int or None
        Steps without an improvement after which it stops.
    threshold : float or None
        Value that a forward search has to reach, and a backward search must not fall below.
    least : int
        Fewest chosen columns of an answer.
    """

    target: int | None
    patience: int | None
    threshold: float | None
    least: int


def make_rules(search: Any, states: States, measure: Measure) -> Rules:
    """Make the rules of a search's parameters n_features, patience, threshold and min_features.

    If none is given: with a monotone measure the threshold is the value of all columns, and with any other the search
    stops at the first step that does not improve (patience 1). An improvement is a better value, or an equal
    one with fewer columns.
    """
    if search.patience is not None:
        check_count("patience", search.patience)
    check_count("min_features", search.min_features, 0)
    threshold, patience = search.threshold, search.patience
    if threshold is not None and (isinstance(threshold, bool | str) or not math.isfinite(threshold)):
        raise InputError(f"threshold must be a number or None, not {threshold!r}")
    target = check_target(search.n_features, states)
    if target is None and patience is None and threshold is None:
        patience, threshold = (None, states.value(states.all)) if measure.monotone else (1, None)
    most = len(states.columns) if target is None else target
    least = min(max(search.min_features - states.n_fixed, 0), most)
    return Rules(target, patience, threshold, least)


def check_direction(direction: Any) -> bool:
    """Return whether a direction is forward; refuse what is none."""
    if direction not in ("forward", "backward"):
        raise InputError(f"direction must be 'forward' or 'backward', not {direction!r}")
    return bool(direction == "forward")


def add_best(states: States, state: State, number: int = 1) -> tuple[State, float]:
    """Add the best columns: of all single ones, or of all combinations of so many."""
    if number == 1:
        candidates = sorted(states.all - state)
        values = states.adding(state, candidates)
        place = states.pick(values)
        return state | {candidates[place]}, float(values[place])
    return _best_of([state | set(more) for more in _combinations(states.all - state, number)], states)


def drop_worst(states: States, state: State, number: int = 1) -> tuple[State, float]:
    """Drop the least useful columns: of all single ones, or of all combinations of so many."""
    if number == 1:
        candidates = sorted(state)
        values = states.dropping(state, candidates)
        place = states.pick(values)
        return state - {candidates[place]}, float(values[place])
    return _best_of([state - set(less) for less in _combinations(state, number)], states)


def _combinations(columns: State, number: int) -> list[tuple[int, ...]]:
    size = min(number, len(columns))
    if math.comb(len(columns), size) > _MOST_COMBINATIONS:
        raise InputError(f"{size} of {len(columns)} columns at once are too many combinations; take fewer at once")
    return list(combinations(sorted(columns), size))


def _best_of(neighbours: list[State], states: States) -> tuple[State, float]:
    values = [states.value(neighbour) for neighbour in neighbours]
    place = states.pick(values)
    return neighbours[place], values[place]


@dataclass(eq=False, repr=False)
class Sequential(SubsetSearch):
    """Parameters and steps of a sequential search; see `fselect.SequentialSearch`."""

    direction: str = "forward"
    _: KW_ONLY
    n_features: int | None = None
    patience: int | None = None
    threshold: float | None = None
    at_once: int = 1
    min_features: int = 1

    def _check(self, states: States, measure: Measure) -> None:
        check_direction(self.direction)
        check_count("at_once", self.at_once)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        forward = check_direction(self.direction)
        rules = make_rules(self, states, measure)
        state: State = frozenset() if forward else states.all
        move: Move = add_best if forward else drop_worst
        walk(states, journal, rules, state, forward=forward, step=lambda s: _step(s, states, rules, self.at_once, move))


def _step(state: State, states: States, rules: Rules, at_once: int, move: Move) -> tuple[State, float]:
    """Take at_once columns, or as many as are left until the target."""
    forward = move is add_best
    end = rules.target if rules.target is not None else (len(states.columns) if forward else rules.least)
    return move(states, state, max(1, min(at_once, abs(end - len(state)))))


def walk(
    states: States,
    journal: Journal,
    rules: Rules,
    state: State,
    *,
    forward: bool,
    step: Callable[[State], tuple[State, float]],
) -> None:
    """Take steps until a rule says stop; the answer is the last state of a rule that was met, else the best seen.

    Parameters
    ----------
    states : States
        What is searched.
    journal : Journal
        Where steps and the answer are written.
    rules : Rules
        When to stop.
    state : State
        Where the search starts.
    forward : bool
        Whether steps add columns.
    step : callable
        Gives the next state and its value.
    """
    value = states.value(state)
    journal.step(states, "start", state, state, value)
    best, failures = (value, len(state)), 0
    if len(state) >= rules.least:
        journal.settle(state, value)
    while not _finished(state, value, states, rules, forward):
        following, reached = step(state)
        if rules.threshold is not None and not forward and better(rules.threshold, reached):
            break
        changed, state, value = state ^ following, following, reached
        journal.step(states, "add" if forward else "drop", changed, state, value)
        improved = better(value, best[0]) or (not better(best[0], value) and len(state) < best[1])
        best, failures = ((value, len(state)), 0) if improved else (best, failures + 1)
        if len(state) >= rules.least and (improved or journal.answer is None or _ends_here(state, rules)):
            journal.settle(state, value)
        if rules.patience is not None and failures >= rules.patience and len(state) >= rules.least:
            break
    if _met(state, value, rules):
        journal.settle(state, value)


def _ends_here(state: State, rules: Rules) -> bool:
    return rules.target is not None and len(state) == rules.target


def _met(state: State, value: float, rules: Rules) -> bool:
    """Whether the state is what the target or the threshold asked for."""
    reached = rules.threshold is not None and not better(rules.threshold, value)
    return len(state) == rules.target or (reached and len(state) >= rules.least)


def _finished(state: State, value: float, states: States, rules: Rules, forward: bool) -> bool:
    if len(state) == (len(states.columns) if forward else rules.least):
        return True
    return len(state) == rules.target or (forward and _met(state, value, rules))


@method("sequential", "wrapper or filter", "sequential")
@dataclass(eq=False, repr=False)
class SequentialMethod(SearchMethod, Sequential):
    """Sequential search: add the best feature, or drop the least useful one, until a rule says stop."""
