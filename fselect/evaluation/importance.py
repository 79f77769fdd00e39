"""Stability of what the models rely on: features count by their importance, not one for one."""

from __future__ import annotations

import warnings
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError

__all__ = ["importance_weighted"]


def importance_weighted(W: ArrayLike) -> float:
    """Return the importance that two models share, corrected for chance, over all pairs of sets.

    With each row divided by its sum, two sets share s = Σ_f min(w₁f, w₂f) of their importance; were the second set's
    importances dealt out to the features at random, they would share e = Σ_f Σ_g min(w₁f, w₂g) / d. The measure is
    Σ (s - e) / Σ (1 - e) over all pairs. A feature that one model hardly uses cannot raise it, however often it is
    selected, and one that all models rely on cannot be outvoted by exchangeable ones.

    The purpose is that of Hamer and Dupont ("An importance weighted feature selection stability measure", JMLR 22,
    2021), who put importances proportional to a linear model's weights into the stability. The formula is decided
    here, because theirs was not at hand, and need not equal it: (observed - expected) / (1 - expected) of the shared
    importance becomes Kuncheva's index, and with it the stability of Nogueira et al., where all selected features are
    equally important and the sets of one size.

    Parameters
    ----------
    W : array-like of shape (M, d)
        One row a set: the importances of its features, in any unit that is the same along the row, such as |w| of
        standardised columns; 0 for features that are not in it.

    Returns
    -------
    float
        1 if and only if all rows are proportional, about 0 for features taken at random; nan with a warning if a row
        holds only zeros, or if all features are always equally important.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than two rows, or an importance is negative or not finite.

    Examples
    --------
    >>> importance_weighted([[9, 1, 0, 0], [9, 0, 1, 0]]) > importance_weighted([[1, 9, 0, 0], [1, 0, 9, 0]])
    True
    """
    importances = _checked(W)
    n_features = importances.shape[1]
    totals = importances.sum(axis=1, keepdims=True)
    if not totals.all():
        warnings.warn("the measure is undefined (nan): a set has no importance at all", RuntimeWarning, stacklevel=2)
        return nan
    shares = importances[:, importances.any(axis=0)] / totals
    pairs = len(shares) * (len(shares) - 1) / 2
    shared = sum(float(np.minimum(row, shares[place + 1 :]).sum()) for place, row in enumerate(shares))
    expected = _expected(shares) / n_features
    if pairs - expected <= 1e-12 * pairs:
        warnings.warn("the measure is undefined (nan): random sets would not differ", RuntimeWarning, stacklevel=2)
        return nan
    return (shared - expected) / (pairs - expected)


def _expected(shares: NDArray[np.float64]) -> float:
    """Σ_f Σ_g min(w₁f, w₂g), summed over all pairs of rows."""
    total = 0.0
    for place, row in enumerate(shares[:-1]):
        values = np.sort(row[row > 0])
        below = np.concatenate([[0.0], np.cumsum(values)])
        others = shares[place + 1 :][shares[place + 1 :] > 0]
        smaller = np.searchsorted(values, others)
        total += float(np.sum(below[smaller] + others * (len(values) - smaller)))
    return total


def _checked(W: ArrayLike) -> NDArray[np.float64]:
    try:
        table = np.asarray(W, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError("W must hold one row of numbers a set, and one number a feature") from error
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"W must have one row a set and one column a feature, not the shape {table.shape}")
    if len(table) < 2:
        raise InputError(f"stability compares sets: W needs at least 2 rows, it has {len(table)}")
    wrong = ~(np.isfinite(table) & (table >= 0))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"an importance is a finite number from 0 on, but row {row}, column {column} (from 0) is "
            f"{table[row, column]}; take absolute values, and 0 where a feature was not selected"
        )
    return table
