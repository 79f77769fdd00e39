"""Plus l, minus r: so many columns forward and so many back, again and again."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from fselect.errors import InputError
from fselect.measures.measure import Measure
from fselect.measures.table import Table
from fselect.selectors.catalogue import method
from fselect.selectors.searches.frame import Journal, State, States, better
from fselect.selectors.searches.sequential import add_best, drop_worst, make_rules, walk
from fselect.selectors.searches.subset_search import SearchMethod, SubsetSearch, check_count

__all__ = ["PlusMinus"]


@dataclass(eq=False, repr=False)
class PlusMinus(SubsetSearch):
    """Parameters and steps of a plus-minus search; see `fselect.PlusMinusSearch`."""

    forward: int = 2
    backward: int = 1
    _: KW_ONLY
    n_features: int | None = None
    patience: int | None = None
    threshold: float | None = None
    min_features: int = 1

    def _check(self, states: States, measure: Measure) -> None:
        check_count("forward", self.forward, 0)
        check_count("backward", self.backward, 0)
        if self.forward == self.backward == 0:
            raise InputError("forward and backward are both 0: nothing would move; set one of them to 1 or more")

    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        rules = make_rules(self, states, measure)
        if self.forward == self.backward:
            self._exchange(states, journal, rules.target, rules.least)
            return
        up = self.forward > self.backward
        end = rules.target if rules.target is not None else (len(states.columns) if up else rules.least)
        state: State = frozenset() if up else states.all
        walk(states, journal, rules, state, forward=up, step=lambda s: self._compound(s, states, end, up=up))

    def _compound(self, state: State, states: States, end: int, *, up: bool) -> tuple[State, float]:
        """Go forward and back; where the end would be passed, go to it in single steps."""
        net = abs(self.forward - self.backward)
        room = len(states.columns) - len(state) if up else len(state)
        if abs(end - len(state)) < net or room < max(self.forward, self.backward):
            return add_best(states, state) if up else drop_worst(states, state)
        moves = ((add_best, self.forward), (drop_worst, self.backward))
        value = 0.0
        for move, times in moves if up else moves[::-1]:
            for _ in range(times):
                state, value = move(states, state)
        return state, value

    def _exchange(self, states: States, journal: Journal, target: int | None, least: int) -> None:
        """Exchange as many columns as are added, from a random set, until an exchange is undone or brings no more."""
        size = target if target is not None else max(least, len(states.columns) // 2)
        state: State = frozenset(states.rng.permutation(states.columns)[:size].tolist())
        value = states.value(state)
        journal.step(states, "start", state, state, value)
        journal.settle(state, value)
        number = min(self.forward, len(states.columns) - size)
        while number:
            following, reached = state, value
            for move in [add_best] * number + [drop_worst] * number:
                following, reached = move(states, following)
            if following == state or not better(reached, value):
                return
            changed, state, value = state ^ following, following, reached
            journal.step(states, "exchange", changed, state, value)
            journal.settle(state, value)


@method("plus-minus", "wrapper or filter", "sequential")
@dataclass(eq=False, repr=False)
class PlusMinusMethod(SearchMethod, PlusMinus):
    """Plus l, minus r: so many features forward and so many back in turn, until a rule says stop."""
