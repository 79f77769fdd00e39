"""Logistic regression with a ridge penalty, fitted to the exact optimum: the final model of every selection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fselect.classifiers.arrays import total
from fselect.classifiers.newton.blocks import add_gram, choose_free, find_equal
from fselect.classifiers.newton.columns import Columns, Standardised, make_columns, root_of, standardise
from fselect.classifiers.newton.problems import Problems, is_dual, make_problems, room_for_hessian, solve, weights
from fselect.classifiers.newton.quasi_newton import Hessian
from fselect.errors import InputError
from fselect.kernel import kernel

__all__ = [
    "LogisticFit",
    "Sample",
    "check_classes",
    "decision",
    "fit_logistic",
    "lift",
    "make_sample",
    "predict_codes",
    "sample_log_variance",
]

_LEAST_RIDGE = 1e-10  # of the Gram matrix's mean diagonal
_VAST = 200.0  # as a log q


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """A fitted model, in the units of the table.

    Attributes
    ----------
    coef : ndarray of shape (n_problems, d), float64
        Weights, a row a class against the rest; a single row for two classes. 0 for constant columns.
    intercept : ndarray of shape (n_problems,), float64
        Intercepts.
    importance : ndarray of shape (d,), float64
        |weight| on standardised columns, over several classes the root of its mean square.
    """

    coef: np.ndarray
    intercept: np.ndarray
    importance: np.ndarray


@dataclass(frozen=True, eq=False)
class Sample:
    """A weighted sample made ready for the solvers.

    Attributes
    ----------
    standardised : Standardised
        The columns.
    columns : Columns
        Those that are not constant, with their penalties.
    problems : Problems
        What is to be fitted.
    """

    standardised: Standardised
    columns: Columns
    problems: Problems


def lift(log_beta: np.ndarray, log_variance: np.ndarray, penalty: float) -> np.ndarray:
    """Multiply all β by one number where the model would be numerically without a ridge.

    The ridge is kept at or above 1e-10 of the mean diagonal of the Gram matrix: with
    log s = max(0, log 1e-10 + logsumexp(log v - log β) - log λ) all log β grow by log s. The ratios of the β, which
    are what biases the selection, stay as they are (decided here, because a floor under the single β would
    give most of them one value and undo the bias where it is strongest).

    Parameters
    ----------
    log_beta : ndarray of shape (d,), float64
        Logarithms of β.
    log_variance : ndarray of shape (d,), float64
        Logarithms of the variances of the columns as fitted: 0 for a standardised column, -inf for a constant
        one.
    penalty : float
        λ.

    Returns
    -------
    ndarray of shape (d,), float64
        The lifted log β.

    Examples
    --------
    >>> lift(np.array([0.0, 1.0]), np.zeros(2), penalty=0.1)
    array([0., 1.])
    >>> lift(np.array([-300.0, 0.0]), np.zeros(2), penalty=1.0).round(6)
    array([-23.025851, 276.974149])
    """
    return log_beta + _log_lift(log_variance - log_beta, penalty)


def _log_lift(log_diagonal: np.ndarray, penalty: float) -> float:
    """Return log s of `lift` from log v - log β."""
    largest = np.max(log_diagonal, initial=-np.inf)
    if largest == -np.inf:
        return 0.0
    log_sum = largest + np.log(np.sum(np.exp(log_diagonal - largest)))
    return max(0.0, float(np.log(_LEAST_RIDGE) + log_sum - np.log(penalty)))


def _most_without_lift(d: int) -> float:
    """Return a log q so low that d standardised columns with none above it need no lift, whichever of them vary."""
    return -float(np.log(_LEAST_RIDGE * 2.0 * max(d, 1)))


def make_sample(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    penalty: float,
    *,
    n_classes: int,
    log_beta: np.ndarray | None = None,
    standardize: bool = True,
    lifted: bool = False,
) -> Sample:
    """Standardise the rows of positive weight and work out the penalties.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table.
    codes : ndarray of shape (n,), int
        Classes 0 … n_classes - 1.
    counts : ndarray of shape (n,)
        Weights; rows of weight 0 do not enter.
    penalty : float
        λ, above 0.
    n_classes : int
        Number of classes, each of which needs a row.
    log_beta : ndarray of shape (d,), optional
        Logarithms of β, by default 0.
    standardize : bool, default True
        Whether the penalty is on the weights of standardised columns.
    lifted : bool, default False
        Whether log_beta has been through `lift` already.

    Returns
    -------
    Sample
        The sample.

    Raises
    ------
    InputError
        If λ is not above 0, or a class has no row of positive weight.
    """
    if not (np.isfinite(penalty) and penalty > 0):
        raise InputError(f"penalty must be a finite number above 0, not {penalty!r}")
    X = np.ascontiguousarray(X, dtype=np.float64)
    counts = np.asarray(counts, dtype=np.float64)
    rows = np.flatnonzero(counts > 0)
    check_classes(codes[rows], n_classes)
    weight = counts[rows]
    log_beta = np.zeros(X.shape[1]) if log_beta is None else np.asarray(log_beta, dtype=np.float64)
    log_ratio = -np.log(2.0 * penalty) - log_beta
    highest = float(np.max(log_ratio, initial=0.0))
    # before the lift is known, which is seldom needed; a vast q waits for it
    early = standardize and highest < _VAST
    root = root_of(log_ratio) if early else np.ones(X.shape[1])
    standardised = standardise(X, rows, weight, root)
    log_scale = standardised.log_scale
    log_unit = np.zeros(X.shape[1]) if standardize else log_scale
    if not lifted and not (standardize and highest < _most_without_lift(X.shape[1])):
        log_ratio -= _log_lift(_log_variance(log_scale, standardize=standardize) - log_beta, penalty)
    if not standardize:
        with np.errstate(invalid="ignore"):
            log_ratio += 2.0 * log_unit
    problems = make_problems(codes[rows], weight, n_classes)
    columns = make_columns(standardised, root, log_ratio, log_unit, problems.intercepts.size)
    return Sample(standardised, columns, problems)


def _log_variance(log_scale: np.ndarray, *, standardize: bool) -> np.ndarray:
    """Return the logarithms of the variances of the columns as fitted; -inf where constant."""
    return np.where(np.isneginf(log_scale), -np.inf, 0.0) if standardize else 2.0 * log_scale


def sample_log_variance(X: np.ndarray, counts: np.ndarray, *, standardize: bool) -> np.ndarray:
    """Return the logarithms of the variances of the columns of a weighted sample as they are fitted.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table.
    counts : ndarray of shape (n,)
        Weights; rows of weight 0 do not enter.
    standardize : bool
        Whether columns are standardised before they are fitted.

    Returns
    -------
    ndarray of shape (d,), float64
        0 if standardised; -inf for a constant column.

    Examples
    --------
    >>> sample_log_variance(np.array([[0.0, 1.0], [2.0, 1.0]]), np.ones(2), standardize=True)
    array([  0., -inf])
    """
    rows = np.flatnonzero(np.asarray(counts) > 0)
    scales = standardise(np.ascontiguousarray(X, dtype=np.float64), rows, np.asarray(counts, dtype=np.float64)[rows])
    return _log_variance(scales.log_scale, standardize=standardize)


def check_classes(codes: np.ndarray, n_classes: int) -> None:
    """Refuse a sample without a row of each class.

    Parameters
    ----------
    codes : ndarray of int
        Classes of its rows.
    n_classes : int
        How many there must be.

    Raises
    ------
    InputError
        If one has no row.
    """
    present = np.bincount(codes, minlength=n_classes)
    if n_classes < 2 or np.count_nonzero(present) < n_classes:
        raise InputError(
            f"a sample with rows of only {np.count_nonzero(present)} of {max(n_classes, 2)} classes cannot be "
            "fitted; give each class a row of positive weight"
        )


def fit_logistic(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    penalty: float,
    *,
    n_classes: int,
    standardize: bool = True,
    log_beta: np.ndarray | None = None,
    lifted: bool = False,
) -> LogisticFit:
    """Fit the minimum of Σ c log(1 + exp(-y (w·x + b))) + λ Σ β w² (Hamer and Dupont 2019).

    The intercept is not penalised, and columns are standardised with the weighted mean and variance of the
    sample (decided here, because the paper leaves both open, and weights on different scales cannot be
    compared). With more than two classes each is fitted against the rest.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table, finite.
    codes : ndarray of shape (n,), int
        Classes 0 … n_classes - 1.
    counts : ndarray of shape (n,)
        How often each row occurs, or its weight; rows of weight 0 do not enter.
    penalty : float
        λ, above 0.
    n_classes : int
        Number of classes.
    standardize : bool, default True
        Whether the penalty is on the weights of standardised columns (else of columns as they are).
    log_beta : ndarray of shape (d,), optional
        Logarithms of the factors β of the penalty; by default all β are 1.
    lifted : bool, default False
        Whether log_beta has been through `lift` already.

    Returns
    -------
    LogisticFit
        Weights and intercepts in the units of X.

    Raises
    ------
    InputError
        If λ is not above 0, or a class has no row of positive weight.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> fit = fit_logistic(X, np.array([0, 0, 1, 1]), np.ones(4), 0.5, n_classes=2)
    >>> fit.coef.round(3), fit.intercept.round(3)
    (array([[0.844]]), array([-1.267]))
    """
    sample = make_sample(
        X, codes, counts, penalty, n_classes=n_classes, log_beta=log_beta, standardize=standardize, lifted=lifted
    )
    columns, problems = sample.columns, sample.problems
    p, m = columns.place.size, columns.Z.shape[1]
    K = np.zeros((m, m)) if is_dual(p, m) else None
    found = _fit(columns, p, problems, K, room_for_hessian(p, m, problems.intercepts.size))
    standard = np.zeros((found.shape[0], X.shape[1]))
    standard[:, columns.place] = found
    return _in_units(standard, sample, standardize=standardize)


@kernel
def _fit(columns: Columns, p: int, problems: Problems, K: np.ndarray | None, hessian: Hessian | None) -> np.ndarray:
    if K is not None:
        choose_free(columns, p, total(problems.counts))
        add_gram(K, columns, p)
    else:
        for j in range(p):
            columns.free[j] = True
        find_equal(columns, p)
    block, _, curvature = solve(columns, p, K, K is not None, problems, hessian)
    return weights(columns, p, problems, block, curvature)


def _in_units(standard: np.ndarray, sample: Sample, *, standardize: bool) -> LogisticFit:
    mean, log_scale = sample.standardised.mean, sample.standardised.log_scale
    varies = np.isfinite(log_scale)
    inverse = np.exp(-log_scale, where=varies, out=np.zeros_like(log_scale))
    coef = standard * inverse
    # w·mean column by column: mean / scale is small even where both are enormous
    intercept = sample.problems.intercepts - standard @ (mean * inverse)
    importance = np.sqrt(np.mean(np.square(standard if standardize else coef), axis=0))
    return LogisticFit(coef, intercept, importance)


def decision(X: np.ndarray, coef: np.ndarray, intercept: np.ndarray) -> np.ndarray:
    """Return w·x + b of each row.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    coef, intercept : ndarray of shape (n_problems, d) and (n_problems,)
        A fitted model.

    Returns
    -------
    ndarray of shape (n,) or (n, n_problems)
        One number a row for two classes, else one a class.

    Examples
    --------
    >>> decision(np.array([[1.0], [3.0]]), np.array([[2.0]]), np.array([-4.0]))
    array([-2.,  2.])
    """
    scores = X @ coef.T + intercept
    return scores[:, 0] if scores.shape[1] == 1 else scores


def predict_codes(scores: np.ndarray) -> np.ndarray:
    """Return the class of each row: 1 iff its score is above 0, or of several scores the place of the largest.

    Parameters
    ----------
    scores : ndarray of shape (n,) or (n, n_classes)
        What `decision` returns.

    Returns
    -------
    ndarray of shape (n,), int64
        Classes.

    Examples
    --------
    >>> predict_codes(np.array([-1.0, 0.0, 0.5]))
    array([0, 0, 1])
    """
    if scores.ndim == 1:
        return (scores > 0).astype(np.int64)
    return np.argmax(scores, axis=1).astype(np.int64)
