"""Table 3 of Cohen, Ruppin & Dror (2005) redone, as Markdown, with the published numbers beside."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fselect.reproductions.cells import Results
from fselect.reproductions.contribution.claims import FEW
from fselect.reproductions.contribution.published import TABLE_3
from fselect.reproductions.contribution.settings import COLUMNS, STUDIES
from fselect.reproductions.evidence import mean_interval

__all__ = ["accuracy_table", "runs_table", "sections"]


_LEGEND = (
    f"Test accuracy in %, mean over splits with its 95 % interval (from {FEW} splits on), and the mean number of "
    "features in brackets; below each the published number. The splits share rows: the intervals tell of splits, not "
    "of new samples. Where an algorithm has fewer splits than another of its row, their number is given."
)


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
    return [
        "## Table 3 redone",
        _LEGEND,
        accuracy_table(results),
        "## Runs",
        runs_table(results),
        *_notes(results),
    ]


def accuracy_table(results: Mapping[str, Results]) -> str:
    """Accuracies and numbers of features, a row a table, with the published ones below."""
    lines = ["| data | " + " | ".join(COLUMNS.values()) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for study, one in results.items():
        lines.append(f"| {STUDIES[study].title} | " + " | ".join(_measured(one, column) for column in COLUMNS) + " |")
        published = TABLE_3["internet-ads" if study.startswith("internet-ads") else study]
        told = [_entry(published.get(column)) for column in COLUMNS]
        source = "published" if STUDIES[study].in_paper else "published, on the whole table"
        lines.append(f"| *{source}* | " + " | ".join(told) + " |")
    return "\n".join(lines)


def _measured(one: Results, column: str) -> str:
    rows = one.of(column)
    if not rows:
        return "not run"
    interval = mean_interval(column, 100 * np.array([row["accuracy"] for row in rows]))
    number = np.mean([row["n_features"] for row in rows])
    range_ = "" if len(rows) < FEW else f" [{interval.low:.1f}, {interval.high:.1f}]"
    fewer = len(rows) < max(len(one.of(name)) for name in COLUMNS)
    return f"{interval.value:.1f}{range_} ({number:.0f})" + (f", splits: {len(rows)}" if fewer else "")


def _entry(entry: tuple[float, int | None] | None) -> str:
    if entry is None:
        return "–"
    return f"*{entry[0]:g}*" if entry[1] is None else f"*{entry[0]:g} ({entry[1]})*"


def runs_table(results: Mapping[str, Results]) -> str:
    """What ran: splits and seconds of each column."""
    lines = ["| data | " + " | ".join(COLUMNS.values()) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for study, one in results.items():
        told = [_ran(one.of(column)) for column in COLUMNS]
        lines.append(f"| {STUDIES[study].title} | " + " | ".join(told) + " |")
    return "Splits that are finished, and mean seconds of a split.\n\n" + "\n".join(lines)


def _ran(rows: list[dict[str, float]]) -> str:
    return f"{len(rows)}: {np.mean([row['seconds'] for row in rows]):,.1f} s" if rows else "–"


def _notes(results: Mapping[str, Results]) -> list[str]:
    """What the searches said, once for each table and column."""
    said: list[str] = []
    for study, one in results.items():
        for column in ("wrapper", "forward", "backward"):
            rows = one.of(column)
            notes: dict[str, int] = {}
            for row in rows:
                for note in row["notes"]:
                    notes[note] = notes.get(note, 0) + 1
            said += [
                f"* {STUDIES[study].title}, {COLUMNS[column]}, {count} of {len(rows)} splits: {note}."
                for note, count in sorted(notes.items())
            ]
    return ["### What the searches said", "\n".join(said)] if said else []
