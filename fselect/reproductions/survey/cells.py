"""One cell of the experiment of Molina, Belanche & Nebot (2002): an algorithm on a sample, its selection and score."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.score import score_parts
from fselect.measures.named import get_measure
from fselect.reproductions.cells import Cell
from fselect.reproductions.survey import settings as survey_settings
from fselect.reproductions.survey.allowance import Allowed
from fselect.reproductions.survey.settings import ALGORITHMS, CUTS, STUDIES, WEIGHTINGS, WEIGHTS, Point, make_data
from fselect.selectors.searches.floating import Floating
from fselect.selectors.searches.las_vegas import LasVegasFilter, LasVegasIncremental, QuickBranchAndBound
from fselect.selectors.searches.sequential import Sequential
from fselect.selectors.searches.subset_search import SubsetSearch
from fselect.selectors.weight_cut import cut_weights
from fselect.selectors.weights.entropy_ranking import SingleInformation
from fselect.selectors.weights.relief import NeighbourhoodsOfTwo
from fselect.study.plan import canonical

__all__ = ["cells", "compute", "score_row"]

CELL_VERSION = 1
"""Raised by hand when results of cells may change."""

_SEARCHES: dict[str, Callable[[Any], SubsetSearch]] = {
    "c-sbg": lambda measure: Sequential("backward", measure=measure),
    "w-sfg": lambda measure: Sequential("forward", measure=measure, min_features=0),
    "w-sbg": lambda measure: Sequential("backward", measure=measure, min_features=0),
    "sffg": lambda measure: Floating("forward", measure=measure),
    "sfbg": lambda measure: Floating("backward", measure=measure),
    "lvf": lambda measure: LasVegasFilter(measure=measure),
    "lvi": lambda measure: LasVegasIncremental(measure=measure),
    "qbb": lambda measure: QuickBranchAndBound(measure=measure),
}
"""The wrappers may find that no feature is better than none: they start from, or may end at, the majority's share."""


def cells(study: str, runs: int) -> list[Cell]:
    """The cells of a problem: all of the cheapest algorithm, then of the next.

    Parameters
    ----------
    study : str
        A name of `fselect.reproductions.survey.settings.STUDIES`.
    runs : int
        How many samples of each point.

    Returns
    -------
    list of Cell
        11 or 7 points × 10 algorithms × runs.

    Examples
    --------
    >>> found = cells("irrelevance-parity-4", 10)
    >>> len(found), found[0].column, found[-1].column
    (1100, 'e-sfg', 'w-sbg')
    """
    points = STUDIES[study].points()
    facts = {algorithm: [canonical(_facts(algorithm, point)) for point in points] for algorithm in ALGORITHMS}
    return [
        Cell(study, algorithm, run, parameters)
        for algorithm in ALGORITHMS
        for run in range(runs)
        for parameters in facts[algorithm]
    ]


def _facts(algorithm: str, point: Point) -> dict[str, Any]:
    """All that determines a cell beside problem and run; weightings have no allowance, which they could not keep."""
    facts = {"version": CELL_VERSION, "ratio": point.ratio, "n_samples": point.n_samples}
    return facts if algorithm in WEIGHTINGS else facts | {"allowance": survey_settings.ALLOWANCE}


def compute(cell: Cell, data: Path, scratch: Path, workers: int) -> dict[str, Any]:
    """Compute a cell.

    Parameters
    ----------
    cell : Cell
        Which.
    data, scratch, workers
        Not used: samples are drawn, nothing is kept on the way, and a search has one thread.

    Returns
    -------
    dict
        study, ratio, processor_seconds, stopped ("complete", or the limit that ended the search), evaluations, and
        selections: for a weighting by the rule that cuts, for a search under "": the selected columns, their R, I, R',
        and S by weights.
    """
    facts = json.loads(cell.parameters)
    point = next(point for point in STUDIES[cell.study].points() if point.ratio == facts["ratio"])
    sample = make_data(point, cell.split)
    rng = generator(cell.split, Stream.SELECTOR, f"survey-{cell.study}-{point.ratio}-{cell.column}")
    started = time.thread_time()
    if cell.column in WEIGHTINGS:
        selections, told = _weighed(cell.column, sample, rng), {"stopped": "complete", "evaluations": 0}
    else:
        selections, told = _searched(cell.column, sample, rng, facts["allowance"])
    seconds = round(time.thread_time() - started, 4)
    scores = {cut: score_row(selected, sample) for cut, selected in selections.items()}
    return {"study": cell.study, "ratio": point.ratio, "processor_seconds": seconds, **told, "selections": scores}


def _codes(sample: Dataset) -> np.ndarray:
    codes: np.ndarray = np.unique(np.asarray(sample.y), return_inverse=True)[1]
    return codes


def _names(sample: Dataset) -> list[str]:
    return [str(column) for column in range(sample.X.shape[1])]


def _searched(
    algorithm: str, sample: Dataset, rng: np.random.Generator, allowance: float
) -> tuple[dict[str, list[int]], dict[str, Any]]:
    """Search; all columns are names, not amounts."""
    measure = Allowed(get_measure("c45" if algorithm.startswith("w-") else "consistency"), allowance)
    search = _SEARCHES[algorithm](measure)
    search.nominal = "all"
    found = search.find(np.asarray(sample.X), _codes(sample), _names(sample), rng)
    return {"": [int(column) for column in found.columns]}, {"stopped": found.stopped, "evaluations": found.evaluations}


def _weighed(algorithm: str, sample: Dataset, rng: np.random.Generator) -> dict[str, list[int]]:
    weighting = SingleInformation(nominal="all") if algorithm == "e-sfg" else NeighbourhoodsOfTwo(nominal="all")
    weights = weighting.weigh(np.asarray(sample.X), _codes(sample), _names(sample), rng)
    return {cut: np.flatnonzero(cut_weights(weights, cut, rng)).tolist() for cut in CUTS}


def score_row(selected: Sequence[int], sample: Dataset) -> dict[str, Any]:
    """Score a selection with all weights.

    Examples
    --------
    >>> score_row([0, 1, 2], make_data(STUDIES["irrelevance-parity-4"].points()[0], 0))
    {'selected': [0, 1, 2], 'R': 0.75, 'I': 1.0, "R'": 0.0, '3:2:1': 0.75, '6:2:1': 0.75}
    """
    truth = sample.truth
    assert truth is not None
    known: dict[str, Any] = {"relevant": truth.relevant, "irrelevant": truth.irrelevant, "groups": truth.groups}
    parts = {name: score_parts(selected, **known, weights=weights) for name, weights in WEIGHTS.items()}
    one = parts["3:2:1"]
    terms = {"R": one.relevance, "I": one.irrelevance, "R'": one.redundance}
    return {"selected": list(selected), **terms} | {name: part.score for name, part in parts.items()}
