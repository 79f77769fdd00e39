"""The parameters of a contribution search, checked, and how many permutations a round takes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fselect.errors import InputError

__all__ = ["ALGORITHM_VERSION", "CLASSIFIERS", "DEFAULT_SIZE", "FEWEST_DRAWS", "Settings", "Sought"]

ALGORITHM_VERSION = 2
"""Raised by hand when results may change: 2 since payoffs of naive Bayes and 1-NN are those of plain fits in a fold."""

CLASSIFIERS = ("naive_bayes", "c45", "nearest_neighbour", "c45_unpruned", "linear_svm")
"""Classifiers that a search takes by name, beside "auto"."""

FEWEST_DRAWS = 5
"""Each feature is to be drawn more often than this in expectation (section 3.1)."""

DEFAULT_SIZE = 10
"""Permutation size where none is asked for; the paper's are 3 to 20."""


@dataclass(frozen=True)
class Settings:
    """Parameters of a search.

    Parameters
    ----------
    direction : {"backward", "forward"}
        Elimination or selection.
    step : int
        s, the most features that a round adds, or p, the most that it drops.
    size : int
        l, the features in a permutation.
    n_permutations : int or None
        t; None is the smallest number with t · l / n > 5 in each round.
    draws : float or None
        Draws a feature instead: t = ⌈draws · n / l⌉ in each round, n being the candidates left.
    raise_permutations : bool
        Whether too small a t is raised.
    threshold : float
        Δ.
    addition : {"top", "greedy"}
        How a forward round adds.

    Examples
    --------
    >>> Settings(size=20, n_permutations=500).permutations(277)
    500
    >>> Settings(size=20).permutations(277), Settings(size=20).permutations(77)
    (70, 20)
    """

    direction: Literal["backward", "forward"] = "backward"
    step: int = 1
    size: int = DEFAULT_SIZE
    n_permutations: int | None = None
    draws: float | None = None
    raise_permutations: bool = True
    threshold: float = 0.0
    addition: Literal["top", "greedy"] = "top"

    def __post_init__(self) -> None:
        _check_choice("direction", self.direction, ("backward", "forward"))
        _check_choice("addition", self.addition, ("top", "greedy"))
        _check_count("step", self.step)
        _check_count("size", self.size)
        if self.n_permutations is not None:
            _check_count("n_permutations", self.n_permutations)
        if self.draws is not None:
            _check_positive("draws", self.draws)
        if self.n_permutations is not None and self.draws is not None:
            raise InputError("n_permutations and draws both say how much is sampled; give one of them")
        _check_finite("threshold", self.threshold)
        if not isinstance(self.raise_permutations, bool | np.bool_):
            raise InputError(f"raise_permutations must be True or False, not {self.raise_permutations!r}")

    def block(self, n: int) -> int:
        """Features in a permutation when n candidates are left."""
        return min(self.size, n)

    def asked(self, n: int) -> int | None:
        """The permutations that are asked for, when n candidates are left; None leaves it to the rule."""
        if self.draws is not None:
            return math.ceil(self.draws * n / self.block(n))
        return self.n_permutations

    def permutations(self, n: int) -> int:
        """The permutations that are drawn, when n candidates are left."""
        asked, enough = self.asked(n), FEWEST_DRAWS * n // self.block(n) + 1
        if asked is None or (self.raise_permutations and asked < enough):
            return enough
        return asked


@dataclass(frozen=True)
class Sought:
    """What a search is told beside its sample.

    Parameters
    ----------
    settings : Settings
        Of the rounds.
    estimator : str or classifier
        Inside the search; ``"auto"`` chooses.
    final_estimator : str, classifier or None
        Outside; None is the one inside.
    final_phase : bool
        Whether a forward search ends at the best of its rounds for the final classifier.
    cv : int
        The most folds.
    scoring : str or callable
        The payoff's score.
    """

    settings: Settings
    estimator: Any = "auto"
    final_estimator: Any = None
    final_phase: bool = False
    cv: int = 10
    scoring: str | Callable[..., float] = "accuracy"

    def __post_init__(self) -> None:
        if isinstance(self.cv, bool) or not isinstance(self.cv, numbers.Integral) or self.cv < 2:
            raise InputError(f"cv must be an integer of at least 2, not {self.cv!r}")
        if not isinstance(self.final_phase, bool | np.bool_):
            raise InputError(f"final_phase must be True or False, not {self.final_phase!r}")
        if self.final_phase and self.settings.direction != "forward":
            raise InputError("final_phase goes with direction 'forward'; a backward search ends where nothing is low")


def _check_choice(name: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"{name} must be {' or '.join(map(repr, known))}, not {value!r}")


def _check_count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise InputError(f"{name} must be an integer of at least 1, not {value!r}")


def _check_positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < math.inf:
        raise InputError(f"{name} must be a finite number above 0, not {value!r}")


def _check_finite(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(float(value)):
        raise InputError(f"{name} must be a finite number, not {value!r}")
