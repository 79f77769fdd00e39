"""The set of a point as a document: what was chosen, on which data, and how good the procedure is."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fselect.study.project import Project
    from fselect.study.results import Point, Summary

__all__ = ["point_evidence"]


def point_evidence(project: Project, summary: Summary, point: Point, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a point's set so that it can be promoted, and defended, from this document alone.

    Parameters
    ----------
    project : Project
        Where the tasks lie, for the record of how their table was read.
    summary : Summary
        The study.
    point : Point
        One of its points.
    facts : mapping
        ``git_commit`` and ``dvc_hash``.

    Returns
    -------
    dict
        JSON values; what is undefined (a standard error of one repeat) is None.
    """
    last = summary.tasks[-1]
    measured = ("accuracy", "accuracy_se", "stability", "stability_se", "balanced_accuracy", "roc_auc")
    return {
        "study": summary.study,
        "run_name": f"{summary.protocol} {point.label}",
        "label": point.label,
        "kind": point.kind,
        "features": list(point.selected),
        "frequencies": dict(point.frequencies),
        "weights": {name: _number(weight) for name, weight in point.weights.items()},
        **{name: _number(getattr(point, name)) for name in measured},
        "estimates": f"means over {point.repeats} repeats; they describe the procedure, not this one set",
        "repeats": point.repeats,
        "strength": point.strength,
        "shape": point.shape,
        "protocol": summary.protocol,
        "method": point.method,
        "parameters": dict(summary.parameters),
        "seed": summary.seed,
        "set_made_from": last.name,
        "data_hash": last.data_hash,
        "tasks": [{"name": task.name, "rows": task.n_samples, "data_hash": task.data_hash} for task in summary.tasks],
        "digest": summary.digest,
        "key": point.key,
        "git_commit": facts.get("git_commit"),
        "dvc_hash": facts.get("dvc_hash"),
        "recipe": _recipe(project, last.data_hash),
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _recipe(project: Project, data_hash: str) -> dict[str, Any]:
    """How the last task's table became numbers, from the index of the tasks (the tables themselves are large)."""
    try:
        index = json.loads((project.tasks_dir / "index.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = [entry["recipe"] for entry in index["tasks"] if entry.get("content_hash") == data_hash]
    return dict(found[-1]) if found else {}
