"""Means of scores over problems, run by run, and how a rule on them becomes findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fselect.reproductions.evidence import Finding, Measured, Verdict, not_tested
from fselect.reproductions.survey.scores import FEW, Variant, complete_problems, described, means_by_run
from fselect.reproductions.survey.settings import ALGORITHMS, CUTS, STUDIES, WEIGHTS

__all__ = ["IN_PAPER", "VARIANTS", "Means", "found", "judged", "marked", "told_variant"]

VARIANTS: tuple[Variant, ...] = tuple((weights, cut) for weights in WEIGHTS for cut in CUTS)
"""Weights of the score and cut rules for which claims are judged."""

IN_PAPER: Variant = ("3:2:1", "product")
"""What stands for the paper's."""

ALL_PROBLEMS = 12

_PLACES = {name: place for place, name in enumerate(ALGORITHMS)}


@dataclass(frozen=True, eq=False)
class Means:
    """Mean scores over problems of one group.

    Parameters
    ----------
    values : ndarray of shape (runs, algorithms, ratios)
        As `means_by_run` gives them.

    Examples
    --------
    >>> means = Means(np.arange(40.0).reshape(2, 10, 2))
    >>> means.average("e-sfg"), means.last("e-sfg", "relief")
    (array([ 0.5, 20.5]), array([ 2., 22.]))
    """

    values: np.ndarray

    @property
    def places(self) -> int:
        """Number of ratios."""
        return int(self.values.shape[2])

    def at(self, place: int, *names: str) -> np.ndarray:
        """The mean of these algorithms at one ratio, by run."""
        found: np.ndarray = self.values[:, [_PLACES[name] for name in names], place].mean(axis=1)
        return found

    def first(self, *names: str) -> np.ndarray:
        """At the first ratio."""
        return self.at(0, *names)

    def last(self, *names: str) -> np.ndarray:
        """At the last ratio."""
        return self.at(self.places - 1, *names)

    def average(self, *names: str) -> np.ndarray:
        """Over all ratios."""
        found: np.ndarray = self.values[:, [_PLACES[name] for name in names]].mean(axis=(1, 2))
        return found


def judged(
    table: pd.DataFrame,
    group: str,
    claim: str,
    statement: str,
    rule: Callable[[Means], tuple[dict[str, bool], list[Measured]]],
) -> Iterator[Finding]:
    """Judge a claim about the mean over problems by the problems that are complete, for all variants.

    Where problems lack, the claim about all twelve is not tested, and what the others say stands beside.
    """
    studies = complete_problems(table, group)
    if len(studies) < ALL_PROBLEMS:
        reason = f"{len(studies)} of the twelve problems have {FEW} runs of every cell"
        yield not_tested(claim, statement, "all twelve problems", True, reason)
    if not studies:
        return
    out = marked(table, studies)
    for variant in VARIANTS:
        means = Means(means_by_run(table, studies, variant))
        if len(means.values) < FEW:
            continue
        in_paper = variant == IN_PAPER and len(studies) == ALL_PROBLEMS
        data = f"{described(studies)}, {told_variant(variant)}"
        yield found((claim, statement, data, in_paper), *rule(means), len(means.values), out)


def marked(table: pd.DataFrame, studies: list[str]) -> int:
    """Count the cells of these problems that ran out of their time."""
    keys = {(STUDIES[name].group, STUDIES[name].family, STUDIES[name].n_relevant) for name in studies}
    stopped = table[(table["stopped"] == "max_seconds") & (table["cut"] == CUTS[0])]
    return sum(key in keys for key in zip(stopped["group"], stopped["family"], stopped["n_relevant"], strict=True))


def told_variant(variant: Variant) -> str:
    """Say what a variant is.

    Examples
    --------
    >>> told_variant(("3:2:1", "half_mean"))
    'weights 3:2:1, cut half_mean'
    """
    return f"weights {variant[0]}, cut {variant[1]}"


def found(
    head: tuple[str, str, str, bool], held: dict[str, bool], measured: list[Measured], runs: int, out: int = 0
) -> Finding:
    """Make a finding of what held; every part must."""
    verdict: Verdict = "reproduced" if all(held.values()) else "not reproduced"
    reason = "; ".join(words if kept else f"not shown that {words}" for words, kept in held.items())
    note = f"; {out} cells ran out of time" if out else ""
    return Finding(*head, verdict, reason + note, tuple(measured), runs)
