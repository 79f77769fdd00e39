"""Tables of the survey's reproduction as Markdown: mean scores with their terms, what ran, and what the whole costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from fselect.reproductions.cells import Results
from fselect.reproductions.survey import settings as survey_settings
from fselect.reproductions.survey.scores import complete_problems, described, score_table
from fselect.reproductions.survey.settings import (
    ALGORITHMS,
    CUTS,
    FAMILIES,
    GROUPS,
    RUNS,
    STUDIES,
    WEIGHTINGS,
    WEIGHTS,
    Problem,
)

__all__ = ["cell_seconds", "cost_table", "runs_table", "score_means", "sections"]


def sections(results: Mapping[str, Results]) -> list[str]:
    """The parts of the report between claims and figures.

    Parameters
    ----------
    results : mapping of str to Results
        By study.

    Returns
    -------
    list of str
        Markdown.
    """
    table = score_table(results)
    return [
        "## Mean scores",
        "Over the problems that all ten completed, all ratios and runs; R, I and R' are the terms of the score.",
        *[part for group in GROUPS for part in score_means(table, group)],
        "## What ran",
        "Runs of every cell; in brackets the searches that were ended: s by the allowance of "
        f"{survey_settings.ALLOWANCE:g} processor seconds, m by QBB's limit of states. They count with their answer "
        "so far.",
        runs_table(table),
        "## What it costs",
        "Processor seconds of a cell (median over runs, mean over ratios, groups and families) by the problem's rank "
        f"in its family. Hours: all cells with {RUNS} runs on "
        "one processor; sizes that did not run are taken from the power law through the two largest that did (or as "
        "the largest one), and no search from more than its allowance.",
        cost_table(table),
    ]


def score_means(table: pd.DataFrame, group: str) -> list[str]:
    """Mean scores of a group, best first by the first weights; weightings once for each cut."""
    studies = complete_problems(table, group)
    if not studies:
        return [f"### {group}", "No problem is complete."]
    keys = {(STUDIES[name].family, STUDIES[name].n_relevant) for name in studies}
    part = table[(table["group"] == group)]
    part = part[[key in keys for key in zip(part["family"], part["n_relevant"], strict=True)]]
    numbers = [*WEIGHTS, "R", "I", "R'"]
    means = part.groupby(["algorithm", "cut"])[numbers].mean()
    last = part[part["ratio"] == GROUPS[group][-1]].groupby(["algorithm", "cut"])["3:2:1"].mean()
    shown = [(name, cut) for name in ALGORITHMS for cut in (CUTS if name in WEIGHTINGS else CUTS[:1])]
    lines = ["| algorithm | S, 3:2:1 | at the end | S, 6:2:1 | R | I | R' |", "| --- |" + " --- |" * 6]
    best_first = [key for key in means.sort_values("3:2:1", ascending=False, kind="stable").index if key in shown]
    for key in best_first:
        row = dict(zip(numbers, means.loc[[key]].to_numpy()[0], strict=True))
        name = ALGORITHMS[key[0]] + (f", cut {key[1]}" if key[0] in WEIGHTINGS else "")
        told = [row["3:2:1"], last[key], row["6:2:1"], row["R"], row["I"], row["R'"]]
        lines.append(f"| {name} | " + " | ".join(f"{number:.3f}" for number in told) + " |")
    return [f"### {group}: {described(studies)}", "\n".join(lines)]


def runs_table(table: pd.DataFrame) -> str:
    """Finished runs of every problem and algorithm, with the searches that were ended."""
    lines = ["| problem | " + " | ".join(ALGORITHMS.values()) + " |", "| --- |" + " --- |" * len(ALGORITHMS)]
    once = table[table["cut"] == CUTS[0]]
    parts = dict(list(once.groupby(["group", "family", "n_relevant", "algorithm"])))
    for name, problem in STUDIES.items():
        told = [_ran(parts.get((*_key(problem), one)), problem) for one in ALGORITHMS]
        lines.append(f"| {name} | " + " | ".join(told) + " |")
    return "\n".join(lines)


def _key(problem: Problem) -> tuple[str, str, int]:
    return problem.group, problem.family, problem.n_relevant


def _ran(part: pd.DataFrame | None, problem: Problem) -> str:
    if part is None:
        return "–"
    cells, ratios = len(part), len(GROUPS[problem.group])
    whole = part.groupby("run").size().eq(ratios).sum()
    ended = part["stopped"].value_counts()
    marks = [f"{ended[why]} {mark}" for why, mark in (("max_seconds", "s"), ("max_states", "m")) if why in ended]
    rest = cells - int(whole) * ratios
    return f"{whole}" + (f" + {rest} cells" if rest else "") + (f" ({', '.join(marks)})" if marks else "")


def cost_table(table: pd.DataFrame) -> str:
    """Processor seconds of a cell, and hours of the whole."""
    means = cell_seconds(table)
    lines = ["| algorithm | smallest | second | third | largest | hours of the whole |", "| --- |" + " --- |" * 5]
    total, known = 0.0, True
    for algorithm, label in ALGORITHMS.items():
        each, hours, whole = _cost(means, algorithm)
        total, known = total + hours, known and whole
        told = ["–" if np.isnan(one) else f"{one:.3g}" for one in each]
        lines.append(f"| {label} | " + " | ".join(told) + f" | {'' if whole else 'at least '}{hours:.2f} |")
    lines.append(f"| all |  |  |  |  | {'' if known else 'at least '}{total:.1f} |")
    return "\n".join(lines)


def cell_seconds(table: pd.DataFrame) -> pd.Series:
    """Processor seconds of a cell, by group, family, n_relevant and algorithm: the mean over ratios.

    Of runs the median is taken, since the first cell of a process also loads compiled code.
    """
    once = table[table["cut"] == CUTS[0]]
    keys = ["group", "family", "n_relevant", "algorithm"]
    return once.groupby([*keys, "ratio"])["seconds"].median().groupby(keys).mean()


def _cost(means: pd.Series, algorithm: str) -> tuple[list[float], float, bool]:
    """Means of a cell by rank over groups and families, hours of its cells, and whether every family was measured."""
    by_rank: list[list[float]] = [[], [], [], []]
    hours, whole = 0.0, True
    for group, ratios in GROUPS.items():
        for family, sizes in FAMILIES.items():
            known = {size: float(means.get((group, family, size, algorithm), np.nan)) for size in sizes}
            whole = whole and not all(np.isnan(one) for one in known.values())
            for rank, (size, seconds) in enumerate(zip(sizes, _filled(known, algorithm), strict=True)):
                hours += float(np.nan_to_num(seconds)) * len(ratios) * RUNS / 3600
                if not np.isnan(known[size]):
                    by_rank[rank].append(known[size])
    return [float(np.mean(one)) if one else float("nan") for one in by_rank], hours, whole


def _filled(known: Mapping[int, float], algorithm: str) -> Sequence[float]:
    """Seconds of all sizes of a family; those that lack follow the power law of the two largest that are known."""
    there = [(size, seconds) for size, seconds in known.items() if not np.isnan(seconds)]
    if not there:
        return [float("nan")] * len(known)
    last, seconds = there[-1]
    exponent = 0.0
    if len(there) > 1:
        before, earlier = there[-2]
        exponent = float(np.log(max(seconds, 1e-4) / max(earlier, 1e-4)) / np.log(last / before))
    most = float("inf") if algorithm in WEIGHTINGS else survey_settings.ALLOWANCE
    return [one if not np.isnan(one) else min(seconds * (size / last) ** exponent, most) for size, one in known.items()]
