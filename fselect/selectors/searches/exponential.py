"""Searches that find the optimum: exhaustive, FOCUS, and branch and bound to a number of columns."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from itertools import combinations

from fselect.errors import InputError
from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States, better
from fselect.selectors.searches.subset_search import (
    LARGEST_EXHAUSTIVE,
    SearchMethod,
    SubsetSearch,
    check_count,
    check_guard,
    check_target,
)

__all__ = ["BestOfSize", "Breadth", "Exhaustive"]


def _check_subsets(states: States, most: int, what: str) -> None:
    """Refuse more subsets than 2^20, unless a limit is given."""
    d = len(states.columns)
    number = sum(math.comb(d, size) for size in range(most + 1))
    if number > 2**LARGEST_EXHAUSTIVE and not states.limits.given:
        raise InputError(
            f"{what} of up to {most} of {d} columns would take {_about(number)} evaluations; set max_features, "
            "max_evaluations or max_seconds, or take a search that is not exhaustive"
        )


def _about(number: int) -> str:
    return f"{number:.2g}" if number < 2**1000 else f"some 2^{number.bit_length() - 1}"


def _largest(max_features: int | None, states: States) -> int:
    if max_features is None:
        return len(states.columns)
    check_count("max_features", max_features)
    return min(max(max_features - states.n_fixed, 0), len(states.columns))


@dataclass(kw_only=True, eq=False, repr=False)
class Exhaustive(SubsetSearch):
    """Parameters and steps of an exhaustive search; see `fselect.ExhaustiveSearch`."""

    max_features: int | None = None
    min_features: int = 1

    def _check(self, states: States, measure: Measure) -> None:
        check_count("min_features", self.min_features, 0)
        _check_subsets(states, _largest(self.max_features, states), "an exhaustive search")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        equals: list[State] = []
        least = min(max(self.min_features - states.n_fixed, 0), len(states.columns))
        for size in range(least, max(_largest(self.max_features, states), least) + 1):
            for chosen in combinations(states.columns, size):
                state: State = frozenset(chosen)
                value = states.value(state)
                if not equals or better(value, journal.value):
                    equals = [state]
                    journal.settle(state, value)
                elif not better(journal.value, value) and size == len(equals[0]):
                    equals.append(state)
            journal.step(states, "size", (), journal.answer or frozenset(), journal.value)
        chosen_ = equals[int(states.rng.integers(len(equals)))]
        journal.settle(chosen_, journal.value, equals)


@dataclass(kw_only=True, eq=False, repr=False)
class Breadth(SubsetSearch):
    """Parameters and steps of FOCUS; see `fselect.Focus`."""

    max_features: int | None = None

    def _check(self, states: States, measure: Measure) -> None:
        if self.max_features is not None:
            _check_subsets(states, _largest(self.max_features, states), "FOCUS")
        else:
            check_guard(states, "FOCUS")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        wanted = states.value(states.all)
        journal.settle(states.all, wanted)
        for size in range(states.least, _largest(self.max_features, states) + 1):
            sets = [frozenset(chosen) for chosen in combinations(states.columns, size)]
            enough = [state for state in sets if not better(wanted, states.value(state))]
            if enough:
                state = enough[int(states.rng.integers(len(enough)))]
                journal.settle(state, states.value(state), enough)
                journal.step(states, "size", state, state, states.value(state))
                return
            journal.step(states, "size", (), states.all, wanted)


@dataclass(eq=False, repr=False)
class BestOfSize(SubsetSearch):
    """Parameters and steps of branch and bound; see `fselect.BranchAndBound`."""

    n_features: int = 1
    _: KW_ONLY

    def _check(self, states: States, measure: Measure) -> None:
        check_count("n_features", self.n_features)
        check_target(self.n_features, states)
        if not measure.monotone:
            raise InputError(
                f"branch and bound needs a monotone measure, which {self.measure!r} is not; take 'consistency', "
                "'information' or 'distance', or an exhaustive search"
            )
        check_guard(states, "branch and bound")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        target = check_target(self.n_features, states) or 0
        start = states.value(states.all)
        journal.step(states, "start", states.all, states.all, start)
        # (state, its value, columns that may still be dropped); the last one in is the first one out
        stack = [(states.all, start, states.columns)]
        while stack:
            state, value, free = stack.pop()
            if journal.answer is not None and not better(value, journal.value):
                continue  # no part of it is worth more than itself
            if len(state) == target:
                journal.settle(state, value)
                journal.step(states, "best", state, state, value)
                continue
            stack.extend(self._branches(states, state, free, target))

    @staticmethod
    def _branches(
        states: States, state: State, free: tuple[int, ...], target: int
    ) -> list[tuple[State, float, tuple[int, ...]]]:
        """Order what can be dropped by what is left; each branch may drop only what comes after in that order.

        The column whose loss hurts most gets the largest branch, which is then cut off soonest; the best branch is
        last, and so is looked into first.
        """
        lots = states.rng.permutation(len(free))
        values = states.dropping(state, free)
        order = sorted(range(len(free)), key=lambda place: (round(float(values[place]), 12), lots[place]))
        needed = len(state) - target - 1
        return [
            (state - {free[place]}, float(values[place]), tuple(free[later] for later in order[rank + 1 :]))
            for rank, place in enumerate(order)
            if len(order) - rank - 1 >= needed
        ]


@method("exhaustive", "exponential")
@dataclass(kw_only=True, eq=False, repr=False)
class ExhaustiveMethod(SearchMethod, Exhaustive):
    """Exhaustive search: the best of all feature sets up to a size, of equals the smallest."""


@method("focus", "filter", "exponential")
@dataclass(kw_only=True, eq=False, repr=False)
class FocusMethod(SearchMethod, Breadth):
    """FOCUS: the smallest feature set that is as consistent as all features, size by size."""


@method("branch-and-bound", "filter", "exponential")
@dataclass(eq=False, repr=False)
class BranchAndBoundMethod(SearchMethod, BestOfSize):
    """Branch and bound: the best feature set of a size, under a measure that never rises when a feature goes."""
