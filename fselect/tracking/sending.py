"""Send one record to MLflow, so that its key exists there exactly once, finished."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fselect.tracking.connection import Store, store_lock
from fselect.tracking.experiments import DIGEST, experiment_id
from fselect.tracking.record import Input, RunRecord

__all__ = ["KEY", "search", "send"]

KEY = "fselect.key"
_PER_BATCH = 100  # MLflow's limit for params and tags in one request; metrics allow more
_PAGE = 1000


def send(store: Store, record: RunRecord) -> str:
    """Log a record, unless a finished run with its key is there.

    A run with the key that never finished (its process was killed) is deleted and logged anew: parameters of a run
    cannot be rewritten, and metrics would be appended twice. Of a finished run only the tags that may change later
    are brought up to date.

    Parameters
    ----------
    store : Store
        Where to.
    record : RunRecord
        What.

    Returns
    -------
    str
        The id of the one finished run with that key.
    """
    with store_lock(store.state_dir):
        experiment = experiment_id(store, record.experiment, record.tags.get(DIGEST))
        done = _settle(store, experiment, record)
        return done or _log(store, experiment, record)


def search(store: Store, experiments: Sequence[str], condition: str, limit: int | None = None) -> Iterator[Any]:
    """Go through the runs that meet a condition, newest first, page by page."""
    pages = _pages(store, list(experiments), condition)
    return islice(pages, limit)


def _pages(store: Store, experiments: list[str], condition: str) -> Iterator[Any]:
    token = None
    while experiments:
        page = store.client.search_runs(
            experiments,
            condition,
            max_results=_PAGE,
            order_by=["attributes.start_time DESC"],
            page_token=token,
        )
        yield from page
        token = page.token
        if not token:
            return


def _settle(store: Store, experiment: str, record: RunRecord) -> str | None:
    """Find the finished run of a key; clear away the unfinished ones."""
    done: str | None = None
    for run in list(search(store, [experiment], f"tags.`{KEY}` = '{record.key}'")):
        if run.info.status == "FINISHED" and done is None:
            done = str(run.info.run_id)
            _refresh(store, run, record)
        elif run.info.status != "FINISHED":
            store.client.delete_run(run.info.run_id)
    return done


_MUTABLE = ("fselect.operating_point", "fselect.reason")


def _refresh(store: Store, run: Any, record: RunRecord) -> None:
    """The operating point depends on a rule that may change while the point's numbers stay."""
    for tag in _MUTABLE:
        wanted, there = record.tags.get(tag), run.data.tags.get(tag)
        if wanted is None and there is not None:
            store.client.delete_tag(run.info.run_id, tag)
        elif wanted is not None and wanted != there:
            store.client.set_tag(run.info.run_id, tag, wanted)


def _log(store: Store, experiment: str, record: RunRecord) -> str:
    tags = {KEY: record.key, **record.tags}
    first = dict(islice(tags.items(), _PER_BATCH))
    run = store.client.create_run(experiment, tags=first, run_name=record.name)
    run_id = str(run.info.run_id)
    _log_numbers(store, run_id, record)
    _log_inputs(store, run_id, record.inputs)
    _log_files(store, run_id, record)
    store.client.set_terminated(run_id, "FINISHED")
    return run_id


def _log_numbers(store: Store, run_id: str, record: RunRecord) -> None:
    from mlflow.entities import Metric, Param

    now = int(time.time() * 1000)
    metrics = [Metric(name, value, now, 0) for name, value in record.metrics.items()]
    metrics += [Metric(name, value, now, step) for name, curve in record.curves.items() for step, value in curve]
    params = [Param(name, value) for name, value in record.params.items()]
    for start in range(0, max(len(metrics), len(params)), _PER_BATCH):
        part = slice(start, start + _PER_BATCH)
        store.client.log_batch(run_id, metrics=metrics[part], params=params[part])


def _log_inputs(store: Store, run_id: str, inputs: Sequence[Input]) -> None:
    from mlflow.entities import Dataset, DatasetInput, InputTag

    context = InputTag("mlflow.data.context", "task")
    entities = [DatasetInput(Dataset(**_described(item)), [context]) for item in inputs]
    if entities:
        store.client.log_inputs(run_id, datasets=entities)


def _described(item: Input) -> dict[str, str]:
    """MLflow's description of a table; 12600 column types would be a large one, so counts stand for them."""
    profile = {"num_rows": item.rows, "num_features": item.columns, "classes": dict(item.classes)}
    return {
        "name": item.name,
        "digest": item.digest,
        "source_type": "local",
        "source": json.dumps({"uri": item.location}),
        "profile": json.dumps(profile),
    }


def _log_files(store: Store, run_id: str, record: RunRecord) -> None:
    files = record.files()
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), files)
        if files:
            store.client.log_artifacts(run_id, folder)
    if record.tables:
        tables = [{"path": path, "type": "table"} for path in record.tables]
        store.client.set_tag(run_id, "mlflow.loggedArtifacts", json.dumps(tables))


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
