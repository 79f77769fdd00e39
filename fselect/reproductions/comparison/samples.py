"""Bootstraps of a real table as every method of the comparison sees them: each drawn row once, no gaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd

from fselect.datasets.dataset import Dataset
from fselect.errors import InputError
from fselect.evaluation.protocols import repeat_sample
from fselect.reproductions.comparison.settings import SEED, STUDIES
from fselect.selectors.weights.entropy_ranking import SingleInformation

__all__ = ["Resample", "draw_resample", "read_dataset"]

LEAST = 3
"""Rows of each class in a bootstrap: a search refuses a class of one row, and counting takes one away in a fold."""


@dataclass(frozen=True, eq=False)
class Resample:
    """A bootstrap of a table.

    A row that was drawn twice is there once: a search that cuts its rows for an inner comparison would else meet
    copies of what it was trained on (decided here, for all methods alike).

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        All rows of the table, without gaps.
    codes : ndarray of shape (n,), int64
        Classes from 0.
    training : ndarray of shape (n,), bool
        The rows that were drawn; the others are out of bag.
    nominal : ndarray of shape (d,), bool
        Columns whose values are names.
    """

    X: np.ndarray
    codes: np.ndarray
    training: np.ndarray
    nominal: np.ndarray

    @property
    def n_classes(self) -> int:
        """Number of classes, all of which are in the training rows."""
        return int(self.codes.max()) + 1

    @cached_property
    def indicators(self) -> tuple[np.ndarray, np.ndarray]:
        """The table for linear models, and the column that each of its columns comes from.

        A nominal column of more than two values has one column of 0 and 1 for each.
        """
        parts = [_indicators(x) if names else x[:, None] for x, names in zip(self.X.T, self.nominal, strict=True)]
        owners = np.repeat(np.arange(len(parts)), [part.shape[1] for part in parts])
        return np.column_stack(parts), owners

    @cached_property
    def information(self) -> np.ndarray:
        """How much each column by itself tells of the class in the training rows, in bits; of shape (d,)."""
        X, codes = self.X[self.training], self.codes[self.training]
        names = [str(column) for column in range(X.shape[1])]
        rng = np.random.default_rng(SEED)  # which the weights do not use
        return SingleInformation(nominal=np.flatnonzero(self.nominal)).weigh(X, codes, names, rng)

    def informative(self, number: int) -> np.ndarray:
        """The positions, rising, of the columns with most information."""
        return np.sort(np.argsort(-self.information, kind="stable")[:number])

    def narrowed(self, columns: np.ndarray) -> Resample:
        """The same rows with some of the columns only."""
        return Resample(self.X[:, columns], self.codes, self.training, self.nominal[columns])


def _indicators(values: np.ndarray) -> np.ndarray:
    different = np.unique(values)
    return values[:, None] if len(different) <= 2 else (values[:, None] == different).astype(np.float64)


def read_dataset(study: str, data: Path) -> Dataset:
    """Read the table of a study.

    Parameters
    ----------
    study : str
        A name of `fselect.reproductions.comparison.settings.STUDIES`.
    data : Path
        The folder with the tables.

    Returns
    -------
    Dataset
        Nominal columns as codes, in which a missing value is a value of its own; numbers may be missing.

    Raises
    ------
    InputError
        If the table has no column ``target``, or a logarithm of a number of 0 or less would be needed.
    """
    settings = STUDIES[study]
    frame = pd.read_parquet(data / settings.file)
    if "target" not in frame:
        raise InputError(f"{settings.file} has no column 'target' with the classes; add it, or rename the one that has")
    y = frame.pop("target").astype(str).to_numpy()
    nominal = [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
    columns = [_values(frame[name], names) for name, names in zip(frame.columns, nominal, strict=True)]
    X = np.column_stack(columns)
    if settings.logarithm:
        X = _logarithms(X, frame.columns, settings.file)
    kinds = tuple("nominal" if names else "numeric" for names in nominal)
    return Dataset(X, y, name=study, names=tuple(map(str, frame.columns)), kinds=kinds)


def _values(series: pd.Series, nominal: bool) -> np.ndarray:
    if not nominal:
        return series.to_numpy(np.float64, na_value=np.nan)
    codes = series.cat.codes.to_numpy(np.float64)
    return np.where(codes < 0, len(series.cat.categories), codes)


def _logarithms(X: np.ndarray, names: pd.Index, file: str) -> np.ndarray:
    bad = np.flatnonzero((X <= 0).any(axis=0))
    if bad.size:
        raise InputError(f"{file}: column {names[bad[0]]!r} has values of 0 or less, and logarithms are taken")
    return np.asarray(np.log10(X))


def draw_resample(dataset: Dataset, number: int) -> Resample:
    """Draw a bootstrap: the same rows for all methods, another one for each number.

    One that leaves fewer than `LEAST` rows of a class is drawn again.

    Missing numbers become the median of the training rows that have one (0 where none has).

    Parameters
    ----------
    dataset : Dataset
        The table.
    number : int
        Of the bootstrap, from 0.

    Returns
    -------
    Resample

    Examples
    --------
    >>> made = Dataset([[1.0], [2.0], [np.nan], [5.0]] * 3, ["a", "b"] * 6, name="made")
    >>> drawn = draw_resample(made, 0)
    >>> drawn.X.shape, bool(np.isnan(drawn.X).any()), int(drawn.training.sum()) < 12
    ((12, 1), False, True)
    """
    training = _drawn(dataset, number)
    X = np.asarray(dataset.X)
    gaps = np.isnan(X)
    if gaps.any():
        X = np.where(gaps, [_median(column[training]) for column in X.T], X)
    nominal = np.array([kind == "nominal" for kind in dataset.kinds])
    return Resample(np.ascontiguousarray(X), dataset.codes, training, nominal)


def _drawn(dataset: Dataset, number: int) -> np.ndarray:
    for again in count():
        training = repeat_sample(dataset, SEED, again, number).counts > 0
        if np.bincount(dataset.codes[training]).min() >= min(LEAST, int(np.bincount(dataset.codes).min())):
            break
    return training


def _median(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else 0.0
