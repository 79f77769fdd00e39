"""Promotion: the set of a run becomes a version of a registered model, with its evidence."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError, MissingExtra
from fselect.files import write_atomically
from fselect.registry.encoding import Feature, build_transformer, features_of, prototype, untransformed
from fselect.registry.versions import CHAMPION, PREVIOUS, check_name, versions_of
from fselect.tracking import Store, find_run, open_store
from fselect.tracking.connection import store_lock
from fselect.tracking.describe import SET
from fselect.versioning import dvc_add, dvc_root

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["EVIDENCE", "Promotion", "promote"]

EVIDENCE = "evidence.json"
"""The file beside the model that says what the set rests on."""

_TAGGED = (
    *("accuracy", "accuracy_se", "stability", "stability_se", "strength", "shape", "data_hash"),
    *("study", "label", "key", "digest", "git_commit", "dvc_hash"),
)


@dataclass(frozen=True)
class Promotion:
    """What a promotion made.

    Parameters
    ----------
    name : str
        The registered name.
    version : int
        Its version, now the champion.
    replaced : int or None
        The version that was the champion before.
    run_id : str
        The run whose set it is.
    selected : tuple of str
        The set.
    file : Path
        The JSON file with the evidence.
    tracked : Path or None
        The ``.dvc`` file beside it, where the project uses DVC.
    """

    name: str
    version: int
    replaced: int | None
    run_id: str
    selected: tuple[str, ...]
    file: Path
    tracked: Path | None

    @property
    def uri(self) -> str:
        """What ``mlflow.sklearn.load_model`` takes."""
        return f"models:/{self.name}@{CHAMPION}"


def promote(project: Project, run: str, name: str) -> Promotion:
    """Promote the set of a run: register it, make it the champion, and write its evidence.

    Promoting the champion's own run again changes nothing, so the step can be repeated. The old champion keeps its
    version and gets the alias ``previous``; the versions and their tags, which are never rewritten, are the history.

    Parameters
    ----------
    project : Project
        The project; the evidence goes to its ``data/panels/NAME.json``.
    run : str
        The id of a run or its first characters, ``STUDY/LABEL`` (say ``breast-cancer/strength 2``), or the key of a
        point.
    name : str
        Name to register under.

    Returns
    -------
    Promotion

    Raises
    ------
    InputError
        No such run, a run without a set of its own (a front, a trivial strategy), or a name that cannot be one.
    """
    check_name(name)
    store = open_store(project)
    chosen = find_run(store, run)
    evidence = _evidence(store, chosen)
    with store_lock(project.state_dir):
        version, replaced = _register(store, chosen, evidence, name)
    document = {"name": name, "version": version, "run_id": chosen.info.run_id} | evidence
    file = _write_evidence(project, name, document)
    selected = tuple(evidence["features"])
    return Promotion(name, version, replaced, chosen.info.run_id, selected, file, _track(project, file))


def _evidence(store: Store, run: Any) -> dict[str, Any]:
    """The run's own document of its set, complete with how each feature is made."""
    kind, shown = run.data.tags.get("fselect.kind"), f"{run.info.run_name!r} ({run.info.run_id[:12]})"
    if kind == "trivial":
        raise InputError(f"run {shown} is a trivial strategy, for comparison only; promote a point of the trade-off")
    if kind != "point":
        raise InputError(f"run {shown} is a {kind or 'foreign run'} and has no set; promote a point of the trade-off")
    if run.info.status != "FINISHED":
        raise InputError(f"run {shown} was never finished; log the study again: fselect run")
    evidence = _read_set(store, run.info.run_id, shown)
    recipe = evidence.pop("recipe", {})
    features = features_of(evidence["features"], recipe)
    return evidence | {
        "columns": [_column(feature) for feature in features],
        "options": recipe.get("options", {}),
        "transformer": untransformed(recipe) or "selects and encodes columns",
    }


