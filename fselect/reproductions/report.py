"""The report of a reproduction: the claims, the studies and their figures, as Markdown."""

from __future__ import annotations

from pathlib import Path

from fselect.errors import MissingExtra
from fselect.files import write_atomically
from fselect.reproductions.cells import CellPaper
from fselect.reproductions.evidence import Finding, shown
from fselect.reproductions.run import Outcome
from fselect.study.results import Summary

__all__ = ["claims_table", "points_table", "studies_table", "write_report"]


def write_report(outcome: Outcome) -> Path:
    """Write ``report.md`` with figures into the folder of the reproduction.

    Parameters
    ----------
    outcome : Outcome
        What was run and found.

    Returns
    -------
    Path
        The report. Without matplotlib it has no figures, and says so.
    """
    plan = outcome.plan
    stem = "report-quick" if plan.quick else "report"
    parts = [
        f"# {plan.paper.citation}",
        *[f"**Another table.** {warning}." for warning in outcome.warnings],
        "## Claims",
        claims_table(outcome.findings),
        "In italics: data on which the paper makes no claim; of these only what was tested is listed.",
        *_studies(outcome),
        *_missing(outcome),
        *_figures(outcome, plan.folder / f"{stem}-images"),
        *_points(outcome),
    ]
    return write_atomically(plan.folder / f"{stem}.md", ("\n\n".join(parts) + "\n").encode("utf-8"))


def _studies(outcome: Outcome) -> list[str]:
    paper = outcome.plan.paper
    if isinstance(paper, CellPaper):
        return paper.sections(outcome.summaries)
    return ["## Studies", studies_table(outcome)]


def _points(outcome: Outcome) -> list[str]:
    if isinstance(outcome.plan.paper, CellPaper):
        return []
    tables = [f"### {study}\n\n{points_table(summary)}" for study, summary in outcome.summaries.items()]
    return ["## Points", *tables]


def claims_table(findings: list[Finding]) -> str:
    """The findings as a Markdown table; those on data of the paper first within a claim.

    Examples
    --------
    >>> print(claims_table([Finding("6", "No φ of 1", "Prostate", True, "reproduced", "it stays below 1")]))
    | claim | data | measured | verdict |
    | --- | --- | --- | --- |
    | **6** No φ of 1 |  |  |  |
    |  | Prostate |  | **reproduced**: it stays below 1 |
    """
    lines = ["| claim | data | measured | verdict |", "| --- | --- | --- | --- |"]
    said = None
    for finding in shown(findings):
        if (finding.claim, finding.statement) != said:
            said = (finding.claim, finding.statement)
            lines.append(f"| **{finding.claim}** {finding.statement} |  |  |  |")
        lines.append(_row(finding))
    return "\n".join(lines)


def _row(finding: Finding) -> str:
    measured = "; ".join(one.text for one in finding.measured)
    repeats = f" (B = {finding.repeats})" if finding.repeats else ""
    data = finding.data if finding.in_paper else f"*{finding.data}*"
    return f"|  | {data}{repeats} | {measured} | **{finding.verdict}**: {finding.reason} |"


def studies_table(outcome: Outcome) -> str:
    """What ran: repeats, selections, and the seconds of its units added up over workers."""
    lines = ["| study | repeats | selections | seconds of work |", "| --- | --- | --- | --- |"]
    for study, summary in outcome.summaries.items():
        repeats = min(point.repeats for point in summary.points)
        lines.append(f"| {study} | {repeats} | {_selections(summary):,} | {outcome.seconds[study]:,.0f} |")
    return "\n".join(lines)


def _selections(summary: Summary) -> int:
    """Eliminations of the repeats; those of the sets that stand for points are left out."""
    samples = len(summary.tasks) if summary.protocol == "transfer" else int(summary.parameters["bootstraps"])
    return sum(point.repeats * samples for point in summary.points if point.method == summary.method)


def _missing(outcome: Outcome) -> list[str]:
    tables = {table.file: table for table in outcome.missing.values()}
    return [f"Not at hand: `{file}` ({table.title})." for file, table in tables.items()]


def _figures(outcome: Outcome, folder: Path) -> list[str]:
    if outcome.plan.paper.draw is None:
        return []
    head = "## Figures"
    try:
        drawn = outcome.plan.paper.draw(outcome.summaries, folder)
    except MissingExtra as error:
        return [head, f"No figures: {error}."]
    return [head] + [f"![{caption}]({folder.name}/{file.name})" for caption, file in drawn.items()]


def points_table(summary: Summary) -> str:
    """Means and standard errors of a study's points as a Markdown table."""
    lines = ["| point | accuracy | stability |", "| --- | --- | --- |"]
    for point in summary.points:
        accuracy = f"{point.accuracy:.3f} ± {point.accuracy_se:.3f}"
        stability = f"{point.stability:.3f} ± {point.stability_se:.3f}"
        lines.append(f"| {point.label} | {accuracy} | {stability} |")
    return "\n".join(lines)
