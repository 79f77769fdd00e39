"""From the archive to the summary: points, fronts with their uncertainty, and the operating point."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from fselect.classifiers.logistic import fit_logistic
from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.datasets.sparse_tables import dense_columns
from fselect.errors import InputError
from fselect.evaluation.comparison import bootstrap_dominance_interval
from fselect.evaluation.complete import complete
from fselect.evaluation.operating_point import choose
from fselect.evaluation.pareto import (
    confidence_ellipse,
    dominance_area,
    dominance_interval,
    pareto_front,
)
from fselect.evaluation.stability import stability
from fselect.selectors.catalogue import get_method
from fselect.study.config import Config
from fselect.study.plan import TRIVIAL, Unit, digest_of, method_parameters, study_digest
from fselect.study.results import Front, HeatMap, Point, Summary, TaskInfo

__all__ = ["Front", "HeatMap", "Point", "Summary", "TaskInfo", "indicators", "repeat_table", "summarise"]

SHOWN_FEATURES = 60
"""Columns of the heat map: as many as a page can label."""

RESAMPLES = 2000
"""Bootstrap resamples of the repeats; the percentiles' own error is then below a tenth of the interval."""


def repeat_table(archive: pa.Table, units: Sequence[Unit], names: Sequence[str]) -> pd.DataFrame:
    """One row a repeat of a point: mean accuracy over its samples, and the stability of its sets.

    Parameters
    ----------
    archive : pyarrow.Table
        The study's archive.
    units : sequence of Unit
        The plan.
    names : sequence of str
        The columns of the tasks.

    Returns
    -------
    DataFrame
        Columns label, repeat, accuracy, stability, balanced_accuracy, roc_auc, redraws.
    """
    columns = ["unit", "accuracy", "balanced_accuracy", "roc_auc", "redraws", "selected"]
    frame = archive.select(columns).to_pandas()
    groups = dict(iter(frame.groupby("unit", sort=False)))
    places = {name: place for place, name in enumerate(names)}
    repeats = [unit for unit in units if unit.repeat is not None]
    return pd.DataFrame([_repeat_row(unit, groups[unit.key], places) for unit in repeats])


def _repeat_row(unit: Unit, rows: pd.DataFrame, places: dict[str, int]) -> dict[str, Any]:
    measured = rows[["accuracy", "balanced_accuracy", "roc_auc"]].mean()
    return {
        "label": unit.label,
        "repeat": unit.repeat,
        **{str(name): value for name, value in measured.items()},
        "stability": _stability(indicators(rows["selected"], places)),
        "redraws": int(rows["redraws"].sum()),
    }


def _stability(Z: np.ndarray) -> float:
    """The stability of a repeat's sets; 1 where all are empty or all full, which leaves it undefined.

    Decided here, because a method that chooses the size itself may do either, and always does the same then.
    """
    return 1.0 if not Z.any() or Z.all() else stability(Z)


def indicators(selected: Iterable[Sequence[str]], places: dict[str, int]) -> np.ndarray:
    """Sets of names as rows of 0 and 1, shape (sets, features)."""
    sets = list(selected)
    Z = np.zeros((len(sets), len(places)), dtype=bool)
    for row, names in enumerate(sets):
        Z[row, [places[name] for name in names]] = True
    return Z


def summarise(config: Config, tasks: Sequence[Dataset], units: Sequence[Unit], archive: pa.Table) -> Summary:
    """Summarise a study.

    Parameters
    ----------
    config : Config
        The study.
    tasks : sequence of Dataset
        Its tasks.
    units : sequence of Unit
        Its plan.
    archive : pyarrow.Table
        The rows of all units.

    Returns
    -------
    Summary

    Raises
    ------
    InputError
        If the archive lacks units of the plan.
    """
    _check_complete(units, archive)
    digest = study_digest(config, tasks)
    if config.study.protocol == "arrival":  # which sets it leans towards is in the plan, not in the study file
        digest = digest_of([digest, sorted({unit.key for unit in units})])
    table = repeat_table(archive, units, tasks[0].names)
    sets = archive.select(["unit", "protocol", "sample", "selected"]).to_pandas()
    points = [
        _point(unit, table[table["label"] == unit.label], sets, units, tasks, config, digest)
        for unit in units
        if unit.repeat == 0
    ]
    fronts = _fronts(points, config, digest)
    points = [replace(point, on_front=place in fronts[0].front) for place, point in enumerate(points)]
    chosen, reason = _operating_point(points, fronts[0], config)
    return Summary(
        study=config.study.name,
        protocol=config.study.protocol,
        method=config.selection.method,
        parameters=_parameters(config),
        seed=config.study.seed,
        level=config.evaluation.level,
        digest=digest,
        tasks=tuple(_task_info(task) for task in tasks),
        points=tuple(points),
        fronts=tuple(fronts),
        operating_point=chosen,
        reason=reason,
        redraws=int(table["redraws"].sum()),
        notes=_notes(config),
        heat=_heat(config, points[chosen], archive, units, tasks),
    )


