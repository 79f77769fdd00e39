"""Las Vegas searches: subsets are drawn at random, and the smallest that is good enough is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Measure
from fselect.measures.patterns import pattern_table
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.branch_and_bound import smallest_below
from fselect.selectors.searches.frame import Journal, LimitReachedError, State, States, better
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_count

__all__ = ["LasVegasFilter", "LasVegasIncremental", "LasVegasWrapper", "QuickBranchAndBound"]

_BLOCK = 256  # draws made at once


class _Block(NamedTuple):
    """Draws whose sizes are not decided yet: shares of the largest size, and columns in random order."""

    shares: np.ndarray
    orders: np.ndarray

    def subsets(self, states: States, start: int, most: int) -> list[State]:
        """Give the subsets of a draw and those after it, of `most` columns at most."""
        sizes = states.least + (self.shares[start:] * (most - states.least + 1)).astype(int)
        orders = self.orders[start:, :most].tolist()
        return [frozenset(order[:size]) for order, size in zip(orders, np.minimum(sizes, most).tolist(), strict=True)]


def _blocks(states: States, number: int) -> Iterator[_Block]:
    """Draw subsets: a size, uniform up to the largest of the moment, then columns, uniformly."""
    columns = np.array(states.columns)
    for start in range(0, number, _BLOCK):
        size = min(_BLOCK, number - start)
        shares = states.rng.random(size)
        yield _Block(shares, columns[np.argsort(states.rng.random((size, len(columns))), axis=1)])


def _worth_enough(states: States, number: int, wanted: float, largest: Callable[[], int]) -> Iterator[State]:
    """Draw subsets, and give those that are worth enough."""
    for block in _blocks(states, number):
        start, most = 0, -1
        while start < len(block.shares):
            if most != largest():
                most, drawn = largest(), block.subsets(states, start, largest())
            place = states.first_enough(drawn, wanted)
            if place is None:
                break
            state, drawn = drawn[place], drawn[place + 1 :]
            start += place + 1
            yield state


def draw_smallest(states: States, wanted: float, tries: int, journal: Journal) -> list[State]:
    """Draw subsets no larger than the smallest so far that is worth enough; give all of that size, first found first.

    Parameters
    ----------
    states : States
        What is searched; the set of all columns is taken as worth enough.
    wanted : float
        What a subset has to be worth.
    tries : int
        How many are drawn.
    journal : Journal
        The answer so far is kept there.

    Returns
    -------
    list of State
        Different subsets of one size.
    """
    equals: dict[State, None] = {states.all: None}
    journal.settle(states.all, states.value(states.all))
    for state in _worth_enough(states, tries, wanted, lambda: len(journal.answer or states.all)):
        if len(state) < len(next(iter(equals))):
            value = states.value(state)
            equals = {state: None}
            journal.settle(state, value)
            journal.step(states, "draw", state, state, value)
        elif state not in equals:
            equals[state] = None
            journal.equals.append(state)
    return list(equals)


def _wanted(gamma: float | None, states: States) -> float:
    """What a subset has to be worth: 1 − γ, or what all columns are worth."""
    if gamma is None:
        return states.value(states.all)
    if isinstance(gamma, bool | str) or not 0 <= gamma <= 1:
        raise InputError(f"gamma must be an inconsistency rate between 0 and 1, or None, not {gamma!r}")
    # if even all columns are less consistent, nothing could be found
    return min(1.0 - gamma, states.value(states.all))


@dataclass(kw_only=True, eq=False, repr=False)
class LasVegasFilter(SubsetSearch):
    """Parameters and steps of LVF; see `fselect.LVF`."""

    max_tries: int = 10_000
    gamma: float | None = None

    def _check(self, states: States, measure: Measure) -> None:
        check_count("max_tries", self.max_tries)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        draw_smallest(states, _wanted(self.gamma, states), self.max_tries, journal)


@dataclass(kw_only=True, eq=False, repr=False)
class LasVegasIncremental(SubsetSearch):
    """Parameters and steps of LVI; see `fselect.LVI`."""

    max_tries: int = 10_000
    gamma: float | None = None
    share: float = 0.1

    def _check(self, states: States, measure: Measure) -> None:
        check_count("max_tries", self.max_tries)
        if isinstance(self.share, bool | str) or not 0 < self.share <= 1:
            raise InputError(f"share must be a part of the rows, above 0 and at most 1, not {self.share!r}")
        if not measure.monotone:
            raise InputError(f"LVI counts rows that contradict each other: its measure is not {self.measure!r}")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        n = len(table.codes)
        wanted = _wanted(self.gamma, states)
        inside = np.zeros(n, dtype=bool)
        inside[states.rng.permutation(n)[: max(1, round(self.share * n))]] = True
        while True:
            equals = self._draw_on(states, table.rows(inside), measure, wanted)
            state = equals[0]
            value = states.value(state)
            journal.step(states, f"{int(inside.sum())} rows", state, state, value)
            journal.settle(state, value, equals)
            if not better(wanted, value):
                return
            moving = ~inside & _contradicted(table, np.array(states.full(state), dtype=np.int64))
            if not moving.any():
                return
            inside |= moving

    def _draw_on(self, states: States, rows: Table, measure: Measure, wanted: float) -> list[State]:
        part = states.with_evaluator(measure.prepare(rows, states.rng))
        try:
            return draw_smallest(part, wanted, self.max_tries, Journal())
        finally:
            states.spent += part.evaluations - states.evaluations


def _contradicted(table: Table, columns: np.ndarray) -> np.ndarray:
    """Mark the rows that look like a row of another class."""
    cells, counts = pattern_table(table.patterns, columns)
    mixed: np.ndarray = ((counts > 0).sum(axis=1) > 1)[cells]
    return mixed


@dataclass(kw_only=True, eq=False, repr=False)
class LasVegasWrapper(SubsetSearch):
    """Parameters and steps of LVW; see `fselect.LVW`."""

    max_failures: int = 100
    max_tries: int = 10_000

    def _check(self, states: States, measure: Measure) -> None:
        check_count("max_failures", self.max_failures)
        check_count("max_tries", self.max_tries)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        state, value = states.all, states.value(states.all)
        journal.step(states, "start", state, state, value)
        journal.settle(state, value)
        failures = 0
        blocks = _blocks(states, self.max_tries)
        for drawn in (subset for block in blocks for subset in block.subsets(states, 0, len(states.columns))):
            reached = states.value(drawn)
            accepted = better(reached, value) or (not better(value, reached) and len(drawn) < len(state))
            failures = 0 if accepted else failures + 1
            if accepted:
                state, value = drawn, reached
                journal.step(states, "draw", state, state, value)
                journal.settle(state, value)
            if failures >= self.max_failures:
                return


@dataclass(kw_only=True, eq=False, repr=False)
class QuickBranchAndBound(SubsetSearch):
    """Parameters and steps of QBB; see `fselect.QBB`."""

    max_tries: int = 10_000
    max_states: int = 100_000

    def _check(self, states: States, measure: Measure) -> None:
        check_count("max_tries", self.max_tries, 2)
        check_count("max_states", self.max_states)

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        wanted = states.value(states.all)
        starts = draw_smallest(states, wanted, self.max_tries // 2, journal)
        found: dict[State, None] = {}
        cut = False
        for start in starts:
            try:  # every start may meet an equal part of the states
                each = max(1, self.max_states // len(starts))
                found.update(dict.fromkeys(smallest_below(states, start, wanted, journal, each)))
            except LimitReachedError as limit:
                if str(limit) != "max_states":
                    raise
                cut = True
            journal.step(states, "branch", start, journal.answer or start, journal.value)
        _settle_on_smallest(states, journal, list(found))
        if cut:
            raise LimitReachedError("max_states")


def _settle_on_smallest(states: States, journal: Journal, found: list[State]) -> None:
    """Settle on one of the smallest sets, at random, unless a branch that was cut off reached a smaller one."""
    size = len(journal.answer or states.all)
    equals = [state for state in found if len(state) == size]
    if equals:
        state = equals[int(states.rng.integers(len(equals)))]
        journal.settle(state, states.value(state), equals)


@method("lvf", "filter", "random")
@dataclass(kw_only=True, eq=False, repr=False)
class LVFMethod(SearchMethod, LasVegasFilter):
    """LVF: random feature sets, of which the smallest is kept that is as consistent as all features."""


@method("lvi", "filter", "random")
@dataclass(kw_only=True, eq=False, repr=False)
class LVIMethod(SearchMethod, LasVegasIncremental):
    """LVI: LVF on a tenth of the rows, to which those are added that contradict the outcome."""


@method("lvw", "wrapper", "random")
@dataclass(kw_only=True, eq=False, repr=False)
class LVWMethod(SearchMethod, LasVegasWrapper):
    """LVW: random feature sets, of which the one is kept with the best cross-validated accuracy."""

    measure: str = "accuracy"


@method("qbb", "filter", "random", "exponential")
@dataclass(kw_only=True, eq=False, repr=False)
class QBBMethod(SearchMethod, QuickBranchAndBound):
    """QBB: random feature sets, then ABB downward from the smallest of them."""
