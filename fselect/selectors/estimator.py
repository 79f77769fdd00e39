"""What the estimators share: checks of tables, labels, weights and parameters, each told in one sentence."""

from __future__ import annotations

import numbers
from collections import Counter
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fselect.classifiers.logistic import fit_logistic, lift, sample_log_variance
from fselect.datasets.checks import is_constant
from fselect.datasets.sparse_tables import as_canonical, dense, dense_columns
from fselect.errors import InputError
from fselect.selectors.elimination import eliminate
from fselect.selectors.elimination.lean import lean_source

__all__ = ["EliminationSelector", "TableSelector", "read_sample"]

_LARGEST = float(np.finfo(np.float64).max)


class TableSelector(SelectorMixin, BaseEstimator):
    """Base of the selectors: reads tables and labels, and tells what is wrong with them in one sentence."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        mask: np.ndarray = self.support_
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _more_checks(self) -> None:
        """Refuse parameters that mean nothing."""

    def _read(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Check a table, its labels and weights; return X, the codes of the classes, and the weights."""
        self._more_checks()
        sparse = bool(self.__sklearn_tags__().input_tags.sparse)
        X_, codes, weight, self.classes_ = read_sample(self, X, y, sample_weight, reset=reset, sparse=sparse)
        return X_, codes, weight


class EliminationSelector(TableSelector):
    """Base of the selectors that eliminate features of least weight."""

    n_features_to_select: int
    step: float
    penalty: float
    standardize: bool

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _more_checks(self) -> None:
        _check_integer("n_features_to_select", self.n_features_to_select)
        _check_number("step", self.step, 1.0)
        _check_number("penalty", self.penalty, _LARGEST)
        if not isinstance(self.standardize, bool | np.bool_):
            raise InputError(f"standardize must be True or False, not {self.standardize!r}")

    def _eliminate(self, X: np.ndarray, codes: np.ndarray, weight: np.ndarray, log_beta: np.ndarray) -> None:
        """Select, and fit the model of the selected features."""
        settings: dict[str, Any] = {"n_classes": len(self.classes_), "standardize": self.standardize}
        found = eliminate(
            X,
            codes,
            weight,
            n_features=int(self.n_features_to_select),
            step=float(self.step),
            penalty=float(self.penalty),
            log_shrinkage=log_beta,
            **settings,
        )
        self.support_, self.ranking_, self.path_ = found.support, found.ranking, found.path
        variance = _log_variance(X, weight, standardize=bool(self.standardize))
        lifted = lift(log_beta, variance, float(self.penalty))[found.support]
        model = fit_logistic(
            dense_columns(X, found.support),
            codes,
            weight,
            float(self.penalty),
            log_beta=lifted,
            lifted=True,
            **settings,
        )
        self.coef_, self.intercept_ = model.coef, model.intercept
        self.n_features_ = int(found.support.sum())


def _log_variance(X: Any, weight: np.ndarray, *, standardize: bool) -> np.ndarray:
    """Return the logarithms of the variances of the columns as they are fitted."""
    source = lean_source(X, weight)
    if source is None:
        return sample_log_variance(dense(X), weight, standardize=standardize)
    log_scale = source.log_scales()
    return np.where(np.isneginf(log_scale), -np.inf, 0.0) if standardize else 2.0 * log_scale


def read_sample(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    reset: bool,
    allow_nan: bool = False,
    sparse: bool = False,
) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """Check a table, its labels and weights, for an estimator, which remembers the columns.

    Parameters
    ----------
    estimator : BaseEstimator
        Who is fitted.
    X : array-like or frame of shape (n, d)
        The table.
    y : array-like of shape (n,)
        Labels.
    sample_weight : array-like of shape (n,), optional
        Weights; rows of weight 0 are left out.
    reset : bool
        Whether the columns are learnt, or must be those learnt before.
    allow_nan : bool, default=False
        Let NaN pass; infinity never does.
    sparse : bool, default=False
        Take sparse tables, too.

    Returns
    -------
    X : ndarray or canonical csr_array of shape (m, d), float64
        The rows with weight.
    codes : ndarray of shape (m,), int64
        Classes from 0.
    weight : ndarray of shape (m,), float64
        Weights.
    classes : ndarray of shape (C,)
        The labels.

    Raises
    ------
    InputError
        What cannot be used, told with its column, row or class.
    """
    _check_names(X)
    _refuse_dates(X)
    try:
        X_, y_ = validate_data(
            estimator,
            X,
            y,
            accept_sparse="csr" if sparse else False,
            reset=reset,
            dtype=np.float64,
            order="C",
            ensure_all_finite=False,
            ensure_min_samples=2,
        )
    except (ValueError, TypeError) as error:
        _name_text_column(X, error)
        raise
    if issparse(X_):
        X_ = as_canonical(X_)
    _check_finite(X_, getattr(estimator, "feature_names_in_", None), allow_nan=allow_nan)
    weight = _check_weight(sample_weight, len(y_))
    if not weight.all():
        # a row of weight 0 is not there, so that a class of such rows is none
        X_, y_, weight = X_[weight > 0], y_[weight > 0], weight[weight > 0]
    classes, codes = _classes(y_)
    _check_sample(X_, classes, codes, weight)
    return X_, codes, weight, classes


