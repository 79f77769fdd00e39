"""The classifiers that a contribution search takes by name, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import LinearSVC

import fselect.classifiers as classifiers
from fselect.classifiers.failures import called
from fselect.errors import InputError
from fselect.selectors.contribution.payoff import columns_payoff

__all__ = ["AUTO", "NAMED", "choose_classifier", "make_classifier"]

NAMED: dict[str, Callable[[], Any]] = {
    "naive_bayes": lambda: classifiers.NaiveBayesClassifier(),
    "c45": lambda: classifiers.C45Classifier(),
    "nearest_neighbour": lambda: classifiers.NearestNeighbourClassifier(),
    "c45_unpruned": lambda: classifiers.C45Classifier(pruned=False),
    "linear_svm": lambda: make_pipeline(MaxAbsScaler(), LinearSVC(max_iter=20000)),
}
"""By name, as study files have them; made when asked for, so that one does not load the others.

The linear SVM sees columns divided by their largest absolute value: that keeps zeros, and so the rarity of a word."""

AUTO = ("naive_bayes", "c45", "nearest_neighbour")
"""Those that "auto" chooses from, as the paper did (section 3.1)."""


def make_classifier(estimator: Any, seed: int, parameter: str = "estimator") -> Any:
    """A classifier of its name or as it is, its random states fixed so that the payoff is a function.

    Parameters
    ----------
    estimator : str or classifier
        A name of `NAMED`, or an estimator; it is cloned.
    seed : int
        For every ``random_state`` that is None.
    parameter : str, default "estimator"
        What errors call it.

    Returns
    -------
    classifier

    Raises
    ------
    InputError
        If there is no such name, or the estimator cannot be trained or does not predict.

    Examples
    --------
    >>> make_classifier("linear_svm", 0)[-1].random_state
    0
    """
    if isinstance(estimator, str):
        if estimator not in NAMED:
            auto = "auto, " if parameter == "estimator" else ""
            told = "" if auto else f" for {parameter}"
            raise InputError(f"there is no classifier {estimator!r}{told}; there are {auto}{', '.join(NAMED)}")
        made = NAMED[estimator]()
    else:
        if isinstance(estimator, type):
            raise InputError(f"{parameter} is the class {estimator.__name__}; give an instance, {estimator.__name__}()")
        if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            raise InputError(f"{parameter} {called(estimator)} has no fit and predict; give a classifier")
        made = clone(estimator)
    free = [name for name, value in made.get_params().items() if name.endswith("random_state") and value is None]
    return made.set_params(**dict.fromkeys(free, seed)) if free else made


def choose_classifier(X: np.ndarray, y: np.ndarray, folds: np.ndarray, columns: Sequence[int], **options: Any) -> str:
    """The name of the classifier of highest cross-validated score on all columns, of equals the first.

    Parameters
    ----------
    X, y, folds
        As for `fselect.selectors.contribution.payoff.columns_payoff`.
    columns : sequence of int
        All columns that may be selected.
    **options
        ``scoring``, ``names`` and ``texts``: where there are any, those that cannot use them are left out.

    Returns
    -------
    str
        One of `AUTO`.
    """
    made = {name: make_classifier(name, 0) for name in AUTO}
    texts = options.get("texts")
    if texts is not None and texts.any():
        made = {name: one for name, one in made.items() if "nominal" in one.get_params()}
    payoffs = [columns_payoff(one, X, y, folds, **options) for one in made.values()]
    payoffs[0].value([])  # a score that does not fit the labels is to be told as that, not as a classifier's failure
    scores = [payoff.value(columns) for payoff in payoffs]
    return list(made)[int(np.argmax([score if np.isfinite(score) else -np.inf for score in scores]))]
