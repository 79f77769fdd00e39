"""The flow of a reproduction: a task a study, then the claims and the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.utilities.annotations import quote

from fselect.reproductions.papers import get_paper
from fselect.reproductions.report import claims_table, write_report
from fselect.reproductions.run import Outcome, Plan, find_missing, judge, run_one
from fselect.study.lock import project_lock

__all__ = ["reproduction"]


def run_study(plan: Plan, study: str) -> None:
    """Run one study; finished units are kept by the library, so Prefect caches nothing on top."""
    run_one(plan, study)


# Prefect unwraps what is quoted, which its types do not say.
study_task: Callable[..., None] = task(cache_policy=NO_CACHE, persist_result=False, task_run_name="{study}")(run_study)


@flow(name="fselect-reproduce", flow_run_name="{paper}", persist_result=False)
def reproduction(
    paper: str,
    data: str,
    folder: str,
    only: tuple[str, ...] = (),
    quick: bool = False,
    repeats: int | None = None,
    workers: int = 2,
    address: str | None = None,
    slices: tuple[str, ...] = (),
) -> Outcome:
    """Run a paper's studies, a task a study, and judge its claims.

    Parameters
    ----------
    paper : str
        Its name.
    data, folder : str
        Where its tables are, and where units, results and the report go.
    only, quick, repeats
        As for `fselect.reproductions.run.Plan`.
    workers : int
        Units that run at a time on this machine.
    address : str, optional
        Of a Dask scheduler, whose workers run the units instead.
    slices : tuple of str
        Which cells only, of a paper that has slices.

    Returns
    -------
    Outcome

    Raises
    ------
    InputError
        If there is no such paper or study, a table cannot be used, or the folder is in use.
    """
    execution = {"runner": "dask", "address": address} if address else {"workers": workers}
    plan = Plan(get_paper(paper), Path(data), Path(folder), tuple(only), quick, repeats, execution, tuple(slices))
    missing = find_missing(plan)
    with project_lock(plan.state_dir):
        for study in plan.wanted():
            if study not in missing:
                study_task(quote(plan), study)
        outcome = judge(plan, missing)
    write_report(outcome)
    create_markdown_artifact(claims_table(outcome.findings), key="claims", description=plan.paper.citation)
    return outcome
