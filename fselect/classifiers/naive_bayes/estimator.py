"""Naive Bayes for numbers, categories and counts, as a scikit-learn estimator."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fselect.classifiers.folds import check_folds
from fselect.classifiers.labels import read_labels, read_weights
from fselect.classifiers.naive_bayes.folds import COUNTED, OPEN, Reading, of_few_values
from fselect.classifiers.naive_bayes.model import Settings, SumModel, fit_sums, log_prior
from fselect.classifiers.naive_bayes.multinomial_model import fit_counts
from fselect.classifiers.naive_bayes.payoff import MultinomialPayoff, SumPayoff
from fselect.classifiers.nominal_columns import Columns, read_again, read_columns, take_rows
from fselect.errors import InputError

__all__ = ["NaiveBayesClassifier"]

_KINDS = ("auto", "gaussian", "categorical", "multinomial")
_BLOCK = 256
"""Columns whose terms are made at once in a prediction."""


class NaiveBayesClassifier(ClassifierMixin, BaseEstimator):
    """Naive Bayes: each column speaks for itself, given the class.

    Its payoffs nest (`nested_payoff`): the accuracies on all prefixes of a permutation of columns come from one pass,
    which is what the contribution-selection algorithm asks for (Cohen, Ruppin and Dror 2005, section 4).

    Parameters
    ----------
    kind : {"auto", "gaussian", "categorical", "multinomial"} or sequence of {"gaussian", "categorical"}
        ``"auto"`` (the default) takes nominal columns and columns of two values as categorical, the others as Gaussian.
        ``"multinomial"`` takes all as counts. A sequence says it for each column.
    nominal : {"auto", "all", "none"} or array-like, default="auto"
        Which columns are nominal: by default those of a frame that hold categories, text or booleans, and
        none of an array. Else names or positions, or a mask; of a `fselect.datasets.Dataset`
        ``[kind == "nominal" for kind in data.kinds]``. Only asked under ``kind="auto"``.
    alpha : float, default=1.0
        Added to every count (Laplace).
    var_smoothing : float, default=1e-9
        This share of the largest variance among the Gaussian columns is added to all variances, as in scikit-learn.
    epsilon : float, optional
        Added to the variances instead: makes the model of a subset of columns independent of the other columns.
    min_categories : int or array-like of shape (d,), optional
        Least number of values of a categorical column, where training rows may lack some; as in scikit-learn.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        The labels.
    kinds_ : tuple of str
        What each column was taken as.
    epsilon_ : float
        What was added to the variances.
    n_features_in_ : int
        Number of columns.

    Notes
    -----
    A value that the training rows did not have counts as one seen never: it has the probability of ``alpha`` alone. Of
    equally likely classes the first is predicted.

    Examples
    --------
    >>> X = [[1.0, 0], [1.2, 0], [3.0, 1], [3.3, 0]]
    >>> model = NaiveBayesClassifier().fit(X, ["a", "a", "b", "b"])
    >>> model.kinds_, model.predict([[3.1, 0]]).tolist()
    (('gaussian', 'categorical'), ['b'])
    """

    def __init__(
        self,
        kind: str | Sequence[str] = "auto",
        *,
        nominal: Any = "auto",
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        epsilon: float | None = None,
        min_categories: Any = None,
    ) -> None:
        self.kind = kind
        self.nominal = nominal
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.epsilon = epsilon
        self.min_categories = min_categories

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NaiveBayesClassifier:
        """Learn from rows.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            The table, without missing values.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Weights of rows, 1 by default.

        Returns
        -------
        NaiveBayesClassifier
            This estimator.

        Raises
        ------
        InputError
            A parameter that means nothing, missing values, counts below 0.
        """
        self._check_parameters()
        values, self._columns = self._read(X)
        self.classes_, codes = read_labels(values, y)
        weight, n_classes = read_weights(sample_weight, len(values)), len(self.classes_)
        if not weight.all():
            # a row of weight 0 is not there, so that its values are none
            kept = np.flatnonzero(weight)
            values, self._columns = self._read(take_rows(X, kept))
            codes, weight = codes[kept], weight[kept]
        self._prior = log_prior(codes, weight, n_classes)
        self.kinds_ = self._kinds(self._columns)
        if self.kind == "multinomial":
            self._model: Any = fit_counts(values, codes, weight, n_classes, float(self.alpha))
        else:
            self._model = fit_sums(values, codes, weight, n_classes, self._settings())
        self.epsilon_ = getattr(self._model, "epsilon", 0.0)
        return self

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Give the logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            Rows.

        Returns
        -------
        ndarray of shape (n, C), float64
            Logarithms, in the order of ``classes_``.
        """
        joint = self._joint(X)
        normalised: np.ndarray = joint - logsumexp(joint, axis=1, keepdims=True)
        return normalised

    def predict_proba(self, X: Any) -> np.ndarray:
        """Give the probabilities of the classes: shape (n, C), in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Give the most probable class of each row, of equals the first: shape (n,)."""
        codes = np.argmax(self._joint(X), axis=1)
        predicted: np.ndarray = self.classes_[codes]
        return predicted

    def nested_payoff(self, X: Any, y: Any, folds: Any) -> SumPayoff | MultinomialPayoff:
        """Make what tells the cross-validated accuracies on all prefixes of a permutation of columns.

        In each fold they are those of a plain fit of this estimator on the training rows: these say what a column is
        taken as, and how many values it has. Only what is added to variances comes from all columns of the training
        rows, not from the prefix alone: with ``epsilon`` given a plain fit does the same.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            The table.
        y : array-like of shape (n,)
            Labels.
        folds : array-like of shape (n,), int
            A row's fold, or -1 for a row that is only trained on.

        Returns
        -------
        SumPayoff or MultinomialPayoff
            See `fselect.classifiers.nested_payoffs.NestedPayoff`.
        """
        self._check_parameters()
        values, columns = NaiveBayesClassifier(self.kind, nominal=self.nominal)._read_given(X)
        classes, codes = read_labels(values, y)
        numbers_ = check_folds(folds, len(codes))
        if self.kind == "multinomial":
            return MultinomialPayoff(values, codes, numbers_, len(classes), float(self.alpha))
        return SumPayoff(values, codes, numbers_, len(classes), self._reading(columns))

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        counts = isinstance(self.kind, str) and self.kind == "multinomial"
        tags.input_tags.positive_only = counts
        tags.classifier_tags.poor_score = counts  # on scikit-learn's tables, which are no counts; theirs has it too
        return tags

    def _read(self, X: Any) -> tuple[np.ndarray, Columns]:
        values, columns = self._read_given(X)
        binary = of_few_values(values) & (self.kind == "auto" if isinstance(self.kind, str) else False)
        if binary.any():
            return read_columns(self, X, (columns.sizes > 0) | binary, allow_nan=False)
        return values, columns

    def _read_given(self, X: Any) -> tuple[np.ndarray, Columns]:
        """Read with those columns as nominal that are so whatever their values."""
        values, columns = read_columns(self, X, self._nominal(), allow_nan=False)
        _check_no_texts(self.kind, columns)
        if self.kind == "multinomial":
            _check_counts(values, columns)
        return values, columns

    def _nominal(self) -> Any:
        if not isinstance(self.kind, str):
            return np.array([kind == "categorical" for kind in self.kind])
        return {"auto": self.nominal, "categorical": "all"}.get(self.kind, "none")

    def _kinds(self, columns: Columns) -> tuple[str, ...]:
        if self.kind == "multinomial":
            return ("multinomial",) * len(columns.names)
        return tuple("categorical" if size else "gaussian" for size in columns.sizes)

    def _reading(self, columns: Columns) -> Reading:
        sizes = np.where(columns.declared, columns.sizes, COUNTED)
        sizes[columns.sizes == 0] = OPEN if isinstance(self.kind, str) and self.kind == "auto" else 0
        epsilon = None if self.epsilon is None else float(self.epsilon)
        least = 0 if self.min_categories is None else np.asarray(self.min_categories, dtype=np.int64)
        return Reading(sizes, float(self.alpha), float(self.var_smoothing), epsilon, least)

    def _settings(self) -> Settings:
        return self._reading(self._columns).settings(self._columns.sizes)

    def _check_parameters(self) -> None:
        wrong = [self.kind] if isinstance(self.kind, str) else [one for one in self.kind if one not in _KINDS[1:3]]
        if any(one not in _KINDS for one in wrong) or (wrong and not isinstance(self.kind, str)):
            raise InputError(f"kind must be one of {', '.join(_KINDS)}, or 'gaussian' or 'categorical' for each column")
        _check_number("alpha", self.alpha, above=True)
        _check_number("var_smoothing", self.var_smoothing)
        if self.epsilon is not None:
            _check_number("epsilon", self.epsilon)

    def _joint(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "classes_")
        values = read_again(self, X, self._columns, allow_nan=False)
        if isinstance(self._model, SumModel):
            joint = _summed(self._model, values)
        else:
            _check_counts(values, self._columns)
            joint = self._model.joint(values)
        return (joint + self._prior[:, None]).T


