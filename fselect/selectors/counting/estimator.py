"""Selection by counting over folds, with any selector inside (the third phase of Boz 2002)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from fselect.errors import InputError
from fselect.selectors.counting.folds import counted, three_parts
from fselect.selectors.counting.run import (
    Sample,
    assess,
    check_selector,
    default_model,
    fit_fold,
    in_threads,
    support_of,
)
from fselect.selectors.estimator import read_sample
from fselect.selectors.searches.estimator import make_generator
from fselect.selectors.sorted_relevance.estimator import SortedRelevanceSearch
from fselect.workers import worker_count

__all__ = ["CountingSelection"]


class CountingSelection(SelectorMixin, BaseEstimator):
    """Run a selector on each fold, and keep the features that are chosen in an average number of folds or more.

    The rows are cut into parts. In each fold some are for training, some for the comparison of sets, and some for the
    assessment of what was chosen: the counted set of all folds (FS), and each fold's own set (IS).

    Parameters
    ----------
    selector : estimator, default=None
        Any feature selector; None is `fselect.SortedRelevanceSearch`. Searches whose measure is held-out accuracy train
        on the training part and compare on the test part, others are given both parts.
    n_parts, test_parts, validation_parts : int, default 10, 1 and 1
        Parts in all, to compare on, and to assess on: the defaults are the paper's 10(8-1-1).
    estimator : classifier, default=None
        Assesses sets; it is trained on the training part only (decided here, because a tree that had seen the test
        part would not be the one that was compared). None is the classifier of the search, or an unpruned C4.5 tree.
    n_jobs : int or None, default=1
        Threads among which folds are divided, as in scikit-learn: -1 is all processors; the answer is the same.
    random_state : int, Generator or None, default=None
        Seed of the parts, and of the selector of each fold where that has none.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,), bool
        The counted set.
    counts_ : ndarray of shape (n_features,), int
        In how many folds each feature was chosen.
    supports_ : ndarray of shape (n_parts, n_features), bool
        What each fold chose.
    folds_ : DataFrame
        A row a fold: accuracy on its validation part of the counted set (``final``), of its own set (``own``) and of
        all features (``all``), sizes of the trees where there are any, number of its own features, and evaluations.
    final_accuracy_, own_accuracy_, all_accuracy_ : float
        Means over folds.
    selectors_ : list of estimator
        The fitted selector of each fold.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    The counted set was chosen with the rows of every fold, those of each validation part among them, so
    ``final_accuracy_`` is optimistic. ``own_accuracy_`` is not.

    References
    ----------
    O. Boz (2002), "Feature subset selection by using sorted feature relevance", section V.C.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> counting = CountingSelection(n_parts=10, test_parts=2, validation_parts=2, random_state=0)
    >>> counting.fit(data.X, data.y).get_support(indices=True), counting.final_accuracy_
    (array([0, 1, 2, 3]), 1.0)
    """

    def __init__(
        self,
        selector: Any = None,
        *,
        n_parts: int = 10,
        test_parts: int = 1,
        validation_parts: int = 1,
        estimator: Any = None,
        n_jobs: int | None = 1,
        random_state: Any = None,
    ) -> None:
        self.selector = selector
        self.n_parts = n_parts
        self.test_parts = test_parts
        self.validation_parts = validation_parts
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Select on each fold, count, and assess.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers; NaN where the selector takes it.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.

        Returns
        -------
        CountingSelection
            This estimator.

        Raises
        ------
        InputError
            If the table, the labels or a parameter cannot be used.
        """
        selector = self._inner()
        check_selector(selector)
        if self.estimator is not None and not hasattr(self.estimator, "get_params"):  # said before the folds run
            raise InputError(f"estimator must be a classifier such as C45Classifier(), not {self.estimator!r}")
        workers = worker_count(self.n_jobs)
        rng = make_generator(self.random_state)
        X_, codes, _, self.classes_ = read_sample(self, X, y, reset=True, allow_nan=_takes_nan(selector))
        names = getattr(self, "feature_names_in_", None)
        sample = Sample(X_, codes, None if names is None else names.tolist())
        folds = three_parts(codes, self.n_parts, self.test_parts, self.validation_parts, rng)
        seeds = rng.integers(2**31, size=len(folds)).tolist()

        def fitted(fold: int) -> Any:
            return fit_fold(clone(selector), sample, folds[fold], seeds[fold])

        self.selectors_ = in_threads(fitted, len(folds), workers)
        self.supports_ = support_of(self.selectors_)
        self.counts_ = self.supports_.sum(axis=0)
        self.support_ = counted(self.supports_)
        model = default_model(selector, sample) if self.estimator is None else self.estimator
        everything = np.ones_like(self.support_)
        sets = {"final": [self.support_] * len(folds), "own": [*self.supports_], "all": [everything] * len(folds)}

        def row(fold: int) -> dict[str, float]:
            found = {name: assess(model, sample, folds[fold], one[fold]) for name, one in sets.items()}
            return {f"{name}_{key}": value for name, one in found.items() for key, value in one.items()}

        self._keep(in_threads(row, len(folds), workers))
        return self

    def _inner(self) -> Any:
        return SortedRelevanceSearch() if self.selector is None else self.selector

    def _keep(self, rows: list[dict[str, float]]) -> None:
        table = pd.DataFrame(rows)
        table.insert(0, "fold", range(len(rows)))
        table["own_features"] = self.supports_.sum(axis=1)
        table["evaluations"] = [getattr(one, "evaluations_", np.nan) for one in self.selectors_]
        self.folds_ = table
        means = table[["final_accuracy", "own_accuracy", "all_accuracy"]].mean()
        self.final_accuracy_, self.own_accuracy_, self.all_accuracy_ = map(float, means)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = _takes_nan(self._inner())
        return tags


def _takes_nan(selector: Any) -> bool:
    return hasattr(selector, "__sklearn_tags__") and bool(get_tags(selector).input_tags.allow_nan)
