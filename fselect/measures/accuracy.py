"""Accuracy of a classifier by cross-validation: the measure of wrappers."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table

__all__ = ["Accuracy", "as_classifier", "stratified_folds"]

_CLASSIFIERS = {
    "c45": "fselect.classifiers.c45.estimator.C45Classifier",
    "naive_bayes": "fselect.classifiers.naive_bayes.estimator.NaiveBayesClassifier",
    "nearest_neighbour": "fselect.classifiers.nearest_neighbour.estimator.NearestNeighbourClassifier",
}


@dataclass(frozen=True)
class Accuracy:
    """J = cross-validated accuracy of a classifier that is trained on the chosen columns.

    Folds are stratified and drawn once a search, so that all sets are compared on the same ones. No columns at all are
    worth the share of the largest class.

    Parameters
    ----------
    classifier : str or estimator, default="c45"
        ``"c45"`` (the survey's: pruned, confidence 0.25, two rows in two branches at least), ``"naive_bayes"``,
        ``"nearest_neighbour"`` (all columns as numbers), or any classifier of scikit-learn's kind.
        One that can give the accuracies of nested sets without training anew, as those of this package can, does.
    cv : int, default=5
        Folds, at most the size of the smallest class; the survey has five.
    scoring : str or callable, default="accuracy"
        A scorer of scikit-learn's kind (greater is better: ``"neg_log_loss"``, not the loss), the mean over folds.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = np.column_stack([np.arange(20.0), np.arange(20) % 3])
    >>> table = Table(X, (np.arange(20) >= 10).astype(int), 2, np.array([False, True]))
    >>> accuracy = Accuracy(GaussianNB()).prepare(table, np.random.default_rng(0))
    >>> accuracy.value(np.array([], dtype=int)), accuracy.value(np.array([0]))
    (0.5, 1.0)
    """

    classifier: Any = "c45"
    cv: int = 5
    scoring: Any = "accuracy"
    monotone: ClassVar[bool] = False

    def prepare(self, table: Table, rng: np.random.Generator) -> Evaluator:
        """Draw the folds; see `fselect.measures.measure.Measure.prepare`."""
        folds = stratified_folds(table.codes, self._number_of_folds(table), rng)
        model = as_classifier(self.classifier, table)
        nested = getattr(model, "nested_payoff", None)
        if nested is not None and self.scoring == "accuracy":
            return _NestedEvaluator(nested(table.X, table.codes, folds))
        return _RefitEvaluator(table, model, folds, self.scoring)

    def _number_of_folds(self, table: Table) -> int:
        if isinstance(self.cv, bool) or not isinstance(self.cv, int | np.integer) or self.cv < 2:
            raise InputError(f"cv must be a whole number of at least 2, the number of folds, not {self.cv!r}")
        smallest = int(np.bincount(table.codes, minlength=table.n_classes).min())
        return max(2, min(int(self.cv), smallest))


def as_classifier(classifier: Any, table: Table) -> Any:
    """Make a classifier of its name for a table; an estimator is one already."""
    if not isinstance(classifier, str):
        if not hasattr(classifier, "fit"):
            raise InputError(
                f"classifier must be one of {', '.join(_CLASSIFIERS)}, or an estimator, not {classifier!r}"
            )
        return classifier
    if classifier not in _CLASSIFIERS:
        raise InputError(f"there is no classifier {classifier!r}; there are {', '.join(_CLASSIFIERS)}")
    module, name = _CLASSIFIERS[classifier].rsplit(".", 1)
    made = getattr(import_module(module), name)
    return made() if classifier == "nearest_neighbour" else made(nominal=np.flatnonzero(table.nominal))


def stratified_folds(codes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Deal the rows of each class, shuffled, to the folds in turn; where one class ends the next goes on."""
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.int64)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


class _NestedEvaluator(Evaluator):
    def __init__(self, payoff: Any) -> None:
        self._payoff = payoff
        # where prefixes cost as much as the set, they are left out
        self._skips = "start" in signature(payoff.accuracies).parameters

    def value(self, columns: np.ndarray) -> float:
        skipped = {"start": len(columns)} if self._skips else {}
        return float(self._payoff.accuracies(columns, **skipped)[-1])


class _RefitEvaluator(Evaluator):
    def __init__(self, table: Table, model: Any, folds: np.ndarray, scoring: Any) -> None:
        from sklearn.metrics import check_scoring

        self._table, self._model, self._folds = table, model, folds
        self._scorer = None if scoring == "accuracy" else check_scoring(model, scoring)

    def value(self, columns: np.ndarray) -> float:
        if not columns.size:
            return self._of_nothing()
        return self._cross_validated(self._model, self._table.X[:, columns])

    def _cross_validated(self, model: Any, X: np.ndarray) -> float:
        codes = self._table.codes
        parts = [self._folds == fold for fold in range(int(self._folds.max()) + 1)]
        if self._scorer is None:
            right = [(_fitted(model, X, codes, ~out).predict(X[out]) == codes[out]).sum() for out in parts]
            return float(sum(right) / len(codes))
        scorer = self._scorer
        return float(np.mean([scorer(_fitted(model, X, codes, ~out), X[out], codes[out]) for out in parts]))

    def _of_nothing(self) -> float:
        if self._scorer is None:
            return float(self._table.class_shares.max())
        from sklearn.dummy import DummyClassifier

        return self._cross_validated(DummyClassifier(strategy="prior"), np.zeros((len(self._folds), 1)))


def _fitted(model: Any, X: np.ndarray, codes: np.ndarray, rows: np.ndarray) -> Any:
    from sklearn.base import clone

    return clone(model).fit(X[rows], codes[rows])
