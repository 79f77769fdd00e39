"""All measures of stability of the same sets, side by side."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.importance import importance_weighted
from fselect.evaluation.selections import as_selections
from fselect.evaluation.stability import (
    dice,
    jaccard,
    kappa,
    kuncheva,
    lustgarten,
    phi_coefficient,
    sechidis,
    stability,
)

__all__ = ["MEASURES", "all_measures"]

MEASURES: dict[str, str] = {
    "stability": "Nogueira, Sechidis and Brown 2018; corrected for chance, sizes may differ",
    "kuncheva": "Kuncheva 2007; the same for sets of one size, else undefined",
    "phi": "mean correlation of two sets",
    "kappa": "Cohen's kappa of two sets",
    "lustgarten": "Lustgarten et al. 2009; corrected for chance, but not 1 for identical sets",
    "jaccard": "shared features among all; not corrected for chance",
    "dice": "shared features among the mean size; not corrected for chance",
    "sechidis": "Sechidis et al. 2020; a correlated stand-in counts as the feature",
    "importance": "mean correlation of two models' importances; Hamer and Dupont 2021",
    "shared": "importance two models share, correlated features in part; Hamer and Dupont 2021",
}
"""What each measure is, by its name here; ``shared`` is `fselect.evaluation.shared_information.shared_information`."""

_OF_SETS: dict[str, Callable[[ArrayLike], float]] = {
    "stability": stability,
    "kuncheva": kuncheva,
    "phi": phi_coefficient,
    "kappa": kappa,
    "lustgarten": lustgarten,
    "jaccard": jaccard,
    "dice": dice,
}


def all_measures(
    Z: ArrayLike, similarity: Any = None, importances: ArrayLike | None = None, values: ArrayLike | None = None
) -> dict[str, float]:
    """Measure the stability of the same sets in every way.

    Parameters
    ----------
    Z : array-like of shape (M, d)
        One row a set.
    similarity : array or scipy sparse array of shape (d, d), optional
        Which features can replace each other (see `fselect.evaluation.stand_ins`); with it ``sechidis`` is there too.
    importances : array-like of shape (M, d), optional
        Of each set's features in its model, 0 for others; with it ``importance`` is there too.
    values : array-like of shape (n, d), optional
        The features' values, finite; with them and `importances` ``shared`` is there too, which takes some 3 ms a
        pair of sets of 20.

    Returns
    -------
    dict of str to float
        In the order of `MEASURES`; nan where a measure is undefined, without a warning.

    Raises
    ------
    InputError
        If there are fewer than two sets, or Z holds anything but 0 and 1.

    Examples
    --------
    >>> found = all_measures([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]])
    >>> found["jaccard"] < found["dice"], round(found["kappa"], 4)
    (True, 0.1667)
    """
    selections = as_selections(Z)
    _check_shapes(selections, importances, values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = {name: _or_nan(measure, selections) for name, measure in _OF_SETS.items()}
        if similarity is not None:
            found["sechidis"] = sechidis(selections, similarity)
        if importances is not None:
            found["importance"] = importance_weighted(importances)
        if importances is not None and values is not None:
            found["shared"] = _shared(np.asarray(importances), np.asarray(values))
    return found


def _check_shapes(selections: NDArray[Any], importances: ArrayLike | None, values: ArrayLike | None) -> None:
    if importances is not None and np.shape(importances) != selections.shape:
        raise InputError(f"importances must have Z's shape {selections.shape}, not {np.shape(importances)}")
    if values is not None and np.shape(values)[1:] != selections.shape[1:]:
        raise InputError(f"values must have a column a feature of Z, {selections.shape[1]}, not {np.shape(values)}")


def _shared(W: NDArray[Any], values: NDArray[Any]) -> float:
    # here, because it brings scipy's optimisers and distributions, which a study does without
    from fselect.evaluation.shared_information import rank_correlation, shared_information

    used = W.any(axis=0)  # the others do not matter, and may be very many
    return shared_information(W[:, used], rank_correlation(values[:, used])) if used.any() else nan


def _or_nan(measure: Callable[[ArrayLike], float], selections: Any) -> float:
    try:
        return measure(selections)
    except InputError:  # Kuncheva's, of sets that differ in size
        return nan
