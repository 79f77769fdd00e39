"""Find runs again: the list of a project's runs, and one run by id, by the start of its id, or by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from fselect.datasets.wording import did_you_mean, listing
from fselect.errors import InputError
from fselect.tracking.connection import Store, is_unused
from fselect.tracking.experiments import DIGEST
from fselect.tracking.runs import open_store
from fselect.tracking.sending import KEY, search

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["find_run", "list_runs"]

_OURS = "tags.`fselect.kind` LIKE '%'"
_METRICS = ("accuracy", "stability", "dominance_area")
_TEXTS = ("run_id", "study", "name", "kind", "status")
_COLUMNS = ("run_id", "study", "name", "kind", *_METRICS, "operating_point", "status", "started")
_SHORTEST = 4


def list_runs(project: Project, study: str | None = None) -> pd.DataFrame:
    """List the runs of a project, newest first.

    Parameters
    ----------
    project : Project
        The project.
    study : str, optional
        One study only. Default: all.

    Returns
    -------
    DataFrame
        Columns run_id, study, name, kind (point, trivial or front), accuracy, stability, dominance_area (NaN where a
        run has none), operating_point (bool), status and started (UTC).

    Raises
    ------
    InputError
        There is no such study.
    """
    rows = [] if study is None and is_unused(project) else _rows(open_store(project), study)
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    frame["started"] = pd.to_datetime(frame["started"], unit="ms", utc=True).dt.as_unit("ms")
    types = dict.fromkeys(_TEXTS, object) | dict.fromkeys(_METRICS, float) | {"operating_point": bool}
    return frame.astype(types)


def _rows(store: Store, study: str | None) -> list[dict[str, Any]]:
    return [_row(run) for run in search(store, _experiments(store, study), _OURS)]


def _row(run: Any) -> dict[str, Any]:
    tags, metrics = run.data.tags, run.data.metrics
    return {
        "run_id": run.info.run_id,
        "study": tags.get("fselect.study"),
        "name": run.info.run_name,
        "kind": tags.get("fselect.kind"),
        **{name: metrics.get(name) for name in _METRICS},
        "operating_point": "fselect.operating_point" in tags,
        "status": run.info.status,
        "started": run.info.start_time,
    }


def _experiments(store: Store, study: str | None) -> list[str]:
    if study is None:
        return [experiment.experiment_id for experiment in _all_experiments(store)]
    found = store.client.get_experiment_by_name(study)
    if found is None:
        known = [experiment.name for experiment in _all_experiments(store) if experiment.name != "Default"]
        raise InputError(f"there is no study {study!r} in MLflow{did_you_mean(study, known)}")
    return [found.experiment_id]


def _all_experiments(store: Store) -> Iterable[Any]:
    token = None
    while True:
        page = store.client.search_experiments(max_results=1000, page_token=token)
        yield from page
        token = page.token
        if not token:
            return


def find_run(store: Store, reference: str) -> Any:
    """Find one run.

    Parameters
    ----------
    store : Store
        Where.
    reference : str
        The id of a run, or its first four characters or more; ``STUDY/LABEL`` (``breast-cancer/strength 2``), which
        means that of the study as it was logged last; or a point's key.

    Returns
    -------
    mlflow.entities.Run

    Raises
    ------
    InputError
        None is called that, or several begin with that; the sentence names the close ones.
    """
    study, slash, label = reference.rpartition("/")
    return _by_label(store, study, label) if slash else _by_id(store, reference)


def _by_label(store: Store, study: str, label: str) -> Any:
    experiments = _experiments(store, study)
    runs = list(search(store, experiments, f"{_OURS} AND attributes.status = 'FINISHED'"))
    named = [run for run in runs if label in (run.data.tags.get("fselect.label"), run.info.run_name)]
    now = store.client.get_experiment(experiments[0]).tags.get(DIGEST)
    current = [run for run in runs if now in (None, run.data.tags.get(DIGEST))]
    found = [run for run in current if run in named]
    if found:
        return found[0]
    known = list(dict.fromkeys(_label(run) for run in current))
    if named:
        raise InputError(
            f"study {study!r} as it was logged last has no run {label!r}{did_you_mean(label, known)}; that of an "
            f"earlier state is {named[0].info.run_id[:8]}: give this id if you mean it"
        )
    raise InputError(f"study {study!r} has no run {label!r}{did_you_mean(label, known)}")


def _by_id(store: Store, reference: str) -> Any:
    if len(reference) < _SHORTEST:
        raise InputError(f"{reference!r} is too short for a run; give {_SHORTEST} characters of its id, or STUDY/LABEL")
    runs = list(search(store, _experiments(store, None), _OURS))
    found = [run for run in runs if run.data.tags.get(KEY) == reference and run.info.status == "FINISHED"]
    found = found or [run for run in runs if run.info.run_id.startswith(reference.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{len(found)} runs begin with {reference!r}: {_shown(found)}; give more of the id")
    raise InputError(f"there is no run {reference!r}{_close(reference, runs)}; fselect runs lists them all")


def _close(prefix: str, runs: Sequence[Any]) -> str:
    by_text = {text: run for run in reversed(runs) for text in (run.info.run_id, run.info.run_name)}
    close = difflib.get_close_matches(prefix, list(by_text), n=3, cutoff=0.5)
    return f"; close are {_shown([by_text[text] for text in close])}" if close else ""


def _shown(runs: Sequence[Any]) -> str:
    return listing([f"{run.info.run_id[:12]} ({run.data.tags['fselect.study']}/{_label(run)})" for run in runs])


def _label(run: Any) -> str:
    return str(run.data.tags.get("fselect.label"))
