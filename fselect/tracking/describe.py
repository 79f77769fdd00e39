"""From a study's summary to the runs that MLflow will show: one a point, one a front, all on one level."""

from __future__ import annotations

import getpass
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.datasets.task_files import read_schema
from fselect.tracking.evidence import point_evidence
from fselect.tracking.record import Input, RunRecord, finite

if TYPE_CHECKING:
    from fselect.study.project import Project
    from fselect.study.results import Front, Point, Summary

__all__ = ["FREQUENCIES", "HISTORY", "PAGE", "SCHEMA", "SET", "describe_study"]

SET = "set.json"
SCHEMA = "schema.json"
HISTORY = "history.parquet"
FREQUENCIES = "frequencies.json"
PAGE = "report.html"
_LONGEST = 250
"""Longest parameter value. MLflow cuts at 6000 characters, but a list is unreadable in a table long before."""


def describe_study(
    project: Project, summary: Summary, facts: Mapping[str, Any], page: Path | None = None
) -> list[RunRecord]:
    """Describe the runs of a study.

    Parameters
    ----------
    project : Project
        Where its tasks lie.
    summary : Summary
        What it found.
    facts : mapping
        ``git_commit``, ``dvc_hash``, ``versions`` and ``config``, as `fselect.study.provenance` collects them.
    page : Path, optional
        The study's page, which goes with the first front.

    Returns
    -------
    list of RunRecord
        The points in their order, then the fronts.
    """
    shared = _Shared(project, summary, facts, page)
    points = [shared.point(place) for place in range(len(summary.points))]
    return points + [shared.front(place) for place in range(len(summary.fronts))]


class _Shared:
    """What all runs of one study have in common."""

    def __init__(self, project: Project, summary: Summary, facts: Mapping[str, Any], page: Path | None) -> None:
        self.project, self.summary, self.facts, self.page = project, summary, facts, page
        self.inputs = tuple(_inputs(project, summary))
        self.params = _params(summary, facts)
        self.tags = _tags(summary, facts)

    def point(self, place: int) -> RunRecord:
        """Describe one point of the trade-off."""
        point = self.summary.points[place]
        name = f"{self.summary.protocol} {point.label}"
        metrics, undefined = finite(_point_metrics(point))
        kind = "trivial" if point.kind == "trivial" else "point"
        tags = self.tags | _marks(kind, point.label, undefined)
        if place == self.summary.operating_point:
            tags |= {"fselect.operating_point": "true", "fselect.reason": self.summary.reason}
        return RunRecord(
            key=point.key,
            experiment=self.summary.study,
            name=name,
            metrics=metrics,
            params=self.params | {"point": point.label, "method": point.method, "repeats": str(point.repeats)},
            tags=tags,
            tables=(FREQUENCIES,) if point.frequencies else (),
            inputs=self.inputs,
            files=lambda: _point_files(self.project, self.summary, point, self.facts),
        )

    def front(self, place: int) -> RunRecord:
        """Describe one front; plots and page, which show all fronts, go with the first."""
        front, summary = self.summary.fronts[place], self.summary
        metrics, undefined = finite(_front_metrics(front))
        return RunRecord(
            key=front.key,
            experiment=summary.study,
            name=front.label,
            metrics=metrics,
            params=self.params,
            tags=self.tags | _marks("front", front.label, undefined),
            curves=_curves(summary, front),
            inputs=self.inputs,
            files=(lambda: _plots(summary) | _page(self.page)) if place == 0 else dict,
        )


def _point_metrics(point: Point) -> list[tuple[str, float | None]]:
    measured = ("accuracy", "accuracy_se", "stability", "stability_se", "balanced_accuracy", "roc_auc")
    return [(name, getattr(point, name)) for name in (*measured, "strength", "shape", "n_features")]


def _front_metrics(front: Front) -> list[tuple[str, float | None]]:
    return [
        ("dominance_area", front.area),
        ("dominance_area_low", front.area_low),
        ("dominance_area_high", front.area_high),
        ("dominance_area_bootstrap_low", front.bootstrap_low),
        ("dominance_area_bootstrap_high", front.bootstrap_high),
    ]


def _curves(summary: Summary, front: Front) -> dict[str, list[tuple[int, float]]]:
    """Draw the biased and unbiased members as metrics by step, from no bias to the strongest."""
    members = [summary.points[place] for place in front.members]
    along = sorted((point for point in members if _bias(point) is not None), key=lambda point: _bias(point) or 0.0)
    curves: dict[str, list[tuple[int, float]]] = {}
    for step, point in enumerate(along):
        values = [(name, getattr(point, name)) for name in ("accuracy", "stability", "strength", "shape")]
        for name, value in finite(values)[0].items():
            curves.setdefault(f"curve/{name}", []).append((step, value))
    return curves


def _bias(point: Point) -> float | None:
    """Give a number that rises with the bias: the strength, or the reciprocal of the shape (0 for none)."""
    if point.strength is not None:
        return point.strength
    if point.shape is not None:
        return 1.0 / point.shape
    return 0.0 if point.kind == "unbiased" else None


