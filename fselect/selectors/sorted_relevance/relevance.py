"""The order of relevance in which a sorted search takes the columns: one score for each kind of classifier."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.errors import InputError
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table

__all__ = ["RELEVANCES", "relevance_order"]

RELEVANCES = ("auto", "gain_ratio", "information", "relief")
"""The scores that have a name."""


def relevance_order(relevance: Any, table: Table, evaluator: Evaluator, rng: np.random.Generator) -> np.ndarray:
    """Order the columns by their relevance in the rows that are trained on.

    Parameters
    ----------
    relevance : str, callable or array-like of shape (d,)
        ``"gain_ratio"`` of the best test on the column, as C4.5 takes it at the root; ``"information"`` that the
        column, cut into levels, has about the class; ``"relief"``, ReliefF's weights; a function of X and the codes of
        the classes that returns a score a column; or the scores. ``"auto"`` asks the classifier of the measure:
        its ``relevance_order`` where it has one (C4.5: gain ratios), else the size of its coefficients on
        standardised columns, or its importances; naive Bayes sums what each column tells of the class,
        so takes information; nearest neighbours go by distances, so take ReliefF; all else gain ratios.
    table : Table
        All rows.
    evaluator : Evaluator
        The measure on the table. If it holds out rows, the others count only.
    rng : numpy.random.Generator
        For ReliefF.

    Returns
    -------
    ndarray of shape (d,), int64
        The most relevant first; of equals the first column.

    Raises
    ------
    InputError
        Another word, or scores that are not one finite number a column.

    Examples
    --------
    >>> from fselect.measures import Consistency
    >>> table = Table(np.array([[0.0, 1], [1, 1], [1, 0], [0, 0]]), np.array([1, 1, 0, 0]), 2, np.array([True] * 2))
    >>> rng = np.random.default_rng(0)
    >>> relevance_order("gain_ratio", table, Consistency().prepare(table, rng), rng)
    array([1, 0])
    """
    model = getattr(evaluator, "model", None)
    training = getattr(evaluator, "training", None)
    part = table if training is None else table_of(table, training)
    if isinstance(relevance, str):
        if relevance not in RELEVANCES:
            raise InputError(
                f"relevance must be one of {', '.join(RELEVANCES)}, a function or scores, not {relevance!r}"
            )
        if relevance == "auto":
            return _of_classifier(model, part, rng)
        return _falling(_named(relevance, part, rng))
    scores = relevance(part.X, part.codes) if callable(relevance) else relevance
    return _falling(_checked(scores, table.n_columns))


def table_of(table: Table, rows: np.ndarray) -> Table:
    """Give the table of some rows, cut into levels by themselves."""
    return Table(
        table.X[rows],
        table.codes[rows],
        table.n_classes,
        table.nominal,
        table.discretize or "equal_frequency",
        table.n_bins,
        table.names,
    )


def _of_classifier(model: Any, part: Table, rng: np.random.Generator) -> np.ndarray:
    from fselect.classifiers import NaiveBayesClassifier, NearestNeighbourClassifier

    if isinstance(model, NaiveBayesClassifier):
        return _falling(_named("information", part, rng))
    if isinstance(model, NearestNeighbourClassifier):
        return _falling(_named("relief", part, rng))
    if hasattr(model, "relevance_order"):
        return np.asarray(_fitted(model, part.X, part.codes).relevance_order(), dtype=np.int64)
    scores = None if model is None else _of_coefficients(model, part)
    return _falling(_named("gain_ratio", part, rng) if scores is None else scores)


def _of_coefficients(model: Any, part: Table) -> np.ndarray | None:
    deviation = np.nanstd(part.X, axis=0)
    fitted = _fitted(model, (part.X - np.nanmean(part.X, axis=0)) / np.where(deviation > 0, deviation, 1.0), part.codes)
    if hasattr(fitted, "coef_"):
        return np.asarray(np.linalg.norm(np.atleast_2d(fitted.coef_), axis=0))
    return np.asarray(fitted.feature_importances_) if hasattr(fitted, "feature_importances_") else None


def _fitted(model: Any, X: np.ndarray, codes: np.ndarray) -> Any:
    from sklearn.base import clone

    return clone(model).fit(X, codes)


def _named(name: str, part: Table, rng: np.random.Generator) -> np.ndarray:
    if name == "information":
        if np.isnan(part.X).any():
            raise InputError(
                "relevance by information takes no missing values; take 'gain_ratio' or 'relief', or impute"
            )
        from fselect.measures.information import information_gains

        return np.asarray(information_gains(part))
    if name == "relief":
        from fselect.selectors.weights.relief import relief

        return relief(part.X, part.codes, nominal=part.nominal, rng=rng)
    from fselect.classifiers import C45Classifier

    tree = C45Classifier(min_weight=1, pruned=False, max_depth=0, nominal=np.flatnonzero(part.nominal))
    return np.asarray(tree.fit(part.X, part.codes).gain_ratios_)


def _checked(scores: Any, d: int) -> np.ndarray:
    given = np.asarray(scores)
    if given.shape != (d,) or given.dtype.kind not in "iufb" or not np.isfinite(given.astype(float)).all():
        raise InputError(f"relevance must give one finite score for each of the {d} columns, not {scores!r}")
    return given.astype(np.float64)


def _falling(scores: np.ndarray) -> np.ndarray:
    return np.argsort(-scores, kind="stable").astype(np.int64)
