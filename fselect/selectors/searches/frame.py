"""What all searches for subsets share: a memo of states, a count, limits, ties, and a journal of what happened."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from fselect.measures.measure import Evaluator

__all__ = ["Found", "Journal", "LimitReachedError", "Limits", "State", "States", "better", "search"]

State = frozenset[int]
"""A subset: the chosen ones of the columns that may be chosen. Those that must be in are not listed."""

_TOLERANCE = 1e-12  # relative: values nearer than this are equal, and differ by rounding only
_BETWEEN_LOOKS = 8  # evaluations between two looks at the clock


class LimitReachedError(Exception):
    """An evaluation beyond the limits was asked for; `search` ends the search there."""


@dataclass(frozen=True)
class Limits:
    """How long a search may take.

    Attributes
    ----------
    max_evaluations : int or None
        States that are evaluated; one that is asked for again is not.
    max_seconds : float or None
        Elapsed time. With this limit, results depend on the machine.
    """

    max_evaluations: int | None = None
    max_seconds: float | None = None

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self.max_evaluations is not None or self.max_seconds is not None


def better(one: float, other: float) -> bool:
    """Tell whether a value is strictly better than another, by more than rounding.

    Examples
    --------
    >>> better(0.3, 0.1 + 0.2), better(0.5, 0.4)
    (False, True)
    """
    slack = _TOLERANCE * max(1.0, abs(other)) if math.isfinite(other) else 0.0
    return one > other + slack


class States:
    """The subsets of the columns that may be chosen, with their values.

    Each state is evaluated once; neighbours are evaluated together, which many measures do for less.

    Parameters
    ----------
    evaluator : Evaluator
        The measure on the table.
    columns : sequence of int
        The columns that may be chosen.
    fixed : sequence of int
        Columns that are in every state.
    rng : numpy.random.Generator
        Breaks ties, and draws.
    limits : Limits
        When to stop.

    Attributes
    ----------
    spent : int
        Evaluations of the same search on other samples, which count too.
    least : int
        Fewest chosen columns of an answer: 1, or 0 where some are fixed.

    Examples
    --------
    >>> class Size(Evaluator):
    ...     def value(self, columns):
    ...         return float(len(columns))
    >>> states = States(Size(), [0, 2, 3], [1], np.random.default_rng(0), Limits())
    >>> states.value(states.all), states.dropping(states.all, [0, 2]), states.evaluations
    (4.0, array([3., 3.]), 3)
    """

    def __init__(
        self,
        evaluator: Evaluator,
        columns: Sequence[int],
        fixed: Sequence[int],
        rng: np.random.Generator,
        limits: Limits,
    ) -> None:
        self.columns = tuple(sorted(columns))
        self.all: State = frozenset(self.columns)
        self.rng = rng
        self.limits = limits
        self.least = 0 if fixed else 1
        self.spent = 0
        self._evaluator = evaluator
        self._fixed = list(fixed)
        self._memo: dict[State, float] = {}
        self._below: set[State] = set()
        self._start = time.monotonic()

    @property
    def evaluations(self) -> int:
        """Distinct states evaluated so far."""
        return len(self._memo) + len(self._below) + self.spent

    @property
    def evaluator(self) -> Evaluator:
        """The measure on the table."""
        return self._evaluator

    @property
    def n_fixed(self) -> int:
        """Number of columns that are in every state."""
        return len(self._fixed)

    def knows(self, state: State) -> bool:
        """Tell whether a state was evaluated."""
        return state in self._memo or state in self._below

    def value(self, state: State) -> float:
        """Give the value of a state."""
        if state not in self._memo:
            if state not in self._below:
                self._check_limits(1)
            self._memo[state] = float(self._evaluator.value(self._array(state)))
            self._below.discard(state)
        return self._memo[state]

    def first_enough(self, drawn: Sequence[State], wanted: float) -> int | None:
        """Give the place of the first of several states that is worth enough, None if none is.

        What is not enough need not be known exactly. Such a state is evaluated again, without being counted again,
        where its value is asked for.
        """
        new: dict[State, int] = {}
        known = None
        for place, state in enumerate(drawn):
            if state in self._memo and not better(wanted, self._memo[state]):
                known = place
                break
            if not self.knows(state):
                new.setdefault(state, place)
        found = self._first_of(list(new), wanted)
        return known if found is None else new[found]

    def _first_of(self, new: list[State], wanted: float) -> State | None:
        at_once = _BETWEEN_LOOKS if self.limits.max_seconds is not None else max(len(new), 1)
        start = 0
        while start < len(new):
            part = new[start : start + at_once]
            part = part[: self._check_limits(len(part))]
            columns = [self.full(state) for state in part]
            ends = np.cumsum([len(each) for each in columns])
            flat = np.fromiter(chain.from_iterable(columns), dtype=np.int64, count=int(ends[-1]))
            place, value = self._evaluator.first_enough(flat, ends, wanted)
            self._below.update(part[:place])
            if place < len(part):
                if not better(wanted, value):
                    self._memo[part[place]] = value
                    return part[place]
                self._below.add(part[place])
            start += place + 1
        return None

    def adding(self, state: State, added: Sequence[int]) -> np.ndarray:
        """Give the values of a state with each of some other columns."""
        return self._neighbours(state, [state | {column} for column in added], added, self._evaluator.adding)

    def dropping(self, state: State, dropped: Sequence[int]) -> np.ndarray:
        """Give the values of a state without each of some of its columns."""
        return self._neighbours(state, [state - {column} for column in dropped], dropped, self._evaluator.dropping)

    def pick(self, values: Sequence[float] | np.ndarray) -> int:
        """Give the place of the best value; of equal ones a random one, since position says nothing."""
        array = np.asarray(values, dtype=np.float64)
        with np.errstate(invalid="ignore"):  # inf - inf is nan, so not better
            tied = np.flatnonzero(~(array.max() - array > _TOLERANCE * np.maximum(1.0, np.abs(array))))
        return int(tied[0] if len(tied) == 1 else self.rng.choice(tied))

    def best_known(self) -> tuple[State, float]:
        """Give the best state evaluated so far, of equals one with the fewest columns."""
        allowed = {state: value for state, value in self._memo.items() if len(state) >= self.least}
        if not allowed:
            return self.all, math.nan
        top = max(allowed.values())
        state = min((s for s, value in allowed.items() if not better(top, value)), key=len)
        return state, allowed[state]

    def with_evaluator(self, evaluator: Evaluator) -> States:
        """Give the same states on another sample: count and clock run on."""
        other = States(evaluator, self.columns, self._fixed, self.rng, self.limits)
        other.spent = self.evaluations
        other._start = self._start
        return other

    def full(self, state: State) -> list[int]:
        """Give the columns of a state, those that are fixed too."""
        return sorted([*state, *self._fixed])

    def _array(self, state: State) -> np.ndarray:
        return np.array(self.full(state), dtype=np.int64)

    def _neighbours(
        self,
        state: State,
        neighbours: list[State],
        changed: Sequence[int],
        evaluate: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> np.ndarray:
        for neighbour in self._below.intersection(neighbours):
            self.value(neighbour)  # counted before
        new = [place for place, neighbour in enumerate(neighbours) if neighbour not in self._memo]
        at_once = _BETWEEN_LOOKS if self.limits.max_seconds is not None else max(len(new), 1)
        columns = self._array(state)
        for start in range(0, len(new), at_once):
            part = new[start : start + at_once]
            part = part[: self._check_limits(len(part))]
            values = evaluate(columns, np.array([changed[place] for place in part], dtype=np.int64))
            self._memo.update((neighbours[place], float(v)) for place, v in zip(part, values, strict=True))
        return np.array([self._look_up(neighbour) for neighbour in neighbours])

    def _look_up(self, state: State) -> float:
        if state not in self._memo:
            raise LimitReachedError("max_evaluations")
        return self._memo[state]

    def _check_limits(self, wanted: int) -> int:
        """Return how many of the wanted evaluations are left; raise if none are."""
        if self.limits.max_seconds is not None and time.monotonic() - self._start >= self.limits.max_seconds:
            raise LimitReachedError("max_seconds")
        if self.limits.max_evaluations is None:
            return wanted
        left = self.limits.max_evaluations - self.evaluations
        if left <= 0:
            raise LimitReachedError("max_evaluations")
        return min(wanted, left)


@dataclass
class Journal:
    """What a search did, and its answer so far: where limits end the search, that is the answer.

    Attributes
    ----------
    rows : list of dict
        The steps.
    answer : State or None
        The answer so far.
    value : float
        What it is worth.
    equals : list of State
        Answers that are as good, the answer first.
    by_size : dict
        The best value and state of each size, where the search keeps them.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    answer: State | None = None
    value: float = math.nan
    equals: list[State] = field(default_factory=list)
    by_size: dict[int, tuple[float, State]] = field(default_factory=dict)

    def step(self, states: States, action: str, columns: Iterable[int], state: State, value: float) -> None:
        """Write down a step: what was done, with which columns, and where it led."""
        changed = tuple(sorted(columns))
        size = len(state) + states.n_fixed
        row = {"action": action, "columns": changed, "n_features": size, "value": value}
        self.rows.append({**row, "evaluations": states.evaluations})

    def settle(self, state: State, value: float, equals: Sequence[State] = ()) -> None:
        """Make a state the answer so far."""
        self.answer, self.value, self.equals = state, value, [state, *(s for s in equals if s != state)]


