"""How naive Bayes reads the columns of a fold: as a plain fit on the training rows would, but all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fselect.classifiers.naive_bayes.model import Settings
from fselect.classifiers.nominal_columns import UNSEEN

__all__ = ["COUNTED", "OPEN", "Reading", "of_few_values", "read_fold"]

COUNTED = -1
"""Stands for the number of values of a nominal column of which the training rows say how many it has."""
OPEN = -2
"""Stands for a numeric column that is categorical if the training rows have at most two values of it."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What is known of columns before the training rows are.

    Attributes
    ----------
    sizes : ndarray of shape (d,), int64
        Number of values that a categorical column is declared to have, 0 for a Gaussian one; else `COUNTED` or `OPEN`.
    alpha, var_smoothing, epsilon : float
        As in `Settings`.
    least : int or ndarray of shape (d,), int64
        Least number of values of a categorical column.
    """

    sizes: np.ndarray
    alpha: float
    var_smoothing: float
    epsilon: float | None = None
    least: int | np.ndarray = 0

    def settings(self, sizes: np.ndarray) -> Settings:
        """Give the settings for numbers of values that training rows have: shape (d,), 0 for a Gaussian column."""
        raised = np.where(sizes > 0, np.maximum(sizes, self.least), 0)
        return Settings(raised, self.alpha, self.var_smoothing, self.epsilon)


def read_fold(values: np.ndarray, train: np.ndarray, reading: Reading) -> tuple[np.ndarray, Settings]:
    """Read a table as a fit on some of its rows does.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; nominal columns as codes.
    train : ndarray of shape (n,), bool
        Training rows.
    reading : Reading
        What is known of the columns.

    Returns
    -------
    values : ndarray of shape (n, d), float64
        The table; categorical columns as codes of the values that training rows have, and `UNSEEN` for others.
    settings : Settings
        With the numbers of values.

    Examples
    --------
    >>> X, train = np.array([[0.0, 7.0], [2.0, 5.0], [1.0, 6.0]]), np.array([True, True, False])
    >>> read, settings = read_fold(X, train, Reading(np.array([COUNTED, OPEN]), 1.0, 0.0))
    >>> read.tolist(), settings.sizes.tolist()
    ([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]], [2, 2])
    """
    values, sizes = values.copy(), np.maximum(reading.sizes, 0)
    counted = np.flatnonzero(reading.sizes == COUNTED)
    if counted.size:
        values[:, counted], sizes[counted] = _recoded(values[:, counted].astype(np.int64), train)
    few = np.flatnonzero((reading.sizes == OPEN) & of_few_values(values[train]))
    if few.size:
        X = values[:, few]
        low, high = X[train].min(axis=0), X[train].max(axis=0)
        values[:, few] = np.where(low == X, 0.0, np.where(high == X, 1.0, UNSEEN))
        sizes[few] = 1 + (low < high)
    return values, reading.settings(sizes)


def of_few_values(X: np.ndarray) -> np.ndarray:
    """Tell which columns have at most two values: bool, shape (d,).

    Examples
    --------
    >>> of_few_values(np.array([[0.0, 1.0], [5.0, 2.0], [0.0, 3.0]]))
    array([ True, False])
    """
    few: np.ndarray = ((X.min(axis=0) == X) | (X.max(axis=0) == X)).all(axis=0)
    return few


def _recoded(X: np.ndarray, train: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give codes that leave out what no training row has, and how many are left in each column."""
    columns, places = np.arange(X.shape[1]), int(X.max()) + 1
    cells = columns * places + X
    seen = (np.bincount(cells[train].ravel(), minlength=columns.size * places) > 0).reshape(-1, places)
    ranks = np.where(seen, np.cumsum(seen, axis=1) - 1, UNSEEN)
    return ranks[columns, X], seen.sum(axis=1)
