"""What a search asks of a measure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol

import numpy as np

from fselect.measures.table import Table

__all__ = ["Evaluator", "Measure"]


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

    def value_if(self, columns: np.ndarray, least: float) -> float:
        """Give the value of a set, or if that is below `least` any number between the two.

        Parameters
        ----------
        columns : ndarray of int64
            Different columns, rising.
        least : float
            What a set has to be worth to be of interest: where less is found out sooner, the rest is not counted.

        Returns
        -------
        float
        """
        return self.value(columns)

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