@dataclass(frozen=True, eq=False)
class Found:
    """The answer of a search.

    Attributes
    ----------
    columns : list of int
        The chosen columns, those that had to be in too.
    value : float
        What the measure says of them.
    evaluations : int
        Distinct states evaluated.
    stopped : str
        "complete", or the limit that ended the search: "max_evaluations", "max_seconds", "max_states".
    rows : list of dict
        The steps: action, columns that changed, number of features, value, evaluations so far.
    equals : list of list of int
        Answers that are as good, where the search meets them; the answer is the first.
    by_size : dict
        Value and columns of the best state of each size, where the search keeps them.
    """

    columns: list[int]
    value: float
    evaluations: int
    stopped: str
    rows: list[dict[str, Any]]
    equals: list[list[int]]
    by_size: dict[int, tuple[float, list[int]]]


def search(run: Callable[[States, Journal], None], states: States) -> Found:
    """Run a search to its end or to its limits.

    Parameters
    ----------
    run : callable
        The search; it writes into the journal.
    states : States
        What is searched.

    Returns
    -------
    Found
    """
    journal, stopped = Journal(), "complete"
    try:
        run(states, journal)
    except LimitReachedError as limit:
        stopped = str(limit)
    if journal.answer is None:
        journal.settle(*states.best_known())
    answer, value = journal.answer, journal.value
    equals = [states.full(state) for state in journal.equals]
    by_size = {
        size + states.n_fixed: (worth, states.full(state)) for size, (worth, state) in sorted(journal.by_size.items())
    }
    columns = states.full(answer or frozenset())
    return Found(columns, value, states.evaluations, stopped, journal.rows, equals, by_size)
