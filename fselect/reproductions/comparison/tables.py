"""The comparison as Markdown: a table for each data set, mean ranks over them, and who is ahead of whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np

from fselect.reproductions.cells import Results
from fselect.reproductions.comparison.points import (
    Point,
    Ranks,
    behind,
    front,
    mean_ranks,
    points,
    ranked_methods,
)
from fselect.reproductions.comparison.settings import FINAL, METHODS, STUDIES
from fselect.reproductions.evidence import Measured

__all__ = ["points_table", "ranks_table", "sections"]

FIRST = next(iter(FINAL))
WIDTH = 3 + 2 * len(FINAL)  # columns beside the method's


def sections(results: Mapping[str, Results]) -> list[str]:
    """The parts of the report between the expectations and the figures.

    Parameters
    ----------
    results : mapping of str to Results
        By study.

    Returns
    -------
    list of str
        Markdown.
    """
    every = {study: points(one) for study, one in results.items()}
    found = {study: one for study, one in every.items() if one}
    lacking = [f"{settings.title} ({settings.file})" for study, settings in STUDIES.items() if study not in found]
    tables = [f"### {_head(study, one)}\n\n{points_table(one)}" for study, one in found.items()]
    return [
        "## All tables",
        ranks_table(found),
        "## Methods by table",
        "Means over bootstraps with 95 % intervals: out-of-bag accuracy of the final classifiers in %, stability φ of "
        "the sets; mean number of features; median processor seconds of one selection. By each final classifier, "
        "*front*: no other method has better means of accuracy and φ. *behind*: that many methods are better in both, "
        "each with the whole interval of the paired difference; the most stable of them is named.",
        *([f"Not run: {', '.join(lacking)}."] if lacking else []),
        *tables,
    ]


def _head(study: str, found: Mapping[str, Point]) -> str:
    most = max((len(one.splits) for one in found.values()), default=0)
    return f"{STUDIES[study].title}, {most} bootstraps"


def points_table(found: Mapping[str, Point]) -> str:
    """The methods on a table, each a row."""
    fronts = {final: front(found, final) for final in FINAL}
    finals = " | ".join(f"accuracy, {title}" for title in FINAL.values())
    places = " | ".join(f"by {title}" for title in FINAL.values())
    lines = [f"| method | {finals} | stability φ | size | seconds | {places} |", "| --- |" + " --- |" * WIDTH]
    for name in METHODS:
        told = _cells(found, name, fronts) if name in found else ["not run"] + [""] * (WIDTH - 1)
        lines.append(f"| {METHODS[name].title} | " + " | ".join(told) + " |")
    return "\n".join(lines)


def _cells(found: Mapping[str, Point], name: str, fronts: Mapping[str, set[str]]) -> list[str]:
    one = found[name]
    ended = f" ({one.ended} ended)" if one.ended else ""
    return [
        *[_text(one.interval(final), 100, 1) for final in FINAL],
        _text(one.interval("stability"), 1, 2),
        f"{one.size:.1f}",
        f"{one.seconds:.2g}{ended}",
        *["front" if name in best else _behind(found, name, final) for final, best in fronts.items()],
    ]


def _text(measured: Measured, scale: float, digits: int) -> str:
    if isnan(measured.value):
        return "undefined"
    low, high = scale * measured.low, scale * measured.high
    return f"{scale * measured.value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _behind(found: Mapping[str, Point], name: str, final: str) -> str:
    better = behind(found, name, final)
    if not better:
        return ""
    most = max(better, key=lambda other: found[other].interval("stability").value)
    return f"behind {len(better)} ({METHODS[most].title})"


def ranks_table(found: Mapping[str, Mapping[str, Point]]) -> str:
    """The methods over all tables that have them all, best sum of the ranks of accuracy and stability first."""
    ranks = mean_ranks(found)
    if not ranks.tables:
        return "No table has all methods."
    head = " | ".join([f"accuracy, {title}" for title in FINAL.values()])
    lines = [
        f"| method | {head} | stability | share of features | seconds | on the front | behind others |",
        "| --- |" + " --- |" * (len(FINAL) + 5),
    ]
    for name in sorted(ranked_methods(), key=lambda one: ranks.means[FIRST][one] + ranks.means["stability"][one]):
        told = [f"{ranks.means[what][name]:.1f}" for what in (*FINAL, "stability")]
        told += _over_tables([found[study] for study in ranks.tables], name)
        lines.append(f"| {METHODS[name].title} | " + " | ".join(told) + " |")
    return "\n".join([_ranked(ranks), "", *lines])


def _over_tables(tables: Sequence[Mapping[str, Point]], name: str) -> list[str]:
    seconds = [one[name].seconds for one in tables]
    fronts = [str(sum(name in front(one, final) for one in tables)) for final in FINAL]
    others = [str(sum(bool(behind(one, name, final)) for one in tables)) for final in FINAL]
    return [
        f"{np.mean([one[name].share for one in tables]):.0%}",
        f"{min(seconds):.2g} to {max(seconds):.2g}",
        " / ".join(fronts),
        " / ".join(others),
    ]


def _ranked(ranks: Ranks) -> str:
    titles = ", ".join(STUDIES[study].title for study in ranks.tables)
    said = (
        f"Mean ranks of {len(ranked_methods())} methods, 1 the best, over {titles}; mean share of the features; "
        "processor seconds of one selection on the fastest and the slowest table; on how many tables a method is on "
        f"the front, and behind others, by {' / '.join(FINAL.values())}."
    )
    if isnan(ranks.critical):
        return f"{said} One table says nothing of others."
    return (
        f"{said} Mean ranks that differ by less than {ranks.critical:.1f} may do so by chance (Nemenyi's test at 5 %, "
        "for which the tables are the sample)."
    )
