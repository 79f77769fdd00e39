"""The six claims of Hamer & Dupont (2019) as functions of summaries.

Every rule below was written before any result of the studies was looked at. All comparisons are paired: the repeats of
a study share their bootstraps and the random numbers behind β, so differences are taken repeat by repeat and get
Student's interval over repeats (`LEVEL`). Where a part asks for several things, each must hold at this level; where it
needs a choice among biases, the choice is made on the even repeats and tested on the odd ones. An interval that covers
the border is "not reproduced" with the reason that it is not shown: more repeats may tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from fselect.evaluation.comparison import compare_areas
from fselect.evaluation.pareto import dominance_area
from fselect.reproductions.evidence import (
    LEVEL,
    Finding,
    Measured,
    Verdict,
    mean_interval,
    not_tested,
    path,
    resampled,
    slope_interval,
    values,
)
from fselect.study.results import Point, Summary

__all__ = [
    "GAIN",
    "MARGIN",
    "SINGLE",
    "TRANSFER",
    "beyond_the_trivial",
    "ellipses_grow",
    "ellipses_lean",
    "moderate_strength",
    "never_one",
    "price_of_stability",
    "prior_pays",
    "strong_strength",
    "trend",
]

Summaries = Mapping[str, Summary]

SINGLE = {"prostate": "Prostate", "gisette": "Gisette", "arcene": "Arcene", "madelon": "Madelon", "dexter": "Dexter"}
"""Single-task studies and their data sets; Prostate and Gisette are the paper's."""

TRANSFER = {f"transfer-noise-{noise}": f"Prostate, 8 tasks, noise {noise}" for noise in (3, 2, 5, 10)}
"""Transfer studies. The paper does not say how large its noise is; 3 stands for it, the others show how it matters."""

IN_PAPER = {"prostate", "prostate-prior", "gisette", "gisette-prior", "transfer-noise-3"}

MARGIN = 0.02
"""Two points of accuracy: less is "nearly free", more is a price. A dominance area is accuracy averaged over
stability, so the same margin tells a considerable gain of area."""

GAIN = 0.1
"""A gain of stability that is worth talking about."""

FEW = 5
"""Below this many repeats nothing is decided from means."""

FEW_SPREADS = 10
"""Below this many repeats nothing is decided from covariances."""


def trend(summaries: Summaries) -> list[Finding]:
    """Claim 1a: as the shape falls, stability rises and accuracy falls.

    Rule: over the whole grid of shapes from none to the smallest, the mean slope per step of the grid is above 0 for
    the stability and below 0 for the accuracy, each with its whole interval.
    """
    statement = "As the shape falls, stability rises and accuracy falls"
    return [_trend(summaries, study, statement) for study in SINGLE]


