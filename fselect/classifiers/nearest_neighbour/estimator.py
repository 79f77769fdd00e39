"""The nearest neighbour, as a scikit-learn estimator with a fixed rule for ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fselect.classifiers.folds import check_folds
from fselect.classifiers.labels import read_labels
from fselect.classifiers.nearest_neighbour.payoff import NearestNeighbourPayoff
from fselect.classifiers.nominal_columns import read_again, read_columns
from fselect.errors import InputError

__all__ = ["NearestNeighbourClassifier"]

_BLOCK = 2**22
"""Distances that are held at once in a prediction."""


class NearestNeighbourClassifier(ClassifierMixin, BaseEstimator):
    """A row gets the class of the training row at the least squared Euclidean distance, of equals the first.

    The rule for ties is fixed (decided here), because on columns of few values they are the rule: scikit-learn's answer
    depends on its search tree. Columns are taken as they are, so give them comparable scales. Its payoffs
    nest (`nested_payoff`), as the contribution-selection algorithm asks for (Cohen, Ruppin and Dror 2005, section 4).

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        The labels.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> model = NearestNeighbourClassifier().fit([[0.0], [1.0], [1.0]], ["a", "b", "a"])
    >>> model.predict([[0.2], [1.0]]).tolist()
    ['a', 'b']
    """

    def fit(self, X: Any, y: Any) -> NearestNeighbourClassifier:
        """Remember the rows.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            Numbers, none missing.
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        NearestNeighbourClassifier
            This estimator.

        Raises
        ------
        InputError
            A missing value, or a column of text.
        """
        self._values, self._columns = _read(self, X)
        self.classes_, self._codes = read_labels(self._values, y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Give the class of the nearest training row.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            Rows.

        Returns
        -------
        ndarray of shape (n,)
            Labels.
        """
        check_is_fitted(self, "classes_")
        values = read_again(self, X, self._columns, allow_nan=False)
        size = max(1, _BLOCK // len(self._values))
        starts = range(0, len(values), size)
        nearest = [_nearest(self._values, values[start : start + size]) for start in starts]
        predicted: np.ndarray = self.classes_[self._codes[np.concatenate(nearest)]]
        return predicted

    def nested_payoff(self, X: Any, y: Any, folds: Any) -> NearestNeighbourPayoff:
        """Make what tells the cross-validated accuracies on all prefixes of a permutation of columns.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            The table.
        y : array-like of shape (n,)
            Labels.
        folds : array-like of shape (n,), int
            A row's fold, or -1 for a row that is only trained on.

        Returns
        -------
        NearestNeighbourPayoff
            See `fselect.classifiers.nested_payoffs.NestedPayoff`.
        """
        values, _ = _read(NearestNeighbourClassifier(), X)
        _, codes = read_labels(values, y)
        return NearestNeighbourPayoff(values, codes, check_folds(folds, len(codes)))


def _read(estimator: NearestNeighbourClassifier, X: Any) -> Any:
    values, columns = read_columns(estimator, X, "none", allow_nan=False)
    texts = [name for name, size in zip(columns.names, columns.sizes, strict=True) if size]
    if texts:
        raise InputError(f"column {texts[0]!r} is nominal, and distances need numbers; encode it, one column a value")
    return values, columns


def _nearest(train: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Give the place of the nearest row, the squares added up column by column, as prefixes are."""
    squares = np.zeros((len(values), len(train)))
    for column in range(train.shape[1]):
        squares += (values[:, column, None] - train[:, column]) ** 2
    return np.argmin(squares, axis=1)