def _check_complete(units: Sequence[Unit], archive: pa.Table) -> None:
    missing = {unit.key for unit in units} - set(archive.column("unit").unique().to_pylist())
    if missing:
        raise InputError(f"{len(missing)} of {len(units)} units are not finished; run the study again: fselect run")


def _parameters(config: Config) -> dict[str, Any]:
    own = dict(get_method(config.selection.method, **method_parameters(config)).parameters)
    dumped = config.selection.model_dump(mode="json", exclude={"strengths", "shapes", "method", "parameters"})
    for name in {"step", "penalty"} - own.keys():
        del dumped[name]
    dumped |= own
    if config.study.protocol != "single":
        del dumped["prior"]
    return dumped | {"final_penalty": config.selection.final_model_penalty}


def _task_info(task: Dataset) -> TaskInfo:
    counts = {str(label): int((task.codes == code).sum()) for code, label in enumerate(task.classes)}
    return TaskInfo(task.name, task.n_samples, task.n_features, counts, task.content_hash)


def _standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def _kind(unit: Unit) -> Literal["biased", "unbiased", "trivial"]:
    if unit.trivial or unit.strength == 0:
        return "trivial"
    return "unbiased" if unit.shape is None and unit.strength is None else "biased"


def _point(
    unit: Unit,
    rows: pd.DataFrame,
    sets: pd.DataFrame,
    units: Sequence[Unit],
    tasks: Sequence[Dataset],
    config: Config,
    digest: str,
) -> Point:
    pairs = rows[["accuracy", "stability"]].to_numpy(dtype=float)
    selected, frequencies = _set_of_point(unit, sets, units)
    return Point(
        label=unit.label,
        method=unit.trivial or unit.method,
        kind=_kind(unit),
        shape=unit.shape,
        strength=None if unit.trivial else unit.strength,
        repeats=len(rows),
        n_features=_size(unit, selected, config),
        accuracy=float(pairs[:, 0].mean()),
        accuracy_se=_standard_error(pairs[:, 0]),
        stability=float(pairs[:, 1].mean()),
        stability_se=_standard_error(pairs[:, 1]),
        balanced_accuracy=float(rows["balanced_accuracy"].mean()),
        roc_auc=float(rows["roc_auc"].mean()),
        pairs=pairs,
        ellipse=confidence_ellipse(pairs, config.evaluation.level) if len(pairs) >= 3 else None,
        on_front=False,
        selected=selected,
        frequencies=frequencies,
        weights=_weights(tasks[-1], selected, unit.final_penalty),
        key=digest_of([digest, unit.label]),
    )


def _size(unit: Unit, selected: tuple[str, ...], config: Config) -> int:
    """Features in a set: as many as are asked for, or, where the method finds the number, as its set has."""
    asked = unit.trivial or "n_features" in json.loads(unit.parameters)
    return config.selection.n_features if asked else len(selected)


def _set_of_point(unit: Unit, sets: pd.DataFrame, units: Sequence[Unit]) -> tuple[tuple[str, ...], dict[str, float]]:
    """The set on all rows, and how often fresh bootstraps selected each feature, most frequent first."""
    keys = [one.key for one in units if one.protocol == "set" and one.label == unit.label]
    if not keys:
        return (), {}
    rows = sets[sets["unit"] == keys[0]]
    chain = rows[rows["protocol"] == "set"].sort_values("sample")
    counts = Counter(name for names in rows.loc[rows["protocol"] == "frequency", "selected"] for name in names)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    frequencies = {name: count / unit.bootstraps for name, count in ordered}
    return tuple(str(name) for name in chain["selected"].iloc[-1]), frequencies


def _weights(task: Dataset, selected: Sequence[str], penalty: float) -> dict[str, float]:
    """Standardised weights of the final model on all rows: signed for two classes, else their root mean square."""
    if not selected:
        return {}
    columns = np.array([task.names.index(name) for name in selected])
    counts = np.ones(task.n_samples, dtype=np.int64)
    values = complete(dense_columns(task.X, columns), counts)
    fitted = fit_logistic(values, task.codes, counts, penalty, n_classes=len(task.classes))
    signs = np.sign(fitted.coef[0]) if len(task.classes) == 2 else 1.0
    return dict(zip(selected, (signs * fitted.importance).tolist(), strict=True))


def _fronts(points: Sequence[Point], config: Config, digest: str) -> list[Front]:
    protocol = config.study.protocol
    everything = tuple(range(len(points)))
    strategy = next((place for place in everything if points[place].label == TRIVIAL[protocol]), None)
    others = tuple(place for place in everything if place != strategy)
    if protocol == "single":
        groups = {"single front": everything, "single front without random set": others}
    else:
        trivial = tuple(place for place in everything if points[place].kind == "trivial")
        groups = {f"{protocol} front": others} | ({"trivial front": trivial} if trivial else {})
    return [_front(label, members, points, config, digest) for label, members in groups.items()]