def _trend(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("1a", statement, SINGLE[study], study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < FEW:
        return _absent(head, summary, FEW)
    points = path(summary)
    rise = slope_interval("φ a step", values(points, "stability"))
    fall = slope_interval("accuracy a step", values(points, "accuracy"))
    held = {"stability rises": rise.low > 0, "accuracy falls": fall.high < 0}
    return _found(head, held, (rise, fall), summary)


def price_of_stability(summaries: Summaries) -> list[Finding]:
    """Claim 1b: on Gisette much stability comes nearly free, on Prostate accuracy drops at once.

    Rule: take the largest shape whose mean stability is at least `GAIN` above the unbiased one. "At once": the accuracy
    there is more than `MARGIN` below the unbiased one, with its whole interval. "Nearly free": it is less than `MARGIN`
    below, with its whole interval.
    """
    sayings = {
        "prostate": "The first clear gain of stability costs accuracy at once",
        "gisette": "The first clear gain of stability is nearly free",
    }
    return [_price(summaries, study, statement) for study, statement in sayings.items()]


def _price(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("1b", statement, SINGLE[study], True)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < FEW:
        return _absent(head, summary, FEW)
    start, *biased = path(summary)
    point = next((one for one in biased if one.stability >= start.stability + GAIN), None)
    if point is None:
        return _found(head, {f"a shape gains {GAIN} of stability": False}, (), summary)
    gain = mean_interval(f"φ at {point.label}", point.pairs[:, 1] - start.pairs[:, 1])
    cost = mean_interval("accuracy there", point.pairs[:, 0] - start.pairs[:, 0])
    dear = {f"more than {MARGIN} of accuracy is lost": cost.high < -MARGIN}
    cheap = {f"less than {MARGIN} of accuracy is lost": cost.low > -MARGIN}
    return _found(head, dear if study == "prostate" else cheap, (gain, cost), summary)


def prior_pays(summaries: Summaries) -> list[Finding]:
    """Claim 2: a prior of 100 features of high variance raises the dominance area considerably.

    Rule: the difference of the areas with and without prior, the random set in both fronts, is above `MARGIN` with its
    whole percentile-bootstrap interval, repeats resampled jointly for both.
    """
    statement = "A prior of 100 features of high variance raises the dominance area considerably"
    return [_prior(summaries, study, statement) for study in SINGLE]


def _prior(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("2", statement, SINGLE[study], study in IN_PAPER)
    without, given = summaries.get(study), summaries.get(f"{study}-prior")
    fewest = min((one for one in (without, given) if one is not None), key=_repeats, default=None)
    if without is None or given is None or _repeats(without) < FEW or _repeats(given) < FEW:
        return _absent(head, None if without is None or given is None else fewest, FEW)
    shared = min(_repeats(without), _repeats(given))
    sides = [[one.points[place].pairs[:shared] for place in one.fronts[0].members] for one in (given, without)]
    found = compare_areas(sides[0], sides[1], level=LEVEL, rng=0)
    difference = Measured("area", found.difference, found.low, found.high)
    areas = [dominance_area([pairs.mean(axis=0) for pairs in side]) for side in sides]
    shown = (difference, Measured("with", areas[0]), Measured("without", areas[1]))
    return _found(head, {f"the area grows by more than {MARGIN}": found.low > MARGIN}, shown, fewest or without)


def ellipses_grow(summaries: Summaries) -> list[Finding]:
    """Claim 3a: the confidence ellipses grow as the shape falls.

    Rule: the slope of the ellipse's area (the root of the covariance's determinant, all else is common to the points)
    over the steps of the grid is above 0 with its whole bootstrap interval. It is given as a share of the mean area.
    """
    statement = "The confidence ellipses grow as the shape falls"
    studies = [name for study in SINGLE for name in (study, f"{study}-prior")]
    return [_growth(summaries, study, statement) for study in studies]


def _growth(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("3a", statement, _name(study), study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < FEW_SPREADS:
        return _absent(head, summary, FEW_SPREADS)
    observed, drawn = resampled(np.stack([point.pairs for point in path(summary)], axis=1))
    areas, slopes = _areas(observed), _growth_rate(_areas(drawn))
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    slope = Measured("area a step, relative", float(_growth_rate(areas[None])[0]), float(low), float(high))
    ratio = Measured("strongest / unbiased", float(areas[-1] / areas[0]) if areas[0] > 0 else math.inf)
    largest = path(summary)[int(areas.argmax())].label
    return _found(head, {f"the area grows (largest at {largest})": slope.low > 0}, (slope, ratio), summary)


def _areas(covariances: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(np.maximum(np.linalg.det(covariances), 0.0)))


def _growth_rate(areas: np.ndarray) -> np.ndarray:
    positions = np.arange(areas.shape[1]) - (areas.shape[1] - 1) / 2
    means = np.maximum(areas.mean(axis=1), np.finfo(float).tiny)
    return np.asarray(areas @ positions / (positions @ positions) / means)


def ellipses_lean(summaries: Summaries) -> list[Finding]:
    """Claim 3b: the ellipses lean to the right: over draws of β, accuracy and stability covary.

    Rule: the mean correlation over all biased shapes is above 0 with its whole bootstrap interval, and no shape's own
    interval (at a level that allows for their number) is wholly below 0.
    """
    statement = "The ellipses lean to the right: accuracy and stability covary over draws of β"
    studies = [name for study in SINGLE for name in (study, f"{study}-prior")]
    return [_lean(summaries, study, statement) for study in studies]


def _lean(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("3b", statement, _name(study), study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < FEW_SPREADS:
        return _absent(head, summary, FEW_SPREADS)
    observed, drawn = resampled(np.stack([point.pairs for point in path(summary)[1:]], axis=1))
    each, resamples = _correlations(observed), _correlations(drawn)
    tail = (1 - LEVEL) / 2
    low, high = np.nanquantile(np.nanmean(resamples, axis=1), [tail, 1 - tail])
    mean = Measured("mean correlation", float(np.nanmean(each)), float(low), float(high))
    against = int((np.nanquantile(resamples, 1 - tail / len(each), axis=0) < 0).sum())
    shown = (mean, Measured(f"shapes of {len(each)} that lean right", int((each > 0).sum())))
    return _found(head, {"they lean right": mean.low > 0, "none leans left": against == 0}, shown, summary)


def _correlations(covariances: np.ndarray) -> np.ndarray:
    scale = np.sqrt(covariances[..., 0, 0] * covariances[..., 1, 1])
    return np.where(scale > 0, covariances[..., 0, 1] / np.where(scale > 0, scale, 1.0), np.nan)


def moderate_strength(summaries: Summaries) -> list[Finding]:
    """Claim 4a: a moderate transfer strength raises stability and accuracy over strength 0.

    Rule: the strength above 0 with the highest mean accuracy on the even repeats; on the odd repeats its stability and
    its accuracy are above those of strength 0, each with its whole interval.
    """
    statement = "A moderate strength raises stability and accuracy over strength 0"
    return [_moderate(summaries, study, statement) for study in TRANSFER]


def _moderate(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("4a", statement, TRANSFER[study], study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < 2 * FEW:
        return _absent(head, summary, 2 * FEW)
    best = _most_accurate(summary)
    gains = _differences(best, path(summary)[0])
    held = {"stability rises": gains[0].low > 0, "accuracy rises": gains[1].low > 0}
    return _found(head, held, gains, summary)


def strong_strength(summaries: Summaries) -> list[Finding]:
    """Claim 4b: a large strength raises stability further, at the cost of accuracy.

    Rule: the largest strength against the strength of claim 4a, on the odd repeats: the stability is higher and the
    accuracy lower, each with its whole interval.
    """
    statement = "A large strength raises stability further, at the cost of accuracy"
    return [_strong(summaries, study, statement) for study in TRANSFER]


def _strong(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("4b", statement, TRANSFER[study], study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < 2 * FEW:
        return _absent(head, summary, 2 * FEW)
    changes = _differences(path(summary)[-1], _most_accurate(summary))
    held = {"stability rises": changes[0].low > 0, "accuracy falls": changes[1].high < 0}
    return _found(head, held, changes, summary)


def beyond_the_trivial(summaries: Summaries) -> list[Finding]:
    """Claim 5: the transfer curve leaves the region that the two trivial points dominate.

    Rule: the strength of claim 4a, on the odd repeats: it is more accurate than the first set reused, and more
    stable or more accurate than strength 0, each with its whole interval (the union of the two rectangles is then
    left). The area that the curve adds to that union is given beside it.
    """
    statement = "The transfer curve leaves the region that the two trivial points dominate"
    return [_beyond(summaries, study, statement) for study in TRANSFER]


def _beyond(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("5", statement, TRANSFER[study], study in IN_PAPER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < 2 * FEW:
        return _absent(head, summary, 2 * FEW)
    points, best = path(summary), _most_accurate(summary)
    first = next(point for point in summary.points if point.label == "first set")
    ahead = _differences(best, first)[1]
    gains = _differences(best, points[0])
    everything = [point.pairs for point in (*points, first)]
    added = compare_areas(everything, [points[0].pairs, first.pairs], level=LEVEL, rng=0)
    held = {
        "it is more accurate than the first set": ahead.low > 0,
        "it is above strength 0 in one of the two": max(gain.low for gain in gains) > 0,
    }
    shown = Measured("area added", added.difference, added.low, added.high)
    return _found(head, held, (ahead, *gains, shown), summary)


def never_one(summaries: Summaries) -> list[Finding]:
    """Claim 6: no finite penalty λ reaches a stability of 1.

    Rule: at the point of highest mean stability (trivial strategies left out), the upper limit of the interval of
    the mean is below 1. It tests the λ of the study, not every finite one. The paper says so of single tasks
    (its footnote 10); the transfer studies stand beside (put there after their first results were seen; the rule is as
    it was).
    """
    statement = "No finite λ reaches a stability of 1"
    singles = [name for study in SINGLE for name in (study, f"{study}-prior")]
    return [_never_one(summaries, study, statement) for study in [*singles, *TRANSFER]]


def _never_one(summaries: Summaries, study: str, statement: str) -> Finding:
    head = ("6", statement, _name(study), study in IN_PAPER and study not in TRANSFER)
    summary = summaries.get(study)
    if summary is None or _repeats(summary) < FEW:
        return _absent(head, summary, FEW)
    top = max(path(summary), key=lambda point: point.stability)
    reached = mean_interval(f"φ at {top.label}", top.pairs[:, 1])
    ones = Measured("repeats with φ = 1", int((top.pairs[:, 1] == 1.0).sum()))
    return _found(head, {"the mean stays below 1": reached.high < 1}, (reached, ones), summary)


def _repeats(summary: Summary) -> int:
    return min(point.repeats for point in summary.points)


def _name(study: str) -> str:
    if study in TRANSFER:
        return TRANSFER[study]
    return SINGLE[study] if study in SINGLE else f"{SINGLE[study.removesuffix('-prior')]}, prior"


def _absent(head: tuple[str, str, str, bool], summary: Summary | None, least: int) -> Finding:
    if summary is None:
        return not_tested(*head, "the study was not run")
    return not_tested(*head, f"{_repeats(summary)} repeats are too few; it takes {least}")


def _found(
    head: tuple[str, str, str, bool], held: Mapping[str, bool], measured: tuple[Measured, ...], summary: Summary
) -> Finding:
    failed = [what for what, holds in held.items() if not holds]
    verdict: Verdict = "not reproduced" if failed else "reproduced"
    reason = f"it is not shown that {' and '.join(failed)}" if failed else " and ".join(held)
    return Finding(*head, verdict, reason, measured, _repeats(summary))


def _most_accurate(summary: Summary) -> Point:
    """The strength above 0 that is most accurate on the even repeats."""
    return max(path(summary)[1:], key=lambda point: float(point.pairs[::2, 0].mean()))


def _differences(point: Point, other: Point) -> tuple[Measured, Measured]:
    """Stability and accuracy of a point less those of another, on the odd repeats."""
    change = (point.pairs - other.pairs)[1::2]
    name = f"{point.label} less {other.label}"
    return mean_interval(f"φ, {name}:", change[:, 1]), mean_interval(f"accuracy, {name}:", change[:, 0])