def _read_set(store: Store, run_id: str, shown: str) -> dict[str, Any]:
    from mlflow.exceptions import MlflowException

    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(store.client.download_artifacts(run_id, SET, folder))
            evidence: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (MlflowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"the set of run {shown} cannot be read: {reason}; log the study again") from None
    if not evidence.get("features"):
        raise InputError(f"run {shown} has an empty set; promote a point of the trade-off")
    return evidence


def _column(feature: Feature) -> dict[str, Any]:
    described = vars(feature) | {"feature": feature.name, "levels": list(feature.levels)}
    del described["name"]
    return {key: value for key, value in described.items() if value not in (None, [])}


def _register(store: Store, run: Any, evidence: Mapping[str, Any], name: str) -> tuple[int, int | None]:
    versions = versions_of(store, name)
    aliases = dict(store.client.get_registered_model(name).aliases) if versions else {}
    old = int(aliases[CHAMPION]) if CHAMPION in aliases else None
    version = _reusable(versions, run) or _new_version(store, run, evidence, name, old)
    if version == old:
        before = aliases.get(PREVIOUS)
        return version, int(before) if before is not None else None
    if old is not None:
        store.client.set_registered_model_alias(name, PREVIOUS, str(old))
    store.client.set_registered_model_alias(name, CHAMPION, str(version))
    return version, old


def _reusable(versions: list[Any], run: Any) -> int | None:
    """The newest version if it is this run's: the promotion was done before, or broke off before the alias."""
    if versions and versions[0].run_id == run.info.run_id and versions[0].status == "READY":
        return int(versions[0].version)
    return None


def _new_version(store: Store, run: Any, evidence: Mapping[str, Any], name: str, old: int | None) -> int:
    from mlflow.exceptions import MlflowException

    model = _log_model(store, run, evidence)
    try:
        store.client.create_registered_model(name, description="Feature sets promoted by fselect")
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    made = store.client.create_model_version(
        name,
        # Not models:/ID, which a database store would look up at MLflow's global address.
        model.artifact_location,
        run_id=run.info.run_id,
        model_id=model.model_id,
        tags=_tags(evidence, old),
        description=_description(evidence),
    )
    _link_back(store, model, made)
    return int(made.version)


def _tags(evidence: Mapping[str, Any], old: int | None) -> dict[str, str]:
    values = {key: evidence.get(key) for key in _TAGGED}
    values |= {
        "replaced": old,
        "promoted_at": datetime.now(UTC).isoformat(timespec="seconds"),
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


def _log_model(store: Store, run: Any, evidence: Mapping[str, Any]) -> Any:
    """Log the transformer as a model of the run, by the client alone: MLflow's global state stays as it is."""
    from mlflow.entities import LoggedModelOutput, LoggedModelStatus

    client, run_id = store.client, run.info.run_id
    model = client.create_logged_model(
        run.info.experiment_id, name="panel", source_run_id=run_id, model_type="feature set"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "model"
        _save(place, model, run_id, evidence)
        client.log_model_artifacts(model.model_id, str(place))
    client.log_outputs(run_id, [LoggedModelOutput(model.model_id, step=0)])
    return client.finalize_logged_model(model.model_id, LoggedModelStatus.READY)


def _save(place: Path, logged: Any, run_id: str, evidence: Mapping[str, Any]) -> None:
    import mlflow.sklearn
    from mlflow.models import Model, infer_signature

    features = features_of(evidence["features"], _levels(evidence))
    transformer = build_transformer(features)
    row = prototype(features)
    model = Model(
        artifact_path=logged.artifact_location,
        run_id=run_id,
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
    (place / EVIDENCE).write_text(json.dumps(evidence, indent=1, ensure_ascii=False), encoding="utf-8")


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


def _write_evidence(project: Project, name: str, document: Mapping[str, Any]) -> Path:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return write_atomically(project.root / "data" / "panels" / f"{name}.json", text.encode("utf-8"))


def _track(project: Project, file: Path) -> Path | None:
    root = dvc_root(project.root)
    if root is None:
        return None
    dvc_add([file], root)
    return file.with_name(file.name + ".dvc")
