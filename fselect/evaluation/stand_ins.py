"""Which features can stand in for each other: those that are strongly correlated."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array

from fselect.errors import InputError

__all__ = ["STRONG", "stand_ins"]

STRONG = 0.9
"""Absolute correlation from which on a feature counts as a stand-in (decided here; the choice is the user's)."""

_BLOCK = 2048


def stand_ins(X: ArrayLike, threshold: float = STRONG) -> csr_array:
    """Give the matrix of stand-ins that `fselect.evaluation.stability.sechidis` takes.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Values of the features, finite.
    threshold : float, default 0.9
        Absolute Pearson correlation from which on two features can replace each other.

    Returns
    -------
    scipy.sparse.csr_array of shape (d, d)
        1 where they can, else 0; ones on the diagonal, for constant features there only.

    Raises
    ------
    InputError
        If the threshold is not above 0 and at most 1.

    Examples
    --------
    >>> stand_ins([[1.0, -2.0, 0.0], [2.0, -4.1, 1.0], [3.0, -6.0, 0.0], [4.0, -8.0, 1.0]]).toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 1.]])
    """
    if not 0 < threshold <= 1:
        raise InputError(f"the threshold of a correlation is above 0 and at most 1, not {threshold}")
    unit = _unit_columns(np.asarray(X, dtype=np.float64))
    d = unit.shape[1]
    rows, columns = [np.arange(d)], [np.arange(d)]
    for start in range(0, d, _BLOCK):
        strong = np.abs(unit[:, start : start + _BLOCK].T @ unit) >= threshold - 1e-12
        first, second = np.nonzero(strong)
        first += start
        above = second > first
        rows += [first[above], second[above]]
        columns += [second[above], first[above]]
    places = np.concatenate(rows), np.concatenate(columns)
    return csr_array(coo_array((np.ones(len(places[0])), places), shape=(d, d)))


def _unit_columns(values: np.ndarray) -> np.ndarray:
    """Centre the columns and divide them by their norms, in one copy; constant ones become 0."""
    unit = values - values.mean(axis=0)
    norms = np.sqrt(np.einsum("ij,ij->j", unit, unit))
    # no array of absolute values: a table may fill much of the memory
    largest = np.maximum(np.maximum(values.max(axis=0), -values.min(axis=0)), 1.0)
    constant = norms <= 1e-12 * largest * np.sqrt(len(values))
    unit /= np.where(constant, 1.0, norms)
    unit[:, constant] = 0.0
    return unit
