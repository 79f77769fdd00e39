"""Reproduce a paper as a Prefect flow: ``python -m flows.reproduce PAPER [--data FOLDER] [--only STUDY] [--quick] …``.

It does what ``fselect reproduce`` does, into the same folder, with a task a study: its page in Prefect shows which
study runs, how long each took, and what failed. The units of a study run side by side as ``--workers`` says, or are
spread over the workers of a Dask cluster with ``--address``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows import embedded
from fselect.errors import InputError
from fselect.reproductions.papers import get_paper, paper_names
from fselect.reproductions.run import Plan, find_missing
from fselect.study.lock import refuse_if_held
from fselect.study.project import check_writable

if TYPE_CHECKING:
    from fselect.reproductions.run import Outcome

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0; 2 for bad input, told in one sentence; 130 after Ctrl-C.
    """
    asked = _parser().parse_args(arguments)
    try:
        outcome = _run(asked)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; finished units are kept, and the same command goes on from there", file=sys.stderr)
        return 130
    for finding in outcome.findings:
        if finding.in_paper:
            print(f"{finding.claim} {finding.data}: {finding.verdict} ({finding.reason})")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m flows.reproduce", description="Reproduce a paper's studies.")
    parser.add_argument("paper", choices=paper_names())
    parser.add_argument("--data", type=Path, help="the folder that holds the tables by name; survey reads none")
    parser.add_argument("--only", action="append", default=[], help="run only this study; repeatable")
    parser.add_argument("--slice", action="append", default=[], help="run only these cells of survey; repeatable")
    parser.add_argument("--quick", action="store_true", help="every other bias, few repeats")
    parser.add_argument("--repeats", "--runs", type=int, help="repeats or runs instead of the study's")
    parser.add_argument("--workers", type=int, default=2, help="units that run at a time")
    parser.add_argument("--address", help="a Dask scheduler whose workers run the units")
    parser.add_argument("-o", "--output", type=Path, help="folder for units, results and report")
    return parser


def _run(asked: argparse.Namespace) -> Outcome:
    words: dict[str, Any] = {"only": tuple(asked.only), "quick": asked.quick, "repeats": asked.repeats}
    words["slices"] = tuple(asked.slice)
    folder, paper = asked.output or Path(asked.paper), get_paper(asked.paper)
    if asked.data is None and paper.tables:
        raise InputError(f"{asked.paper} reads tables; name the folder that holds them with --data")
    data = asked.data or Path()
    plan = Plan(paper, data, folder, **words)
    find_missing(plan)  # refused here, before a server is started
    check_writable(plan.state_dir)
    refuse_if_held(plan.state_dir)
    embedded.prepare(plan.state_dir)
    from flows.reproduction_flow import reproduction  # Prefect reads its settings when it is imported

    try:
        where = {"workers": asked.workers, "address": asked.address}
        embedded.start_server()
        return reproduction(asked.paper, str(data), str(folder), **words, **where)
    except RuntimeError as error:
        sentence = embedded.no_server(error)
        if sentence is None:
            raise
        raise InputError(sentence) from None


if __name__ == "__main__":
    sys.exit(main())
