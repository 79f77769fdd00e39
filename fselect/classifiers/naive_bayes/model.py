"""What naive Bayes learns, and what each column then says about each row: sums over columns, so that prefixes nest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fselect.kernel import kernel

__all__ = ["Settings", "SumModel", "fit_sums", "log_prior"]

_LEAST_VARIANCE = 1e-300
"""Keeps the terms of a column that is constant everywhere finite; they are the same for all classes."""


@dataclass(frozen=True, eq=False)
class Settings:
    """What is settled before parameters are estimated.

    Attributes
    ----------
    sizes : ndarray of shape (d,), int64
        Number of values of a categorical column, 0 for a Gaussian one.
    alpha : float
        Added to every count.
    var_smoothing : float
        This share of the largest variance of the Gaussian columns is added to all variances.
    epsilon : float or None
        Added to the variances instead, if given.
    """

    sizes: np.ndarray
    alpha: float
    var_smoothing: float
    epsilon: float | None = None


@dataclass(frozen=True, eq=False)
class SumModel:
    """A fitted model of Gaussian and categorical columns.

    Attributes
    ----------
    sizes : ndarray of shape (d,), int64
        As in `Settings`.
    mean, variance : ndarray of shape (C, d), float64
        Of the Gaussian columns; variances with what is added to them.
    log_probability : ndarray of shape (d, C, K + 1), float64
        Of the categorical columns; the last place is for values that were not seen.
    epsilon : float
        What was added to the variances.
    """

    sizes: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    log_probability: np.ndarray
    epsilon: float

    def terms(self, values: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Give the logarithm of the probability (density) of each value under each class.

        Parameters
        ----------
        values : ndarray of shape (n, d), float64
            Rows; categorical columns as codes, -1 for a value that was not seen.
        columns : ndarray of shape (l,), int
            Which columns.

        Returns
        -------
        ndarray of shape (l, C, n), float64
            Terms.
        """
        made = np.empty((len(columns), len(self.mean), len(values)))
        nominal = self.sizes[columns] > 0
        made[~nominal] = _gaussian_terms(values, self.mean, self.variance, columns[~nominal])
        made[nominal] = _categorical_terms(values, self.log_probability, columns[nominal])
        return made


def _gaussian_terms(values: np.ndarray, mean: np.ndarray, variance: np.ndarray, columns: np.ndarray) -> np.ndarray:
    spread = variance[:, columns].T[:, :, None]
    distance = values[:, columns].T[:, None, :] - mean[:, columns].T[:, :, None]
    terms: np.ndarray = -0.5 * (np.log(2.0 * np.pi * spread) + distance**2 / spread)
    return terms


def _categorical_terms(values: np.ndarray, log_probability: np.ndarray, columns: np.ndarray) -> np.ndarray:
    codes = values[:, columns].T.astype(np.int64)
    taken: np.ndarray = log_probability[columns[:, None], :, codes]
    return taken.transpose(0, 2, 1)