def _params(summary: Summary, facts: Mapping[str, Any]) -> dict[str, str]:
    config = facts.get("config") or {}
    tasks, data = dict(config.get("tasks") or {}), dict(config.get("data") or {})
    values = {
        "protocol": summary.protocol,
        "seed": summary.seed,
        "level": summary.level,
        "n_tasks": len(summary.tasks),
        "operating_point": (config.get("operating_point") or {}).get("rule"),
        "tasks.source": tasks.get("source"),
        "tasks.table": tasks.get("table") or tasks.get("tables"),
        "tasks.noise": tasks.get("noise") if tasks.get("source") == "noisy" else None,
    }
    values |= {f"data.{name}": data[name] for name in ("missing", "nominal", "clip", "log") if name in data}
    values |= dict(summary.parameters)
    return {name: short(value) for name, value in values.items() if value is not None}


def short(value: Any) -> str:
    """Write a parameter's value so that it never becomes a list of features.

    Examples
    --------
    >>> short(0.2), short((10, 16000)), short(list(range(200)))
    ('0.2', '[10, 16000]', '200 items, blake2b faa18dba')
    """
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    size = f"{len(text)} characters" if isinstance(value, str) else f"{len(value)} items"
    return f"{size}, blake2b {digest}"


def _tags(summary: Summary, facts: Mapping[str, Any]) -> dict[str, str]:
    versions = facts.get("versions") or {}
    commit = facts.get("git_commit")
    tags = {
        "fselect.study": summary.study,
        "fselect.digest": summary.digest,
        "fselect.data_hash": summary.tasks[-1].data_hash,
        "fselect.git_commit": commit,
        "fselect.dvc_hash": facts.get("dvc_hash"),
        "fselect.version": versions.get("fselect"),
        "mlflow.source.name": _source(summary, facts),
        "mlflow.source.type": "LOCAL",
        "mlflow.source.git.commit": commit.removesuffix("-dirty") if commit else None,
        "mlflow.user": _user(),
    }
    return {name: str(value) for name, value in tags.items() if value}


def _source(summary: Summary, facts: Mapping[str, Any]) -> str:
    """Versions of study and data: of all tags MLflow's list shows only the source unasked, in a column of 9 letters."""
    data = facts.get("dvc_hash") or summary.tasks[-1].data_hash
    return f"{summary.digest[:6]}, data {data[:8]}"


def _marks(kind: str, label: str, undefined: list[str]) -> dict[str, str]:
    marks = {"fselect.kind": kind, "fselect.label": label}
    return marks | ({"fselect.undefined": ", ".join(undefined)} if undefined else {})


def _user() -> str | None:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        return None


def _inputs(project: Project, summary: Summary) -> Iterable[Input]:
    folder = project.tasks_dir
    place = folder.relative_to(project.root) if folder.is_relative_to(project.root) else folder
    for task in summary.tasks:
        yield Input(
            name=task.name,
            digest=task.data_hash[:36],  # MLflow's column is that long
            location=place.as_posix(),
            rows=task.n_samples,
            columns=task.n_features,
            classes=task.classes,
        )


def _point_files(project: Project, summary: Summary, point: Point, facts: Mapping[str, Any]) -> dict[str, bytes]:
    if not point.selected and point.kind == "trivial":
        return {}
    evidence = point_evidence(project, summary, point, facts)
    files = {SET: json.dumps(evidence, indent=1, ensure_ascii=False, allow_nan=False).encode()}
    if point.frequencies:
        files[FREQUENCIES] = _table(point)
    schema = read_schema(project.tasks_dir)
    if schema is not None:
        files[SCHEMA] = json.dumps(schema.to_dict(), indent=1, ensure_ascii=False).encode()
    return files | _history(project, point)


def _history(project: Project, point: Point) -> dict[str, bytes]:
    """Give the rounds of the set that is shown; methods that have rounds have one point beside the trivial one."""
    kept = [] if point.kind == "trivial" else list((project.results_dir / "history").glob("*.parquet"))
    return {HISTORY: kept[0].read_bytes()} if len(kept) == 1 else {}


def _table(point: Point) -> bytes:
    """Write the frequencies in the format of MLflow's tables, most frequent first."""
    ordered = sorted(point.frequencies.items(), key=lambda item: (-item[1], item[0]))
    columns = ["feature", "frequency", "selected", "weight"]
    rows = [[name, share, name in point.selected, point.weights.get(name)] for name, share in ordered]
    return json.dumps({"columns": columns, "data": rows}, ensure_ascii=False).encode()


def _page(page: Path | None) -> dict[str, bytes]:
    return {} if page is None else {PAGE: page.read_bytes()}


def _plots(summary: Summary) -> dict[str, bytes]:
    from fselect.reporting.plots import front_figure, front_plotly

    picture = io.BytesIO()
    front_figure(summary).savefig(picture, format="png", dpi=150)
    # plotly.js goes into the page: from a CDN the plot would stay blank where there is no network.
    page = front_plotly(summary).to_html(include_plotlyjs=True, full_html=True)
    return {"front.png": picture.getvalue(), "front.html": page.encode("utf-8")}
