"""Stability of what the models rely on: features count by their importance, not one for one."""

from __future__ import annotations

import warnings
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from fselect.evaluation.importance_table import as_importances

__all__ = ["importance_weighted"]


def importance_weighted(W: ArrayLike) -> float:
    """Return the correlation of two models' importances, the mean over all pairs of sets.

    The purpose is that of Hamer and Dupont ("An importance weighted feature selection stability measure", JMLR 22,
    2021): a feature that one model hardly uses cannot raise the stability, however often it is selected, and one that
    all models rely on cannot be outvoted by exchangeable ones. The formula is that of the function ``phi_pears`` in
    the code that the same authors published with "Robust selection stability estimation in correlated spaces" (ECML
    PKDD 2021), where it is the measure that weighs features by importance but not by correlation: Pearson's
    coefficient of |w| over all d features. The article of the journal itself was not at hand.

    With all selected features equally important it is `fselect.evaluation.stability.phi_coefficient`, and for sets
    of one size the stability of Nogueira et al. itself; like that, it is corrected for chance: importances dealt out
    to the features at random have the mean 0.

    Parameters
    ----------
    W : array-like of shape (M, d)
        One row a set: the importances of its features, in any unit that is the same along the row, such as |w| of
        standardised columns; 0 for features that are not in it.

    Returns
    -------
    float
        1 if and only if each row is a multiple of any other, up to a constant, and about 0 for importances dealt out at
        random; nan with a warning if all features are equally important to a set, as where it has none.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two rows, or an importance is negative or not finite.

    Examples
    --------
    >>> importance_weighted([[9, 1, 0, 0], [9, 0, 1, 0]]) > importance_weighted([[1, 9, 0, 0], [1, 0, 9, 0]])
    True
    """
    importances = as_importances(W)
    # each row against its largest first, so that neither tiny nor huge importances leave the range of their squares
    scaled = importances / np.maximum(importances.max(axis=1, keepdims=True), np.finfo(float).tiny)
    if (np.ptp(scaled, axis=1) <= 1e-12).any():  # of numbers up to 1: what differs by less is rounding
        warnings.warn(
            "the measure is undefined (nan): all features are equally important to a set", RuntimeWarning, stacklevel=2
        )
        return nan
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    directions = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    n_sets = len(directions)
    # the squared length of a sum holds each pair's product twice, and each row's own, which is 1
    return float((np.sum(directions.sum(axis=0) ** 2) - n_sets) / (n_sets * (n_sets - 1)))
