"""What a set of columns is worth: the cross-validated score of a classifier that sees only them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.model_selection import StratifiedKFold

from fselect.classifiers.column_parameters import column_parameters
from fselect.classifiers.failures import called
from fselect.classifiers.nested_payoffs import NestedPayoff, nested_payoff
from fselect.classifiers.refitted_payoff import RefittedPayoff
from fselect.errors import InputError

__all__ = ["ColumnsPayoff", "Payoff", "columns_payoff", "make_folds"]


class Payoff(Protocol):
    """The payoff of sets of columns, as the search asks for it."""

    @property
    def compiled(self) -> bool:
        """Whether the work is done without the interpreter lock, so that threads share it."""
        ...

    def value(self, columns: Sequence[int]) -> float:
        """The payoff of one set."""
        ...

    def along(self, base: Sequence[int], order: Sequence[int]) -> np.ndarray:
        """The payoffs of base ∪ the first 1, 2, … columns of an order; shape (len(order),)."""
        ...


def make_folds(codes: np.ndarray, counts: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """Put each row into a fold, stratified, once for a whole search, so that the payoff is a function.

    Parameters
    ----------
    codes : ndarray of shape (n,), int
        Classes.
    counts : ndarray of shape (n,)
        How often each row is in the sample; rows with 0 are in no fold. Copies of a row share its fold, else a
        classifier would be measured on rows that it has seen.
    folds : int
        The most folds; there are min(folds, rows of the smallest class), and at least 2 (decided here, because the
        paper's number is not legible).
    seed : int
        Of the shuffle.

    Returns
    -------
    ndarray of shape (n,), int64
        The fold of each row, -1 for none.

    Examples
    --------
    >>> int(make_folds(np.array([0, 0, 0, 1, 1, 1]), np.ones(6), 10, seed=0).max()) + 1
    3
    """
    rows = np.flatnonzero(counts > 0)
    sizes = np.bincount(codes[rows])
    number = max(2, min(folds, int(sizes[sizes > 0].min())))
    splitter = StratifiedKFold(number, shuffle=True, random_state=seed)
    found = np.full(len(codes), -1, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")  # a class of one row: that is what 2 is for
        for fold, (_, out) in enumerate(splitter.split(rows[:, None], codes[rows])):
            found[rows[out]] = fold
    return found


def columns_payoff(
    estimator: Any,
    X: np.ndarray,
    y: np.ndarray,
    folds: np.ndarray,
    *,
    scoring: str | Callable[..., float] = "accuracy",
    names: Sequence[str] | None = None,
    texts: np.ndarray | None = None,
) -> ColumnsPayoff:
    """The payoff of columns of a table: what a classifier that is trained on them gets right of the rows left out.

    The empty set is worth what predicting the largest class is.

    Parameters
    ----------
    estimator : classifier
        Of this package, with a fast path, or any of scikit-learn; cloned for each fit. Parameters of single columns
        mean those of X.
    X : ndarray of shape (n, d), float64
        The table.
    y : ndarray of shape (n,)
        Its labels, as classifiers and scorers are to see them; fast paths work with their codes.
    folds : ndarray of shape (n,), int64
        The fold of each row.
    scoring : str or callable, default "accuracy"
        A name or scorer of scikit-learn, higher is better; other than accuracy it is the mean over the folds.
    names : sequence of str, optional
        What columns are called in messages.
    texts : ndarray of shape (d,), bool, optional
        Columns that hold codes of texts; they are nominal.

    Returns
    -------
    ColumnsPayoff

    Raises
    ------
    InputError
        If the estimator has no ``predict``, a parameter names a column that is not there, or it cannot use texts.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    >>> payoff = columns_payoff(DecisionTreeClassifier(), X, X[:, 1], np.repeat([0, 1], 4))
    >>> payoff.value([]), payoff.along([0], [1])
    (0.5, array([1.]))
    """
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise InputError(f"{called(estimator)} has no fit and predict; give a classifier")
    settled = column_parameters(estimator, X.shape[1], names, texts).whole()
    if hasattr(estimator, "nested_payoff") and isinstance(scoring, str) and scoring == "accuracy":
        return ColumnsPayoff(nested_payoff(settled, X, np.unique(y, return_inverse=True)[1], folds), True)
    return ColumnsPayoff(RefittedPayoff(settled, X, y, folds, scoring=scoring, names=names), False)


@dataclass(frozen=True, eq=False)
class ColumnsPayoff:
    """Payoffs of sets of columns; see `columns_payoff`.

    Parameters
    ----------
    nested : NestedPayoff
        Gives the payoffs of all prefixes of a permutation.
    compiled : bool
        Whether it does so without the interpreter lock.
    """

    nested: NestedPayoff
    compiled: bool

    def value(self, columns: Sequence[int]) -> float:
        """The payoff of one set."""
        return float(self._accuracies([*columns], len(columns))[0])

    def along(self, base: Sequence[int], order: Sequence[int]) -> np.ndarray:
        """The payoffs of base ∪ the first 1, 2, … columns of an order."""
        return self._accuracies([*base, *order], len(base) + 1)

    def _accuracies(self, columns: list[int], start: int) -> np.ndarray:
        return self.nested.accuracies(np.array(columns, dtype=np.int64), start)
