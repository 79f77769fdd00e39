"""The claims of Molina, Belanche & Nebot (2002) as functions of scores.

Every rule below was written before any result of this experiment was looked at, but for claim 1, of which a prototype
had shown means. The paper's weights and its rule that cuts weightings are lost or damaged: the weights 3:2:1 and the
cut nearest to the print stand for them, other choices are given beside. All algorithms see the same samples, so they
are compared run by run, each run averaged over problems first, with Student's interval over runs (`LEVEL`). An
interval that covers the border is "not reproduced" with the reason that it is not shown. Searches that ran out of their
time count with their answer so far; how many there are is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from fselect.reproductions.cells import Results
from fselect.reproductions.evidence import Finding, Measured, mean_interval
from fselect.reproductions.survey.means import Means, judged
from fselect.reproductions.survey.problem_claims import problem_claims
from fselect.reproductions.survey.scores import score_table
from fselect.reproductions.survey.settings import ALGORITHMS

__all__ = ["CLOSE", "SPAN", "claims"]

CLOSE = 0.05
"""Scores that differ by less are close; the score goes from 0 to 1."""

SPAN = 0.2
"""Ten algorithms whose means lie within this are "quite close"."""

Held = tuple[dict[str, bool], list[Measured]]
Rule = Callable[[Means], Held]

WRAPPERS = ("w-sfg", "w-sbg")
LEADERS = ("lvf", "lvi", "c-sbg")
BUNCH = ("sffg", "sfbg", "qbb")


def claims(results: Mapping[str, Results]) -> list[Finding]:
    """All findings, claim by claim."""
    table = score_table(results)
    rules = (under_irrelevance, under_redundance, with_few_samples)
    return [*problem_claims(table), *(finding for rule in rules for finding in rule(table))]


def under_irrelevance(table: pd.DataFrame) -> Iterator[Finding]:
    """Claims 2a to 2c, figure 4(a).

    Rules: 2a, at ratio 2 Relief is above each other algorithm with its whole interval. 2b, the same of SFFG and the
    mean over all ratios. 2c, the mean of W-SFG over all ratios is above that of all ten with its whole interval, and at
    most three are above it.
    """
    yield from judged(table, "irrelevance", "2a", "Relief ends on the lead", _leader("relief", last=True))
    yield from judged(table, "irrelevance", "2b", "SFFG is best on average", _leader("sffg", last=False))
    yield from judged(table, "irrelevance", "2c", "W-SFG is well placed", _well_placed)


def under_redundance(table: pd.DataFrame) -> Iterator[Finding]:
    """Claims 3a to 3c, figure 4(b).

    Rules, of means over all ratios: 3a, the mean of LVF, LVI and C-SBG is above each of the other seven with its whole
    interval. 3b, SFFG, SFBG and QBB are each less than `CLOSE` below that mean with their whole intervals. 3c, Relief,
    W-SFG and W-SBG are each more than `CLOSE` below the mean of those six with their whole intervals.
    """
    yield from judged(table, "redundance", "3a", "LVF, LVI and C-SBG are best", _leaders_above)
    yield from judged(table, "redundance", "3b", "The floating searches and QBB are close to the best", _bunch_close)
    yield from judged(table, "redundance", "3c", "Relief and the wrappers are poor", _poor)


def with_few_samples(table: pd.DataFrame) -> Iterator[Finding]:
    """Claims 4b to 4g, figure 4(c); 4a is figure 3(b).

    Rules: 4b, at k = 0.25 the best mean is a wrapper's, and the two wrappers' mean is above that of the other eight
    with its whole interval. 4c, the rank of W-SBG among the ten, by means over all k, is 4 to 7 with the whole interval
    of its ranks in single runs, to half a rank. 4d, SFFG and C-SBG are each above the mean of all ten with their whole
    intervals. 4e, the means of the nine beside E-SFG span less than `SPAN` with the whole interval. 4f, at each k E-SFG
    is below the mean of the other nine with its whole interval. 4g, each algorithm is better at k = 2 than at k = 0.25
    with its whole interval.
    """
    group = "sample-size"
    yield from judged(table, group, "4b", "With the smallest samples the wrappers extract the most", _wrappers_first)
    yield from judged(table, group, "4c", "W-SBG is in the middle on average", _in_the_middle)
    yield from judged(table, group, "4d", "SFFG and C-SBG are good on average", _above_average)
    yield from judged(table, group, "4e", "All but E-SFG are close", _within_span)
    yield from judged(table, group, "4f", "E-SFG is poor throughout", _poor_throughout)
    yield from judged(table, group, "4g", "More samples help all", _more_helps)


def _leader(name: str, *, last: bool) -> Rule:
    def rule(means: Means) -> Held:
        of = means.last if last else means.average
        others = [other for other in ALGORITHMS if other != name]
        second = max(others, key=lambda other: float(of(other).mean()))
        gaps = {other: mean_interval("", of(name) - of(other)) for other in others}
        ahead = [ALGORITHMS[other] for other in others if gaps[other].low <= 0]
        gap = mean_interval(f"{ALGORITHMS[name]} − {ALGORITHMS[second]}", of(name) - of(second))
        exceptions = f" ({', '.join(ahead)} are not)" if ahead else ""
        return {f"all others are below it{exceptions}": not ahead}, [gap]

    return rule


def _well_placed(means: Means) -> Held:
    above = [one for one in ALGORITHMS if means.average(one).mean() > means.average("w-sfg").mean()]
    gap = mean_interval("W-SFG − mean of ten", means.average("w-sfg") - means.average(*ALGORITHMS))
    held = {"it is above the mean of ten": gap.low > 0, "at most three are above it": len(above) <= 3}
    return held, [gap, Measured("rank", 1 + len(above))]


def _leaders_above(means: Means) -> Held:
    others = [one for one in ALGORITHMS if one not in LEADERS]
    best = max(others, key=lambda one: float(means.average(one).mean()))
    gaps = [mean_interval("", means.average(*LEADERS) - means.average(one)) for one in others]
    gap = mean_interval(f"mean of the three − {ALGORITHMS[best]}", means.average(*LEADERS) - means.average(best))
    return {"their mean is above each other": all(one.low > 0 for one in gaps)}, [gap]


def _bunch_close(means: Means) -> Held:
    reference = means.average(*LEADERS)
    gaps = {one: mean_interval(f"{ALGORITHMS[one]} − the best three", means.average(one) - reference) for one in BUNCH}
    held = {f"{ALGORITHMS[one]} is less than {CLOSE} below": gap.low > -CLOSE for one, gap in gaps.items()}
    return held, list(gaps.values())


def _poor(means: Means) -> Held:
    reference = means.average(*LEADERS, *BUNCH)
    poor = ("relief", *WRAPPERS)
    gaps = {one: mean_interval(f"{ALGORITHMS[one]} − the six", means.average(one) - reference) for one in poor}
    held = {f"{ALGORITHMS[one]} is more than {CLOSE} below": gap.high < -CLOSE for one, gap in gaps.items()}
    return held, list(gaps.values())


def _wrappers_first(means: Means) -> Held:
    others = [one for one in ALGORITHMS if one not in WRAPPERS]
    best = max(ALGORITHMS, key=lambda one: float(means.first(one).mean()))
    gap = mean_interval("wrappers − the others, k = 0.25", means.first(*WRAPPERS) - means.first(*others))
    return {f"a wrapper is best ({ALGORITHMS[best]} is)": best in WRAPPERS, "their mean is above": gap.low > 0}, [gap]


def _in_the_middle(means: Means) -> Held:
    each = np.stack([means.average(one) for one in ALGORITHMS])
    mine = means.average("w-sbg")
    rank = 1 + int((each.mean(axis=1) > mine.mean()).sum())
    ranks = mean_interval("rank in a run", 1.0 + (each > mine).sum(axis=0))
    inside = 4 <= rank <= 7 and ranks.low >= 3.5 and ranks.high <= 7.5
    return {"its rank is 4 to 7": inside}, [Measured("rank", rank), ranks]


def _above_average(means: Means) -> Held:
    reference = means.average(*ALGORITHMS)
    gaps = {
        one: mean_interval(f"{ALGORITHMS[one]} − mean of ten", means.average(one) - reference)
        for one in ("sffg", "c-sbg")
    }
    return {f"{ALGORITHMS[one]} is above": gap.low > 0 for one, gap in gaps.items()}, list(gaps.values())


def _within_span(means: Means) -> Held:
    nine = {one: means.average(one) for one in ALGORITHMS if one != "e-sfg"}
    top, bottom = max(nine, key=lambda one: nine[one].mean()), min(nine, key=lambda one: nine[one].mean())
    span = mean_interval(f"{ALGORITHMS[top]} − {ALGORITHMS[bottom]}", nine[top] - nine[bottom])
    return {f"they span less than {SPAN}": span.high < SPAN}, [span]


def _poor_throughout(means: Means) -> Held:
    others = [one for one in ALGORITHMS if one != "e-sfg"]
    gaps = [mean_interval("", means.at(place, "e-sfg") - means.at(place, *others)) for place in range(means.places)]
    above = int(sum(gap.high >= 0 for gap in gaps))
    mean = mean_interval("E-SFG − the nine, all k", means.average("e-sfg") - means.average(*others))
    exceptions = f" (not at {above} of {means.places})" if above else ""
    return {f"it is below at each k{exceptions}": above == 0}, [mean]


def _more_helps(means: Means) -> Held:
    gains = {one: mean_interval("", means.last(one) - means.first(one)) for one in ALGORITHMS}
    without = [ALGORITHMS[one] for one, gain in gains.items() if gain.low <= 0]
    least = min(gains, key=lambda one: gains[one].value)
    name = f"least gain, {ALGORITHMS[least]}"
    shown = Measured(name, gains[least].value, gains[least].low, gains[least].high)
    return {f"all gain (not {', '.join(without)})" if without else "all gain": not without}, [shown]
