"""What one unit computes: its rows of the archive."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.evaluation.protocols import (
    Selection,
    SupportRule,
    draw_bootstrap,
    kept_set,
    random_set,
    reused_set,
    single_task,
    table_for,
    transfer,
)
from fselect.files import write_atomically
from fselect.selectors.catalogue import get_method
from fselect.selectors.shrinkage import draw_log_shrinkage, transfer_log_shrinkage, with_prior
from fselect.study.archive import rows_to_table
from fselect.study.plan import TRIVIAL, Unit
from fselect.study.prior import make_prior

if TYPE_CHECKING:
    import pandas as pd  # a worker need not have it in its memory

__all__ = ["HISTORY", "run_unit"]

Row = dict[str, Any]

HISTORY = "history.parquet"
"""The rounds of a search, a row a candidate."""


def run_unit(unit: Unit, tasks: Sequence[Dataset], scratch: Path | None = None) -> pa.Table:
    """Compute a unit.

    Parameters
    ----------
    unit : Unit
        From the plan.
    tasks : sequence of Dataset
        The study's tasks; a single-task study has one.
    scratch : Path, optional
        The unit's own folder, where a method that runs for long may keep what it has finished; and where the history
        of the set that stands for a point is left, as `HISTORY`.

    Returns
    -------
    pyarrow.Table
        In the archive's schema, ``study`` left empty: units are shared by studies.
    """
    rule = _rule(unit, scratch, tasks[0].names)
    if unit.protocol == "set":
        ordered = unit.setting == "transfer"
        rows = _set_transfer(unit, tasks, rule) if ordered else _set_single(unit, tasks[0], rule)
    else:
        rows = _repeat_rows(unit, tasks, rule)
    return rows_to_table(rows)


def _rule(unit: Unit, scratch: Path | None, columns: tuple[str, ...]) -> SupportRule:
    if unit.trivial == TRIVIAL["single"]:
        return _Unasked()
    rule: Any = get_method(unit.method, **json.loads(unit.parameters))
    if scratch is None or not getattr(rule, "resumable", False):
        return cast("SupportRule", rule)
    return _InFolder(rule, scratch, columns, unit.protocol == "set")


@dataclass(frozen=True)
class _Unasked:
    """Stands for the method where a trivial strategy takes its place."""

    def support(self, *sample: Any) -> np.ndarray:
        raise AssertionError("a trivial strategy selects without the method")


@dataclass(frozen=True)
class _InFolder:
    """A method that keeps what it has finished in a folder."""

    rule: Any
    folder: Path
    columns: tuple[str, ...]
    recorded: bool

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        keep = self._keep if self.recorded else None
        told = {"names": self.columns, "folder": self.folder, "on_history": keep}
        support: np.ndarray = self.rule.support(X, codes, counts, bias, rng, **told)
        return support

    def _keep(self, history: pd.DataFrame) -> None:
        """Keep the first history: that of the set on all rows, which comes before its frequencies."""
        path = self.folder / HISTORY
        if not path.exists():
            named = history.assign(feature=np.array(self.columns, dtype=object)[history["feature"]])
            write_atomically(path, named.to_parquet(index=False, compression="zstd"))


def _repeat_rows(unit: Unit, tasks: Sequence[Dataset], rule: SupportRule) -> Iterator[Row]:
    for selection in _selections(unit, tasks, rule):
        task = tasks[selection.sample] if unit.protocol == "transfer" else tasks[0]
        yield _row(unit, task, selection.support, selection.sample) | {
            "redraws": selection.redraws,
            "accuracy": selection.accuracy,
            "balanced_accuracy": _null_if_nan(selection.balanced_accuracy),
            "roc_auc": _null_if_nan(selection.roc_auc),
        }


def _selections(unit: Unit, tasks: Sequence[Dataset], rule: SupportRule) -> Iterator[Selection]:
    assert unit.repeat is not None
    once: dict[str, Any] = {"seed": unit.seed, "repeat": unit.repeat, "penalty": unit.final_penalty}
    if unit.protocol == "transfer":
        if unit.trivial:
            return reused_set(tasks, rule, **once)
        return transfer(tasks, rule, unit.strength or 0.0, **once)
    once["bootstraps"] = unit.bootstraps
    if unit.setting == "arrival":
        return _arrival(unit, tasks[0], rule, once)
    if unit.trivial:
        return random_set(tasks[0], json.loads(unit.parameters)["n_features"], **once)
    bias = _shape_bias(unit, tasks[0], unit.repeat, Stream.SHRINKAGE, Stream.PRIOR)
    return single_task(tasks[0], rule, bias, **once)


def _arrival(unit: Unit, task: Dataset, rule: SupportRule, once: dict[str, Any]) -> Iterator[Selection]:
    if unit.trivial:
        return kept_set(task, _mask(json.loads(str(unit.prior))["set"], task), **once)
    return single_task(task, rule, _history_bias(unit, task), **once)


def _history_bias(unit: Unit, task: Dataset) -> np.ndarray:
    """The log shrinkages that the sets of earlier tasks give; no features are favoured where there are none."""
    sets = json.loads(unit.prior)["history"] if unit.prior else []
    history = np.array([_mask(names, task) for names in sets], dtype=bool).reshape(len(sets), task.n_features)
    return transfer_log_shrinkage(history, unit.strength or 0.0)


def _mask(names: Sequence[str], task: Dataset) -> np.ndarray:
    chosen = set(names)
    return np.array([name in chosen for name in task.names])


def _shape_bias(unit: Unit, task: Dataset, repeat: int, draws: Stream, examples: Stream) -> np.ndarray:
    """Draw the log shrinkages of a repeat; with a prior, the same draws in another order."""
    rng = generator(unit.seed, draws, task.name, repeat)
    log_beta = draw_log_shrinkage(task.n_features, unit.shape, rng)
    prior = make_prior(unit.prior, task, generator(unit.seed, examples, task.name, repeat, 1))
    return log_beta if prior is None else with_prior(log_beta, prior, rng)


def _set_single(unit: Unit, task: Dataset, rule: SupportRule) -> Iterator[Row]:
    """The set of a point: one draw of the shrinkages, used for no estimate, and all rows; then its frequencies.

    The shrinkages of an arrival follow from the sets of earlier tasks; nothing is drawn.
    """
    arrival = unit.setting == "arrival"
    bias = _history_bias(unit, task) if arrival else _shape_bias(unit, task, 0, Stream.SET, Stream.SET)
    yield _row(unit, task, _on_all_rows(unit, task, rule, bias), 0)
    yield from _frequency_rows(unit, task, rule, bias)


def _set_transfer(unit: Unit, tasks: Sequence[Dataset], rule: SupportRule) -> Iterator[Row]:
    """All rows of every task in order, each with the history of the earlier sets; frequencies for the last task."""
    history = np.zeros((0, tasks[0].n_features), dtype=bool)
    for place, task in enumerate(tasks):
        bias = transfer_log_shrinkage(history, unit.strength or 0.0)
        support = _on_all_rows(unit, task, rule, bias)
        yield _row(unit, task, support, place)
        if place < len(tasks) - 1:
            history = np.vstack([history, support])
    yield from _frequency_rows(unit, tasks[-1], rule, bias)


def _on_all_rows(unit: Unit, task: Dataset, rule: SupportRule, bias: np.ndarray) -> np.ndarray:
    rng = generator(unit.seed, Stream.SELECTOR, task.name, 0, 0)
    counts = np.ones(task.n_samples, dtype=np.int64)
    return rule.support(table_for(rule, task), task.codes, counts, bias, rng)


def _frequency_rows(unit: Unit, task: Dataset, rule: SupportRule, bias: np.ndarray) -> Iterator[Row]:
    for number in range(unit.bootstraps):
        rng = generator(unit.seed, Stream.SET, task.name, 1, number)
        drawn = draw_bootstrap(task, rng)
        support = rule.support(table_for(rule, task), task.codes, drawn.counts, bias, rng)
        row = _row(unit, task, support, number)
        yield row | {"protocol": "frequency", "redraws": drawn.redraws}


def _row(unit: Unit, task: Dataset, support: np.ndarray, sample: int) -> Row:
    return {
        "unit": unit.key,
        "protocol": unit.protocol,
        "method": unit.trivial or unit.method,
        "parameters": unit.parameters,
        "dataset": task.name,
        "data_hash": task.content_hash,
        "task": None if unit.setting == "single" else task.name,
        "prior": unit.prior,
        "shape": unit.shape,
        "strength": unit.strength,
        "repeat": unit.repeat,
        "sample": sample,
        "status": "ok",
        "selected": [task.names[place] for place in np.flatnonzero(support)],
        "n_selected": int(support.sum()),
        "evaluations": 1,
        "redraws": 0,
    }


def _null_if_nan(value: float) -> float | None:
    return None if math.isnan(value) else value
