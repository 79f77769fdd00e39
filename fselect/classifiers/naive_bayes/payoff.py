"""Payoffs of naive Bayes: one addition a column, a row and a class, for what would be a fit and a prediction.

Sums over columns round by the order of the columns, which is the path's here, and the table's in a plain fit. So where
two classes are equally likely up to what rounding can do, the row's sums are added up anew in the table's order.
"""

from __future__ import annotations

import numpy as np

from fselect.classifiers.folds import majority_share
from fselect.classifiers.naive_bayes.folds import Reading, read_fold
from fselect.classifiers.naive_bayes.model import fit_sums, log_prior
from fselect.classifiers.naive_bayes.multinomial_model import fit_counts, running_totals
from fselect.kernel import kernel

__all__ = ["MultinomialPayoff", "SumPayoff"]

_LARGEST_TABLE = 2**31
"""Bytes; terms that would need more are made for each permutation anew, which is slower but bounded."""

_ROUNDING = 2.0**-49
"""Times the number of additions and the sum of their sizes: above what two orders of additions make of a difference."""


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
        self._absent = np.isneginf(priors).T
        lengths = [len(rows) for rows in self._rows]
        self._prior = np.repeat(priors, lengths, axis=1)
        self._first = np.repeat(np.argmax(np.isfinite(priors), axis=0), lengths)
        self._codes = np.concatenate([codes[~t] for t in train])
        self._nothing = majority_share(codes, folds)
        whole = values.shape[1] * self._prior.nbytes <= _LARGEST_TABLE
        self._terms = self._table(np.arange(values.shape[1])) if whole else None

    def _table(self, columns: np.ndarray) -> np.ndarray:
        made = [model.terms(rows, columns) for model, rows in zip(self._models, self._rows, strict=True)]
        for terms, absent in zip(made, self._absent, strict=True):
            terms[:, absent] = 0.0  # any number: the prior keeps such classes out
        return np.concatenate(made, axis=2)

    def accuracies(self, permutation: np.ndarray, start: int = 0) -> np.ndarray:
        """Give the payoffs of prefixes of `start` columns and more, as `NestedPayoff` says."""
        columns = np.asarray(permutation, dtype=np.int64)
        out = np.empty(len(columns) + 1)
        out[0] = self._nothing
        terms, places = self._terms, columns
        if terms is None:
            terms, places = self._table(columns), np.arange(len(columns))
        _sum_payoffs(terms, self._prior, self._first, self._codes, places, np.argsort(columns), out)
        return out[start:]


@kernel
def _sum_payoffs(
    terms: np.ndarray,
    prior: np.ndarray,
    first: np.ndarray,
    codes: np.ndarray,
    places: np.ndarray,
    order: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add the columns up one by one.

    The permutation's columns are at `places` of terms, `order` puts them as in the table, and `first` is each row's
    first class that has training rows, which is predicted where none is likely at all.
    """
    n_classes, n = prior.shape
    joint, weight = np.zeros((n_classes, n)), np.zeros(n)
    best, second, chosen = np.empty(n), np.empty(n), np.empty(n, dtype=np.int64)
    for k in range(places.size):
        term = terms[places[k]]
        for i in range(n):
            weight[i] += abs(term[0, i])
            joint[0, i] += term[0, i]
            best[i] = joint[0, i] + prior[0, i]
            second[i] = -np.inf
            chosen[i] = 0 if best[i] > -np.inf else first[i]
        for c in range(1, n_classes):
            for i in range(n):
                weight[i] += abs(term[c, i])
                joint[c, i] += term[c, i]
                here = joint[c, i] + prior[c, i]
                low = best[i] if here > best[i] else here
                second[i] = low if low > second[i] else second[i]
                chosen[i] = c if here > best[i] else chosen[i]
                best[i] = here if here > best[i] else best[i]
        right = 0
        for i in range(n):
            if best[i] - second[i] < (k + 4) * _ROUNDING * weight[i]:
                chosen[i] = _likeliest(terms, prior, places, order, k, i, first[i])
            right += chosen[i] == codes[i]
        out[k + 1] = right / n


@kernel
def _likeliest(
    terms: np.ndarray, prior: np.ndarray, places: np.ndarray, order: np.ndarray, k: int, i: int, first: int
) -> int:
    """Give the class of row i by the columns up to k, added up in the table's order."""
    best, chosen = -np.inf, first
    for c in range(prior.shape[0]):
        joint = 0.0
        for place in order:
            if place <= k:
                joint += terms[places[place], c, i]
        if joint + prior[c, i] > best:
            best, chosen = joint + prior[c, i], c
    return chosen


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
        totals = np.log(running_totals(self._sums[columns]))
        order = np.argsort(columns)
        _count_payoffs(self._values, totals, self._logs, self._prior, self._ends, self._codes, columns, order, out)
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
    order: np.ndarray,
    out: np.ndarray,
) -> None:
    n_folds, n_classes = prior.shape
    n = codes.size
    joint, size, weight, largest = np.zeros((n_classes, n)), np.zeros(n), np.zeros(n), np.zeros(n_folds)
    best, second, chosen = np.empty(n), np.empty(n), np.empty(n, dtype=np.int64)
    for k in range(columns.size):
        value = values[columns[k]]
        size += value
        best[:], second[:], chosen[:], largest[:] = -np.inf, -np.inf, 0, 0.0
        for c in range(n_classes):
            own, start = joint[c], 0
            for fold in range(n_folds):
                log_sum, log_total, log_share = logs[columns[k], fold, c], totals[k, fold, c], prior[fold, c]
                largest[fold] = max(largest[fold], abs(log_total))
                for i in range(start, ends[fold]):
                    added = value[i] * log_sum
                    own[i] += added
                    weight[i] += abs(added)
                    here = own[i] - size[i] * log_total + log_share
                    low = best[i] if here > best[i] else here
                    second[i] = low if low > second[i] else second[i]
                    chosen[i] = c if here > best[i] else chosen[i]
                    best[i] = here if here > best[i] else best[i]
                start = ends[fold]
        right, start = 0, 0
        for fold in range(n_folds):
            for i in range(start, ends[fold]):
                if best[i] - second[i] < (k + 4) * _ROUNDING * (weight[i] + size[i] * largest[fold]):
                    own_logs, own_totals = logs[:, fold], totals[k, fold]
                    chosen[i] = _likeliest_count(values, own_totals, own_logs, prior[fold], columns, order, k, i)
                right += chosen[i] == codes[i]
            start = ends[fold]
        out[k + 1] = right / n


@kernel
def _likeliest_count(
    values: np.ndarray,
    log_total: np.ndarray,
    logs: np.ndarray,
    prior: np.ndarray,
    columns: np.ndarray,
    order: np.ndarray,
    k: int,
    i: int,
) -> int:
    """Give the class of row i by the columns up to k, added up in the table's order."""
    best, chosen = -np.inf, 0
    for c in range(prior.size):
        joint, size = 0.0, 0.0
        for place in order:
            if place <= k:
                value = values[columns[place], i]
                joint += value * logs[columns[place], c]
                size += value
        here = joint - size * log_total[c] + prior[c]
        if here > best:
            best, chosen = here, c
    return chosen
