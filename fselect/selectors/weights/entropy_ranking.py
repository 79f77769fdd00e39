"""Entropy ranking: each column's information about the class, by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fselect.measures.information import information_gains
from fselect.measures.table import Table, nominal_mask
from fselect.selectors.catalogue import method
from fselect.selectors.weights.weighting import Weighting, WeightingMethod

__all__ = ["SingleInformation"]


@dataclass(kw_only=True, eq=False, repr=False)
class SingleInformation(Weighting):
    """Parameters and weights of the entropy ranking; see `fselect.EntropyRanking`."""

    discretize: str | None = "equal_frequency"
    n_bins: int = 5
    nominal: Any = "auto"

    def weigh(self, X: np.ndarray, codes: np.ndarray, names: list[str], rng: np.random.Generator) -> np.ndarray:
        """Weigh the columns; see `fselect.selectors.weights.weighting.Weighting.weigh`."""
        nominal = nominal_mask(self.nominal, X, names)
        table = Table(X, codes, int(codes.max()) + 1, nominal, self.discretize, self.n_bins, names)
        return information_gains(table)


@method("entropy", "filter", "sequential", "weights")
@dataclass(kw_only=True, eq=False, repr=False)
class EntropyMethod(WeightingMethod, SingleInformation):
    """Entropy ranking: features by how much of the class's entropy each explains by itself."""
