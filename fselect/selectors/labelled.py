"""Values that carry the names of columns, in the order of the table's columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.errors import InputError

__all__ = ["in_order"]


def in_order(values: Any, names: np.ndarray | None, what: str) -> Any:
    """Put what is labelled by column names, a pandas series or frame, in the order of the columns.

    Parameters
    ----------
    values : object
        Anything; only a series whose index, or a frame whose columns, are all text is looked at.
    names : ndarray of str, or None
        The table's columns, if they have names.
    what : str
        What the values are, for the sentence.

    Returns
    -------
    object
        The same, or its reordered copy.

    Raises
    ------
    InputError
        The labels are not the table's columns.

    Examples
    --------
    >>> import pandas as pd
    >>> in_order(pd.Series({"b": 2.0, "a": 1.0}), np.array(["a", "b"]), "shrinkage").tolist()
    [1.0, 2.0]
    """
    if names is None or not hasattr(values, "reindex"):
        return values
    axis = 1 if hasattr(values, "columns") else 0
    labels = list(values.columns if axis else values.index)
    if not labels or not all(isinstance(label, str) for label in labels):
        return values
    if sorted(labels) != sorted(names):
        odd = sorted(set(labels).symmetric_difference(names)) or [label for label in labels if labels.count(label) > 1]
        raise InputError(f"{what} is labelled, but not by the columns of X (see {odd[0]!r}); label each once, or none")
    return values.reindex(list(names), axis=axis)
