"""What a flow run shows in Prefect's UI: its name, the front as a table, the page, and the decision."""

from __future__ import annotations

import math
import re
import socket
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact
from prefect.client.orchestration import get_client

from flows.markdown import code, plain
from flows.record import Fingerprint
from flows.served import where
from fselect.study.config import OPERATION
from fselect.study.plan import digest_of
from fselect.study.project import Project
from fselect.study.results import Point, Summary
from fselect.tracking import StoreUnreachable, open_store, report_url
from fselect.tracking.away import reaching
from fselect.versioning import dvc_hash

__all__ = ["artifact_key", "decision", "front_rows", "name_run", "run_name", "show", "show_report"]


def run_name(project: Project, at_start: Fingerprint | None = None) -> str:
    """The study, the version of its data where that is known, and that of its configuration.

    The version of the data is DVC's hash of ``data/tables``, which ``dvc.lock`` and the tracked runs have, too; where
    DVC has none, that of the content.
    """
    config = project.config
    facts = config.model_dump(mode="json", exclude=OPERATION)
    data = at_start and (dvc_hash(project.tables_dir, project.root) or at_start.tables)
    parts = [config.study.name, f"data {data[:8]}" if data else "", f"params {digest_of(facts)[:8]}"]
    return " · ".join(part for part in parts if part)


def name_run(flow_run: UUID, name: str) -> None:
    """Rename a flow run: what its data are is known only when its tables are in place."""
    with get_client(sync_client=True) as client:
        client.update_flow_run(flow_run, name=name)


def artifact_key(study: str, what: str) -> str:
    """The key of a study's artifact: Prefect takes lower-case letters, digits and hyphens.

    Examples
    --------
    >>> artifact_key("Colon cancer_2", "front")
    'colon-cancer-2-front'
    """
    return "-".join([*re.findall(r"[a-z0-9]+", study.lower()), what])


def show(project: Project, summary: Summary, runs: list[str], promoted: str | None, not_recorded: str | None) -> None:
    """Leave the artifacts of a study's flow run: table, page and decision."""
    study = summary.study
    create_table_artifact(
        front_rows(summary),
        key=artifact_key(study, "front"),
        description=f"Accuracy and stability of {plain(study)}, with standard errors",
    )
    show_report(project, project.report_path, runs, key=artifact_key(study, "report"), called=plain(study))
    text = decision(summary, promoted, not_recorded)
    create_markdown_artifact(text, key=artifact_key(study, "decision"), description=f"The choice of {plain(study)}")


def show_report(project: Project, page: Path, runs: list[str], *, key: str, called: str) -> None:
    """Leave a link to a page where a server shows it, and its path as text.

    A browser follows no link from a server's page to a file, so the link goes to MLflow, which keeps the page with the
    front's run. Where no MLflow server is known the path alone is told.

    Parameters
    ----------
    project : Project
        The project.
    page : Path
        The file.
    runs : list of str
        Runs of the study; none where they still wait for the server.
    key : str
        Of the artifact.
    called : str
        What the page is of, as Markdown.
    """
    place = f"The page is the file {code(str(page.resolve()), 1000)} on {code(socket.gethostname())}."
    address = _page_address(project, runs)
    if address is None:
        create_markdown_artifact(f"{place} Open it there.\n", key=key, description=f"Report of {called}")
    else:
        create_link_artifact(address, link_text=f"Report of {called}", key=key, description=f"In MLflow. {place}")


def _page_address(project: Project, runs: list[str]) -> str | None:
    uri = project.tracking_uri
    served = where(project.state_dir)
    base = uri if uri.startswith(("http://", "https://")) else served and served.mlflow
    if not base or not runs:
        return None
    try:
        store = open_store(project)
        with reaching(store):
            return report_url(store, runs[0], base)
    except StoreUnreachable:
        return None


def front_rows(summary: Summary) -> list[dict[str, Any]]:
    """The points of the trade-off as rows; what is undefined is empty, for JSON has no word for it."""
    return [_row(point, chosen=point is summary.chosen) for point in summary.points]


def _row(point: Point, *, chosen: bool) -> dict[str, Any]:
    measured = ("accuracy", "accuracy_se", "stability", "stability_se")
    return {
        "point": point.label,
        **{name: _shown(getattr(point, name)) for name in measured},
        "on the front": "yes" if point.on_front else "",
        "chosen": "chosen" if chosen else "",
    }


def _shown(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else ""


def decision(summary: Summary, promoted: str | None, not_recorded: str | None) -> str:
    """The chosen point with its reason and set, what became of it, and whether DVC has a record, as Markdown."""
    chosen, front = summary.chosen, summary.fronts[0]
    features = "\n".join(f"| {plain(feature)} | {_share(chosen, feature)} |" for feature in chosen.selected)
    lines = [
        f"# {plain(summary.study)}: {plain(chosen.label)}",
        f"Accuracy {chosen.accuracy:.4f}, stability {chosen.stability:.4f}: means of {chosen.repeats} repeats, "
        f"of the procedure. Dominance area of the front {_shown(front.area) or 'undefined'}.",
        plain(summary.reason, 1000),
        f"| feature | share of bootstraps |\n| --- | --- |\n{features}",
        f"Registry: {plain(promoted, 1000)}." if promoted else "Not registered: promotion.name is null in params.yaml.",
        f"Not recorded with DVC: {plain(not_recorded, 1000)}." if not_recorded else "Recorded with DVC in dvc.lock.",
    ]
    return "\n\n".join(lines) + "\n"


def _share(point: Point, feature: str) -> str:
    share = point.frequencies.get(feature)
    return "" if share is None else f"{share:.2f}"
