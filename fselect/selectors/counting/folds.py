"""Folds of three parts: rows to train on, rows to compare sets on, and rows to assess the chosen sets on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.errors import InputError
from fselect.measures.accuracy import stratified_folds
from fselect.selectors.searches.subset_search import check_count

__all__ = ["Parts", "counted", "three_parts"]


class Parts(NamedTuple):
    """Masks of the rows of one fold, each of shape (n,), bool."""

    training: np.ndarray
    test: np.ndarray
    validation: np.ndarray


def three_parts(
    codes: np.ndarray, n_parts: int, test_parts: int, validation_parts: int, rng: np.random.Generator
) -> list[Parts]:
    """Cut rows into parts, and give each fold its share of them in turn.

    In fold i the parts i … i + validation_parts - 1 are for validation, the next test_parts for the comparison of sets,
    the rest for training, cyclically: 10 parts with 1 and 1 are the paper's 10(8-1-1).

    Parameters
    ----------
    codes : ndarray of shape (n,), int64
        Classes; their rows are shuffled and dealt to the parts in turn.
    n_parts, test_parts, validation_parts : int
        Parts in all, and of those two kinds.
    rng : numpy.random.Generator
        Shuffles.

    Returns
    -------
    list of Parts
        A fold for each part.

    Raises
    ------
    InputError
        Numbers that leave nothing to train on, more parts than rows, or a fold that trains on one class only.

    Examples
    --------
    >>> folds = three_parts(np.arange(40) % 2, 10, 2, 2, np.random.default_rng(0))
    >>> len(folds), [int(part.sum()) for part in folds[0]]
    (10, [24, 8, 8])
    """
    check_count("n_parts", n_parts, 3)
    check_count("test_parts", test_parts)
    check_count("validation_parts", validation_parts)
    if test_parts + validation_parts >= n_parts:
        raise InputError(
            f"test_parts + validation_parts is {test_parts + validation_parts} of n_parts = {n_parts}; leave one or "
            "more to train on"
        )
    if n_parts > len(codes):
        raise InputError(f"n_parts is {n_parts}, but there are {len(codes)} rows; make fewer parts")
    part = stratified_folds(codes, n_parts, rng)
    folds = [_fold((part - first) % n_parts, test_parts, validation_parts) for first in range(n_parts)]
    for number, fold in enumerate(folds):
        if len(np.unique(codes[fold.training])) < 2:
            raise InputError(f"fold {number} trains on one class only; make fewer parts, or give the classes more rows")
    return folds


def _fold(place: np.ndarray, test_parts: int, validation_parts: int) -> Parts:
    validation = place < validation_parts
    test = ~validation & (place < validation_parts + test_parts)
    return Parts(~validation & ~test, test, validation)


def counted(supports: np.ndarray) -> np.ndarray:
    """Take the features that are chosen in as many folds as features are on average, or more.

    Parameters
    ----------
    supports : ndarray of shape (k, d), bool
        What each fold chose.

    Returns
    -------
    ndarray of shape (d,), bool

    Examples
    --------
    >>> counted(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool))
    array([ True,  True, False, False])
    """
    counts = supports.sum(axis=0)
    chosen: np.ndarray = counts * len(counts) >= counts.sum()  # in whole numbers, so that equal is equal
    return chosen
