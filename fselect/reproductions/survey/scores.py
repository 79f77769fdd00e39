"""Scores of the survey's cells as one long table, and means of them that can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fselect.reproductions.cells import Results
from fselect.reproductions.survey.settings import ALGORITHMS, CUTS, GROUPS, STUDIES, WEIGHTS

__all__ = ["FEW", "Variant", "complete_problems", "described", "means_by_run", "score_table"]

Variant = tuple[str, str]
"""Weights of the score, and the rule that cuts weightings."""

FEW = 3
"""Below this many runs of every cell a problem counts as not run."""

_COLUMNS = ["group", "family", "n_relevant", "ratio", "algorithm", "run", "stopped", "seconds", "cut", "R", "I", "R'"]


def score_table(results: Mapping[str, Results]) -> pd.DataFrame:
    """Put all finished cells into one table.

    Parameters
    ----------
    results : mapping of str to Results
        By study.

    Returns
    -------
    pandas.DataFrame
        A row a cell and cut rule (a search has the row of each rule alike): group, family, n_relevant, ratio,
        algorithm, run, stopped, seconds (of the processor), cut, R, I, R', and S by weights.
    """
    rows = [row for study, one in results.items() for cell in one.rows for row in _rows(study, cell)]
    return pd.DataFrame(rows, columns=[*_COLUMNS, *WEIGHTS])


def _rows(study: str, cell: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    problem = STUDIES[study]
    head = (problem.group, problem.family, problem.n_relevant, cell["ratio"], cell["column"], cell["split"])
    for cut in CUTS:
        scores = cell["selections"].get(cut) or cell["selections"][""]
        terms = (scores["R"], scores["I"], scores["R'"], *(scores[weights] for weights in WEIGHTS))
        yield (*head, cell["stopped"], cell["processor_seconds"], cut, *terms)


def complete_problems(table: pd.DataFrame, group: str, algorithms: Sequence[str] = tuple(ALGORITHMS)) -> list[str]:
    """List the problems of a group of which every cell of these algorithms has at least `FEW` runs.

    Parameters
    ----------
    table : pandas.DataFrame
        Of `score_table`.
    group : str
        A name of `GROUPS`.
    algorithms : sequence of str
        By default all ten.

    Returns
    -------
    list of str
        Studies.
    """
    part = table[(table["group"] == group) & table["algorithm"].isin(algorithms) & (table["cut"] == CUTS[0])]
    wanted = len(GROUPS[group]) * len(algorithms)
    found = []
    for name, problem in STUDIES.items():
        mine = part[(part["family"] == problem.family) & (part["n_relevant"] == problem.n_relevant)]
        counts = mine.groupby(["ratio", "algorithm"]).size()
        if problem.group == group and len(counts) == wanted and counts.min() >= FEW:
            found.append(name)
    return found


def described(studies: Sequence[str]) -> str:
    """Say which problems these are.

    Examples
    --------
    >>> described(["redundance-parity-4", "redundance-gmonks-6", "redundance-parity-8"])
    '3 of the twelve problems: parity 4, 8; gmonks 6'
    >>> described([name for name in STUDIES if name.startswith("redundance")])
    'all twelve problems'
    """
    if len(studies) == 12:
        return "all twelve problems"
    sizes: dict[str, list[str]] = {}
    for name in studies:
        sizes.setdefault(STUDIES[name].family, []).append(str(STUDIES[name].n_relevant))
    told = "; ".join(f"{family} {', '.join(numbers)}" for family, numbers in sizes.items())
    return f"{len(studies)} of the twelve problems: {told}"


def means_by_run(table: pd.DataFrame, studies: Sequence[str], variant: Variant) -> np.ndarray:
    """Average the scores over problems, keeping runs apart.

    Parameters
    ----------
    table : pandas.DataFrame
        Of `score_table`.
    studies : sequence of str
        Problems of one group, complete ones.
    variant : (weights, cut)
        Which scores.

    Returns
    -------
    ndarray of shape (runs, algorithms, ratios)
        Of the runs that all cells have; algorithms in the order of `ALGORITHMS`.
    """
    weights, cut = variant
    group = STUDIES[studies[0]].group
    keys = {(STUDIES[name].family, STUDIES[name].n_relevant) for name in studies}
    part = table[(table["group"] == group) & (table["cut"] == cut)]
    part = part[[key in keys for key in zip(part["family"], part["n_relevant"], strict=True)]]
    cells = part.groupby(["run", "algorithm", "ratio"])[weights].agg(["mean", "size"])
    found = cells["mean"].where(cells["size"] == len(studies)).unstack("ratio").reindex(columns=list(GROUPS[group]))
    order = pd.MultiIndex.from_product([sorted(part["run"].unique()), ALGORITHMS])
    array = found.reindex(order).to_numpy().reshape(-1, len(ALGORITHMS), len(GROUPS[group]))
    kept: np.ndarray = array[~np.isnan(array).any(axis=(1, 2))]
    return kept
