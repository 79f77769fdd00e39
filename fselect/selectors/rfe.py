"""Recursive feature elimination as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.special import logsumexp

from fselect.errors import InputError
from fselect.selectors.elimination import Elimination, eliminate
from fselect.selectors.estimator import EliminationSelector
from fselect.selectors.labelled import in_order

__all__ = ["BiasedRFE", "Elimination", "eliminate"]


class BiasedRFE(EliminationSelector):
    """Recursive feature elimination with a logistic model whose ridge differs from feature to feature.

    Each round fits Σ c log(1 + exp(-y (w·x + b))) + λ Σ β w² to the remaining features, to the exact optimum, and
    drops those of least absolute weight, until so many are left as are asked for. A feature with a small β
    keeps its weight cheaply and so tends to stay, whatever the sample is: that makes a selection stable.

    Parameters
    ----------
    n_features_to_select : int, default 20
        How many features are kept (the paper's number for a single task). From the number of columns on, all
        are kept, with a warning.
    step : float, default 0.2
        Share of the *remaining* features that go each round, above 0 and at most 1.
    penalty : float, default 0.1
        λ, above 0 (the paper's value for a single task).
    shrinkage : array-like of shape (n_features,), optional
        β, above 0; only their ratios count, since they are divided by their mean. By default all are equal.
    standardize : bool, default True
        Whether weights are those of standardised columns, with the weighted mean and variance of the sample.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,), bool
        The features that are kept.
    ranking_ : ndarray of shape (n_features,), int
        1 for these, 2 for the group that was dropped last, and so on.
    path_ : tuple of ndarray, int
        The dropped features by position, an array a round; the first to go is first.
    coef_ : ndarray of shape (1 or n_classes, n_features_), float
        Weights of the kept features in the units of X, fitted with their β; a row a class against the rest,
        or a single one for ``classes_[1]`` of two classes.
    intercept_ : ndarray of shape (1 or n_classes,), float
        Intercepts.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_features_ : int
        Number of features that are kept.
    n_features_in_ : int
        Number of features seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.

    See Also
    --------
    TransferRFE : Prefers what earlier tasks selected.

    References
    ----------
    Hamer and Dupont (2019), "Explicit control of feature relevance and selection stability through Pareto
    optimality".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> BiasedRFE(n_features_to_select=3).fit(X, y).get_feature_names_out()
    array(['worst radius', 'worst area', 'worst concave points'], dtype=object)
    """

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        step: float = 0.2,
        penalty: float = 0.1,
        shrinkage: Any = None,
        standardize: bool = True,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.penalty = penalty
        self.shrinkage = shrinkage
        self.standardize = standardize

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select features.

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
        BiasedRFE
            The fitted selector.

        Raises
        ------
        InputError
            If the table, the labels, the weights or a parameter cannot be used.
        """
        X_, codes, weight = self._read(X, y, sample_weight, reset=True)
        shrinkage = in_order(self.shrinkage, getattr(self, "feature_names_in_", None), "shrinkage")
        self._eliminate(X_, codes, weight, _log_shrinkage(shrinkage, X_.shape[1]))
        return self


def _log_shrinkage(shrinkage: Any, d: int) -> np.ndarray:
    if shrinkage is None:
        return np.zeros(d)
    beta = np.asarray(shrinkage, dtype=np.float64)
    if beta.shape != (d,):
        raise InputError(f"shrinkage must hold one number a column, so have shape ({d},), not {beta.shape}")
    if not (np.isfinite(beta).all() and (beta > 0).all()):
        column = int(np.flatnonzero(~(np.isfinite(beta) & (beta > 0)))[0])
        raise InputError(f"shrinkage of column {column} is {beta[column]}; it must be finite and above 0")
    log_beta = np.log(beta)
    return np.asarray(log_beta - (logsumexp(log_beta) - np.log(d)))
