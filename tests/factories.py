"""Small summaries and projects, made up, for tests of what is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fselect.evaluation.pareto import confidence_ellipse
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.study.results import Front, HeatMap, Point, Summary, TaskInfo

NAMES = ("mean radius", "texture", "area", "smoothness", "worst area")


def make_project(root: Path, study: str = "demo", *, uri: str | None = None, protocol: str = "transfer") -> Project:
    """A project folder with nothing in it yet."""
    tasks = {"source": "noisy" if protocol == "transfer" else "table", "table": "wine", "target": "target"}
    values = {"study": {"name": study, "protocol": protocol}, "tasks": tasks, "tracking": {"uri": uri}}
    return Project(root, parse_config(values))


def make_point(label: str, accuracy: float, stability: float, *, digest: str = "d0", **changes: object) -> Point:
    """One point with six repeats scattered around its means."""
    word, _, number = label.partition(" ")
    trivial = label in ("first set", "random set", "strength 0")
    scatter = np.array([[-2, 1], [2, -1], [1, 2], [-1, -2], [3, 0], [-3, 0]]) / 100
    pairs = np.array([accuracy, stability]) + scatter
    selected = () if trivial else NAMES[:3]
    values: dict[str, object] = {
        "label": label,
        "method": "rfe",
        "kind": "trivial" if trivial else "unbiased" if label == "unbiased" else "biased",
        "shape": float(number) if word == "shape" else None,
        "strength": float(number) if word == "strength" else None,
        "repeats": 6,
        "n_features": 3,
        "accuracy": accuracy,
        "accuracy_se": 0.01,
        "stability": stability,
        "stability_se": 0.02,
        "balanced_accuracy": accuracy - 0.01,
        "roc_auc": accuracy + 0.01,
        "pairs": pairs,
        "ellipse": confidence_ellipse(pairs, 0.95),
        "on_front": not trivial,
        "selected": selected,
        "frequencies": dict(zip(NAMES, (1.0, 0.9, 0.6, 0.3, 0.2), strict=True)) if selected else {},
        "weights": dict(zip(selected, (1.5, -0.5, 0.25), strict=True)) if selected else {},
        "key": f"{digest}-{label.replace(' ', '-')}",
    }
    return Point(**(values | changes))


def make_summary(
    study: str = "demo",
    *,
    protocol: str = "transfer",
    digest: str = "d0",
    points: Sequence[Point] | None = None,
) -> Summary:
    """Three biased points and the trivial ones, with two fronts."""
    if points is None:
        points = _transfer(digest) if protocol == "transfer" else _single(digest)
    chosen = next(place for place, point in enumerate(points) if point.kind != "trivial")
    everything = tuple(range(len(points)))
    biased = tuple(place for place in everything if points[place].kind != "trivial")
    fronts = (
        Front(f"{protocol} front", biased, biased, 0.81, 0.78, 0.84, 0.77, 0.85, f"{digest}-front"),
        Front("trivial front", everything, everything, 0.6, 0.55, 0.65, np.nan, np.nan, f"{digest}-trivial"),
    )
    return Summary(
        study=study,
        protocol=protocol,
        method="rfe",
        parameters={"n_features": 3, "step": 0.2, "penalty": 1.0, "repeats": 6},
        seed=0,
        level=0.95,
        digest=digest,
        tasks=tuple(TaskInfo(f"wine-{i}", 178, 5, {"a": 100, "b": 78}, f"{i:032x}") for i in (1, 2)),
        points=tuple(points),
        fronts=fronts,
        operating_point=chosen,
        reason="the most stable within one standard error of the best",
        redraws=0,
        notes=(),
        heat=HeatMap(("wine-1", "wine-2"), NAMES[:2], np.array([[1.0, 0.5], [0.9, 0.4]])),
    )


def _transfer(digest: str) -> list[Point]:
    return [
        make_point("strength 0", 0.93, 0.41, digest=digest),
        make_point("strength 1", 0.92, 0.7, digest=digest),
        make_point("strength 4", 0.9, 0.9, digest=digest),
        make_point("first set", 0.85, 1.0, digest=digest),
    ]


def _single(digest: str) -> list[Point]:
    return [
        make_point("unbiased", 0.93, 0.4, digest=digest),
        make_point("shape 1", 0.92, 0.7, digest=digest),
        make_point("shape 0.1", 0.9, 0.9, digest=digest),
        make_point("random set", 0.6, 1.0, digest=digest),
    ]