def _summed(model: SumModel, values: np.ndarray) -> np.ndarray:
    """Add the columns up one by one, as prefixes are, so that both round alike."""
    joint = np.zeros((len(model.mean), len(values)))
    for start in range(0, values.shape[1], _BLOCK):
        for term in model.terms(values, np.arange(start, min(start + _BLOCK, values.shape[1]))):
            joint += term
    return joint


def _check_no_texts(kind: Any, columns: Columns) -> None:
    texts = np.flatnonzero(columns.sizes)
    if len(texts) and isinstance(kind, str) and kind in ("gaussian", "multinomial"):
        raise InputError(f"column {columns.names[texts[0]]!r} is nominal, which kind={kind!r} cannot use; take 'auto'")


def _check_counts(values: np.ndarray, columns: Columns) -> None:
    if (values < 0).any():
        row, column = np.argwhere(values < 0)[0]
        raise InputError(
            f"Negative values in data passed to multinomial naive Bayes: {columns.names[column]!r} in row {row}; "
            "it takes counts, choose another kind"
        )


def _check_number(name: str, value: Any, *, above: bool = False) -> None:
    good = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(float(value))
    if not good or value < 0 or (above and value == 0):
        raise InputError(f"{name} must be a finite number {'above' if above else 'of at least'} 0, not {value!r}")
