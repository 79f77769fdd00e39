"""Tables II to IX of Boz (2002) redone, as Markdown, with the published numbers beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fselect.reproductions.cells import Results
from fselect.reproductions.evidence import mean_interval
from fselect.reproductions.sorted_relevance.published import ALL, PUBLISHED
from fselect.reproductions.sorted_relevance.settings import SEARCHES, STUDIES
from fselect.reproductions.sorted_relevance.stability import stability_table

__all__ = ["results_table", "runs_table", "sections"]

_HEAD = "| | accuracy | tree size | states | features |\n| --- | --- | --- | --- | --- |"


def sections(results: Mapping[str, Results]) -> list[str]:
    """The parts of the report after the claims.

    Parameters
    ----------
    results : mapping of str to Results
        By study.

    Returns
    -------
    list of str
        Markdown.
    """
    tables = [f"### {STUDIES[study].title}\n\n{results_table(one)}" for study, one in results.items()]
    return [
        "## Tables II to IX redone",
        "Means over repetitions with 95 % intervals, and in italics what was published. Repetitions cut the same rows: "
        "the intervals tell of cuts, not of new samples. FS, the set that the counts give, was chosen with the rows of "
        "every fold, those it is assessed on among them: its accuracy is optimistic. IS, each fold's own set, is not.",
        *tables,
        "## Does counting buy stability?",
        "φ of Nogueira, Sechidis and Brown over the repetitions: the stability of what somebody gets who cuts the same "
        "rows anew. FS: of the counted sets. IS: of the own sets of the folds of one number, mean over the numbers. "
        "Both with Student's 95 % intervals over repetitions; then FS − IS, paired by repetition, in bold where its "
        "whole interval is on one side of 0. A counted set draws on all rows, a fold's own on all but its validation "
        "part. All choose from the same rows; new rows would move both more.",
        stability_table(results),
        "## Runs",
        runs_table(results),
    ]


def results_table(one: Results) -> str:
    """One of the paper's tables: thirteen rows, each with the published one in italics."""
    everything = one.of("sorted")
    all_row = f"| all features | {_pair(everything, 'all_accuracy', ALL[one.study][0], 100)} | "
    all_row += f"{_pair(everything, 'all_tree_size', ALL[one.study][1])} | | |"
    rows = [all_row]
    for search, title in SEARCHES.items():
        for place, (label, name) in enumerate((("FS", "final"), ("IS", "own"))):
            published = PUBLISHED[one.study][search][place]
            found = one.of(search)
            cells = (
                _pair(found, f"{name}_accuracy", published.accuracy, 100),
                _pair(found, f"{name}_tree_size", published.tree_size),
                _pair(found, "states", published.states),
                _pair(found, f"{name}_features", published.features),
            )
            rows.append(f"| {title}-{label} | " + " | ".join(cells) + " |")
    return "\n".join([_HEAD, *rows])


def _pair(rows: Sequence[Mapping[str, float]], name: str, published: float, scale: float = 1.0) -> str:
    found = [scale * row[name] for row in rows if name in row]
    if not found:
        return f"not run, *{published:.2f}*"
    interval = mean_interval(name, np.array(found))
    range_ = "" if np.isnan(interval.low) else f" [{interval.low:.2f}, {interval.high:.2f}]"
    return f"{interval.value:.2f}{range_} *{published:.2f}*"


def runs_table(results: Mapping[str, Results]) -> str:
    """What ran: repetitions and seconds of each search."""
    lines = ["| data | " + " | ".join(SEARCHES.values()) + " |", "| --- |" + " --- |" * len(SEARCHES)]
    for study, one in results.items():
        told = [_ran(one.of(search)) for search in SEARCHES]
        lines.append(f"| {STUDIES[study].title} | " + " | ".join(told) + " |")
    return "Repetitions that are finished, and mean seconds of one.\n\n" + "\n".join(lines)


def _ran(rows: Sequence[Mapping[str, float]]) -> str:
    return f"{len(rows)}: {np.mean([row['seconds'] for row in rows]):,.1f} s" if rows else "–"
