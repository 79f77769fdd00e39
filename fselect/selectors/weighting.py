"""Algorithms that weigh each column and then cut, instead of searching for a subset."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fselect.selectors.subset_search import all_rows
from fselect.selectors.weight_cut import cut_weights

__all__ = ["Weighting", "WeightingMethod"]


@dataclass(kw_only=True, eq=False, repr=False)
class Weighting:
    """Parameters that all of them have.

    Parameters
    ----------
    cut : {"half_mean", "product", "drop"}, int or float
        See `fselect.selectors.weight_cut.cut_weights`.
    """

    cut: Any = "half_mean"
    keeps_nan: ClassVar[bool] = False

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
        raise NotImplementedError


class WeightingMethod:
    """What the catalogue needs of them, beside their parameters; mixed into dataclasses with `weigh`."""

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
        weights = self.weigh(X[rows], np.asarray(codes)[rows], names, rng)  # type: ignore[attr-defined]
        return cut_weights(weights, self.cut, rng)  # type: ignore[attr-defined]
