"""Parameters that speak of single columns, for a classifier that sees a part of the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from fselect.classifiers.failures import called
from fselect.errors import InputError

__all__ = ["ColumnParameters", "column_parameters"]

_CHOICES = ("nominal", "categorical_features")
"""Parameters that choose columns: by position, by name or by a mask."""

_VALUES = ("kind", "min_categories", "monotonic_cst")
"""Parameters that may hold a value for each column."""


@dataclass(frozen=True, eq=False)
class ColumnParameters:
    """A classifier, and what its parameters say of each column of a table.

    Attributes
    ----------
    estimator : estimator
        As it is for the whole table.
    parts : mapping of str to ndarray of shape (d,)
        Those of its parameters that hold something for each column.
    """

    estimator: Any
    parts: Mapping[str, np.ndarray]

    def narrowed(self, columns: Any) -> Any:
        """Give the same classifier for these columns: a clone whose parameters speak of them alone.

        Parameters
        ----------
        columns : array-like of int
            Positions in the whole table, in the order of the table that the clone is to see.

        Returns
        -------
        estimator
        """
        model = clone(self.estimator)
        places = np.asarray(columns, dtype=np.int64)
        # lists: what asks "is kind equal to a word" would get an array as the answer from an array
        return model.set_params(**{name: part[places].tolist() for name, part in self.parts.items()})

    def whole(self) -> Any:
        """Give the classifier for all columns; what named them says yes or no to each."""
        model = clone(self.estimator)
        return model.set_params(**{name: part.tolist() for name, part in self.parts.items()})


def column_parameters(
    estimator: Any, d: int, names: Sequence[Any] | None = None, texts: np.ndarray | None = None
) -> ColumnParameters:
    """Settle which columns of a table the parameters of a classifier, and of those within it, speak of.

    Parameters
    ----------
    estimator : estimator
        A classifier in the manner of scikit-learn.
    d : int
        Number of columns of the table.
    names : sequence of str, optional
        Their names.
    texts : ndarray of shape (d,), bool, optional
        Columns that hold codes of texts, and so are nominal whatever the parameters say.

    Returns
    -------
    ColumnParameters

    Raises
    ------
    InputError
        If a parameter names a column that is not there, or holds another number of values than there are columns,
        or the classifier knows no nominal columns and there are texts.

    Examples
    --------
    >>> from fselect.classifiers import C45Classifier
    >>> settled = column_parameters(C45Classifier(nominal=["b", "d"]), 4, ["a", "b", "c", "d"])
    >>> settled.narrowed([0, 3]).nominal
    [False, True]
    """
    if not hasattr(estimator, "get_params"):
        return ColumnParameters(estimator, {})
    known = [str(name) for name in (names if names is not None else [f"x{column}" for column in range(d)])]
    parts = {}
    for path, value in estimator.get_params().items():
        name = path.rpartition("__")[2]
        reading = _mask if name in _CHOICES else _values if name in _VALUES else None
        part = reading(name, value, known) if reading else None
        if part is not None:
            parts[path] = part
    if texts is not None and texts.any():
        _add_texts(estimator, parts, texts, known)
    return ColumnParameters(clone(estimator), parts)


def _add_texts(estimator: Any, parts: dict[str, np.ndarray], texts: np.ndarray, names: list[str]) -> None:
    """Make texts nominal in all parameters that choose nominal columns."""
    parameters = estimator.get_params()
    choosing = [path for path in parameters if path.rpartition("__")[2] in _CHOICES]
    first = names[int(np.argmax(texts))]
    if not choosing:
        raise InputError(
            f"column {first!r} holds text, which {called(estimator)} cannot use; convert it to numbers or leave it "
            "out, or take a classifier that knows nominal columns, as 'c45' and 'naive_bayes'"
        )
    for path in choosing:
        if not isinstance(parameters[path], str) or parameters[path] != "all":
            parts[path] = parts.get(path, np.zeros_like(texts)) | texts
    for path, value in parameters.items():
        if path.rpartition("__")[2] != "kind":
            continue
        if path in parts:
            parts[path] = np.where(texts, "categorical", parts[path])
        elif isinstance(value, str) and value in ("gaussian", "multinomial"):
            raise InputError(f"column {first!r} holds text, which kind={value!r} cannot use; take 'auto'")


def _mask(parameter: str, value: Any, names: list[str]) -> np.ndarray | None:
    """Give the chosen columns as a mask, or None where a word or nothing chooses."""
    if value is None or isinstance(value, str) or np.ndim(value) != 1:
        return None
    chosen = np.asarray(value)
    if chosen.dtype.kind == "b":
        if len(chosen) != len(names):
            raise InputError(f"{parameter} is a mask of {len(chosen)} columns, but the table has {len(names)}")
        return chosen
    mask = np.zeros(len(names), dtype=bool)
    for one in value if isinstance(value, list | tuple) else chosen.tolist():
        mask[_position(parameter, one, names)] = True
    return mask


def _position(parameter: str, column: Any, names: list[str]) -> int:
    if isinstance(column, int | np.integer) and 0 <= column < len(names):
        return int(column)
    if str(column) in names:
        return names.index(str(column))
    few = ", ".join(names[:5]) + ("…" if len(names) > 5 else "")
    raise InputError(f"{parameter} names the column {column!r}, which is not there; the table has {few}")


def _values(parameter: str, value: Any, names: list[str]) -> np.ndarray | None:
    """Give the values of the columns, or None where one holds for all."""
    if isinstance(value, Mapping):
        return np.array([value.get(name, 0) for name in names])
    if value is None or isinstance(value, str) or np.ndim(value) != 1:
        return None
    if len(value) != len(names):
        told = f"{len(value)} values, but the table has {len(names)} columns"
        raise InputError(f"{parameter} holds {told}; give one each")
    return np.asarray(value)
