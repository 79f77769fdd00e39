"""Scores of predictions on plain arrays: accuracy, balanced accuracy, area under the ROC curve.

They equal scikit-learn's, ties included, without its checks: a study scores hundreds of thousands of
small out-of-bag samples, where the checks take most of the time. Classes are codes 0 to C-1.
"""

from __future__ import annotations

from math import nan

import numpy as np
from numpy.typing import NDArray

__all__ = ["accuracy", "balanced_accuracy", "roc_auc"]


def accuracy(codes: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Return the share of right predictions.

    Parameters
    ----------
    codes, predicted : ndarray of int, shape (n,)
        True and predicted classes.

    Returns
    -------
    float
        Between 0 and 1; nan for no rows.

    Examples
    --------
    >>> accuracy(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]))
    0.75
    """
    return float(np.mean(codes == predicted)) if len(codes) else nan


def balanced_accuracy(codes: NDArray[np.int64], predicted: NDArray[np.int64], n_classes: int = 2) -> float:
    """Return the mean over the classes of the share of right predictions.

    Parameters
    ----------
    codes, predicted : ndarray of int, shape (n,)
        True and predicted classes.
    n_classes : int, default=2
        How many classes there are, present here or not.

    Returns
    -------
    float
        Between 0 and 1; nan if a class has no row (decided here: the mean over the classes that happen to be
        there would be another quantity in every sample).

    Examples
    --------
    >>> balanced_accuracy(np.array([0, 1, 1, 1]), np.array([0, 1, 0, 0]))
    0.666...
    >>> balanced_accuracy(np.array([1, 1]), np.array([1, 0]))
    nan
    """
    sizes = np.bincount(codes, minlength=n_classes)
    if (sizes == 0).any():
        return nan
    right = np.bincount(codes[codes == predicted], minlength=len(sizes))
    return float(np.mean(right / sizes))


def roc_auc(codes: NDArray[np.int64], scores: NDArray[np.float64]) -> float:
    """Return the area under the ROC curve; for more than two classes the macro mean of one against the rest.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        True classes.
    scores : ndarray of float, shape (n,) or (n, C)
        For two classes the score of class 1; else one column a class. Only their order counts.

    Returns
    -------
    float
        Between 0 and 1, tied pairs counting half; nan if a class has no row or a score is nan.

    Examples
    --------
    >>> roc_auc(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.8]))
    0.875
    """
    if np.isnan(scores).any():
        return nan
    if scores.ndim == 1:
        return _binary_auc(codes == 1, scores)
    return float(np.mean([_binary_auc(codes == code, scores[:, code]) for code in range(scores.shape[1])]))


def _binary_auc(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Mann-Whitney: mean rank of the positives, ties at their middle rank."""
    n_positive = int(np.count_nonzero(positive))
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return nan
    ordered = np.sort(scores)
    chosen = scores[positive]
    below = np.searchsorted(ordered, chosen, "left") + np.searchsorted(ordered, chosen, "right")
    wins = below.sum() / 2 - n_positive**2 / 2
    return float(wins / (n_positive * n_negative))
