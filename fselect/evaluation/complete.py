"""Values for the final models of methods that select with missing ones."""

from __future__ import annotations

import numpy as np

__all__ = ["complete"]


def complete(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Put each column's mean over the drawn rows in the place of what is missing.

    A linear model has no other way to know nothing of a value: the mean is 0 once columns are standardised. Rows that
    were not drawn are completed by the same means, so that nothing is learnt from them.

    Parameters
    ----------
    values : ndarray of shape (n, k), float64
        Columns, NaN where a value is missing.
    counts : ndarray of shape (n,)
        How often each row was drawn.

    Returns
    -------
    ndarray of shape (n, k)
        The same array where nothing is missing; 0 in a column of which no drawn row has a value.

    Examples
    --------
    >>> complete(np.array([[1.0], [4.0], [np.nan], [9.0]]), np.array([2, 1, 1, 0])).ravel().tolist()
    [1.0, 4.0, 2.0, 9.0]
    """
    if not np.isnan(values.min(initial=0.0)):
        return values
    missing = np.isnan(values)
    weights = np.where(missing, 0.0, np.asarray(counts, dtype=np.float64)[:, None])
    sums = (np.where(missing, 0.0, values) * weights).sum(axis=0)
    mass = weights.sum(axis=0)
    means = np.divide(sums, mass, out=np.zeros_like(sums), where=mass > 0)
    return np.where(missing, means, values)
