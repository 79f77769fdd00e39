"""Payoffs of any classifier, fitted anew on every prefix and in every fold."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring

from fselect.classifiers.column_parameters import column_parameters
from fselect.classifiers.failures import called, reason, told_columns
from fselect.classifiers.folds import check_folds, majority_share
from fselect.errors import InputError

__all__ = ["RefittedPayoff"]


class RefittedPayoff:
    """The plain way to payoffs, which works with every classifier, and which the fast ways are tested against.

    Parameters
    ----------
    estimator : estimator
        A classifier in the manner of scikit-learn; it is cloned for every fit. Parameters of single columns, as
        ``nominal=[1, 3]``, mean those of the whole table.
    X : array-like or pandas frame of shape (n, d)
        The table.
    y : array-like of shape (n,)
        Labels.
    folds : array-like of shape (n,), int
        A row's fold, or -1 for a row that is only trained on.
    scoring : str or callable, default="accuracy"
        The share of rows predicted right over all folds together, or else a scorer's mean over folds.
    names : sequence of str, optional
        What columns are called in messages; by default as X calls them.

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

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        folds: Any,
        *,
        scoring: Any = "accuracy",
        names: Sequence[Any] | None = None,
    ) -> None:
        if not hasattr(estimator, "predict"):
            raise InputError(f"{called(estimator)} has no predict; give a classifier")
        self._X = X if hasattr(X, "iloc") else np.asarray(X)
        self._names = getattr(X, "columns", None) if names is None else names
        self._estimator = column_parameters(estimator, self._X.shape[1], self._names)
        self._y = np.asarray(y)
        self._folds = check_folds(folds, len(self._y))
        self._told = scoring
        self._scoring = None if isinstance(scoring, str) and scoring == "accuracy" else _scorer(estimator, scoring)

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
            A fit, a prediction or a score fails; the columns are named.
        """
        columns = np.asarray(permutation, dtype=np.int64)
        # the columns in the table's order, so that a classifier that breaks ties by it gives a set one payoff
        prefixes = (np.sort(columns[:k]) for k in range(start, len(columns) + 1))
        return np.array([self._payoff(one) if len(one) else self._nothing() for one in prefixes], dtype=np.float64)

    def _nothing(self) -> float:
        if self._scoring is None:
            codes = np.unique(self._y, return_inverse=True)[1]
            return majority_share(codes, self._folds)
        try:
            return self._mean(DummyClassifier(strategy="most_frequent"), np.arange(1))
        except Exception as error:
            why = f"fails where the largest class is predicted, as without columns: {reason(error)}"
            raise InputError(f"scoring {called(self._told)} {why}; give another score") from error

    def _payoff(self, columns: np.ndarray) -> float:
        try:
            return self._mean(self._estimator.narrowed(columns), columns)
        except Exception as error:
            told = told_columns(columns, self._names)
            raise InputError(f"{called(self._estimator.estimator)} fails on the {told}: {reason(error)}") from error

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
            return _number(self._scoring(model, test, self._y[rows]))


def _number(score: Any) -> float:
    if score is None or isinstance(score, str) or np.shape(score) != ():
        raise ValueError(f"the score is {score!r}, which is no number")
    return float(score)


def _scorer(estimator: Any, scoring: Any) -> Any:
    try:
        return check_scoring(estimator, scoring)
    except (TypeError, ValueError) as error:
        known = "give a name of sklearn.metrics.get_scorer_names() or a scorer"
        raise InputError(f"scoring {called(scoring)} cannot be used; {known}") from error
