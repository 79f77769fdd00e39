"""Algorithms that weigh each column and then cut, instead of searching for a subset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fselect.selectors.searches.subset_search import RowMethod
from fselect.selectors.weight_cut import cut_weights

__all__ = ["Weighting", "WeightingMethod"]


@dataclass(kw_only=True, eq=False, repr=False)
class Weighting(ABC):
    """Parameters that all of them have.

    Parameters
    ----------
    cut : {"half_mean", "product", "drop"}, int or float
        See `fselect.selectors.weight_cut.cut_weights`.
    """

    cut: Any = "half_mean"
    keeps_nan: ClassVar[bool] = False

    @abstractmethod
    def weigh(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        """Weigh the columns.

        Parameters
        ----------
        X : ndarray of shape (n, d), float64
            Values.
        codes : ndarray of shape (n,), int64
            Classes from 0.
        names : list of str
            Names of the columns.
        rng : numpy.random.Generator
            For draws.

        Returns
        -------
        ndarray of shape (d,), float64
            More is more relevant.
        """


class WeightingMethod(RowMethod):
    """What the catalogue needs of them, beside their parameters; mixed into dataclasses with `weigh`."""

    def _choose(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        weights = self.weigh(X, codes, names, rng)  # type: ignore[attr-defined]
        return cut_weights(weights, self.cut, rng)  # type: ignore[attr-defined]
