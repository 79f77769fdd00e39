"""Which features can stand in for each other: those that are strongly correlated."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array

from fselect.errors import InputError
from fselect.evaluation.feature_values import as_feature_values

__all__ = ["STRONG", "stand_ins"]

STRONG = 0.9
"""Absolute correlation from which on a feature counts as a stand-in (decided here; the choice is the user's)."""

_BLOCK = 2048
_NUMBERS = 2_097_152  # of a spell of rows, 16 MB: more than most tables have


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
        If the threshold is not above 0 and at most 1, or X is no table of finite numbers of at least two rows.

    Examples
    --------
    >>> stand_ins([[1.0, -2.0, 0.0], [2.0, -4.1, 1.0], [3.0, -6.0, 0.0], [4.0, -8.0, 1.0]]).toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 1.]])
    """
    if not 0 < threshold <= 1:
        raise InputError(f"the threshold of a correlation is above 0 and at most 1, not {threshold}")
    values = as_feature_values(X)
    mean, norm = _moments(values)
    d = values.shape[1]
    rows, columns = [np.arange(d)], [np.arange(d)]
    for start in range(0, d, _BLOCK):
        strong = np.abs(_correlations(values, mean, norm, start)) >= threshold - 1e-12
        first, second = np.nonzero(strong)
        first += start
        above = second > first
        rows += [first[above], second[above]]
        columns += [second[above], first[above]]
    places = np.concatenate(rows), np.concatenate(columns)
    return csr_array(coo_array((np.ones(len(places[0])), places), shape=(d, d)))


def _moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the means of the columns and their norms once centred; infinite norms for constant columns."""
    mean = values.mean(axis=0)
    squares = np.zeros(values.shape[1])
    for rows in _spells(values):
        centred = rows - mean
        squares += np.einsum("ij,ij->j", centred, centred)
    # no array of absolute values: a table may fill much of the memory
    largest = np.maximum(values.max(axis=0), -values.min(axis=0))
    norm = np.sqrt(squares)
    constant = norm <= 1e-12 * largest * np.sqrt(len(values))
    return mean, np.where(constant, np.inf, norm)


def _correlations(values: np.ndarray, mean: np.ndarray, norm: np.ndarray, start: int) -> np.ndarray:
    """Correlate a block of columns with all; 0 for constant ones."""
    found = np.zeros((len(mean[start : start + _BLOCK]), len(mean)))
    for rows in _spells(values):
        unit = (rows - mean) / norm
        found += unit[:, start : start + _BLOCK].T @ unit
    return found


def _spells(values: np.ndarray) -> Iterator[np.ndarray]:
    """Cut a table into spells of rows, so that no copy of all of it is made."""
    height = max(1, _NUMBERS // max(1, values.shape[1]))
    for start in range(0, len(values), height):
        yield values[start : start + height]
