"""Registration: the set of a run becomes a version of a registered model, with its evidence and its schema."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fselect.errors import InputError, MissingExtra
from fselect.registry.encoding import Feature, build_transformer, features_of, prototype, untransformed
from fselect.tracking import Store
from fselect.tracking.describe import SCHEMA, SET
from fselect.tracking.probe import probe

__all__ = ["EVIDENCE", "Candidate", "candidate", "new_version"]

EVIDENCE = "evidence.json"
"""The file beside the model that says what the set rests on."""

_TAGGED = (
    *("accuracy", "accuracy_se", "stability", "stability_se", "strength", "shape", "data_hash"),
    *("study", "label", "key", "digest", "git_commit", "dvc_hash", "task", "task_version", "made_with", "arrival"),
)


@dataclass(frozen=True)
class Candidate:
    """A run with the documents of its set.

    Parameters
    ----------
    run : mlflow.entities.Run
        The run.
    evidence : mapping
        What was chosen, on which data, and how each feature is made.
    schema : mapping or None
        Columns, kinds and classes of the tables; None of runs that were logged before there were schemas.
    """

    run: Any
    evidence: Mapping[str, Any]
    schema: Mapping[str, Any] | None


def candidate(store: Store, run: Any, extra: Mapping[str, Any] | None = None) -> Candidate:
    """Read the documents of a run's set, complete with how each feature is made.

    Parameters
    ----------
    store : Store
        Where the run is.
    run : mlflow.entities.Run
        A point of a trade-off.
    extra : mapping, optional
        What is to stand in the evidence besides.

    Returns
    -------
    Candidate

    Raises
    ------
    InputError
        A run without a set of its own, or whose documents cannot be read.
    """
    kind, shown = run.data.tags.get("fselect.kind"), f"{run.info.run_name!r} ({run.info.run_id[:12]})"
    if kind == "trivial":
        raise InputError(f"run {shown} is a trivial strategy, for comparison only; promote a point of the trade-off")
    if kind != "point":
        raise InputError(f"run {shown} is a {kind or 'foreign run'} and has no set; promote a point of the trade-off")
    if run.info.status != "FINISHED":
        raise InputError(f"run {shown} was never finished; log the study again: fselect run")
    evidence = _read_set(store, run.info.run_id, shown)
    schema = _read_json(store, run.info.run_id, SCHEMA)
    recipe = evidence.pop("recipe", {})
    features = features_of(evidence["features"], recipe)
    evidence |= {
        "task": evidence.get("set_made_from"),
        "task_version": 1,
        "columns": [_column(feature) for feature in features],
        "options": recipe.get("options", {}),
        "transformer": untransformed(recipe) or "selects and encodes columns",
    }
    return Candidate(run, evidence | dict(extra or {}), schema)


def _read_set(store: Store, run_id: str, shown: str) -> dict[str, Any]:
    from mlflow.exceptions import MlflowException

    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(store.client.download_artifacts(run_id, SET, folder))
            evidence: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (MlflowException, OSError, ValueError) as error:
        probe(store.uri)  # a server that is away is no reason to log again
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"the set of run {shown} cannot be read: {reason}; log the study again") from None
    if not evidence.get("features"):
        raise InputError(f"run {shown} has an empty set; promote a point of the trade-off")
    return evidence


def _read_json(store: Store, run_id: str, path: str) -> dict[str, Any] | None:
    """Read a file of a run; None only where the run has none, for a set without a schema would let any table in."""
    if path not in {item.path for item in store.client.list_artifacts(run_id)}:
        return None
    with tempfile.TemporaryDirectory() as folder:
        place = Path(store.client.download_artifacts(run_id, path, folder))
        found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        return found


def _column(feature: Feature) -> dict[str, Any]:
    described = vars(feature) | {"feature": feature.name, "levels": list(feature.levels)}
    del described["name"]
    return {key: value for key, value in described.items() if value not in (None, [])}


def new_version(store: Store, chosen: Candidate, name: str) -> int:
    """Register a set as the next version of a name; no alias is moved.

    Returns
    -------
    int
        The version.
    """
    from mlflow.exceptions import MlflowException

    model = _log_model(store, chosen)
    try:
        store.client.create_registered_model(name, description="Feature sets promoted by fselect")
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    made = store.client.create_model_version(
        name,
        # Not models:/ID, which a database store would look up at MLflow's global address.
        model.artifact_location,
        run_id=chosen.run.info.run_id,
        model_id=model.model_id,
        tags=_tags(chosen.evidence),
        description=_description(chosen.evidence),
    )
    _link_back(store, model, made)
    return int(made.version)


def _tags(evidence: Mapping[str, Any]) -> dict[str, str]:
    values = {key: evidence.get(key) for key in _TAGGED}
    values |= {
        "n_features": len(evidence["features"]),
        "features": json.dumps(evidence["features"], ensure_ascii=False)[:5000],
    }
    return {f"fselect.{key}": str(value) for key, value in values.items() if value is not None}


def _description(evidence: Mapping[str, Any]) -> str:
    def measured(name: str) -> str:
        value, error = evidence.get(name), evidence.get(f"{name}_se")
        return f"{name} {value:.3f}" + (f" ± {error:.3f}" if error is not None else "")

    return (
        f"{len(evidence['features'])} features of {evidence['run_name']} (study {evidence['study']}): "
        f"{measured('accuracy')}, {measured('stability')} (± one standard error; of the procedure). "
        f"Data {evidence['data_hash']}. The transformer {evidence['transformer']}."
    )


def _log_model(store: Store, chosen: Candidate) -> Any:
    """Log the transformer as a model of the run, by the client alone: MLflow's global state stays as it is."""
    from mlflow.entities import LoggedModelOutput, LoggedModelStatus

    client, run_id = store.client, chosen.run.info.run_id
    model = client.create_logged_model(
        chosen.run.info.experiment_id, name="panel", source_run_id=run_id, model_type="feature set"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "model"
        _save(place, model, chosen)
        client.log_model_artifacts(model.model_id, str(place))
    client.log_outputs(run_id, [LoggedModelOutput(model.model_id, step=0)])
    return client.finalize_logged_model(model.model_id, LoggedModelStatus.READY)


def _save(place: Path, logged: Any, chosen: Candidate) -> None:
    import mlflow.sklearn
    from mlflow.models import Model, infer_signature

    evidence = chosen.evidence
    features = features_of(evidence["features"], _levels(evidence))
    transformer = build_transformer(features)
    row = prototype(features)
    model = Model(
        artifact_path=logged.artifact_location,
        run_id=chosen.run.info.run_id,
        model_uuid=logged.model_id,
        model_id=logged.model_id,
        metadata={"fselect": {"study": evidence["study"], "key": evidence["key"]}},
    )
    try:
        with _quiet("mlflow.sklearn", "mlflow.utils.environment"):
            mlflow.sklearn.save_model(
                transformer,
                str(place),
                mlflow_model=model,
                serialization_format="skops",
                signature=infer_signature(row, transformer.transform(row)),
                pip_requirements=_requirements(),
            )
    except ImportError as error:
        raise MissingExtra(error.name or "skops", extra="pipeline") from None
    _write(place / EVIDENCE, evidence)
    if chosen.schema is not None:
        _write(place / SCHEMA, chosen.schema)


def _write(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Keep MLflow from warning that a transformer predicts nothing, and that a uv environment has no pip."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _levels(evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {"levels": {entry["column"]: entry["levels"] for entry in evidence["columns"] if entry.get("levels")}}


def _requirements() -> list[str]:
    """What the transformer needs where it is loaded; MLflow would import it all in another process to find out."""
    from importlib.metadata import version

    return [f"{name}=={version(name)}" for name in ("mlflow", "scikit-learn", "skops", "pandas", "numpy")]


def _link_back(store: Store, model: Any, made: Any) -> None:
    """Let the run's page show the registered version, as MLflow's own registration does."""
    entry = json.dumps([{"name": made.name, "version": made.version}])
    store.client.set_logged_model_tags(model.model_id, {"mlflow.modelVersions": entry})
