"""Log a study to MLflow: at once where the server answers, later where it went away."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError
from fselect.tracking.connection import Store, connect, shown
from fselect.tracking.describe import describe_study
from fselect.tracking.outbox import TrackingWarning, flush_outbox, is_refusal, spool
from fselect.tracking.probe import StoreUnreachable
from fselect.tracking.reasons import reason_of
from fselect.tracking.record import RunRecord
from fselect.tracking.sending import send

if TYPE_CHECKING:
    from fselect.study.project import Project
    from fselect.study.results import Summary

__all__ = ["log_study", "open_store"]


def open_store(project: Project) -> Store:
    """Open a project's MLflow store, and send what waits in the outbox.

    Call it before work starts: a server that does not answer is found out in seconds, before hours of selection.

    Parameters
    ----------
    project : Project
        ``tracking.uri`` names a server; where it is null the store is ``.fselect/mlflow.db``, made on first use.

    Returns
    -------
    Store

    Raises
    ------
    StoreUnreachable
        The server does not answer, after one try of a few seconds.
    MissingExtra
        MLflow is not installed.
    """
    store = connect(project)
    flush_outbox(store)
    return store


def log_study(
    project: Project,
    summary: Summary,
    *,
    facts: Mapping[str, Any] | None = None,
    store: Store | None = None,
    change: Callable[[RunRecord], RunRecord] | None = None,
    page: Path | None = None,
) -> list[str]:
    """Log every point and front of a study as a run of its experiment; what is there already is left alone.

    Parameters
    ----------
    project : Project
        The project.
    summary : Summary
        What the study found.
    facts : mapping, optional
        ``git_commit``, ``dvc_hash``, ``versions`` and ``config``. Default: none of the tags that they give.
    store : Store, optional
        From `open_store`. Default: it is opened here.
    change : callable, optional
        Given each run before it is sent, it may give it another experiment or name, and more tags and metrics.
    page : Path, optional
        The study's page; it is kept with the run of the first front, where a browser finds it (`report_url`).

    Returns
    -------
    list of str
        Ids of the runs, points first, in the summary's order. Shorter, with a `TrackingWarning`, if the server
        went away: the rest waits in ``.fselect/outbox`` and is sent when the store is opened next.

    Raises
    ------
    InputError
        MLflow refuses a run for what it holds.
    """
    described = describe_study(project, summary, facts or {}, page)
    records = [change(record) for record in described] if change else described
    try:
        return _send_all(project, store or open_store(project), records)
    except StoreUnreachable as error:
        _spool(project, records, str(error))
        return []


def _send_all(project: Project, store: Store, records: list[RunRecord]) -> list[str]:
    from mlflow.exceptions import MlflowException

    sent: list[str] = []
    for place, record in enumerate(records):
        try:
            sent.append(send(store, record))
        except (MlflowException, OSError) as error:
            if is_refusal(error):
                raise InputError(f"MLflow refuses the run {record.name!r}: {reason_of(error)}") from error
            _spool(project, records[place:], f"the MLflow store {shown(store.uri)} failed: {reason_of(error)}")
            break
    return sent


def _spool(project: Project, records: list[RunRecord], why: str) -> None:
    spool(project.state_dir, records)
    place = project.state_dir / "outbox"
    warnings.warn(
        f"{why}; {len(records)} runs wait in {place} and are sent when the store is opened next",
        TrackingWarning,
        stacklevel=4,
    )