def _front(label: str, members: tuple[int, ...], points: Sequence[Point], config: Config, digest: str) -> Front:
    means = np.array([[points[place].accuracy, points[place].stability] for place in members])
    optimal = [members[int(place)] for place in pareto_front(means)]
    weight, level = config.evaluation.weight, config.evaluation.level
    low, high = _ellipse_interval([points[place].pairs for place in optimal], level, weight)
    boot_low, boot_high = _bootstrap_interval([points[place].pairs for place in members], config)
    return Front(
        label=label,
        members=members,
        front=tuple(optimal),
        area=float(dominance_area(means, weight)),
        area_low=low,
        area_high=high,
        bootstrap_low=boot_low,
        bootstrap_high=boot_high,
        key=digest_of([digest, label]),
    )


def _ellipse_interval(samples: list[np.ndarray], level: float, weight: Any) -> tuple[float, float]:
    if min(len(pairs) for pairs in samples) < 3:
        return math.nan, math.nan
    interval = dominance_interval(samples, level, weight=weight)
    return interval.low, interval.high


def _bootstrap_interval(samples: list[np.ndarray], config: Config) -> tuple[float, float]:
    if min(len(pairs) for pairs in samples) < 2:
        return math.nan, math.nan
    rng = generator(config.study.seed, Stream.RESAMPLE, config.study.name)
    level, weight = config.evaluation.level, config.evaluation.weight
    interval = bootstrap_dominance_interval(samples, level, n_resamples=RESAMPLES, rng=rng, weight=weight)
    return interval.low, interval.high


def _operating_point(points: Sequence[Point], front: Front, config: Config) -> tuple[int, str]:
    members = front.members
    positions = [members.index(place) for place in front.front]
    chosen = choose(
        np.array([[points[place].accuracy, points[place].stability] for place in members]),
        np.array([points[place].accuracy_se for place in members]),
        positions,
        np.array([points[place].kind == "trivial" for place in members]),
        config.operating_point.rule,
        config.operating_point.value,
        [points[place].label for place in members],
    )
    place = members[chosen.position]
    return place, chosen.reason + _beside_first_set(points[place], points)


def _beside_first_set(chosen: Point, points: Sequence[Point]) -> str:
    """What reusing the first task's set for ever would give instead: the question every transfer must answer."""
    first = next((point for point in points if point.label == TRIVIAL["transfer"]), None)
    if first is None:
        return ""
    lost = chosen.accuracy - first.accuracy
    if lost <= 0:
        return (
            f" The first task's set, reused for all, is at least as accurate ({first.accuracy:.3f}) and fully stable: "
            "transfer is not worth it here."
        )
    return (
        f" The first task's set, reused for all, is fully stable and {lost:.3f} less accurate ({first.accuracy:.3f})."
    )


def _notes(config: Config) -> tuple[str, ...]:
    notes = [
        "Accuracy and stability estimate the selection procedure over resampled rows, not the one set that is shown.",
        "Ellipses and the interval made of them are statements about single points, not simultaneous ones.",
    ]
    if config.tasks.source == "noisy" and config.study.protocol == "transfer":
        notes.append(
            "The noisy tasks share their rows, so sets of earlier tasks have seen the rows that are out of bag here; "
            "accuracies of biased selections are optimistic to that extent."
        )
    if config.selection.repeats < 3:
        notes.append("With fewer than three repeats there is no ellipse and no interval of the dominance area.")
    return tuple(notes)


def _heat(config: Config, point: Point, archive: pa.Table, units: Sequence[Unit], tasks: Sequence[Dataset]) -> HeatMap:
    """Who was selected where at the operating point: tasks over repeats, or single bootstraps."""
    protocol = config.study.protocol
    wanted = {unit.key for unit in units if unit.label == point.label and (unit.protocol == protocol)}
    frame = archive.select(["unit", "protocol", "sample", "selected"]).to_pandas()
    if protocol != "transfer":
        wanted = {unit.key for unit in units if unit.label == point.label and unit.protocol == "set"}
        frame = frame[frame["protocol"] == "frequency"]
    frame = frame[frame["unit"].isin(wanted)]
    labels = [task.name for task in tasks] if protocol == "transfer" else None
    return _heat_map(frame, labels, point)


def _heat_map(frame: pd.DataFrame, labels: list[str] | None, point: Point) -> HeatMap:
    totals = Counter(name for names in frame["selected"] for name in names)
    ranked = sorted(totals, key=lambda name: (name not in point.selected, -totals[name], name))[:SHOWN_FEATURES]
    columns = {name: place for place, name in enumerate(ranked)}
    rows = sorted(frame["sample"].unique())
    values = np.zeros((len(rows), len(columns)))
    for sample, names in zip(frame["sample"], frame["selected"], strict=True):
        values[sample, [columns[name] for name in names if name in columns]] += 1
    runs = frame.groupby("sample").size().reindex(rows).to_numpy()
    shown = labels or [f"bootstrap {row + 1}" for row in rows]
    return HeatMap(tuple(shown), tuple(ranked), values / runs[:, None])
