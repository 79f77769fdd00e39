"""Columns of text in a table of numbers: coded once, and told to the classifiers as nominal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["Texts", "find_texts"]


@dataclass(frozen=True, eq=False)
class Texts:
    """The columns of a frame that cannot be read as numbers.

    Attributes
    ----------
    values : mapping of int to ndarray
        The values of each, by its position; their places are its codes.
    """

    values: Mapping[int, np.ndarray]

    def mask(self, d: int) -> np.ndarray:
        """Tell which of d columns they are: bool, shape (d,)."""
        return np.isin(np.arange(d), list(self.values))

    def coded(self, X: Any) -> Any:
        """Put codes in the place of texts.

        Parameters
        ----------
        X : array-like or frame
            The table, or another one with its columns.

        Returns
        -------
        array-like or frame
            A pandas frame where there are texts, -1 standing for a value that is new and NaN for a missing one; else X.
        """
        frame = _as_frame(X)
        if frame is None or not self.values:
            return X
        made = frame.copy(deep=False)
        for place, values in self.values.items():
            if place < made.shape[1]:  # a table of fewer columns is refused by whoever reads it
                series = frame.iloc[:, place]
                codes = pd.Index(values).get_indexer(pd.Index(series.astype(object)))
                made.isetitem(place, np.where(series.isna(), np.nan, codes))
        return made


def find_texts(X: Any) -> Texts:
    """Find the columns of a frame that hold text or categories and cannot be read as numbers.

    Parameters
    ----------
    X : array-like or frame
        The table; an array has none.

    Returns
    -------
    Texts

    Examples
    --------
    >>> frame = pd.DataFrame({"size": [3.5, 1.0], "colour": ["red", "blue"]})
    >>> texts = find_texts(frame)
    >>> texts.values, texts.coded(frame)["colour"].tolist()
    ({1: array(['blue', 'red'], dtype=object)}, [1.0, 0.0])
    """
    frame = _as_frame(X)
    if frame is None:
        return Texts({})
    found = {place: _values(frame.iloc[:, place]) for place in range(frame.shape[1])}
    return Texts({place: values for place, values in found.items() if values is not None})


def _as_frame(X: Any) -> pd.DataFrame | None:
    if isinstance(X, pd.DataFrame):
        return X
    if hasattr(X, "to_pandas") and hasattr(X, "columns"):
        frame: pd.DataFrame = X.to_pandas()
        return frame
    return None


def _values(series: pd.Series) -> np.ndarray | None:
    """Give the values of a column of text in their order, None for any other column."""
    if not (isinstance(series.dtype, pd.CategoricalDtype) or pd.api.types.is_string_dtype(series.dtype)):
        return None
    present = series.dropna().astype(object)
    try:
        np.asarray(present, dtype=np.float64)
        return None
    except (TypeError, ValueError):
        words = all(isinstance(one, str | bool | int | float) for one in present)
    return np.array(sorted(set(present), key=lambda one: (str(one), str(type(one)))), dtype=object) if words else None
