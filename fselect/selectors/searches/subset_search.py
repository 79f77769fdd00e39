"""A search for a subset with its parameters: the way of searching is the class, the measure is a parameter."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Measure
from fselect.measures.named import get_measure
from fselect.measures.table import Table, column_positions, nominal_mask
from fselect.selectors.searches.frame import Found, Journal, Limits, States, search

__all__ = ["RowMethod", "SearchMethod", "SubsetSearch", "all_rows", "check_count", "check_guard", "check_target"]

LARGEST_EXHAUSTIVE = 20
"""Columns up to which a search through all subsets needs no limit: 2^20 are a million subsets."""


@dataclass(kw_only=True, eq=False, repr=False)
class SubsetSearch(ABC):
    """Parameters that all searches for subsets have.

    Parameters
    ----------
    measure : str, measure, classifier or callable
        What is maximised: a name of `fselect.measures.measure_names`, a measure, a classifier whose cross-validated
        accuracy is meant, or a function of columns and classes.
    discretize : {"equal_frequency", "equal_width", "mdl"} or None
        How columns that are not nominal are cut for measures that count patterns; None refuses such columns.
    n_bins : int
        Into how many parts.
    nominal : "auto", "all", "none", or list of names or positions
        Columns whose numbers are codes of names. "auto": whole numbers, at most 10 different ones.
    must_include, must_exclude : list of names or positions, or None
        Columns that are in every state, and in none.
    max_evaluations : int or None
        Distinct states that are evaluated at most; the answer so far is the answer then.
    max_seconds : float or None
        The same for elapsed time.
    """

    measure: Any = "consistency"
    discretize: str | None = "equal_frequency"
    n_bins: int = 5
    nominal: Any = "auto"
    must_include: Any = None
    must_exclude: Any = None
    max_evaluations: int | None = None
    max_seconds: float | None = None

    @abstractmethod
    def _run(self, states: States, journal: Journal, table: Table, measure: Measure) -> None:
        """Search; write steps and the answer so far into the journal."""

    def _measure(self) -> Measure:
        """Make the measure."""
        return get_measure(self.measure)

    def _check(self, states: States, measure: Measure) -> None:  # noqa: B027  (most have nothing to refuse)
        """Refuse parameters that mean nothing."""

    def find(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> Found:
        """Search a table.

        Parameters
        ----------
        X : ndarray of shape (n, d), float64
            Finite values.
        codes : ndarray of shape (n,), int64
            Classes from 0.
        names : list of str
            Names of the columns.
        rng : numpy.random.Generator
            For draws, ties and folds.

        Returns
        -------
        Found
            The answer.

        Raises
        ------
        InputError
            A parameter that means nothing.
        """
        table = Table(
            X, codes, int(codes.max()) + 1, nominal_mask(self.nominal, X, names), self.discretize, self.n_bins, names
        )
        fixed, free = self._split(X.shape[1], names)
        measure = self._measure()
        states = States(measure.prepare(table, rng), free, fixed, rng, self._limits())
        self._check(states, measure)
        return search(lambda s, journal: self._run(s, journal, table, measure), states)

    def _split(self, d: int, names: list[str]) -> tuple[list[int], list[int]]:
        fixed = column_positions(self.must_include, d, names, "must_include")
        out = set(column_positions(self.must_exclude, d, names, "must_exclude"))
        both = [names[column] for column in fixed if column in out]
        if both:
            raise InputError(f"column {both[0]!r} is in must_include and in must_exclude")
        free = [column for column in range(d) if column not in out and column not in fixed]
        if not free and not fixed:
            raise InputError("must_exclude leaves no column to select from")
        return fixed, free

    def _limits(self) -> Limits:
        if self.max_evaluations is not None:
            check_count("max_evaluations", self.max_evaluations)
        seconds = self.max_seconds
        if seconds is not None and (isinstance(seconds, bool | str) or not seconds > 0):
            raise InputError(f"max_seconds must be a number above 0, or None, not {seconds!r}")
        return Limits(self.max_evaluations, seconds)


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Refuse anything but a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, not {value!r}")


def check_target(n_features: int | None, states: States) -> int | None:
    """Check how many features are asked for; return how many are to be chosen beside those that are fixed."""
    if n_features is None:
        return None
    check_count("n_features", n_features)
    most = len(states.columns) + states.n_fixed
    if n_features < states.n_fixed:
        raise InputError(
            f"n_features is {n_features}, but must_include names {states.n_fixed} columns; ask for as many"
        )
    if n_features > most:
        warnings.warn(
            f"{n_features} features are asked for and there are {most}: all are kept", UserWarning, stacklevel=2
        )
    return min(int(n_features), most) - states.n_fixed


def check_guard(states: States, what: str) -> None:
    """Refuse a search through all subsets that nobody could wait for, unless a limit is given."""
    d = len(states.columns)
    if d > LARGEST_EXHAUSTIVE and not states.limits.given:
        raise InputError(
            f"{what} can take as many as 2^{d} evaluations for {d} columns; set max_evaluations or max_seconds, or "
            f"take a search that is not exhaustive (without a limit, it takes {LARGEST_EXHAUSTIVE} columns at most)"
        )


def all_rows(counts: np.ndarray) -> np.ndarray:
    """List each row as often as it is in a sample."""
    whole = np.asarray(counts).astype(np.int64)
    if (whole != counts).any() or (whole < 0).any():
        raise InputError("this method takes rows, each a whole number of times; the weights of the rows are not whole")
    return np.repeat(np.arange(len(whole)), whole)


class RowMethod(ABC):
    """What the catalogue needs of a method of plain rows, beside its parameters; mixed into dataclasses."""

    ALGORITHM_VERSION: ClassVar[int] = 1

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, as JSON can hold them."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}  # type: ignore[arg-type]

    def support(
        self, X: np.ndarray, codes: np.ndarray, counts: np.ndarray, bias: np.ndarray | None, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the selected features; see `fselect.selectors.base.Method.support`."""
        rows = all_rows(counts)
        names = [str(column) for column in range(X.shape[1])]
        return self._choose(X[rows], np.asarray(codes)[rows], names, rng)

    @abstractmethod
    def _choose(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        """Return the mask of the selected features."""


class SearchMethod(RowMethod):
    """The same of a search; mixed into dataclasses with `find`."""

    def _choose(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        found = self.find(X, codes, names, rng)  # type: ignore[attr-defined]
        mask = np.zeros(X.shape[1], dtype=bool)
        mask[found.columns] = True
        return mask
