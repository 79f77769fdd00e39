"""The accuracies of a classifier on all prefixes of a permutation of columns, by the fastest exact way there is."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from fselect.classifiers.folds import check_folds
from fselect.classifiers.refitted_payoff import RefittedPayoff

__all__ = ["NestedPayoff", "nested_payoff"]


@runtime_checkable
class NestedPayoff(Protocol):
    """What subsets of columns are worth, asked for along a permutation (Cohen, Ruppin and Dror 2005, section 2)."""

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of all prefixes, or of those of `start` columns and more.

        Parameters
        ----------
        permutation : ndarray of shape (l,), int
            Different columns, as positions from 0.
        start : int, default=0
            Length of the shortest prefix that is wanted: a search that adds to a set need not pay for its parts.

        Returns
        -------
        ndarray of shape (l + 1 - start,), float64
            At k the payoff of the first start + k columns; that of none is the majority class's.
        """
        ...


def nested_payoff(estimator: Any, X: Any, y: Any, folds: Any, *, scoring: Any = "accuracy") -> NestedPayoff:
    """Make what tells the cross-validated accuracies of a classifier on all prefixes of a permutation.

    A classifier with a method ``nested_payoff(X, y, folds)``, as those of this package, makes its own, which gives
    the accuracies of plain fits and predictions at a small part of their cost; any other is fitted anew on
    every prefix.

    Parameters
    ----------
    estimator : estimator
        A classifier in the manner of scikit-learn. It is not fitted itself.
    X : array-like or frame of shape (n, d)
        The table, all columns.
    y : array-like of shape (n,)
        Labels.
    folds : array-like of shape (n,), int
        Number of the fold in which a row is predicted by a model of the rows of all other folds; -1 for rows
        that are only trained on (one fold and -1 else: a single split).
    scoring : str or callable, default="accuracy"
        The share of rows that are predicted right, over all folds together. Anything else that scikit-learn's
        ``check_scoring`` takes is the mean over folds of that score, and always by plain fits.

    Returns
    -------
    NestedPayoff
        With a method ``accuracies(permutation)``.

    Raises
    ------
    InputError
        No ``predict``; folds that do not fit the rows; later, in ``accuracies``, a failed fit (the subset is named).

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    >>> payoff = nested_payoff(DecisionTreeClassifier(), X, X[:, 1], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> payoff.accuracies(np.array([0, 1]))
    array([0.5, 0.5, 1. ])
    """
    numbers = check_folds(folds, len(y))
    own = getattr(estimator, "nested_payoff", None)
    if own is None or not isinstance(scoring, str) or scoring != "accuracy":
        return RefittedPayoff(estimator, X, y, numbers, scoring=scoring)
    made: NestedPayoff = own(X, y, numbers)
    return made
