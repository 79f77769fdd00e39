"""The challenger beside what is in use: the champion's set as it is, and a selection that leans towards nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from fselect.arrivals.task import Arrival
from fselect.evaluation.paired import accuracy_interval, lower_limit, out_of_bag_ratio, paired_difference
from fselect.evaluation.stability import stability_interval
from fselect.study.plan import TRIVIAL, Unit
from fselect.study.results import Point, Summary
from fselect.study.summary import indicators

__all__ = ["compare"]


def compare(summary: Summary, units: Sequence[Unit], archive: pa.Table, arrival: Arrival) -> dict[str, Any]:
    """Compare the chosen selection with the others on the same bootstraps.

    Parameters
    ----------
    summary : Summary
        Of the arrival; its operating point is the challenger.
    units : sequence of Unit
        The plan.
    archive : pyarrow.Table
        The rows of all units.
    arrival : Arrival
        The task.

    Returns
    -------
    dict
        JSON values: ``challenger``, and where there are such ``champion`` and ``unbiased``, each with ``accuracy``
        and its interval, ``stability`` and its interval, and, of the others, ``difference`` (challenger minus it) with
        ``low`` (one-sided), ``variance`` and ``resamples``. The champion's ``stability`` is what was recorded with it.
    """
    measured = _Measured(summary, units, archive, arrival)
    chosen = summary.chosen.label
    found = {"challenger": measured.alone(chosen)}
    labels = {point.label for point in summary.points}
    champion = TRIVIAL["arrival"]
    if champion in labels and arrival.champion is not None:
        recorded = _recorded(arrival)
        found["champion"] = measured.beside(champion, chosen) | {"version": arrival.champion.version} | recorded
    unbiased = next((point.label for point in summary.points if _is_unbiased(point)), None)
    if unbiased is not None and unbiased != chosen:
        found["unbiased"] = measured.beside(unbiased, chosen)
    return found


def _is_unbiased(point: Point) -> bool:
    return point.strength == 0 or point.kind == "unbiased"


def _recorded(arrival: Arrival) -> dict[str, Any]:
    """The stability that the champion's own selection had; nothing is selected again where a set is kept."""
    assert arrival.champion is not None
    text = arrival.champion.entity.tags.get("fselect.stability")
    return {"stability": float(text) if text else None, "stability_low": None, "stability_high": None}


class _Measured:
    """Accuracies and sets of each point, by bootstrap."""

    def __init__(self, summary: Summary, units: Sequence[Unit], archive: pa.Table, arrival: Arrival) -> None:
        self.level = summary.level
        self.ratio = out_of_bag_ratio(arrival.data.n_samples)
        self.places = {name: place for place, name in enumerate(arrival.data.names)}
        columns = ["unit", "repeat", "sample", "accuracy", "selected"]
        labels = {unit.key: unit.label for unit in units if unit.repeat is not None}
        frame = archive.select(columns).to_pandas()
        frame = frame[frame["unit"].isin(labels)]
        frame["label"] = frame["unit"].map(labels)
        self.rows = dict(iter(frame.sort_values(["repeat", "sample"]).groupby("label", sort=False)))

    def alone(self, label: str) -> dict[str, Any]:
        """Accuracy and stability of one point, with intervals."""
        rows = self.rows[label]
        accuracy = accuracy_interval(rows["accuracy"], test_ratio=self.ratio, level=self.level)
        stable = self._stability(label)
        return {
            "label": label,
            **{"accuracy": accuracy.value, "accuracy_low": _none(accuracy.low), "accuracy_high": _none(accuracy.high)},
            **stable,
        }

    def _stability(self, label: str) -> dict[str, Any]:
        """Of the sets of one repeat, which share their bias; the mean over the repeats."""
        found = [
            stability_interval(indicators(sets, self.places), level=self.level)
            for _, sets in self.rows[label].groupby("repeat")["selected"]
        ]
        means = {name: float(np.mean([getattr(one, name) for one in found])) for name in ("value", "low", "high")}
        names = ("stability", "stability_low", "stability_high")
        return dict(zip(names, map(_none, means.values()), strict=True))

    def beside(self, other: str, chosen: str) -> dict[str, Any]:
        """Another point, and how far the chosen one is from it."""
        ours, theirs = self.rows[chosen]["accuracy"].to_numpy(), self.rows[other]["accuracy"].to_numpy()
        found = paired_difference(ours, theirs, test_ratio=self.ratio)
        return self.alone(other) | {
            "difference": found.difference,
            "low": _none(lower_limit(found, self.level)),
            "variance": _none(found.variance),
            "resamples": found.resamples,
        }


def _none(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
