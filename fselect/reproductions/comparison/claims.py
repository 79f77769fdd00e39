"""What the papers expect of their methods, held against the same bootstraps of the same tables.

Every rule was written before the comparison was run. Differences are paired by bootstrap and get Student's interval of
the level `fselect.reproductions.evidence.LEVEL`. All bootstraps are drawn from one table: it is a statement about that
table. A difference that is not shown is "not reproduced"; so is one that is shown to be the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fselect.reproductions.cells import Results
from fselect.reproductions.comparison.points import Point, points
from fselect.reproductions.comparison.settings import STUDIES
from fselect.reproductions.evidence import Finding, mean_interval, not_tested

__all__ = ["EXPECTATIONS", "FEW", "Expectation", "claims"]

FEW = 5
"""Below this many bootstraps nothing is decided."""

FILTERS = ("c-sbg", "sffg", "sfbg", "qbb", "lvf", "lvi")
WRAPPERS = ("w-sfg", "w-sbg")


@dataclass(frozen=True)
class Expectation:
    """Something that is more for some methods than for others.

    Parameters
    ----------
    claim, statement : str
        Its number, and what is expected.
    more, less : tuple of str
        The methods whose mean is expected to be larger, and the others.
    name : str
        What of: ``stability``, or a final classifier's accuracy.
    """

    claim: str
    statement: str
    more: tuple[str, ...]
    less: tuple[str, ...]
    name: str


EXPECTATIONS = (
    Expectation("1a", "A bias makes RFE more stable (Hamer & Dupont)", ("rfe-biased",), ("rfe",), "stability"),
    Expectation("1b", "A bias costs RFE accuracy (Hamer & Dupont)", ("rfe",), ("rfe-biased",), "logistic"),
    Expectation("2a", "Counting over folds makes NS more stable (asked here)", ("counting",), ("sorted",), "stability"),
    Expectation("2b", "Counting over folds makes NS more accurate (Boz)", ("counting",), ("sorted",), "c45"),
    Expectation(
        "3", "CSA backward is more accurate than CSA forward (Cohen et al.)", ("csa-backward",), ("csa-forward",), "c45"
    ),
    Expectation("4a", "Wrappers around C4.5 are more accurate with it than filters", WRAPPERS, FILTERS, "c45"),
    Expectation("4b", "Filters are more stable than wrappers around C4.5", FILTERS, WRAPPERS, "stability"),
)
"""Rule of each: the paired difference is above 0 with its whole interval."""


def claims(results: Mapping[str, Results]) -> list[Finding]:
    """All findings, by expectation, then by table.

    Parameters
    ----------
    results : mapping of str to Results
        By study.

    Returns
    -------
    list of Finding
        One for each expectation and table, whether it ran or not.
    """
    found = {study: points(one) for study, one in results.items()}
    return [_finding(one, study, found.get(study)) for one in EXPECTATIONS for study in STUDIES]


def _finding(asked: Expectation, study: str, found: Mapping[str, Point] | None) -> Finding:
    head = (asked.claim, asked.statement, STUDIES[study].title, True)
    if found is None:
        return not_tested(*head, "the study was not run")
    lacking = [name for name in (*asked.more, *asked.less) if name not in found]
    splits = [] if lacking else _common([found[name] for name in (*asked.more, *asked.less)])
    if len(splits) < FEW:
        return not_tested(*head, f"fewer than {FEW} bootstraps of its methods have been run")
    gap = mean_interval("difference", _mean(found, asked.more, asked, splits) - _mean(found, asked.less, asked, splits))
    verdict = "reproduced" if gap.low > 0 else "not reproduced"
    reason = "shown" if gap.low > 0 else "the other way round" if gap.high < 0 else "not shown"
    return Finding(*head, verdict, reason, (gap,), len(splits))  # type: ignore[arg-type]


def _common(chosen: list[Point]) -> list[int]:
    return sorted(set.intersection(*(set(one.splits.tolist()) for one in chosen)))


def _mean(found: Mapping[str, Point], names: tuple[str, ...], asked: Expectation, splits: list[int]) -> np.ndarray:
    """Each bootstrap's value, mean over methods."""
    chosen = [found[name].values[asked.name][np.isin(found[name].splits, splits)] for name in names]
    return np.asarray(np.mean(chosen, axis=0))
