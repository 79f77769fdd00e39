"""One cell of table 3 of Cohen, Ruppin & Dror (2005): an algorithm on a split, its test accuracy and its features."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from fselect.reproductions.cells import Cell
from fselect.reproductions.contribution.baselines import FILTERS, choose_number, ranked
from fselect.reproductions.contribution.settings import COLUMNS, STUDIES, Split, Study, read_split
from fselect.selectors.contribution.classifiers import make_classifier
from fselect.selectors.contribution.payoff import make_folds
from fselect.selectors.contribution.selection import ContributionSelection
from fselect.selectors.contribution.settings import ALGORITHM_VERSION
from fselect.study.plan import canonical

__all__ = ["cells", "compute"]

CELL_VERSION = 1
"""Raised by hand when results of cells may change."""

CV = 10
"""Folds of every choice; the searches take no more than rows of the smallest class, as these do."""


def cells(study: str, splits: int) -> list[Cell]:
    """The cells of a study: all columns of the first split, then of the next.

    Parameters
    ----------
    study : str
        A name of `fselect.reproductions.contribution.settings.STUDIES`.
    splits : int
        How many splits.

    Returns
    -------
    list of Cell

    Examples
    --------
    >>> [cell.column for cell in cells("dexter", 1)][-2:]
    ['forward', 'backward']
    """
    return [
        Cell(study, column, split, canonical(_facts(STUDIES[study], column)))
        for split in range(splits)
        for column in COLUMNS
    ]


def _facts(settings: Study, column: str) -> dict[str, Any]:
    """All that determines a cell beside the table: what other columns are run with is not in it."""
    facts: dict[str, Any] = {"version": CELL_VERSION, "train": settings.train, "test": settings.test}
    if column in ("wrapper", "forward", "backward"):
        facts |= {"search": ALGORITHM_VERSION, **_search_options(settings, column)}
    elif column != "svm":
        facts |= {"model": settings.final or settings.inner}
    return facts


def _search_options(settings: Study, column: str) -> dict[str, Any]:
    options: dict[str, Any] = {"estimator": settings.inner, "final_estimator": settings.final, "cv": CV}
    if column == "wrapper":  # every remaining feature is measured once
        return options | {"direction": "forward", "size": 1, "draws": 1, "raise_permutations": False}
    options |= {"size": settings.size, "n_permutations": settings.permutations}
    options |= {"direction": column, "raise_permutations": not settings.printed}
    if column == "backward":
        return options | {"step": settings.drop}
    return options | {"step": settings.add, "final_phase": settings.final is not None}


def compute(cell: Cell, data: Path, scratch: Path, workers: int) -> dict[str, Any]:
    """Compute a cell.

    Parameters
    ----------
    cell : Cell
        Which.
    data : Path
        The folder with the tables.
    scratch : Path
        Where a search keeps its finished rounds.
    workers : int
        For the permutations of a round.

    Returns
    -------
    dict
        accuracy (on the test rows), n_features, selected (positions), and of searches also rounds, contributions
        of the first round, and steps (each feature that was added, with its contribution then and a round before).
    """
    split = read_split(cell.study, data, cell.split)
    settings = STUDIES[cell.study]
    if cell.column in FILTERS:
        return _filtered(split, cell, settings)
    if cell.column in ("none", "svm"):
        name = "linear_svm" if cell.column == "svm" else settings.final or settings.inner
        return _measured(split, np.arange(split.X.shape[1]), name, cell.split)
    return _searched(split, cell, settings, scratch, workers)


def _measured(split: Split, columns: np.ndarray, name: str, seed: int) -> dict[str, Any]:
    model = clone(make_classifier(name, seed))
    model.fit(split.X.to_numpy()[:, columns], split.y)
    accuracy = float(np.mean(model.predict(split.X_test.to_numpy()[:, columns]) == split.y_test))
    return {"accuracy": accuracy, "n_features": len(columns), "selected": columns.tolist()}


def _filtered(split: Split, cell: Cell, settings: Study) -> dict[str, Any]:
    X, codes = split.X.to_numpy(), np.unique(split.y, return_inverse=True)[1]
    folds = make_folds(codes, np.ones(len(codes)), CV, cell.split)
    name = settings.final or settings.inner
    number = choose_number(FILTERS[cell.column], make_classifier(name, cell.split), X, codes, folds, cell.split)
    order = ranked(FILTERS[cell.column](X, codes, cell.split))
    result = _measured(split, np.sort(order[:number]), name, cell.split)
    return result | {"ranking": order[: max(number, 100)].tolist()}


def _searched(split: Split, cell: Cell, settings: Study, scratch: Path, workers: int) -> dict[str, Any]:
    options = _search_options(settings, cell.column)
    search = ContributionSelection(**options, random_state=cell.split, n_jobs=workers)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search.fit(split.X, split.y, X_test=split.X_test, y_test=split.y_test, folder=scratch)
    return {
        "accuracy": float(np.mean(search.predict(split.X_test) == split.y_test)),
        "n_features": search.n_features_,
        "selected": search.selected_.tolist(),
        "rounds": search.rounds_.to_dict("list"),
        "contributions": search.contributions_[search.contributions_ != 0].tolist(),
        "zero_contributions": int((search.contributions_ == 0).sum()),
        "steps": _steps(search),
        "notes": sorted({str(one.message) for one in caught if issubclass(one.category, UserWarning)}),
    }


def _steps(search: ContributionSelection) -> list[dict[str, float]]:
    """Each feature that a forward search added one a round: its contribution then, and in the round before."""
    if search.direction != "forward" or search.step > 1:
        return []
    history = search.history_
    by_round = {number: part.set_index("feature") for number, part in history.groupby("round")}
    steps = []
    for number, feature in history.loc[history["moved"], ["round", "feature"]].itertuples(index=False):
        now, before = by_round[number].loc[feature], by_round.get(number - 1)
        earlier = before.loc[feature] if before is not None else None
        steps.append(
            {
                "contribution": float(now["contribution"]),
                "standard_error": float(now["standard_error"]),
                "before": float("nan") if earlier is None else float(earlier["contribution"]),
                "before_error": float("nan") if earlier is None else float(earlier["standard_error"]),
            }
        )
    return steps
