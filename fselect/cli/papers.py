"""The command on published results: reproduce."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fselect.cli.execution import Address, Runner, Workers, execution

if TYPE_CHECKING:
    from fselect.reproductions.evidence import Finding
    from fselect.reproductions.run import Outcome, Plan

__all__ = ["register"]


def reproduce(
    paper: Annotated[
        str, typer.Argument(help="hamer-dupont, contribution, sorted-relevance, survey, or comparison (of them all).")
    ],
    data: Annotated[
        Path | None,
        typer.Option("--data", "-d", help="The folder that holds the tables by name; survey reads none."),
    ] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Run only this study; repeatable.")] = None,
    slices: Annotated[
        list[str] | None,
        typer.Option("--slice", metavar="KEY=VALUES", help="Run only these cells of survey; repeatable."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Every other bias, few repeats; two splits or runs.")] = False,
    repeats: Annotated[
        int | None, typer.Option("--repeats", "--runs", "-B", help="Repeats, splits or runs, instead of the study's.")
    ] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Get missing tables from openml.org, if it has them.")] = False,
    workers: Workers = None,
    runner: Runner = None,
    address: Address = None,
    begin: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Begin with the cells of a file that --pack wrote.")
    ] = None,
    packed: Annotated[
        Path | None, typer.Option("--pack", metavar="FILE", help="Write all finished cells into one Parquet file.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for units, results, report.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the claims as JSON, for scripts.")] = False,
) -> None:
    """Run a paper's studies on its tables, and judge its claims.

    comparison runs the methods of all four on the same bootstraps of real tables.
    Finished units are kept, so an interrupted run goes on where it was, and more repeats only add to what is there.
    Which tables there are, and what they must be called, is in docs/reproductions.

    **Examples**

    `fselect reproduce hamer-dupont --data tables --quick`

    `fselect reproduce contribution --data tables --only arrhythmia`

    `fselect reproduce sorted-relevance --data tables --only corral --only vote`

    `fselect reproduce comparison --data tables --only vote`

    `fselect reproduce survey --slice families=parity --slice n_relevant=4,8 --slice algorithms=lvf,relief --runs 3`

    `fselect reproduce survey --from docs/reproductions/cells/survey.parquet -o survey`

    `fselect reproduce hamer-dupont --data tables --only prostate --only prostate-prior --repeats 20 -o results`
    """
    from fselect.errors import InputError
    from fselect.reproductions.packed import pack
    from fselect.reproductions.papers import get_paper
    from fselect.reproductions.report import write_report
    from fselect.reproductions.run import Plan

    found = get_paper(paper)
    if data is None and found.tables:
        raise InputError(f"{paper} reads tables; name the folder that holds them with --data")
    folder, where = Path(paper) if output is None else output, execution(workers, runner, address)
    plan = Plan(found, data or Path(), folder, tuple(only or ()), quick, repeats, where, tuple(slices or ()))
    _begin(plan, begin, packed)
    outcome = _run(plan, fetch)
    if packed is not None:
        print(f"{pack(folder, packed)} cells packed into {packed}", file=sys.stderr)
    report = write_report(outcome)
    if as_json:
        print(json.dumps(_answer(outcome) | {"report": str(report)}, indent=1, ensure_ascii=False))
        return
    _print_claims(outcome.findings)
    for file in sorted({table.file for table in outcome.missing.values()}):
        print(f"not tested without {file}: put it into {data}, see docs/reproductions/{paper}.md")
    for warning in outcome.warnings:
        print(f"another table: {warning}")
    print(f"report: {report}")


def _begin(plan: Plan, begin: Path | None, packed: Path | None) -> None:
    from fselect.errors import InputError
    from fselect.reproductions.cells import CellPaper
    from fselect.reproductions.packed import unpack
    from fselect.study.project import check_writable

    if (begin or packed) and not isinstance(plan.paper, CellPaper):
        raise InputError(f"{plan.paper.name} is made of units, not of cells; leave out --from and --pack")
    if begin is not None:
        check_writable(plan.folder)
        print(f"{unpack(begin, plan.folder)} finished cells taken from {begin}", file=sys.stderr)


def _run(plan: Plan, fetch: bool) -> Outcome:
    from fselect.cli.running import study_progress
    from fselect.reproductions.run import fetch_missing, find_missing, reproduce
    from fselect.study.project import check_writable

    check_writable(plan.folder)
    if fetch:
        fetch_missing(find_missing(plan), plan.data)
    with study_progress() as on_plan:
        return reproduce(plan, on_plan=on_plan, said=partial(print, file=sys.stderr, flush=True))


def _print_claims(findings: list[Finding]) -> None:
    import pandas as pd

    from fselect.cli.printing import print_frame
    from fselect.reproductions.evidence import shown

    told = shown(findings)
    statements = [f"{finding.claim} {finding.statement}" for finding in told]
    rows = [
        {
            "claim": "" if said in statements[:place] else said,
            "data": finding.data if finding.in_paper else f"({finding.data})",
            "B": finding.repeats or None,
            "measured": "; ".join(one.text for one in finding.measured) or None,
            "verdict": f"{finding.verdict}: {finding.reason}",
        }
        for place, (finding, said) in enumerate(zip(told, statements, strict=True))
    ]
    frame = pd.DataFrame(rows)
    frame["B"] = frame["B"].astype(object).where(frame["B"].notna(), None)
    print_frame(frame, as_json=False)
    print("in brackets: data on which the paper makes no claim; --json lists what was not tested there, too")


def _answer(outcome: Outcome) -> dict[str, Any]:
    import math

    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "paper": outcome.plan.paper.citation,
        "claims": [
            {
                "claim": finding.claim,
                "statement": finding.statement,
                "data": finding.data,
                "in_paper": finding.in_paper,
                "verdict": finding.verdict,
                "reason": finding.reason,
                "repeats": finding.repeats,
                "measured": [
                    {"name": one.name, "value": number(one.value), "low": number(one.low), "high": number(one.high)}
                    for one in finding.measured
                ],
            }
            for finding in outcome.findings
        ],
        "seconds": outcome.seconds,
        "missing": sorted({table.file for table in outcome.missing.values()}),
    }


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reproduce)
