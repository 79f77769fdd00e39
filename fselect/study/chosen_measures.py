"""The stability of the operating point by every measure, from the archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from fselect.datasets.dataset import Dataset
from fselect.evaluation.complete import complete
from fselect.evaluation.measure_table import all_measures
from fselect.evaluation.protocols import final_importances, repeat_sample
from fselect.evaluation.stand_ins import stand_ins
from fselect.study.plan import Unit
from fselect.study.summary import indicators

__all__ = ["chosen_measures"]

MOST_CORRELATED = 20_000
"""Columns up to which their correlations are worked out: a second or two."""


def chosen_measures(label: str, tasks: Sequence[Dataset], units: Sequence[Unit], archive: pa.Table) -> dict[str, float]:
    """Measure the stability of a point's sets in every way.

    Parameters
    ----------
    label : str
        The point.
    tasks : sequence of Dataset
        The study's tasks; correlations are those of the last one.
    units : sequence of Unit
        The plan.
    archive : pyarrow.Table
        The rows of all units.

    Returns
    -------
    dict of str to float
        Means over the repeats, nan where a measure is undefined in one of them. ``sechidis`` is left out above
        20,000 columns.
    """
    repeats = {unit.key: unit for unit in units if unit.label == label and unit.repeat is not None}
    of_point = archive.filter(pc.is_in(archive.column("unit"), pa.array(list(repeats))))
    rows = of_point.select(["unit", "sample", "selected"]).to_pandas()
    places = {name: place for place, name in enumerate(tasks[-1].names)}
    similar = _stand_ins(tasks[-1])
    found = [
        all_measures(indicators(own["selected"], places), similar, _importances(repeats[key], tasks, own, places))
        for key, own in rows.groupby("unit")
    ]
    return {name: float(np.mean([each[name] for each in found])) for name in found[0]}


def _stand_ins(task: Dataset) -> Any:
    if task.n_features > MOST_CORRELATED:
        return None
    return stand_ins(complete(task.dense_X, np.ones(task.n_samples)))


def _importances(unit: Unit, tasks: Sequence[Dataset], rows: pd.DataFrame, places: dict[str, int]) -> np.ndarray:
    """Fit the final models of a repeat once more: a few features each, and the archive need not hold them."""
    assert unit.repeat is not None
    found = np.zeros((len(rows), len(places)))
    for own, number, names in zip(found, rows["sample"], rows["selected"], strict=True):
        task = tasks[number] if unit.protocol == "transfer" else tasks[0]
        if not len(names):  # nothing was selected, so no model relies on anything
            continue
        columns = np.sort([places[name] for name in names])
        drawn = repeat_sample(task, unit.seed, unit.repeat, number)
        own[columns] = final_importances(task, drawn, columns, unit.final_penalty)
    return found
