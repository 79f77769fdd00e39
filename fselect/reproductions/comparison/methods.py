"""What each method of the comparison selects on a bootstrap."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fselect.datasets.seeds import Stream, generator
from fselect.measures.named import get_measure
from fselect.reproductions.comparison import settings as comparison_settings
from fselect.reproductions.comparison.samples import Resample
from fselect.reproductions.comparison.settings import METHODS, PENALTY, SEED, SHAPE, STUDIES, Study
from fselect.reproductions.survey.allowance import Allowed
from fselect.selectors.catalogue import get_method
from fselect.selectors.counting.estimator import CountingSelection
from fselect.selectors.searches.floating import Floating
from fselect.selectors.searches.las_vegas import LasVegasFilter, LasVegasIncremental, QuickBranchAndBound
from fselect.selectors.searches.sequential import Sequential
from fselect.selectors.searches.subset_search import SubsetSearch
from fselect.selectors.shrinkage import draw_log_shrinkage
from fselect.selectors.sorted_relevance.estimator import SortedRelevanceSearch
from fselect.selectors.sorted_relevance.search import SortedRelevance
from fselect.selectors.weight_cut import cut_weights
from fselect.selectors.weights.entropy_ranking import SingleInformation
from fselect.selectors.weights.relief import Neighbourhoods, NeighbourhoodsOfTwo

__all__ = ["CONTRIBUTIONS", "Chosen", "choose"]

CONTRIBUTIONS: dict[str, Any] = {"estimator": "naive_bayes", "size": 5, "cv": 5}
"""A small budget for contribution selection: the permutations of a round draw each feature just more than five times,
the least that its paper allows, in parts of five features; naive Bayes, five folds."""

_SEARCHES: dict[str, Callable[[Any], SubsetSearch]] = {
    "c-sbg": lambda measure: Sequential("backward", measure=measure),
    "w-sfg": lambda measure: Sequential("forward", measure=measure),
    "w-sbg": lambda measure: Sequential("backward", measure=measure),
    "sffg": lambda measure: Floating("forward", measure=measure),
    "sfbg": lambda measure: Floating("backward", measure=measure),
    "lvf": lambda measure: LasVegasFilter(measure=measure),
    "lvi": lambda measure: LasVegasIncremental(measure=measure),
    "qbb": lambda measure: QuickBranchAndBound(measure=measure),
}
"""At least one feature is kept, wherever the survey allows none."""


@dataclass(frozen=True)
class Chosen:
    """What a method selected on a bootstrap.

    Parameters
    ----------
    sets : list of list of int
        The columns; one set for each draw of a method that draws.
    seconds : float
        Processor seconds of one set, without the choice of the columns that it is offered.
    stopped : str
        "complete", or what ended the search.
    """

    sets: list[list[int]]
    seconds: float
    stopped: str = "complete"


def choose(method: str, study: str, sample: Resample, number: int) -> Chosen:
    """Select.

    Parameters
    ----------
    method : str
        A name of `fselect.reproductions.comparison.settings.METHODS`.
    study : str
        A name of `fselect.reproductions.comparison.settings.STUDIES`.
    sample : Resample
        The bootstrap.
    number : int
        Its number, from which draws of the search follow.

    Returns
    -------
    Chosen
    """
    settings = STUDIES[study]
    offered = np.arange(sample.X.shape[1])
    if METHODS[method].searches and settings.offered is not None:
        offered = sample.informative(settings.offered)
    started = time.thread_time()
    rng = generator(SEED, Stream.SELECTOR, study, 0, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # limits are marked, and a set may be all of a narrow table
        sets, stopped = _chosen(method, study, settings, sample.narrowed(offered), rng)
    seconds = (time.thread_time() - started) / len(sets)
    over = seconds > comparison_settings.ALLOWANCE
    found = [offered[np.asarray(one, dtype=np.int64)].tolist() for one in sets]
    return Chosen(found, round(seconds, 4), "max_seconds" if over else stopped)


def _chosen(
    method: str, study: str, settings: Study, sample: Resample, rng: np.random.Generator
) -> tuple[list[Any], str]:
    if method in _SEARCHES or method == "sorted":
        return _searched(method, sample, rng)
    draws = range(settings.draws if METHODS[method].draws else 1)
    if method == "random":
        return [_random_set(study, settings, sample, draw) for draw in draws], "complete"
    if method in ("rfe", "rfe-biased"):
        return [_eliminated(method, study, settings, sample, draw) for draw in draws], "complete"
    if METHODS[method].family == "filter":
        return [np.flatnonzero(_weighted(method, settings, sample, rng))], "complete"
    return [np.flatnonzero(_MASKS[method](sample, rng))], "complete"


def _searched(method: str, sample: Resample, rng: np.random.Generator) -> tuple[list[Any], str]:
    """Search; of a search of subsets the clock looks at every neighbour, the sorted search takes far less."""
    if method == "sorted":
        search: SubsetSearch = SortedRelevance()
    else:
        measure = get_measure("c45" if method.startswith("w-") else "consistency")
        search = _SEARCHES[method](Allowed(measure, comparison_settings.ALLOWANCE))
    search.nominal = np.flatnonzero(sample.nominal).tolist()
    found = search.find(*_training(sample), rng)
    return [found.columns], found.stopped


def _training(sample: Resample) -> tuple[np.ndarray, np.ndarray, list[str]]:
    names = [str(column) for column in range(sample.X.shape[1])]
    return sample.X[sample.training], sample.codes[sample.training], names


def _random_set(study: str, settings: Study, sample: Resample, draw: int) -> np.ndarray:
    """Draw a set, the same one for every bootstrap."""
    d = sample.X.shape[1]
    rng = generator(SEED, Stream.RANDOM_SET, study, draw)
    return np.sort(rng.choice(d, min(settings.keep, d), replace=False))


def _eliminated(method: str, study: str, settings: Study, sample: Resample, draw: int) -> np.ndarray:
    """Eliminate indicators down to a number; the columns that they come from are selected."""
    table, owners = sample.indicators
    shape = SHAPE if method == "rfe-biased" else None
    log_beta = draw_log_shrinkage(sample.X.shape[1], shape, generator(SEED, Stream.SHRINKAGE, study, draw))
    rule = get_method("rfe", n_features=settings.keep, penalty=PENALTY)
    counts = sample.training.astype(np.int64)
    kept = rule.support(table, sample.codes, counts, log_beta[owners], np.random.default_rng(SEED))
    return np.unique(owners[kept])


def _everything(sample: Resample, rng: np.random.Generator) -> np.ndarray:
    return np.ones(sample.X.shape[1], dtype=bool)


def _weighted(method: str, settings: Study, sample: Resample, rng: np.random.Generator) -> np.ndarray:
    """Weigh by information, or by Relief (ReliefF for more than two classes), and cut by the rule or at a number."""
    nominal = np.flatnonzero(sample.nominal)
    relief = NeighbourhoodsOfTwo if sample.n_classes == 2 else Neighbourhoods
    rule = relief(nominal=nominal) if method.startswith("relief") else SingleInformation(nominal=nominal)
    cut = settings.keep if method.endswith("-k") else "half_mean"
    return cut_weights(rule.weigh(*_training(sample), rng), cut, rng)


def _counted(sample: Resample, rng: np.random.Generator) -> np.ndarray:
    search = SortedRelevanceSearch(nominal=np.flatnonzero(sample.nominal).tolist())
    X, codes, _ = _training(sample)
    support: np.ndarray = CountingSelection(search, random_state=rng).fit(X, codes).support_
    return support


def _contributing(direction: str) -> Callable[[Resample, np.random.Generator], np.ndarray]:
    def chosen(sample: Resample, rng: np.random.Generator) -> np.ndarray:
        options = CONTRIBUTIONS | {"size": min(CONTRIBUTIONS["size"], sample.X.shape[1])}
        rule = get_method("contribution", direction=direction, **options)
        return rule.support(sample.X, sample.codes, sample.training.astype(np.int64), None, rng)

    return chosen


_MASKS: dict[str, Callable[[Resample, np.random.Generator], np.ndarray]] = {
    "all": _everything,
    "counting": _counted,
    "csa-forward": _contributing("forward"),
    "csa-backward": _contributing("backward"),
}
