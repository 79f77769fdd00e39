"""One cell of tables II to IX of Boz (2002): a search in one repetition of the whole cross-validation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from fselect.reproductions.cells import Cell
from fselect.reproductions.sorted_relevance.settings import SEARCHES, STUDIES, make_search, read_sample
from fselect.selectors.counting.estimator import CountingSelection
from fselect.selectors.sorted_relevance.search import SortedRelevanceMethod
from fselect.study.plan import canonical

__all__ = ["cells", "compute"]

CELL_VERSION = 1
"""Raised by hand when results of cells may change."""


def cells(study: str, repeats: int) -> list[Cell]:
    """The cells of a study: all searches of the first repetition, then of the next.

    Parameters
    ----------
    study : str
        A name of `fselect.reproductions.sorted_relevance.settings.STUDIES`.
    repeats : int
        How many repetitions.

    Returns
    -------
    list of Cell

    Examples
    --------
    >>> [cell.column for cell in cells("corral", 1)][:2]
    ['sorted', 'neighbour']
    """
    settings = STUDIES[study]
    facts = {
        "version": CELL_VERSION,
        "search": SortedRelevanceMethod.ALGORITHM_VERSION,
        "parts": [settings.parts, settings.test, settings.validation],
    }
    return [Cell(study, search, repeat, canonical(facts)) for repeat in range(repeats) for search in SEARCHES]


def compute(cell: Cell, data: Path, scratch: Path, workers: int) -> dict[str, Any]:
    """Compute a cell.

    Parameters
    ----------
    cell : Cell
        Which; all searches of a repetition see the same folds.
    data : Path
        The folder with the tables.
    scratch : Path
        Not used: a cell takes minutes at most.
    workers : int
        Threads, among which folds are divided.

    Returns
    -------
    dict
        accuracy, tree_size and n_features of the counted set (final) and of the folds' own sets (own), accuracy
        and tree_size of all features (all), states, and the sets: selected (positions), and supports, a fold each.
    """
    settings = STUDIES[cell.study]
    sample = read_sample(cell.study, data, cell.split)
    counting = CountingSelection(
        make_search(cell.column, sample.nominal),
        n_parts=settings.parts,
        test_parts=settings.test,
        validation_parts=settings.validation,
        n_jobs=workers,
        random_state=cell.split,
    ).fit(sample.X, sample.y)
    return _means(counting.folds_) | {
        "states": _states(cell.column, counting.folds_),
        "final_features": int(counting.support_.sum()),
        "selected": counting.get_support(indices=True).tolist(),
        "supports": [support.nonzero()[0].tolist() for support in counting.supports_],
        "d": sample.X.shape[1],
    }


def _means(folds: pd.DataFrame) -> dict[str, float]:
    return {str(name): float(value) for name, value in folds.drop(columns=["fold", "evaluations"]).mean().items()}


def _states(search: str, folds: pd.DataFrame) -> float:
    """Mean states tested; the paper does not count the full set, from which backward searches start."""
    return float(folds["evaluations"].mean()) - (1 if search.startswith("sbe") else 0)
