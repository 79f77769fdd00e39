"""What the searches and weightings share as scikit-learn estimators."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fselect.errors import InputError
from fselect.selectors.estimator import read_sample
from fselect.selectors.searches.frame import Found
from fselect.selectors.weight_cut import cut_weights

__all__ = ["SubsetSelector", "WeightSelector", "make_generator"]


class _Selector(SelectorMixin, BaseEstimator):
    """A selector that is fitted on classes."""

    random_state: Any

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        mask: np.ndarray = self.support_
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", range(self.n_features_in_))]


def make_generator(random_state: Any) -> np.random.Generator:
    """Make a generator of a seed, another generator or None."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer) or random_state < 0:
        raise InputError(
            f"random_state must be None, a whole number of at least 0 or a generator, not {random_state!r}"
        )
    return np.random.default_rng(int(random_state))


class SubsetSelector(_Selector):
    """Base of the selectors that search for a subset; mixed with a search.

    That is a `fselect.selectors.searches.subset_search.SubsetSearch`.

    Parameters of all of them
    -------------------------
    measure : str, measure, classifier or callable
        What is maximised: ``"consistency"``, ``"information"``, ``"gain_ratio"``, ``"distance"``, ``"divergence"``,
        ``"bhattacharyya"``, ``"correlation"``; ``"accuracy"`` or ``"c45"``, ``"naive_bayes"``,
        ``"nearest_neighbour"`` for the cross-validated accuracy of that classifier; any classifier, for its accuracy; a
        function of columns and classes (its attribute ``greater_is_better`` = False says that it is a loss).
    discretize : {"equal_frequency", "equal_width", "mdl"} or None, default="equal_frequency"
        How columns that are not nominal are cut for measures that count patterns; None refuses such columns.
    n_bins : int, default=5
        Into how many parts.
    nominal : "auto", "all", "none", or list of names or positions, default="auto"
        Columns whose numbers are codes of names, not amounts: by default whole numbers, at most 10 different ones.
    must_include, must_exclude : list of names or positions, optional
        Columns that are in every state, and in none.
    max_evaluations : int, optional
        Distinct states that are evaluated at most; the answer so far is the answer then, with a warning.
    max_seconds : float, optional
        The same for elapsed time.
    random_state : int, Generator or None, default=None
        Seed of draws, folds and ties: of equal values a random one is taken, since position says nothing.

    Attributes of all of them
    -------------------------
    support_ : ndarray of shape (n_features,), bool
        The chosen features.
    value_ : float
        What the measure says of them.
    evaluations_ : int
        Distinct states evaluated.
    history_ : pandas.DataFrame
        A row a step: action, columns (that changed), n_features, value, evaluations (so far).
    stopped_ : str
        "complete", "max_evaluations", "max_seconds" or "max_states".
    equals_ : ndarray of shape (m, n_features), bool
        Sets as good as the answer, where the search meets them; the answer is the first.
    by_size_ : dict
        For each size the best value and its features' positions, where the search keeps them.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    """

    @property
    def keeps_nan(self) -> bool:
        """Whether NaN may pass."""
        return False

    def fit(self, X: Any, y: Any) -> Self:
        """Search for a subset.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Finite numbers. Names of a frame's columns are kept.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.

        Returns
        -------
        SubsetSelector
            The fitted selector.

        Raises
        ------
        InputError
            If the table, the labels or a parameter cannot be used.

        Warns
        -----
        UserWarning
            If a limit ended the search.
        """
        X_, codes, _, self.classes_ = read_sample(self, X, y, reset=True, allow_nan=self.keeps_nan)
        mixed: Any = self  # a search as well, as every subclass is
        found: Found = mixed.find(X_, codes, self._names(), make_generator(self.random_state))
        self._keep(found)
        return self

    def _keep(self, found: Found) -> None:
        d = self.n_features_in_
        self.support_ = _mask(found.columns, d)
        self.value_, self.evaluations_, self.stopped_ = found.value, found.evaluations, found.stopped
        self.equals_ = np.array([_mask(columns, d) for columns in found.equals])
        self.by_size_ = {size: (value, tuple(columns)) for size, (value, columns) in found.by_size.items()}
        keys = ["action", "columns", "n_features", "value", "evaluations"]
        self.history_ = pd.DataFrame(found.rows, columns=keys)
        if hasattr(self, "feature_names_in_"):
            named = [tuple(self.feature_names_in_[list(columns)]) for columns in self.history_["columns"]]
            self.history_["columns"] = pd.Series(named, dtype=object)
        if found.stopped != "complete":
            limit = f"{found.stopped} = {getattr(self, found.stopped)}"
            told = f"the search was ended by {limit} after {found.evaluations} evaluations; support_ is the best so far"
            warnings.warn(told, UserWarning, stacklevel=3)


class WeightSelector(_Selector):
    """Base of the selectors that weigh columns and cut; mixed with a `fselect.selectors.weights.weighting.Weighting`.

    Parameters of all of them
    -------------------------
    cut : {"half_mean", "product", "drop"}, int or float, default="half_mean"
        Which weights are large enough; see `fselect.selectors.weight_cut.cut_weights`.
    random_state : int, Generator or None, default=None
        Seed of draws, and of ties at the cut.

    Attributes of all of them
    -------------------------
    support_ : ndarray of shape (n_features,), bool
        The chosen features.
    weights_ : ndarray of shape (n_features,), float64
        More is more relevant.
    ranking_ : ndarray of shape (n_features,), int
        1 for the largest weight; equal weights have equal ranks.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    """

    cut: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Weigh the columns and cut.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers. Names of a frame's columns are kept.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.

        Returns
        -------
        WeightSelector
            The fitted selector.

        Raises
        ------
        InputError
            If the table, the labels or a parameter cannot be used.
        """
        mixed: Any = self  # a weighting as well, as every subclass is
        rng = make_generator(self.random_state)
        X_, codes, _, self.classes_ = read_sample(self, X, y, reset=True, allow_nan=mixed.keeps_nan)
        self.weights_ = mixed.weigh(X_, codes, self._names(), rng)
        self.support_ = cut_weights(self.weights_, self.cut, rng)
        self.ranking_ = 1 + (self.weights_[None, :] > self.weights_[:, None]).sum(axis=1)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = bool(getattr(self, "keeps_nan", False))
        return tags


def _mask(columns: list[int], d: int) -> np.ndarray:
    mask = np.zeros(d, dtype=bool)
    mask[columns] = True
    return mask
