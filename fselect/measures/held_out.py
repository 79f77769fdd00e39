"""Accuracy on rows that are held out: the measure of wrappers that keep one test part through the whole search."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.measures.accuracy import as_classifier, stratified_folds
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table
from fselect.workers import worker_count

__all__ = ["HeldOut", "HeldOutEvaluator", "narrowed"]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """J = accuracy on a test part of a classifier that is trained on the other rows, with the chosen columns.

    Parameters
    ----------
    classifier : str or estimator, default="c45"
        ``"c45"`` (unpruned, one row in two branches at least, as in Boz 2002, section VII), ``"naive_bayes"``,
        ``"nearest_neighbour"``, or any classifier of scikit-learn's kind.
    share : float, default=0.2
        Share of the rows that are held out, where `rows` does not name them; drawn by class.
    rows : array-like, optional
        Positions of the rows that are held out, or a mask.
    n_jobs : int or None, default=1
        Threads among which neighbouring sets are divided, as scikit-learn counts them (-1 is all processors); the
        values are the same.

    Examples
    --------
    >>> X = np.column_stack([np.arange(20.0), np.arange(20) % 3])
    >>> table = Table(X, (np.arange(20) >= 10).astype(int), 2, np.array([False, True]))
    >>> held_out = HeldOut(rows=[0, 1, 18, 19]).prepare(table, np.random.default_rng(0))
    >>> held_out.value(np.array([0])), int(held_out.training.sum())
    (1.0, 16)
    """

    classifier: Any = "c45"
    share: float = 0.2
    rows: Any = None
    n_jobs: int | None = 1
    monotone: ClassVar[bool] = False
    highest: ClassVar[float] = 1.0

    def prepare(self, table: Table, rng: np.random.Generator) -> HeldOutEvaluator:
        """Hold out the rows; see `fselect.measures.measure.Measure.prepare`.

        Raises
        ------
        InputError
            Rows that are not there, a share outside 0 … 0.5, fewer than two classes to train on, or an n_jobs that is
            none.
        """
        test = self._test_rows(table, rng)
        if len(np.unique(table.codes[~test])) < 2:
            raise InputError("the rows that are left to train on hold one class only; hold out fewer rows")
        return HeldOutEvaluator(table, self.model(table), test, worker_count(self.n_jobs))

    def model(self, table: Table) -> Any:
        """Make the classifier for a table, not fitted."""
        if not isinstance(self.classifier, str) or self.classifier != "c45":
            return as_classifier(self.classifier, table)
        from fselect.classifiers.c45.estimator import C45Classifier

        return C45Classifier(min_weight=1, pruned=False, nominal=np.flatnonzero(table.nominal))

    def on(self, rows: Any) -> HeldOut:
        """Give the same measure with other rows held out."""
        return replace(self, rows=rows)

    def _test_rows(self, table: Table, rng: np.random.Generator) -> np.ndarray:
        if self.rows is not None:
            return _mask(self.rows, len(table.codes))
        if isinstance(self.share, bool | str) or not 0 < self.share <= 0.5:
            raise InputError(f"share must be a number above 0 and at most 0.5, not {self.share!r}")
        folds: np.ndarray = stratified_folds(table.codes, max(2, round(1 / self.share)), rng) == 0
        return folds


class HeldOutEvaluator(Evaluator):
    """Accuracies on the test part; more is better.

    Parameters
    ----------
    table : Table
        All rows, of both parts.
    model : estimator
        The classifier.
    test : ndarray of shape (n,), bool
        The rows that are held out.
    n_jobs : int
        Threads.

    Attributes
    ----------
    training : ndarray of shape (n,), bool
        The rows that are trained on.
    model : estimator
        The classifier.
    """

    def __init__(self, table: Table, model: Any, test: np.ndarray, n_jobs: int) -> None:
        self.training, self.model = ~test, model
        self._table, self._n_jobs = table, n_jobs
        nested = getattr(model, "nested_payoff", None)
        self._payoff = None if nested is None else nested(table.X, table.codes, np.where(test, 0, -1))
        # where prefixes cost as much as the set, they are left out
        self._skips = self._payoff is not None and "start" in signature(self._payoff.accuracies).parameters

    def value(self, columns: np.ndarray) -> float:
        """Give the value of a set; no columns at all are worth the share of the largest class."""
        if self._payoff is not None:
            skipped = {"start": len(columns)} if self._skips else {}
            return float(self._payoff.accuracies(columns, **skipped)[-1])
        X, codes, test = self._table.X, self._table.codes, ~self.training
        if not len(columns):
            return float(np.mean(codes[test] == np.bincount(codes[self.training]).argmax()))
        model = narrowed(self.model, columns).fit(X[np.ix_(self.training, columns)], codes[self.training])
        return float(np.mean(model.predict(X[np.ix_(test, columns)]) == codes[test]))

    def adding(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Give the values of the set with each of some other columns."""
        return self._values([np.sort(np.append(columns, added)) for added in candidates])

    def dropping(self, columns: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Give the values of the set without each of some of its columns."""
        return self._values([columns[columns != dropped] for dropped in candidates])

    def _values(self, sets: Sequence[np.ndarray]) -> np.ndarray:
        if self._n_jobs == 1 or len(sets) < 2:
            return np.array([self.value(one) for one in sets])
        with ThreadPoolExecutor(self._n_jobs) as pool:
            return np.array(list(pool.map(self.value, sets)))


def narrowed(model: Any, columns: np.ndarray) -> Any:
    """Copy a classifier for some columns of its table: positions of nominal columns move with them.

    Parameters
    ----------
    model : estimator
        For the whole table.
    columns : ndarray of int
        The columns, rising.

    Returns
    -------
    estimator
        Not fitted.

    Raises
    ------
    InputError
        If its nominal columns are named, since the columns are numbers here.

    Examples
    --------
    >>> from fselect.classifiers import C45Classifier
    >>> narrowed(C45Classifier(nominal=[0, 3]), np.array([1, 3])).nominal
    array([1])
    """
    from sklearn.base import clone

    copy = clone(model)
    nominal = copy.get_params().get("nominal")
    if nominal is None or isinstance(nominal, str):
        return copy
    given = np.asarray(nominal)
    if given.size and given.dtype.kind not in "biu":
        raise InputError(f"nominal of the classifier must hold positions or be a mask here, not {nominal!r}")
    positions = np.flatnonzero(given) if given.dtype.kind == "b" else given
    return copy.set_params(nominal=np.flatnonzero(np.isin(columns, positions)))


def _mask(rows: Any, n: int) -> np.ndarray:
    given = np.asarray(rows)
    if given.dtype.kind == "b" and given.shape == (n,):
        mask = given
    elif given.ndim == 1 and given.dtype.kind in "iu" and given.size and given.min() >= 0 and given.max() < n:
        mask = np.isin(np.arange(n), given)
    else:
        raise InputError(f"rows must name rows to hold out: positions from 0 to {n - 1}, or a mask of {n}")
    if not 0 < mask.sum() < n:
        raise InputError(f"rows holds out {mask.sum()} of {n} rows; leave some on either side")
    return mask
