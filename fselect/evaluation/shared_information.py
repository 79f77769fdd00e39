"""Stability of what the models rely on where correlated features can share the work."""

from __future__ import annotations

import warnings
from itertools import combinations
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, kron, vstack
from scipy.stats import rankdata

from fselect.errors import InputError
from fselect.evaluation.feature_values import as_feature_values
from fselect.evaluation.floats import as_floats
from fselect.evaluation.importance_table import as_importances

__all__ = ["rank_correlation", "shared_information"]


def shared_information(W: ArrayLike, correlation: ArrayLike) -> float:
    """Return the importance that two models share at most, when a correlated feature can stand for another in part.

    With each row of W divided by its sum, the share of two sets is the largest Σ_ij |ρ_ij| x_ij over all ways x ≥ 0 to
    match the importances, none matched beyond what it has: Σ_j x_ij ≤ w_i and Σ_i x_ij ≤ v_j. The measure is the mean
    over all pairs of sets (Hamer and Dupont, "Robust selection stability estimation in correlated spaces", ECML PKDD
    2021, there the maximum shared information). Without correlations it is the mean of Σ_f min(w_f, v_f). Features
    that no set holds do not matter, and it is not corrected for chance. Each pair is a linear program with as many
    unknowns as their sizes multiply to, some 3 ms for sets of 20.

    Parameters
    ----------
    W : array-like of shape (M, d)
        One row a set: the importances of its features, in any unit that is the same along the row; 0 for features
        that are not in it.
    correlation : array-like of shape (d, d)
        Correlations of the features, from -1 to 1, 1 on the diagonal; the authors take Spearman's.

    Returns
    -------
    float
        From 0 to 1, and 1 if all rows are proportional; nan with a warning if a row holds only zeros.

    Raises
    ------
    fselect.errors.InputError
        If W is no such table (see `fselect.evaluation.stability.importance_weighted`), or correlation no such matrix.

    Examples
    --------
    >>> twins = [[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> round(shared_information([[1, 0, 1], [0, 1, 1]], twins), 6)   # half is the same, half a stand-in of .9
    0.95
    """
    importances = as_importances(W)
    similar = _checked(correlation, importances.shape[1])
    largest = importances.max(axis=1, keepdims=True)
    if not largest.all():
        warnings.warn("the measure is undefined (nan): a set has no importance at all", RuntimeWarning, stacklevel=2)
        return nan
    scaled = importances / largest  # before the sum, which the largest numbers would overflow
    shares = scaled / scaled.sum(axis=1, keepdims=True)
    return float(np.mean([_shared(first, second, similar) for first, second in combinations(shares, 2)]))


def rank_correlation(X: ArrayLike) -> NDArray[np.float64]:
    """Correlate the columns of a table by rank, as `shared_information` takes it.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Values of the features, finite; tied ones have their mean rank.

    Returns
    -------
    ndarray of float64, shape (d, d)
        Spearman's coefficients: 1 on the diagonal, 0 between a constant feature and any other.

    Raises
    ------
    fselect.errors.InputError
        If X is no table of finite numbers of at least two rows.

    Examples
    --------
    >>> rank_correlation([[1, 9, 5], [2, 4, 5], [7, 1, 5]]) + 0
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  1.]])
    """
    ranks = rankdata(as_feature_values(X), axis=0)
    centred = ranks - ranks.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    directions = centred / np.where(lengths > 0, lengths, 1.0)
    found = np.clip(directions.T @ directions, -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


def _shared(first: NDArray[np.float64], second: NDArray[np.float64], similar: NDArray[np.float64]) -> float:
    """Match the importances of two sets so that as much as possible is shared: a transport problem."""
    own, other = np.flatnonzero(first), np.flatnonzero(second)
    gain = similar[np.ix_(own, other)]
    found = linprog(-gain.ravel(), A_ub=_sums(*gain.shape), b_ub=np.concatenate([first[own], second[other]]))
    if found.status != 0:
        raise ArithmeticError(f"the importances of two sets could not be matched: {found.message}")
    return -float(found.fun)


def _sums(n_rows: int, n_columns: int) -> csr_array:
    """Give the sums over the rows and over the columns of a table as one matrix, for the table written in a line."""
    rows = kron(eye_array(n_rows), np.ones((1, n_columns)))
    columns = kron(np.ones((1, n_rows)), eye_array(n_columns))
    return csr_array(vstack([rows, columns]))


def _checked(correlation: ArrayLike, n_features: int) -> NDArray[np.float64]:
    matrix = as_floats(correlation, "correlations")
    if matrix.shape != (n_features, n_features):
        raise InputError(f"correlation must have the shape ({n_features}, {n_features}), not {matrix.shape}")
    if not (np.abs(matrix) <= 1 + 1e-9).all():
        raise InputError("correlation must hold numbers from -1 to 1; give 0 for features that do not vary")
    if np.abs(matrix - matrix.T).max() > 1e-9 or np.abs(matrix.diagonal() - 1).max() > 1e-9:
        raise InputError("correlation must be symmetric, with ones on its diagonal")
    return np.abs(matrix)
