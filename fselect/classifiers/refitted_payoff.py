"""Payoffs of any classifier, fitted anew on every prefix and in every fold."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring

from fselect.classifiers.folds import check_folds, majority_share
from fselect.errors import InputError

__all__ = ["RefittedPayoff"]


class RefittedPayoff:
    """The plain way to payoffs, which works with every classifier, and which the fast ways are tested against.

    Parameters
    ----------
    estimator : estimator
        A classifier in the manner of scikit-learn; it is cloned for every fit.
    X : array-like or pandas frame of shape (n, d)
        The table.
    y : array-like of shape (n,)
        Labels.
    folds : array-like of shape (n,), int
        A row's fold, or -1 for a row that is only trained on.
    scoring : str or callable, default="accuracy"
        The share of rows predicted right over all folds together, or else a scorer's mean over folds.

    Raises
    ------
    InputError
        The estimator has no ``predict``, folds do not fit the rows, or scikit-learn does not know the score.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y, folds = np.array([[0.0], [1.0], [0.1], [1.1]]), ["a", "b", "a", "b"], [0, 0, 1, 1]
    >>> RefittedPayoff(KNeighborsClassifier(1), X, y, folds).accuracies(np.array([0]))
    array([0.5, 1. ])
    """

    def __init__(self, estimator: Any, X: Any, y: Any, folds: Any, *, scoring: Any = "accuracy") -> None:
        if not hasattr(estimator, "predict"):
            raise InputError(f"{estimator!r} has no predict; give a classifier")
        self._estimator = estimator
        self._X = X if hasattr(X, "iloc") else np.asarray(X)
        self._y = np.asarray(y)
        self._folds = check_folds(folds, len(self._y))
        self._scoring = None if scoring == "accuracy" else _scorer(estimator, scoring)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of all prefixes; see `fselect.classifiers.nested_payoffs.NestedPayoff`.

        Parameters
        ----------
        permutation : ndarray of shape (l,), int
            Different columns.
        start : int, default=0
            Length of the first prefix that is wanted; shorter ones are not fitted.

        Returns
        -------
        ndarray of shape (l + 1 - start,), float64
            Payoffs; of the empty prefix that of the majority class.

        Raises
        ------
        InputError
            A fit or prediction fails; the columns are named.
        """
        columns = np.asarray(permutation, dtype=np.int64)
        # the columns in the table's order, so that a classifier that breaks ties by it gives a set one payoff
        prefixes = (np.sort(columns[:k]) for k in range(start, len(columns) + 1))
        return np.array([self._payoff(one) if len(one) else self._nothing() for one in prefixes], dtype=np.float64)

    def _nothing(self) -> float:
        if self._scoring is None:
            codes = np.unique(self._y, return_inverse=True)[1]
            return majority_share(codes, self._folds)
        return self._mean(DummyClassifier(strategy="most_frequent"), np.arange(1))

    def _payoff(self, columns: np.ndarray) -> float:
        try:
            return self._mean(self._estimator, columns)
        except Exception as error:
            names = getattr(self._X, "columns", range(self._X.shape[1]))
            told = ", ".join(str(names[column]) for column in columns)
            raise InputError(f"{self._estimator!r} fails on the columns {told}: {error}") from error

    def _mean(self, estimator: Any, columns: np.ndarray) -> float:
        X = self._X.iloc[:, columns] if hasattr(self._X, "iloc") else self._X[:, columns]
        scores = [self._score(clone(estimator), X, fold) for fold in range(self._folds.max() + 1)]
        if self._scoring is None:
            return float(np.sum(scores) / np.count_nonzero(self._folds >= 0))
        return float(np.mean(scores))

    def _score(self, model: Any, X: Any, fold: int) -> float:
        """Give the number of rows of a fold that are predicted right, or the scorer's value."""
        rows = self._folds == fold
        train, test = (X.iloc[~rows], X.iloc[rows]) if hasattr(X, "iloc") else (X[~rows], X[rows])
        model.fit(train, self._y[~rows])
        if self._scoring is None:
            predicted = np.asarray(model.predict(test))
            if predicted.shape[:1] != (np.count_nonzero(rows),):
                raise ValueError(f"predict gives {predicted.shape} for {np.count_nonzero(rows)} rows")
            return float(np.count_nonzero(predicted == self._y[rows]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a score that is not defined is nan, and told by whoever asked
            return float(self._scoring(model, test, self._y[rows]))


def _scorer(estimator: Any, scoring: Any) -> Any:
    try:
        return check_scoring(estimator, scoring)
    except (TypeError, ValueError) as error:
        known = "give a name of sklearn.metrics.get_scorer_names() or a scorer"
        raise InputError(f"scoring {scoring!r} cannot be used; {known}") from error
