"""Selection by counting over folds as a method of studies, with any other method inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.selectors.catalogue import get_method, method
from fselect.selectors.counting.folds import counted, three_parts
from fselect.selectors.searches.subset_search import all_rows

__all__ = ["CountingMethod"]


@method("counting", "wrapper", "folds", keeps_missing=True)
@dataclass(frozen=True)
class CountingMethod:
    """Counting over folds: another method on each fold, and the features that are chosen in an average number or more.

    Parameters
    ----------
    inner : str
        Name of the other method.
    options : mapping or None
        Its parameters.
    n_parts, test_parts, validation_parts : int
        See `fselect.CountingSelection`. The validation part is left out of the choice in each fold.
    """

    inner: str = "sorted-relevance"
    options: Mapping[str, Any] | None = None
    n_parts: int = 10
    test_parts: int = 1
    validation_parts: int = 1
    ALGORITHM_VERSION: ClassVar[int] = 1

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, as JSON can hold them."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}

    def support(
        self, X: np.ndarray, codes: np.ndarray, counts: np.ndarray, bias: np.ndarray | None, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the selected features; see `fselect.selectors.base.Method.support`."""
        if self.inner == "counting":
            raise InputError("inner is 'counting' itself; name the method that is to run on each fold")
        inner = get_method(self.inner, **(self.options or {}))
        rows = all_rows(counts)
        folds = three_parts(np.asarray(codes)[rows], self.n_parts, self.test_parts, self.validation_parts, rng)
        chosen = []
        for fold in folds:
            kept = rows[~fold.validation]
            weights = np.bincount(kept, minlength=len(counts))
            chosen.append(inner.support(X, codes, weights, None, rng))
        return counted(np.array(chosen))