def fit_sums(values: np.ndarray, codes: np.ndarray, weight: np.ndarray, n_classes: int, settings: Settings) -> SumModel:
    """Estimate means, variances and probabilities of a weighted sample.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        Rows; categorical columns as codes from 0.
    codes : ndarray of shape (n,), int
        Classes.
    weight : ndarray of shape (n,), float64
        Weights of rows.
    n_classes : int
        Number of classes; one without a row gets any parameters, its prior keeps it out.
    settings : Settings
        What is settled before.

    Returns
    -------
    SumModel
        The model.

    Examples
    --------
    >>> values, codes = np.array([[0.0, 1.0], [2.0, 1.0], [5.0, 0.0]]), np.array([0, 0, 1])
    >>> model = fit_sums(values, codes, np.ones(3), 2, Settings(np.array([0, 2]), 1.0, 0.0))
    >>> model.mean[:, 0], np.exp(model.log_probability[1, :, :2])
    (array([1., 5.]), array([[0.25      , 0.75      ],
           [0.66666667, 0.33333333]]))
    """
    members = np.where(codes == np.arange(n_classes)[:, None], weight, 0.0)
    share = members / np.maximum(members.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    numeric = settings.sizes == 0
    mean, variance = np.zeros((n_classes, len(numeric))), np.ones((n_classes, len(numeric)))
    mean[:, numeric], variance[:, numeric] = _moments(
        values[:, numeric], codes, share[codes, np.arange(len(codes))], n_classes
    )
    epsilon = settings.epsilon
    if epsilon is None:
        epsilon = settings.var_smoothing * _largest_variance(values[:, numeric], weight)
    spread = np.maximum(variance + epsilon, _LEAST_VARIANCE)
    return SumModel(settings.sizes, mean, spread, _log_probability(values, codes, weight, n_classes, settings), epsilon)


def _moments(X: np.ndarray, codes: np.ndarray, share: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Give means and variances of each class; a row's share is that of its class's weight."""
    mean, variance = np.zeros((n_classes, X.shape[1])), np.zeros((n_classes, X.shape[1]))
    present, first = np.unique(codes, return_index=True)
    mean[present] = X[first]
    _sum_moments(X, codes, share, mean.copy(), mean, variance)
    return mean, variance


@kernel
def _sum_moments(
    X: np.ndarray, codes: np.ndarray, share: np.ndarray, first: np.ndarray, mean: np.ndarray, variance: np.ndarray
) -> None:
    """Add rows up in their order: a library's product would round by the numbers of columns and classes, too.

    Values are taken relative to the class's first, which the means hold at the start, so that a column that is
    constant has exactly no variance.
    """
    for i in range(codes.size):
        for j in range(X.shape[1]):
            mean[codes[i], j] += share[i] * (X[i, j] - first[codes[i], j])
    for i in range(codes.size):
        for j in range(X.shape[1]):
            distance = X[i, j] - mean[codes[i], j]
            variance[codes[i], j] += share[i] * (distance * distance)


def _largest_variance(X: np.ndarray, weight: np.ndarray) -> float:
    _, variance = _moments(X, np.zeros(len(X), dtype=np.int64), weight / weight.sum(), 1)
    return float(variance.max(initial=0.0))


def _log_probability(
    values: np.ndarray, codes: np.ndarray, weight: np.ndarray, n_classes: int, settings: Settings
) -> np.ndarray:
    sizes, alpha = settings.sizes, settings.alpha
    places = int(sizes.max(initial=0)) + 1
    logs = np.zeros((len(sizes), n_classes, places))
    nominal = np.flatnonzero(sizes)
    if nominal.size:
        counts = _counts(values[:, nominal], codes, weight, n_classes, places)
        total = counts.sum(axis=2, keepdims=True) + alpha * sizes[nominal, None, None]
        logs[nominal] = np.log(counts + alpha) - np.log(total)
    return logs


def _counts(X: np.ndarray, codes: np.ndarray, weight: np.ndarray, n_classes: int, places: int) -> np.ndarray:
    d = X.shape[1]
    cell = (np.arange(d) * n_classes + codes[:, None]) * places + X.astype(np.int64)
    weights = np.broadcast_to(weight[:, None], X.shape)
    counts = np.bincount(cell.ravel(), weights=weights.ravel(), minlength=d * n_classes * places)
    return counts.reshape(d, n_classes, places)


def log_prior(codes: np.ndarray, weight: np.ndarray, n_classes: int) -> np.ndarray:
    """Give the logarithms of the shares of the classes; -inf for one without a row.

    Parameters
    ----------
    codes, weight : ndarray of shape (n,)
        Classes and weights of rows.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of shape (C,), float64
        Logarithms.

    Examples
    --------
    >>> log_prior(np.array([0, 1, 1]), np.ones(3), 2).round(3)
    array([-1.099, -0.405])
    """
    counts = np.bincount(codes, weights=weight, minlength=n_classes)
    with np.errstate(divide="ignore"):
        logs: np.ndarray = np.log(counts) - np.log(counts.sum())
    return logs
