"""Discretisation as a scikit-learn transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fselect.errors import InputError
from fselect.measures.discretise import apply_cuts, check_strategy, cut_points
from fselect.measures.table import nominal_mask

__all__ = ["Discretizer"]


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut continuous columns into a few values, and leave nominal ones as they are.

    Parameters
    ----------
    strategy : {"equal_frequency", "equal_width", "mdl"}
        See `fselect.measures.discretise.cut_points`. Only ``"mdl"`` looks at the classes; it puts columns that say
        nothing about them into one part.
    n_bins : int, default=5
        Parts of a column, where the strategy does not find their number itself.
    nominal : "auto", "all", "none", or list of names or positions, default="auto"
        Columns that are not cut: by default those of whole numbers with at most 10 different values.

    Attributes
    ----------
    cuts_ : list of ndarray or None
        The cut points of each column, None for nominal ones. A value belongs to the part that ends at or above it.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> Discretizer(n_bins=2).fit_transform([[0.1, 5], [0.2, 7], [0.3, 5], [0.4, 5]])
    array([[0., 5.],
           [0., 7.],
           [1., 5.],
           [1., 5.]])
    """

    def __init__(self, strategy: str = "equal_frequency", *, n_bins: int = 5, nominal: Any = "auto") -> None:
        self.strategy = strategy
        self.n_bins = n_bins
        self.nominal = nominal

    def fit(self, X: Any, y: Any = None) -> Discretizer:
        """Find the cut points.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            Finite numbers.
        y : array-like of shape (n,), optional
            Labels, for ``"mdl"``.

        Returns
        -------
        Discretizer
            This transformer.

        Raises
        ------
        InputError
            A parameter that means nothing, or ``"mdl"`` without labels.
        """
        check_strategy(self.strategy, self.n_bins)
        if self.strategy == "mdl" and y is None:
            raise InputError("strategy='mdl' cuts where classes change: give it y, or take another strategy")
        values = validate_data(self, X, dtype=np.float64)
        codes = np.zeros(len(values), dtype=int) if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        if len(codes) != len(values):
            raise InputError(f"y has {len(codes)} labels and X has {len(values)} rows; give one label a row")
        names = [str(name) for name in getattr(self, "feature_names_in_", range(values.shape[1]))]
        nominal = nominal_mask(self.nominal, values, names)
        self.cuts_ = [
            None if fixed else cut_points(column, codes, self.strategy, self.n_bins)
            for fixed, column in zip(nominal, values.T, strict=True)
        ]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Cut the columns.

        Parameters
        ----------
        X : array-like or frame of shape (n, d)
            Finite numbers.

        Returns
        -------
        ndarray of shape (n, d), float64
            Parts from 0; nominal columns as they are.
        """
        check_is_fitted(self, "cuts_")
        values = validate_data(self, X, reset=False, dtype=np.float64)
        parts = [
            column if cuts is None else apply_cuts(column, cuts)
            for cuts, column in zip(self.cuts_, values.T, strict=True)
        ]
        return np.column_stack(parts).astype(np.float64)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = self.strategy == "mdl"
        return tags
