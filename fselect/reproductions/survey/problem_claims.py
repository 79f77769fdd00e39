"""Claims on single problems: the fall of C-SBG on Parity (figure 3a), and W-SBG against the sample's size (3b)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from fselect.reproductions.evidence import Finding, Measured, mean_interval, not_tested, slope_interval
from fselect.reproductions.survey.means import IN_PAPER, found
from fselect.reproductions.survey.scores import FEW
from fselect.reproductions.survey.settings import CUTS, FAMILIES, GROUPS, WEIGHTS

__all__ = ["BELOW", "FALL", "problem_claims", "scores_by_run"]

BELOW = 0.5
"""The level below which the score of C-SBG is said to fall."""

FALL = 0.1
"""A loss of score that is a fall."""


def problem_claims(table: pd.DataFrame) -> Iterator[Finding]:
    """Claims 1a to 1c, and 4a, for both weights.

    Rules: 1a, with four relevant features C-SBG scores 1 in every run at every ratio. 1b, with more, its mean over
    ratios from 1 on is more than `FALL` below that at ratio 0, with the whole interval. 1c, its mean over ratios from 1
    on is below `BELOW` with its whole interval. 4a, the mean of W-SBG over all sample sizes falls from a number of
    relevant features to the next: the slope over the four is below 0 with its whole interval (the family of figure
    3b is lost, so each is judged).
    """
    for weights in WEIGHTS:
        yield _perfect(table, weights)
        for size in FAMILIES["parity"][1:]:
            yield from _falls(table, size, weights)
    for weights in WEIGHTS:
        for family in FAMILIES:
            yield _more_features(table, family, weights)


def scores_by_run(
    table: pd.DataFrame, group: str, family: str, n_relevant: int, algorithm: str, weights: str, cut: str = CUTS[0]
) -> pd.DataFrame:
    """Scores of an algorithm on a problem: a row a run that has all ratios, a column a ratio."""
    part = table[(table["group"] == group) & (table["family"] == family) & (table["n_relevant"] == n_relevant)]
    part = part[(part["algorithm"] == algorithm) & (part["cut"] == cut)]
    wide = part.pivot(index="run", columns="ratio", values=weights)
    return wide.reindex(columns=list(GROUPS[group])).dropna()


def _in_paper(weights: str) -> bool:
    return weights == IN_PAPER[0]


def _lacking(head: tuple[str, str, str, bool], runs: int) -> Finding:
    return not_tested(*head, "it was not run" if not runs else f"{runs} runs are finished, fewer than {FEW}")


def _perfect(table: pd.DataFrame, weights: str) -> Finding:
    head = ("1a", "C-SBG is perfect on Parity of 4", f"weights {weights}", _in_paper(weights))
    scores = scores_by_run(table, "irrelevance", "parity", 4, "c-sbg", weights).to_numpy()
    if len(scores) < FEW:
        return _lacking(head, len(scores))
    mean = mean_interval("mean S", scores.mean(axis=1))
    least = Measured("least S", float(scores.min()))
    return found(head, {"every score is 1": bool((scores == 1.0).all())}, [mean, least], len(scores))


def _falls(table: pd.DataFrame, size: int, weights: str) -> Iterator[Finding]:
    data = f"Parity of {size}, weights {weights}"
    falls = ("1b", "C-SBG falls as irrelevant features are added", data, _in_paper(weights))
    below = ("1c", f"C-SBG is below {BELOW} from as many irrelevant features on", data, _in_paper(weights))
    scores = scores_by_run(table, "irrelevance", "parity", size, "c-sbg", weights)
    if len(scores) < FEW:
        yield from (_lacking(head, len(scores)) for head in (falls, below))
        return
    late = scores[[ratio for ratio in GROUPS["irrelevance"] if ratio >= 1.0]].mean(axis=1).to_numpy()
    start = scores[0.0].to_numpy()
    loss = mean_interval("S from ratio 1 on − S at 0", late - start)
    level = mean_interval("S from ratio 1 on", late)
    yield found(falls, {f"it loses more than {FALL}": loss.high < -FALL}, [loss], len(scores))
    yield found(below, {f"it is below {BELOW}": level.high < BELOW}, [level], len(scores))


def _more_features(table: pd.DataFrame, family: str, weights: str) -> Finding:
    statement = "W-SBG gets worse with more features though samples grow with them"
    head = ("4a", statement, f"{family}, weights {weights}", _in_paper(weights))
    each = [
        scores_by_run(table, "sample-size", family, size, "w-sbg", weights).mean(axis=1) for size in FAMILIES[family]
    ]
    means = pd.concat(each, axis=1).dropna().to_numpy()
    if len(means) < FEW:
        return _lacking(head, len(means))
    slope = slope_interval("S from one size to the next", means)
    levels = [
        Measured(f"S at {size}", float(level)) for size, level in zip(FAMILIES[family], np.mean(means, 0), strict=True)
    ]
    return found(head, {"it falls": slope.high < 0}, [slope, *levels], len(means))
