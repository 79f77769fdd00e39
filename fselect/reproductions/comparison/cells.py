"""One cell of the comparison: a method on a bootstrap of a table, its sets, and what final classifiers make of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from fselect.classifiers.c45.estimator import C45Classifier
from fselect.classifiers.logistic import decision, fit_logistic, predict_codes
from fselect.evaluation.metrics import accuracy
from fselect.reproductions.cells import Cell
from fselect.reproductions.comparison import settings as comparison_settings
from fselect.reproductions.comparison.methods import CONTRIBUTIONS, choose
from fselect.reproductions.comparison.samples import Resample, draw_resample, read_dataset
from fselect.reproductions.comparison.settings import METHODS, PENALTY, SEED, SHAPE, STUDIES
from fselect.selectors.catalogue import method_class
from fselect.study.plan import canonical

__all__ = ["cells", "compute", "final_accuracies"]

CELL_VERSION = 1
"""Raised by hand when results of cells may change."""

_CATALOGUE = {"counting": "sorted-relevance", "csa-forward": "contribution", "csa-backward": "contribution"} | {
    "sorted": "sorted-relevance",
    "rfe": "rfe",
    "rfe-biased": "rfe",
}
"""Methods with a version of their own, whose change makes other cells."""


def cells(study: str, bootstraps: int) -> list[Cell]:
    """The cells of a table: all methods of the first bootstrap, then of the next.

    Parameters
    ----------
    study : str
        A name of `fselect.reproductions.comparison.settings.STUDIES`.
    bootstraps : int
        How many.

    Returns
    -------
    list of Cell

    Examples
    --------
    >>> [cell.column for cell in cells("vote", 1)][:3]
    ['all', 'random', 'rfe']
    """
    facts = {method: canonical(_facts(study, method)) for method in METHODS}
    return [Cell(study, method, number, facts[method]) for number in range(bootstraps) for method in METHODS]


def _facts(study: str, method: str) -> dict[str, Any]:
    """All that determines a cell beside table, method and bootstrap."""
    settings = STUDIES[study]
    facts: dict[str, Any] = {"version": CELL_VERSION, "seed": SEED, "penalty": PENALTY}
    facts["logarithm"] = settings.logarithm
    if METHODS[method].searches:
        facts |= {"offered": settings.offered, "allowance": comparison_settings.ALLOWANCE}
    if method in ("random", "rfe", "rfe-biased", "e-sfg-k", "relief-k"):
        facts["keep"] = settings.keep
    if METHODS[method].draws:
        facts["draws"] = settings.draws
    if method == "rfe-biased":
        facts["shape"] = SHAPE
    if method.startswith("csa"):
        facts |= CONTRIBUTIONS
    if method in _CATALOGUE:
        facts["algorithm"] = method_class(_CATALOGUE[method]).ALGORITHM_VERSION
    return facts


def compute(cell: Cell, data: Path, scratch: Path, workers: int) -> dict[str, Any]:
    """Compute a cell.

    Parameters
    ----------
    cell : Cell
        Which.
    data : Path
        The folder with the tables.
    scratch, workers
        Not used: a cell takes a minute at most, and one thread.

    Returns
    -------
    dict
        d, sets (of positions, one a draw), processor_seconds of a set, stopped, and out-of-bag accuracies of the
        final classifiers, one a set.
    """
    file = data / STUDIES[cell.study].file
    sample = _sample(cell.study, data, file.stat().st_mtime_ns, cell.split)
    chosen = choose(cell.column, cell.study, sample, cell.split)
    scores = [final_accuracies(sample, one) for one in chosen.sets]
    return {
        "d": sample.X.shape[1],
        "sets": chosen.sets,
        "processor_seconds": chosen.seconds,
        "stopped": chosen.stopped,
        **{name: [score[name] for score in scores] for name in comparison_settings.FINAL},
    }


@lru_cache(maxsize=2)
def _sample(study: str, data: Path, written: int, number: int) -> Resample:
    """Draw a bootstrap, once for all methods: they follow each other, and a wide table takes a while to read."""
    return draw_resample(read_dataset(study, data), number)


def final_accuracies(sample: Resample, columns: list[int]) -> dict[str, float]:
    """Train the final classifiers on the training rows with the selected columns, and score them out of bag.

    Parameters
    ----------
    sample : Resample
        The bootstrap.
    columns : list of int
        The set; the empty one predicts the largest class.

    Returns
    -------
    dict of str to float
        Accuracy by name of `fselect.reproductions.comparison.settings.FINAL`.
    """
    if not columns:
        largest = np.bincount(sample.codes[sample.training]).argmax()
        share = float(np.mean(sample.codes[~sample.training] == largest))
        return dict.fromkeys(comparison_settings.FINAL, share)
    narrow = sample.narrowed(np.array(columns))
    return {"logistic": _logistic(narrow), "c45": _tree(narrow)}


def _logistic(sample: Resample) -> float:
    table = sample.indicators[0]
    counts = sample.training.astype(np.float64)
    fitted = fit_logistic(table, sample.codes, counts, PENALTY, n_classes=sample.n_classes)
    out = np.ascontiguousarray(table[~sample.training])
    return accuracy(sample.codes[~sample.training], predict_codes(decision(out, fitted.coef, fitted.intercept)))


def _tree(sample: Resample) -> float:
    model = C45Classifier(nominal=np.flatnonzero(sample.nominal))
    model.fit(sample.X[sample.training], sample.codes[sample.training])
    return accuracy(sample.codes[~sample.training], model.predict(sample.X[~sample.training]))
