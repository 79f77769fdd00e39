"""Which rows are predicted together, as one number a row, and what no columns at all are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.errors import InputError

__all__ = ["check_folds", "majority_share"]


def check_folds(folds: Any, n: int) -> np.ndarray:
    """Check the numbers of the folds.

    Parameters
    ----------
    folds : array-like of shape (n,), int
        A row's fold, or -1 for a row that is only trained on.
    n : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n,), int64
        Folds renumbered from 0 without gaps, -1 as it is.

    Raises
    ------
    InputError
        Another shape, numbers that are not whole or below -1, no row to predict, or none to train on.

    Examples
    --------
    >>> check_folds([5, 2, -1, 5], 4)
    array([ 1,  0, -1,  1])
    """
    numbers = np.asarray(folds)
    if numbers.shape != (n,) or numbers.dtype.kind not in "iu":
        raise InputError(
            f"folds must hold one whole number for each of the {n} rows, not {numbers.dtype} {numbers.shape}"
        )
    if numbers.min(initial=-1) < -1:
        raise InputError(f"folds holds {numbers.min()}; a fold is 0 or more, and -1 stands for rows only trained on")
    present = np.unique(numbers)
    if present[-1] == -1:
        raise InputError("folds holds -1 only, so that no row is predicted; number the rows to predict from 0")
    if len(present) == 1:
        raise InputError("all rows are in one fold, so that none is left to train on; make two or more folds")
    return np.searchsorted(present[present >= 0], numbers).astype(np.int64) - (numbers == -1) * (1)


def majority_share(codes: np.ndarray, folds: np.ndarray) -> float:
    """Give the accuracy without columns: the share of the most frequent class among the rows that are predicted.

    The class is the most frequent one of all rows (decided here, because within each fold a class that is the largest
    by a row or two would change from fold to fold), of equals the first.

    Parameters
    ----------
    codes : ndarray of shape (n,), int
        Classes from 0.
    folds : ndarray of shape (n,), int
        As `check_folds` returns them.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> majority_share(np.array([0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, -1]))
    0.5
    """
    largest = np.argmax(np.bincount(codes))
    return float(np.mean(codes[folds >= 0] == largest))
