"""Payoffs of naive Bayes: one addition a column, a row and a class, for what would be a fit and a prediction."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.folds import majority_share
from fselect.classifiers.multinomial_model import fit_counts
from fselect.classifiers.naive_bayes_folds import Reading, read_fold
from fselect.classifiers.naive_bayes_model import fit_sums, log_prior
from fselect.kernel import kernel

__all__ = ["MultinomialPayoff", "SumPayoff"]

_LARGEST_TABLE = 2**31
"""Bytes; terms that would need more are made for each permutation anew, which is slower but bounded."""


class SumPayoff:
    """Nested payoffs of Gaussian and categorical columns.

    What a column is taken as, and its number of values, are in each fold those of the training rows. The variance that
    smooths is that of all columns and not of the subset (decided here, or the payoff of a subset would depend on
    the path).

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table; nominal columns as codes.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.
    n_classes : int
        Number of classes.
    reading : Reading
        How a fold's columns are read, and smoothing.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [0.2, 5.0], [3.0, 1.2], [3.1, 4.9]] * 2)
    >>> codes, folds = np.array([0, 0, 1, 1] * 2), np.repeat([0, 1], 4)
    >>> SumPayoff(X, codes, folds, 2, Reading(np.zeros(2, dtype=int), 1.0, 1e-9)).accuracies(np.array([1, 0]))
    array([0.5, 0.5, 1. ])
    """

    def __init__(
        self, values: np.ndarray, codes: np.ndarray, folds: np.ndarray, n_classes: int, reading: Reading
    ) -> None:
        ones = np.ones(len(codes))
        train = [folds != fold for fold in range(folds.max() + 1)]
        self._models, self._rows = [], []
        for t in train:
            own, settings = read_fold(values, t, reading)
            self._models.append(fit_sums(own[t], codes[t], ones[t], n_classes, settings))
            self._rows.append(own[~t])
        priors = np.column_stack([log_prior(codes[t], ones[t], n_classes) for t in train])
        lengths = [len(rows) for rows in self._rows]
        self._prior = np.repeat(priors, lengths, axis=1)
        self._first = np.repeat(np.argmax(np.isfinite(priors), axis=0), lengths)
        self._codes = np.concatenate([codes[~t] for t in train])
        self._nothing = majority_share(codes, folds)
        whole = values.shape[1] * self._prior.nbytes <= _LARGEST_TABLE
        self._terms = self._table(np.arange(values.shape[1])) if whole else None

    def _table(self, columns: np.ndarray) -> np.ndarray:
        return np.concatenate(
            [model.terms(rows, columns) for model, rows in zip(self._models, self._rows, strict=True)], axis=2
        )

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        out = np.empty(len(columns) + 1)
        out[0] = self._nothing
        if self._terms is None:
            _sum_payoffs(self._table(columns), self._prior, self._first, self._codes, np.arange(len(columns)), out)
        else:
            _sum_payoffs(self._terms, self._prior, self._first, self._codes, columns, out)
        return out[start:]


@kernel
def _sum_payoffs(
    terms: np.ndarray, prior: np.ndarray, first: np.ndarray, codes: np.ndarray, columns: np.ndarray, out: np.ndarray
) -> None:
    """Add the columns up one by one; first is each row's first class with training rows, where none is likely."""
    n_classes, n = prior.shape
    joint = np.zeros((n_classes, n))
    best, chosen = np.empty(n), np.empty(n, dtype=np.int64)
    for k in range(columns.size):
        term = terms[columns[k]]
        for i in range(n):
            joint[0, i] += term[0, i]
            best[i] = joint[0, i] + prior[0, i]
            chosen[i] = 0 if best[i] > -np.inf else first[i]
        for c in range(1, n_classes):
            for i in range(n):
                joint[c, i] += term[c, i]
                here = joint[c, i] + prior[c, i]
                chosen[i] = c if here > best[i] else chosen[i]
                best[i] = here if here > best[i] else best[i]
        right = 0
        for i in range(n):
            right += chosen[i] == codes[i]
        out[k + 1] = right / n


class MultinomialPayoff:
    """Nested payoffs of multinomial naive Bayes, whose normaliser is carried along as a total a fold and class.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        The table, at least 0.
    codes : ndarray of shape (n,), int
        Classes.
    folds : ndarray of shape (n,), int
        Folds from 0, -1 for rows that are only trained on.
    n_classes : int
        Number of classes.
    alpha : float
        Added to every sum.

    Examples
    --------
    >>> X = np.array([[1.0, 9.0], [2.0, 8.0], [7.0, 2.0], [9.0, 1.0]] * 2)
    >>> codes, folds = np.array([0, 0, 1, 1] * 2), np.repeat([0, 1], 4)
    >>> MultinomialPayoff(X, codes, folds, 2, 1.0).accuracies(np.array([1, 0]))
    array([0.5, 0.5, 1. ])
    """

    def __init__(self, values: np.ndarray, codes: np.ndarray, folds: np.ndarray, n_classes: int, alpha: float) -> None:
        ones = np.ones(len(codes))
        train = [folds != fold for fold in range(folds.max() + 1)]
        models = [fit_counts(values[t], codes[t], ones[t], n_classes, alpha) for t in train]
        self._sums = np.stack([model.smoothed for model in models], axis=1)
        self._logs = np.log(self._sums)
        self._values = np.ascontiguousarray(np.concatenate([values[~t] for t in train]).T)
        self._ends = np.cumsum([np.count_nonzero(~t) for t in train])
        self._prior = np.array([log_prior(codes[t], ones[t], n_classes) for t in train])
        self._codes = np.concatenate([codes[~t] for t in train])
        self._nothing = majority_share(codes, folds)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        out = np.empty(len(columns) + 1)
        out[0] = self._nothing
        # not in compiled code, whose logarithm may round otherwise than that of a prediction
        totals = np.log(np.cumsum(self._sums[columns], axis=0))
        _count_payoffs(self._values, totals, self._logs, self._prior, self._ends, self._codes, columns, out)
        return out[start:]


@kernel
def _count_payoffs(
    values: np.ndarray,
    totals: np.ndarray,
    logs: np.ndarray,
    prior: np.ndarray,
    ends: np.ndarray,
    codes: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
) -> None:
    n_folds, n_classes = prior.shape
    n = codes.size
    joint = np.zeros((n_classes, n))
    size, best, chosen = np.zeros(n), np.empty(n), np.empty(n, dtype=np.int64)
    for k in range(columns.size):
        value = values[columns[k]]
        for i in range(n):
            size[i] += value[i]
        best[:], chosen[:], start = -np.inf, 0, 0
        for fold in range(n_folds):
            part = slice(start, ends[fold])
            for c in range(n_classes):
                _add_count(
                    joint[c, part],
                    value[part],
                    logs[columns[k], fold, c],
                    size[part],
                    totals[k, fold, c],
                    prior[fold, c],
                    best[part],
                    chosen[part],
                    c,
                )
            start = ends[fold]
        right = 0
        for i in range(n):
            right += chosen[i] == codes[i]
        out[k + 1] = right / n


@kernel
def _add_count(
    joint: np.ndarray,
    value: np.ndarray,
    log_sum: float,
    size: np.ndarray,
    log_total: float,
    prior: float,
    best: np.ndarray,
    chosen: np.ndarray,
    c: int,
) -> None:
    for i in range(joint.size):
        joint[i] += value[i] * log_sum
        here = joint[i] - size[i] * log_total + prior
        chosen[i] = c if here > best[i] else chosen[i]
        best[i] = here if here > best[i] else best[i]
