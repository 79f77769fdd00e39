"""Recursive feature elimination over a sequence of tasks, each of which prefers what the earlier ones selected."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from fselect.errors import InputError
from fselect.selectors.estimator import EliminationSelector
from fselect.selectors.labelled import in_order
from fselect.selectors.shrinkage import transfer_log_shrinkage

__all__ = ["TransferRFE"]


class TransferRFE(EliminationSelector):
    """Recursive feature elimination that makes features cheap which earlier tasks selected.

    The factor of feature f in the ridge penalty is β = exp(-strength · (2 p - 1)), divided by the mean over all
    features, where p is the share of the earlier tasks that selected f. The first task is without bias.

    Parameters
    ----------
    n_features_to_select : int, default 10
        How many features are kept (the paper's number for a sequence of tasks).
    strength : float, default 1.0
        At least 0: 0 selects as if there were no earlier tasks, large values keep what they selected.
    step : float, default 0.2
        Share of the *remaining* features that go each round, above 0 and at most 1.
    penalty : float, default 1.0
        λ, above 0 (the paper's value for a sequence of tasks).
    history : array-like of shape (n_tasks, n_features) or list of lists of str, optional
        What earlier tasks selected, a row or a list of column names each; by default there are none. Names
        need a frame in `fit`.
    standardize : bool, default True
        Whether weights are those of standardised columns.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,), bool
        The features that the latest task selected.
    history_ : ndarray of shape (n_tasks, n_features), bool
        What all tasks selected, the history given first and the latest task last.
    ranking_ : ndarray of shape (n_features,), int
        Of the latest task: 1 for what is kept, 2 for the group that was dropped last, and so on.
    path_ : tuple of ndarray, int
        Of the latest task: the dropped features by position, an array a round.
    coef_, intercept_ : ndarray
        The latest task's model of its kept features, in the units of X.
    classes_ : ndarray of shape (n_classes,)
        The latest task's labels.
    n_features_ : int
        Number of features that are kept.
    n_features_in_ : int
        Number of features seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.

    See Also
    --------
    BiasedRFE : Takes any β.

    References
    ----------
    Hamer and Dupont (2019), "Explicit control of feature relevance and selection stability through Pareto
    optimality".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = TransferRFE(2, strength=2.0)
    >>> selector.fit(X[:300], y[:300]).get_feature_names_out()
    array(['worst radius', 'worst concave points'], dtype=object)
    >>> selector.partial_fit(X[300:], y[300:]).history_.sum(axis=1)
    array([2, 2])
    """

    def __init__(
        self,
        n_features_to_select: int = 10,
        *,
        strength: float = 1.0,
        step: float = 0.2,
        penalty: float = 1.0,
        history: Any = None,
        standardize: bool = True,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.strength = strength
        self.step = step
        self.penalty = penalty
        self.history = history
        self.standardize = standardize

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select the features of a task that follows on `history`; what was fitted before is forgotten.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            Finite numbers. Names of a frame's columns are kept.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.
        sample_weight : array-like of shape (n_samples,), optional
            Weights or multiplicities, at least 0; rows of weight 0 do not enter. By default 1.

        Returns
        -------
        TransferRFE
            The fitted selector.

        Raises
        ------
        InputError
            If the table, the labels, the weights, the history or a parameter cannot be used.
        """
        X_, codes, weight = self._read(X, y, sample_weight, reset=True)
        history = _read_history(self.history, X_.shape[1], getattr(self, "feature_names_in_", None))
        return self._next(X_, codes, weight, history)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select the features of the next task, which is appended to `history_`.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            The same columns, in the same order, as the tasks before.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.
        sample_weight : array-like of shape (n_samples,), optional
            Weights or multiplicities, at least 0. By default 1.

        Returns
        -------
        TransferRFE
            The selector; before any `fit` this is the same as `fit`.

        Raises
        ------
        InputError
            If the table, the labels, the weights or a parameter cannot be used.
        """
        if not hasattr(self, "history_"):
            return self.fit(X, y, sample_weight)
        X_, codes, weight = self._read(X, y, sample_weight, reset=False)
        return self._next(X_, codes, weight, self.history_)

    def _more_checks(self) -> None:
        super()._more_checks()
        if isinstance(self.strength, bool) or not isinstance(self.strength, numbers.Real):
            raise InputError(f"strength must be a number of at least 0, not {self.strength!r}")

    def _next(self, X: np.ndarray, codes: np.ndarray, weight: np.ndarray, history: np.ndarray) -> Self:
        self._eliminate(X, codes, weight, transfer_log_shrinkage(history, self.strength))
        self.history_ = np.vstack([history, self.support_])
        return self


def _read_history(history: Any, d: int, names: np.ndarray | None) -> np.ndarray:
    """Return a history in any of its forms as rows of bool."""
    if history is None:
        return np.zeros((0, d), dtype=bool)
    history = _rows(in_order(history, names, "history"))
    if len(history) == 0:
        return np.zeros((0, d), dtype=bool)
    if any(isinstance(entry, str) for row in history for entry in row):
        return np.array([_row_of_names(row, names) for row in history])
    if any(len(row) != d for row in history):
        wrong = next(len(row) for row in history if len(row) != d)
        raise InputError(f"a row of history has {wrong} entries, and X has {d} columns; give one entry a column")
    rows = np.asarray(history)
    if not np.isin(rows, (0, 1)).all():
        raise InputError("history must hold True and False (or 1 and 0), or lists of column names")
    return rows.astype(bool)


def _rows(history: Any) -> list[Any]:
    """Return the rows of a history; a frame's are its values."""
    values = history.to_numpy() if hasattr(history, "to_numpy") else history
    rows = list(values) if hasattr(values, "__iter__") and not isinstance(values, str) else None
    if rows is None or any(isinstance(row, str) or not hasattr(row, "__len__") for row in rows):
        raise InputError("history must be a list of sets, one a task: rows of True and False, or lists of column names")
    return rows


def _row_of_names(row: Sequence[str], names: np.ndarray | None) -> np.ndarray:
    if names is None:
        raise InputError("history names columns, but X has no column names; fit on a frame, or give rows of bool")
    known = set(names)
    for name in row:
        if name not in known:
            raise InputError(f"history names column {name!r}, which X does not have")
    return np.isin(names, list(row))
