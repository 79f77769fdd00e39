"""Summaries as a study would leave them, made without running one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fselect.evaluation.comparison import bootstrap_dominance_interval
from fselect.evaluation.operating_point import choose
from fselect.evaluation.pareto import confidence_ellipse, dominance_area, dominance_interval, pareto_front
from fselect.study.results import Front, HeatMap, Point, Summary, TaskInfo

HOSTILE = "<script>alert(1)</script>"
GENES = tuple(f"gene {number:04d}" for number in range(40))
TRANSFER = {
    0: (0.928, 0.28),
    0.25: (0.934, 0.36),
    0.5: (0.941, 0.45),
    1: (0.943, 0.58),
    2: (0.939, 0.74),
    4: (0.931, 0.86),
    8: (0.924, 0.93),
}
SINGLE = {
    None: (0.92, 0.31),
    3: (0.912, 0.35),
    1: (0.885, 0.44),
    0.5: (0.87, 0.56),
    0.2: (0.8, 0.66),
    0.1: (0.74, 0.81),
}


def make_point(label, mean, kind, repeats, names, rng, *, shape=None, strength=None, fixed=False, method="rfe"):
    noise = rng.normal(0, [0.012, 0.05], (repeats, 2)) @ [[1, 0.3], [0, 1]]
    pairs = np.asarray(mean) + noise
    pairs[:, 1] = 1.0 if fixed else np.clip(pairs[:, 1], -0.1, 0.99)
    error = pairs.std(axis=0, ddof=1) / math.sqrt(repeats) if repeats > 1 else np.full(2, math.nan)
    chosen = names[:5] if method == "rfe" else ()
    shares = np.sort(rng.random(12))[::-1] if chosen else []
    return Point(
        label=label, method=method, kind=kind, shape=shape, strength=strength, repeats=repeats, n_features=5,
        accuracy=pairs[:, 0].mean(), accuracy_se=error[0], stability=pairs[:, 1].mean(), stability_se=error[1],
        balanced_accuracy=pairs[:, 0].mean() - 0.01, roc_auc=math.nan if fixed else 0.97, pairs=pairs,
        ellipse=confidence_ellipse(pairs) if repeats >= 3 else None, on_front=False, selected=chosen,
        frequencies=dict(zip(names, shares, strict=False)),
        weights=dict(zip(chosen, [1.2, -0.9, 0.4, 0.31, -0.2], strict=False)),
        key=f"k-{label}",
    )  # fmt: skip


def make_front(label, members, points):
    pairs = [points[place].pairs for place in members]
    means = np.array([one.mean(axis=0) for one in pairs])
    front = tuple(members[place] for place in pareto_front(means))
    few = len(pairs[0]) < 3
    area = None if few else dominance_interval(pairs)
    boot = None if few else bootstrap_dominance_interval(pairs, n_resamples=100, rng=0)
    limits = [math.nan] * 4 if few else [area.low, area.high, boot.low, boot.high]
    return Front(label, tuple(members), front, dominance_area(means), *limits, key=f"front-{label}")


def make_summary(protocol="transfer", repeats=20, names=GENES, study="breast-cancer", seed=5):
    rng = np.random.default_rng(seed)
    names = tuple(names)
    if protocol == "transfer":
        points = [
            make_point(
                f"strength {key:g}", mean, "biased" if key else "trivial", repeats, names, rng, strength=float(key)
            )
            for key, mean in TRANSFER.items()
        ]
        points.append(
            make_point("first set", (0.917, 1.0), "trivial", repeats, names, rng, fixed=True, method="first set")
        )
        members = range(len(points))
        fronts = [
            make_front("transfer front", list(members)[:-1], points),
            make_front("trivial front", [0, len(points) - 1], points),
        ]
    else:
        points = [
            make_point(
                "unbiased" if key is None else f"shape {key:g}",
                mean,
                "biased" if key else "unbiased",
                repeats,
                names,
                rng,
                shape=key,
            )
            for key, mean in SINGLE.items()
        ]
        points.append(
            make_point("random set", (0.61, 1.0), "trivial", repeats, names, rng, fixed=True, method="random set")
        )
        members = range(len(points))
        fronts = [
            make_front("single front", list(members), points),
            make_front("single front without random set", list(members)[:-1], points),
        ]
    points = [replace(point, on_front=place in fronts[0].front) for place, point in enumerate(points)]
    choice = choose(
        [(p.accuracy, p.stability) for p in points], [p.accuracy_se for p in points], fronts[0].front,
        [p.kind == "trivial" for p in points], labels=[p.label for p in points],
    )  # fmt: skip
    n_tasks = 6 if protocol == "transfer" else 1
    tasks = tuple(
        TaskInfo(
            f"{study}-{i + 1}" if n_tasks > 1 else study,
            569,
            len(names),
            {"benign": 357, "malignant": 212},
            f"{i:032x}",
        )
        for i in range(n_tasks)
    )
    rows = tuple(task.name for task in tasks) if n_tasks > 1 else tuple(f"bootstrap {i + 1}" for i in range(20))
    columns = names[:60]
    values = np.round(rng.random((len(rows), len(columns))) ** 3 * np.linspace(1.0, 0.2, len(columns)), 2)
    return Summary(
        study=study, protocol=protocol, method="rfe", parameters={"n_features": 5, "step": 0.2, "penalty": 1.0},
        seed=7, level=0.95, digest="d" * 32, tasks=tasks, points=tuple(points), fronts=tuple(fronts),
        operating_point=choice.position, reason=choice.reason, redraws=3,
        notes=("The noisy tasks share their rows.",), heat=HeatMap(rows, columns, values),
    )  # fmt: skip


@pytest.fixture(params=["transfer", "single"], scope="module")
def summary(request):
    return make_summary(request.param)


@pytest.fixture(scope="module")
def facts():
    return {
        "git_commit": "0123abcd-dirty",
        "dvc_hash": "feedbeef",
        "versions": {"fselect": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
        "config": {"study": {"name": "breast-cancer", "seed": 7}, "tasks": {"table": "breast_cancer"}},
    }
