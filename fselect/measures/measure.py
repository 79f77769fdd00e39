"""What a search asks of a measure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol

import numpy as np

from fselect.measures.table import Table

__all__ = ["Evaluator", "Measure"]

_NEAR = 1e-9
"""More than rounding, and less than one row makes."""


class Evaluator(ABC):
    """Values of sets of columns of one table; more is better.

    A measure overrides `value`, and the others where they can be had for less.

    Examples
    --------
    >>> class Size(Evaluator):
    ...     def value(self, columns):
    ...         return float(len(columns))
    >>> Size().dropping(np.array([3, 5]), np.array([5]))
    array([1.])
    """

    @abstractmethod
    def value(self, columns: np.ndarray) -> float:
        """Give the value of a set.

        Parameters
        ----------
        columns : ndarray of int64
            Different columns, rising.

        Returns
        -------
        float
        """

    def first_enough(self, columns: np.ndarray, ends: np.ndarray, least: float) -> tuple[int, float]:
        """Give the place and the value of the first of several sets that is worth enough.

        What a set is worth that is not need not be known exactly: where that is found out sooner, the rest is not
        counted. A set that is short by no more than rounding may be given, too.

        Parameters
        ----------
        columns : ndarray of int64
            The sets one after the other; each has different columns, rising.
        ends : ndarray of shape (m,), int64
            Where each set ends in it.
        least : float
            What is enough.

        Returns
        -------
        place : int
            m if none is.
        value : float
            0 if none is.
        """
        for place, end in enumerate(ends):
            value = self.value(columns[ends[place - 1] if place else 0 : end])
            if value >= least - _NEAR:
                return place, value
        return len(ends), 0.0

    def adding(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Give the values of the set with each of some other columns: shape (number of candidates,)."""
        return np.array([self.value(np.sort(np.append(columns, added))) for added in candidates])

    def dropping(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Give the values of the set without each of some of its columns: shape (number of candidates,)."""
        return np.array([self.value(columns[columns != dropped]) for dropped in candidates])


class Measure(Protocol):
    """A measure with its parameters.

    Attributes
    ----------
    monotone : bool
        Whether a set is never worth less than a part of it.
    """

    monotone: ClassVar[bool]

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Compute once what all sets of columns of a table share; draw folds, if there are any."""
        ...
