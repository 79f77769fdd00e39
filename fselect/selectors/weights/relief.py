"""Relief and ReliefF: columns that differ between near rows of different classes, and not between near rows of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.table import nominal_mask
from fselect.selectors.catalogue import method
from fselect.selectors.searches.subset_search import check_count
from fselect.selectors.weights.relief_kernel import make_differences, relief_weights
from fselect.selectors.weights.weighting import Weighting, WeightingMethod

__all__ = ["Neighbourhoods", "NeighbourhoodsOfTwo", "relief"]


def relief(
    X: np.ndarray,
    codes: np.ndarray,
    *,
    k: int = 10,
    m: int | None = None,
    nominal: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return ReliefF's weights; with k = 1 and two classes they are Relief's.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        Values, NaN where missing.
    codes : ndarray of shape (n,), int64
        Classes from 0.
    k : int, default=10
        Nearest hits, and nearest misses of each other class. Rows equally near share places, so that their order does
        not matter.
    m : int, optional
        Rows that are looked at, drawn without replacement; default: all.
    nominal : ndarray of shape (d,), bool
        Columns whose values are names: differences are 0 or 1. Others differ by |Δ| / range.
    rng : numpy.random.Generator
        Draws the rows, if m says so.

    Returns
    -------
    ndarray of shape (d,), float64

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.0], [0.9, 1.0]])
    >>> relief(X, np.array([0, 0, 1, 1]), k=1, nominal=np.zeros(2, dtype=bool), rng=np.random.default_rng(0)).round(2)
    array([ 0.8, -1. ])
    """
    check_count("k", k)
    n, n_classes = len(codes), int(codes.max()) + 1
    chosen = np.arange(n)
    if m is not None:
        check_count("m", m)
        chosen = np.sort(rng.permutation(n)[:m]) if m < n else chosen
    differences = make_differences(X, codes, n_classes, nominal)
    return relief_weights(differences, chosen, np.bincount(codes, minlength=n_classes), min(int(k), n))


@dataclass(kw_only=True, eq=False, repr=False)
class Neighbourhoods(Weighting):
    """Parameters and weights of ReliefF; see `fselect.ReliefF`."""

    k: int = 10
    m: int | None = None
    nominal: Any = "auto"
    keeps_nan: ClassVar[bool] = True

    def weigh(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        """Weigh the columns; see `fselect.selectors.weights.weighting.Weighting.weigh`."""
        return relief(X, codes, k=self.k, m=self.m, nominal=_nominal(self.nominal, X, names), rng=rng)


@dataclass(kw_only=True, eq=False, repr=False)
class NeighbourhoodsOfTwo(Weighting):
    """Parameters and weights of Relief; see `fselect.Relief`."""

    m: int | None = None
    nominal: Any = "auto"

    def weigh(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        """Weigh the columns; see `fselect.selectors.weights.weighting.Weighting.weigh`."""
        n_classes = len(np.unique(codes))
        if n_classes > 2:
            raise InputError(f"Relief is for two classes and y has {n_classes}; take ReliefF")
        return relief(X, codes, k=1, m=self.m, nominal=_nominal(self.nominal, X, names), rng=rng)


def _nominal(nominal: Any, X: np.ndarray, names: list[str]) -> np.ndarray:
    if not np.isnan(X).any():
        return nominal_mask(nominal, X, names)
    # a missing value is no value: what it is replaced by must not make a column look like another kind
    filled = np.where(np.isnan(X), np.floor(np.min(X, axis=0, initial=np.inf, where=~np.isnan(X))), X)
    return nominal_mask(nominal, np.where(np.isfinite(filled), filled, 0.0), names)


@method("relief", "filter", "random", "weights")
@dataclass(kw_only=True, eq=False, repr=False)
class ReliefMethod(WeightingMethod, NeighbourhoodsOfTwo):
    """Relief: features that differ to the nearest row of the other class more than to the nearest of the same class."""


@method("relieff", "filter", "random", "weights", keeps_missing=True)
@dataclass(kw_only=True, eq=False, repr=False)
class ReliefFMethod(WeightingMethod, Neighbourhoods):
    """ReliefF: Relief for noisy data, several classes and missing values, with k nearest rows of each class."""
