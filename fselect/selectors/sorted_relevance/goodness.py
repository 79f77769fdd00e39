"""Which of two feature sets is better: three measures of goodness, and the relevance of a set (Boz 2002, section V)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fselect.selectors.searches.frame import State

__all__ = ["RULES", "Candidate", "Goodness"]

RULES = ("accuracy", "tolerant", "smallest")
"""The names of the three."""

_DIGITS = 12  # values that differ by less differ by rounding only


class Candidate(NamedTuple):
    """A state with its value."""

    state: State
    value: float


@dataclass(frozen=True)
class Goodness:
    """One of the three measures of goodness, for one order of the columns.

    Attributes
    ----------
    order : tuple of int
        The columns that may be chosen, the most relevant first.
    rule : {"accuracy", "tolerant", "smallest"}
        ``"accuracy"``: the more accurate set is better, of equals the smaller, of equals the more relevant.
        ``"tolerant"``: a set replaces a larger one whose accuracy is more by β at most; otherwise as "accuracy".
        ``"smallest"``: the smallest set whose accuracy is the full set's less β, or more.
    beta : float
        β, in units of the measure.
    floor : float
        Least value that "smallest" takes: that of the full set less β.
    highest : float
        The value that no set can pass; inf where there is none.

    Notes
    -----
    The print breaks off in the second rule; that all else is as in the first is decided here.

    Examples
    --------
    The paper's worked example of the third rule: full set 95 %, best 97 % with three features, next 92 % with two.

    >>> goodness = Goodness((3, 0, 2, 1), "smallest", 0.05, floor=0.95 - 0.05)
    >>> goodness.beats(Candidate(frozenset({0, 1}), 0.92), Candidate(frozenset({0, 1, 2}), 0.97))
    True
    >>> goodness.relevance(frozenset({0, 2})), goodness.relevance(frozenset({0, 3}))
    (3, 5)
    """

    order: tuple[int, ...]
    rule: str = "accuracy"
    beta: float = 0.0
    floor: float = -math.inf
    highest: float = math.inf

    def relevance(self, state: State) -> int:
        """Give the relevance of a set: the sum of N - 1 for the most relevant column down to 0 for the least."""
        last = len(self.order) - 1
        return sum(last - place for place, column in enumerate(self.order) if column in state)

    def is_perfect(self, value: float) -> bool:
        """Tell whether no set can be worth more."""
        return round(value, _DIGITS) >= self.highest

    def beats(self, one: Candidate, other: Candidate) -> bool:
        """Tell whether a set replaces another.

        Parameters
        ----------
        one, other : Candidate
            Different sets.

        Returns
        -------
        bool
        """
        if self.rule == "tolerant" and len(one.state) < len(other.state) and self._reaches(one, other.value):
            return True
        return self.key(one) > self.key(other)

    def best(self, candidates: Sequence[Candidate]) -> Candidate:
        """Give the best of some sets.

        Parameters
        ----------
        candidates : sequence of Candidate
            At least one.

        Returns
        -------
        Candidate
            The one that the others, from the most accurate on, do not replace.
        """
        winner, *others = sorted(candidates, key=self.key, reverse=True)
        for one in others:
            winner = one if self.beats(one, winner) else winner
        return winner

    def equals(self, one: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Give the other sets of the same value and size, the most relevant first."""
        same = [c for c in candidates if c.state != one.state and self._rank(c) == self._rank(one)]
        return sorted(same, key=self.key, reverse=True)

    def key(self, one: Candidate) -> tuple[float, ...]:
        """Give what sets are ordered by; more is better. Under "tolerant" it is that of "accuracy"."""
        value, size = self._rank(one)
        if self.rule == "smallest" and self._reaches(one, self.floor + self.beta):
            return (1, -size, value, self.relevance(one.state))
        return (0, value, -size, self.relevance(one.state))

    def _rank(self, one: Candidate) -> tuple[float, int]:
        return round(one.value, _DIGITS), len(one.state)

    def _reaches(self, one: Candidate, value: float) -> bool:
        return one.value >= value - self.beta - 10.0**-_DIGITS
