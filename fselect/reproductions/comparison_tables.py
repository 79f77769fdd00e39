"""The comparison as Markdown: a table for each data set, mean ranks over them, and who is ahead of whom."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

from fselect.reproductions.cells import Results
from fselect.reproductions.comparison_points import (
    Point,
    Ranks,
    behind,
    front,
    mean_ranks,
    points,
    ranked_methods,
)
from fselect.reproductions.comparison_settings import FINAL, METHODS, STUDIES
from fselect.reproductions.evidence import Measured

__all__ = ["points_table", "ranks_table", "sections"]

FIRST = next(iter(FINAL))


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
    found = {study: points(one) for study, one in results.items()}
    lacking = [f"{settings.title} ({settings.file})" for study, settings in STUDIES.items() if study not in results]
    tables = [f"### {_head(study, one)}\n\n{points_table(one)}" for study, one in found.items()]
    return [
        "## Methods by table",
        "Means over bootstraps with 95 % intervals: out-of-bag accuracy of the final classifiers in %, stability φ of "
        "the sets; mean number of features; median processor seconds of one selection. *front*: no other method has "
        f"higher means of both accuracy ({FINAL[FIRST]}) and φ. *behind*: that many methods are better in both, each "
        "with the whole interval of the paired difference; the most stable of them is named.",
        *([f"Not run: {', '.join(lacking)}."] if lacking else []),
        *tables,
        "## Mean ranks",
        ranks_table(mean_ranks(found)),
    ]


def _head(study: str, found: Mapping[str, Point]) -> str:
    most = max((len(one.splits) for one in found.values()), default=0)
    return f"{STUDIES[study].title}, {most} bootstraps"


def points_table(found: Mapping[str, Point]) -> str:
    """The methods on a table, each a row."""
    best = front(found, FIRST)
    finals = " | ".join(f"accuracy, {title}" for title in FINAL.values())
    lines = [f"| method | {finals} | stability φ | size | seconds | |", "| --- |" + " --- |" * (len(FINAL) + 4)]
    for name in METHODS:
        told = _cells(found, name, best) if name in found else ["not run"] + [""] * (len(FINAL) + 3)
        lines.append(f"| {METHODS[name].title} | " + " | ".join(told) + " |")
    return "\n".join(lines)


def _cells(found: Mapping[str, Point], name: str, best: set[str]) -> list[str]:
    one = found[name]
    ended = f" ({one.ended} ended)" if one.ended else ""
    return [
        *[_text(one.interval(final), 100, 1) for final in FINAL],
        _text(one.interval("stability"), 1, 2),
        f"{one.size:.1f}",
        f"{one.seconds:.2g}{ended}",
        "front" if name in best else _behind(found, name),
    ]


def _text(measured: Measured, scale: float, digits: int) -> str:
    if isnan(measured.value):
        return "undefined"
    low, high = scale * measured.low, scale * measured.high
    return f"{scale * measured.value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _behind(found: Mapping[str, Point], name: str) -> str:
    better = behind(found, name, FIRST)
    if not better:
        return ""
    most = max(better, key=lambda other: found[other].interval("stability").value)
    return f"behind {len(better)} ({METHODS[most].title})"


def ranks_table(ranks: Ranks) -> str:
    """Mean ranks, best sum of accuracy and stability first."""
    if not ranks.tables:
        return "No table has all methods."
    head = " | ".join(f"accuracy, {title}" for title in FINAL.values())
    lines = [f"| method | {head} | stability |", "| --- |" + " --- |" * (len(FINAL) + 1)]
    order = sorted(ranked_methods(), key=lambda name: ranks.means[FIRST][name] + ranks.means["stability"][name])
    for name in order:
        told = [f"{ranks.means[what][name]:.1f}" for what in (*FINAL, "stability")]
        lines.append(f"| {METHODS[name].title} | " + " | ".join(told) + " |")
    return "\n".join([_ranked(ranks), "", *lines])


def _ranked(ranks: Ranks) -> str:
    titles = ", ".join(STUDIES[study].title for study in ranks.tables)
    said = f"Of {len(ranked_methods())} methods, 1 the best, over {titles}."
    if isnan(ranks.critical):
        return f"{said} One table says nothing of others."
    return (
        f"{said} Mean ranks that differ by less than {ranks.critical:.1f} may do so by chance (Nemenyi's test at 5 %, "
        f"for which the tables are the sample)."
    )
