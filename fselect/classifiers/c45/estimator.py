"""C4.5, the decision tree of most papers on feature selection, as a scikit-learn estimator."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from scipy.special import ndtri
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fselect.classifiers.c45.payoff import (
    BitPayoff,
    RowPayoff,
    TreePayoff,
    c45_payoff,
    count_right,
    occurring_values,
)
from fselect.classifiers.c45.plot import plot_tree
from fselect.classifiers.c45.predict import distributions
from fselect.classifiers.c45.text import tree_text
from fselect.classifiers.c45.tree import (
    DEPTH,
    FEATURE,
    Rules,
    compact,
    make_rows,
    make_table,
)
from fselect.classifiers.c45.workspace import RATIO, Workspace
from fselect.classifiers.folds import check_folds
from fselect.classifiers.labels import read_labels, read_weights
from fselect.classifiers.nominal_columns import read_again, read_columns, take_rows
from fselect.errors import InputError

__all__ = ["C45Classifier"]

_NO_LIMIT = 2**31


class C45Classifier(ClassifierMixin, BaseEstimator):
    """Decision tree by gain ratio: C4.5, release 8, as far as its published behaviour fixes it.

    A nominal column has one branch a value and is not tested again below; a numeric one is cut in two, the gain of the
    best cut lowered by log2(cuts) / n. Among the tests that gain about the average or more, that of the best gain
    ratio is taken. Missing values count for the share of rows that are known, and go down all branches with a
    part of their weight. Subtrees that make no fewer training errors collapse; pruned trees also lose what pays
    off in the pessimistic estimate of their errors only.

    Parameters
    ----------
    min_weight : float, default=2
        Least weight of rows in two branches of a test; 1 with ``pruned=False`` is Boz's setting.
    pruned : bool, default=True
        Whether subtrees are replaced by leaves, or raised, where the pessimistic errors are hardly more.
    confidence : float, default=0.25
        Of the limit that the estimate takes, above 0 and at most 0.5; small prunes more. 0.25 is C4.5's own.
    max_depth : int, optional
        Greatest number of tests on the way to a leaf; no limit by default.
    nominal : {"auto", "all", "none"} or array-like, default="auto"
        Which columns are nominal: by default those of a frame that hold categories, text or booleans, and none
        of an array. Else names or positions, or a mask; of a `fselect.datasets.Dataset`
        ``[kind == "nominal" for kind in data.kinds]``.

    Attributes
    ----------
    tree_size_ : int
        Number of nodes, empty leaves counted too.
    n_leaves_, depth_ : int
        Number of leaves, and of tests on the longest way to one.
    gain_ratios_ : ndarray of shape (d,), float64
        Gain ratio of each column's test at the root; 0 without a valid one.
    classes_ : ndarray of shape (C,)
        The labels.
    n_features_in_ : int
        Number of columns.

    Notes
    -----
    After Quinlan, *C4.5: Programs for Machine Learning* (1993), and *Improved use of continuous attributes in C4.5*
    (1996). Decided here: a value that no training row has is predicted as the node it comes to; of equal tests
    the first column's is taken, of equally likely classes the first.

    Examples
    --------
    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 83], ["rain", 70], ["rain", 80], ["overcast", 64]]
    >>> import pandas as pd
    >>> frame = pd.DataFrame(X, columns=["outlook", "humidity"])
    >>> tree = C45Classifier(min_weight=1, pruned=False).fit(frame, ["no", "yes", "yes", "yes", "yes", "yes"])
    >>> print(tree.export_text())
    humidity <= 83: yes (5.0)
    humidity > 83: no (1.0)
    >>> tree.tree_size_, tree.predict(frame[:1]).tolist()
    (3, ['no'])
    """

    def __init__(
        self,
        min_weight: float = 2,
        pruned: bool = True,
        confidence: float = 0.25,
        max_depth: int | None = None,
        *,
        nominal: Any = "auto",
    ) -> None:
        self.min_weight = min_weight
        self.pruned = pruned
        self.confidence = confidence
        self.max_depth = max_depth
        self.nominal = nominal

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> C45Classifier:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            The table; NaN (in a frame also None) where missing.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Weights of rows, 1 by default.

        Returns
        -------
        C45Classifier
            This estimator.

        Raises
        ------
        InputError
            A parameter that means nothing, infinite values, labels of several types.
        """
        rules = self._rules()
        values, self._columns = read_columns(self, X, self.nominal, allow_nan=True)
        self.classes_, codes = read_labels(values, y)
        weights = read_weights(sample_weight, len(values))
        if not weights.all():
            # a row of weight 0 is not there, so that its values are none
            kept = np.flatnonzero(weights)
            values, self._columns = read_columns(self, take_rows(X, kept), self.nominal, allow_nan=True)
            codes, weights = codes[kept], weights[kept]
        room = self._grow(values, codes, weights, rules)
        self._tree = compact(room.tree)
        self.gain_ratios_ = room.memo.scores[(values.shape[1] - 1) & 1, 0, :, RATIO].copy()
        self.tree_size_ = len(self._tree.links)
        self.n_leaves_ = int(np.count_nonzero(self._tree.links[:, FEATURE] < 0))
        self.depth_ = int(self._tree.links[:, DEPTH].max())
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Give the most probable class of each row, of equals the first: shape (n,)."""
        codes = self._distributions(X)[1]
        predicted: np.ndarray = self.classes_[codes]
        return predicted

    def predict_proba(self, X: Any) -> np.ndarray:
        """Give the shares of the classes at the leaves that a row comes to: shape (n, C), in the order of classes_."""
        return self._distributions(X)[0]

    def relevance_order(self) -> np.ndarray:
        """Give the columns by falling gain ratio at the root, of equals the first: int64, shape (d,)."""
        check_is_fitted(self, "classes_")
        return np.argsort(-self.gain_ratios_, kind="stable")

    def export_text(self) -> str:
        """Give the tree as text: a line a branch, at leaves the class with the weight of rows and of those wrong."""
        check_is_fitted(self, "classes_")
        return tree_text(self._tree, self._columns, self.classes_)

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes
            The drawing.

        Raises
        ------
        MissingExtra
            matplotlib is not installed.
        """
        check_is_fitted(self, "classes_")
        return plot_tree(self._tree, self._columns, self.classes_, ax)

    def nested_payoff(self, X: Any, y: Any, folds: Any) -> TreePayoff | BitPayoff | RowPayoff:
        """Make what tells the cross-validated accuracies on all prefixes of a permutation of columns.

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
        TreePayoff, BitPayoff or RowPayoff
            See `fselect.classifiers.nested_payoffs.NestedPayoff`.
        """
        values, columns = read_columns(C45Classifier(), X, self.nominal, allow_nan=True)
        _, codes = read_labels(values, y)
        return c45_payoff(values, columns.sizes, codes, check_folds(folds, len(codes)), self._rules())

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _grow(self, values: np.ndarray, codes: np.ndarray, weights: np.ndarray, rules: Rules) -> Workspace:
        table = make_table(values, self._columns.sizes, codes)
        columns, occurring = np.arange(values.shape[1]), occurring_values(values, table.sizes, weights)
        trained, nothing = weights[None], np.zeros((1, len(weights)), dtype=bool)
        n_classes = len(self.classes_)
        return count_right(table, columns, trained, nothing, occurring[None], rules, len(columns), n_classes)[1]

    def _rules(self) -> Rules:
        _check_number("min_weight", self.min_weight, np.inf)
        _check_number("confidence", self.confidence, 0.5)
        depth = _NO_LIMIT if self.max_depth is None else self.max_depth
        if isinstance(depth, bool) or not isinstance(depth, numbers.Integral) or depth < 0:
            raise InputError(f"max_depth must be None or an integer of at least 0, not {self.max_depth!r}")
        if not isinstance(self.pruned, bool | np.bool_):
            raise InputError(f"pruned must be True or False, not {self.pruned!r}")
        confidence = float(self.confidence)
        return Rules(float(self.min_weight), int(depth), bool(self.pruned), confidence, float(ndtri(1.0 - confidence)))

    def _distributions(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self, "classes_")
        values = read_again(self, X, self._columns, allow_nan=True)
        shares, predicted = np.empty((len(values), len(self.classes_))), np.empty(len(values), dtype=np.int64)
        rows = make_rows(values, self._columns.sizes)
        distributions(rows, self._tree, np.arange(len(values)), shares, predicted)
        return shares, predicted


def _check_number(name: str, value: Any, high: float) -> None:
    good = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not good or not 0 < float(value) <= high or not np.isfinite(float(value)):
        limit = f"above 0 and at most {high:g}" if np.isfinite(high) else "above 0"
        raise InputError(f"{name} must be a number {limit}, not {value!r}")