def _check_integer(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise InputError(f"{name} must be an integer of at least 1, not {value!r}")


def _check_number(name: str, value: Any, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) <= high:
        limit = f"above 0 and at most {high:g}" if high < _LARGEST else "above 0 and finite"
        raise InputError(f"{name} must be a number {limit}, not {value!r}")


def _check_names(X: Any) -> None:
    columns = getattr(X, "columns", None)
    if columns is None:
        return
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if twice:
        raise InputError(f"column name {twice[0]!r} occurs more than once; rename or drop the copies")


def _refuse_dates(X: Any) -> None:
    """Refuse dates, times and durations, which numpy would take for numbers of some unit."""
    columns = getattr(X, "columns", None)
    if columns is None:
        if getattr(getattr(X, "dtype", None), "kind", "O") in "mM":
            raise InputError("X holds dates or times; turn them into numbers first")
        return
    for name, kind in zip(columns, X.dtypes, strict=False):  # of pandas a series of types, of polars a list
        temporal = getattr(kind, "is_temporal", None)
        if getattr(kind, "kind", "O") in ("m", "M") or (temporal is not None and temporal()):
            raise InputError(_NO_NUMBER.format(repr(name)))


_NO_NUMBER = (
    "column {} holds something that is not a number; convert it (words to codes, as OrdinalEncoder does) "
    "or leave it out"
)


def _name_text_column(X: Any, error: Exception) -> None:
    """Turn a failed conversion of a frame to numbers into an error that names the column."""
    for name in getattr(X, "columns", ()):
        try:
            np.asarray(X[name], dtype=np.float64)
        except (ValueError, TypeError):
            raise InputError(_NO_NUMBER.format(repr(name))) from error


def _check_finite(X: Any, names: np.ndarray | None, *, allow_nan: bool = False) -> None:
    if issparse(X):
        bad = np.unique(X.indices[~np.isfinite(X.data)])
        X, names = dense_columns(X, bad), bad if names is None else names[bad]
    if np.isfinite(X.sum()) or np.isfinite(X).all() or (allow_nan and not np.isinf(X).any()):
        return
    row, column = np.argwhere(np.isinf(X) if allow_nan else ~np.isfinite(X))[0]
    what = "NaN" if np.isnan(X[row, column]) else "inf (infinity)"
    which = repr(str(names[column])) if names is not None else str(column)
    raise InputError(f"column {which} holds {what} in row {row}; impute it, or drop the row or the column")


def _check_weight(sample_weight: Any, n: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n)
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n, sample_weight)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise InputError(f"sample_weight must hold one weight a row, so have shape ({n},), not {weight.shape}")
    if not np.isfinite(weight).all() or (weight < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))[0])
        raise InputError(f"sample_weight of row {row} is {weight[row]}; weights are finite and at least 0")
    if not weight.any():
        raise InputError("every sample_weight is zero; give some rows a weight above 0")
    return weight


def _classes(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes and each row's place among them."""
    try:
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:
        raise InputError("y mixes labels of several types, or lacks some; make them all text or all numbers") from error
    return classes, codes.astype(np.int64)


def _check_sample(X: np.ndarray, classes: np.ndarray, codes: np.ndarray, weight: np.ndarray) -> None:
    """Refuse what no sample can be selected on; a row of weight 2 is two rows."""
    if weight.sum() < 3 and len(codes) < 3:
        raise InputError(f"X has n_samples = {len(codes)} rows; a selection needs 3 or more")
    if len(classes) < 2:
        raise InputError(f"y holds the one class {classes.tolist()[0]!r} only; a selection needs two or more")
    members, total = np.bincount(codes), np.bincount(codes, weights=weight)
    lonely = np.flatnonzero((members < 2) & (total < 2))
    if lonely.size:
        raise InputError(f"class {classes.tolist()[lonely[0]]!r} has one member; give it more rows or leave it out")
    if is_constant(X).all():
        raise InputError("all columns are constant; a selection needs a column that varies")
