"""The filters that Cohen, Ruppin & Dror (2005) compare with, and how many of a filter's features are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

__all__ = [
    "FILTERS",
    "choose_number",
    "forest_scores",
    "information_scores",
    "numbers_tried",
    "pearson_scores",
    "ranked",
]

Scores = Callable[[np.ndarray, np.ndarray, int], np.ndarray]

FIRST_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 60, 100)
GROWTH = 1.5
BINS = 10
TREES = 500


def pearson_scores(X: np.ndarray, codes: np.ndarray, seed: int) -> np.ndarray:
    """Absolute correlation of each column with the class; of several classes the largest with one against the rest.

    Decided here, because the paper splits such tables into problems of two classes that are not told.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table.
    codes : ndarray of shape (n,), int
        Classes.
    seed : int
        Not used.

    Returns
    -------
    ndarray of shape (d,), float64
        0 for constant columns.

    Examples
    --------
    >>> X = np.array([[0.0, 1], [1, 1], [2, 1], [3, 1]])
    >>> pearson_scores(X, np.array([0, 0, 1, 1]), 0).round(3)
    array([0.894, 0.   ])
    """
    centred = X - X.mean(axis=0)
    scale = np.sqrt((centred**2).sum(axis=0))
    scale[np.ptp(X, axis=0) == 0] = np.inf
    best = np.zeros(X.shape[1])
    for code in np.unique(codes):
        indicator = (codes == code) - np.mean(codes == code)
        best = np.maximum(best, np.abs(indicator @ centred) / (scale * np.sqrt((indicator**2).sum())))
    return best


def information_scores(X: np.ndarray, codes: np.ndarray, seed: int) -> np.ndarray:
    """Mutual information of each column, in ten bins of equal frequency, with the class.

    Ten is decided here: the paper says only that columns are binned.

    Parameters
    ----------
    X, codes, seed
        As for `pearson_scores`.

    Returns
    -------
    ndarray of shape (d,), float64
        Nats.

    Examples
    --------
    >>> information_scores(np.array([[0.0], [0], [1], [1]]), np.array([0, 0, 1, 1]), 0).round(3)
    array([0.693])
    """
    cuts = np.quantile(X, np.arange(1, BINS) / BINS, axis=0)
    binned = np.column_stack(
        [np.searchsorted(cut, column, side="left") for cut, column in zip(cuts.T, X.T, strict=True)]
    )
    shares = np.bincount(codes) / len(codes)
    joint = np.array([[(binned[codes == code] == b).sum(axis=0) for b in range(BINS)] for code in range(len(shares))])
    joint = joint / len(codes)  # class, bin, column
    expected = shares[:, None, None] * joint.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(joint > 0, joint * np.log(joint / expected), 0.0)
    return np.asarray(terms.sum(axis=(0, 1)))


def forest_scores(X: np.ndarray, codes: np.ndarray, seed: int) -> np.ndarray:
    """Importance of each column in a random forest (Breiman 2001)."""
    forest = RandomForestClassifier(TREES, random_state=seed).fit(X, codes)
    importances: np.ndarray = forest.feature_importances_
    return importances


FILTERS: dict[str, Scores] = {
    "pearson": pearson_scores,
    "mutual-information": information_scores,
    "forest": forest_scores,
}
"""By column of the table."""


def numbers_tried(d: int) -> list[int]:
    """Numbers of features that are tried: 1 … 100, then half as many again each time, and all.

    Examples
    --------
    >>> numbers_tried(300)
    [1, 2, 5, 10, 15, 20, 30, 40, 60, 100, 150, 225, 300]
    """
    numbers = list(FIRST_NUMBERS)
    while numbers[-1] < d:
        numbers.append(round(numbers[-1] * GROWTH))
    return sorted({min(number, d) for number in numbers})


def ranked(scores: np.ndarray) -> np.ndarray:
    """Columns by falling score, of equals the lower first."""
    return np.argsort(-scores, kind="stable")


def choose_number(filter_: Scores, model: Any, X: np.ndarray, codes: np.ndarray, folds: np.ndarray, seed: int) -> int:
    """The number of a filter's best features with the highest cross-validated accuracy, of equals the smallest.

    In each fold the filter sees the rows that it trains on only.

    Parameters
    ----------
    filter_ : callable
        Of `FILTERS`.
    model : classifier
        What is trained on the features.
    X, codes
        Training rows.
    folds : ndarray of shape (n,), int
        The fold of each row.
    seed : int
        For the filter.

    Returns
    -------
    int
    """
    numbers = numbers_tried(X.shape[1])
    right = np.zeros(len(numbers))
    for fold in range(int(folds.max()) + 1):
        out = folds == fold
        order = ranked(filter_(X[~out], codes[~out], seed))
        for place, number in enumerate(numbers):
            columns = np.sort(order[:number])
            fitted = clone(model).fit(X[np.ix_(~out, columns)], codes[~out])
            right[place] += np.sum(fitted.predict(X[np.ix_(out, columns)]) == codes[out])
    return numbers[int(np.argmax(right))]
