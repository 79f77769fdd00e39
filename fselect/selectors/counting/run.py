"""What selection by counting computes: each fold's own set, the set that the counts give, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from fselect.errors import InputError
from fselect.measures.held_out import HeldOut, narrowed
from fselect.measures.named import get_measure
from fselect.measures.table import Table, nominal_mask
from fselect.selectors.counting.folds import Parts

__all__ = [
    "Sample",
    "assess",
    "check_selector",
    "default_model",
    "fit_fold",
    "held_out_measure",
    "in_threads",
    "support_of",
]


@dataclass(frozen=True, eq=False)
class Sample:
    """A table with its classes and the names of its columns, if it has any."""

    X: np.ndarray
    codes: np.ndarray
    names: list[str] | None

    def rows(self, chosen: np.ndarray) -> np.ndarray | pd.DataFrame:
        """Some rows, with the names of the columns, by which selectors may be told of them."""
        return self.X[chosen] if self.names is None else pd.DataFrame(self.X[chosen], columns=self.names)

    def table(self, nominal: Any) -> Table:
        """The table as measures see it."""
        names = self.names or [str(column) for column in range(self.X.shape[1])]
        mask = nominal_mask(nominal, self.X, names)
        return Table(self.X, self.codes, int(self.codes.max()) + 1, mask, names=names)


def in_threads(function: Callable[[int], Any], number: int, n_jobs: int) -> list[Any]:
    """Call a function of 0, 1 …, side by side, and return the answers in this order."""
    if n_jobs == 1:
        return [function(one) for one in range(number)]
    with ThreadPoolExecutor(n_jobs) as pool:
        return list(pool.map(function, range(number)))


def held_out_measure(selector: Any) -> HeldOut | None:
    """Give the measure of a search if it compares sets on rows that are held out."""
    given = selector.get_params(deep=False).get("measure")
    if given is None:
        return None
    measure = get_measure(given)
    return measure if isinstance(measure, HeldOut) else None


def default_model(selector: Any, sample: Sample) -> Any:
    """Make the classifier by which sets are assessed: that of the search, else the unpruned C4.5 tree."""
    nominal = selector.get_params(deep=False).get("nominal", "none")
    table = sample.table(nominal)
    return (held_out_measure(selector) or HeldOut()).model(table)


def fit_fold(selector: Any, sample: Sample, fold: Parts, seed: int) -> Any:
    """Fit the selector of one fold.

    A search that compares sets on held-out rows is trained on the training part and compares on the test part. Any
    other selector gets both parts (decided here, because it has no other use for the test part, and leaving it out
    would starve it).

    Parameters
    ----------
    selector : estimator
        A copy for this fold.
    sample : Sample
        All rows.
    fold : Parts
        Which are for what.
    seed : int
        For its draws, where it has a random_state that is None.

    Returns
    -------
    estimator
        Fitted.

    Raises
    ------
    InputError
        If the rows of the fold cannot be used.
    """
    measure = held_out_measure(selector)
    rows = fold.training | fold.test
    if measure is not None:
        selector.set_params(measure=measure.on(fold.test[rows]))
    if selector.get_params(deep=False).get("random_state", 0) is None:
        selector.set_params(random_state=seed)
    return selector.fit(sample.rows(rows), sample.codes[rows])


def assess(model: Any, sample: Sample, fold: Parts, support: np.ndarray) -> Mapping[str, float]:
    """Train a classifier on the training part with some columns, and measure it on the validation part.

    Parameters
    ----------
    model : estimator
        For all columns.
    sample : Sample
        All rows.
    fold : Parts
        Which are for what.
    support : ndarray of shape (d,), bool
        The columns; without any, the largest class is predicted.

    Returns
    -------
    mapping
        accuracy, and of a tree its tree_size.
    """
    columns = np.flatnonzero(support)
    codes = sample.codes[fold.training]
    if not columns.size:
        return {"accuracy": float(np.mean(sample.codes[fold.validation] == np.bincount(codes).argmax()))}
    fitted = narrowed(model, columns).fit(sample.X[np.ix_(fold.training, columns)], codes)
    predicted = fitted.predict(sample.X[np.ix_(fold.validation, columns)])
    found = {"accuracy": float(np.mean(predicted == sample.codes[fold.validation]))}
    if hasattr(fitted, "tree_size_"):
        found["tree_size"] = float(fitted.tree_size_)
    return found


def check_selector(selector: Any) -> None:
    """Refuse what is no selector."""
    missing = [name for name in ("fit", "get_support", "get_params", "set_params") if not hasattr(selector, name)]
    if missing:
        raise InputError(f"selector must be a feature selector of scikit-learn's kind, not {selector!r}")


def support_of(fitted: Sequence[Any]) -> np.ndarray:
    """What fitted selectors chose: shape (k, d), bool."""
    return np.array([one.get_support() for one in fitted], dtype=bool)
