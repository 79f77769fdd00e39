"""The door to MLflow: one client for a project's store, checked before any work starts."""

from __future__ import annotations

import logging
import os
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from filelock import FileLock

from fselect.errors import InputError, MissingExtra
from fselect.tracking.probe import StoreUnreachable, probe
from fselect.tracking.reasons import reason_of
from fselect.tracking.relocation import relocate

if TYPE_CHECKING:
    from mlflow import MlflowClient

    from fselect.study.project import Project

__all__ = ["Store", "connect", "is_unused", "store_lock", "trackable"]

_SETTINGS = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    # The client's own defaults (7 retries of 120 s) make a dead server cost minutes.
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "30",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
}

_LEAST = {
    "mlflow.store.db.utils": logging.CRITICAL,  # it prints the trace of errors that are raised and told as well
    "mlflow.store.model_registry.abstract_store": logging.WARNING,
    "alembic": logging.WARNING,
}
"""What MLflow's loggers are to keep for themselves."""


@dataclass(frozen=True)
class Store:
    """An MLflow store that has answered.

    Parameters
    ----------
    client : MlflowClient
        Bound to `uri` for runs and for registered models; no global state of MLflow is used or changed.
    uri : str
        The store's address.
    state_dir : Path
        The project's ``.fselect`` folder.
    """

    client: MlflowClient
    uri: str
    state_dir: Path

    @property
    def artifact_location(self) -> str | None:
        """Where new experiments keep their files: the project's folder, or None where a server decides."""
        return None if is_server(self.uri) else _artifacts(self.state_dir)


def _artifacts(state_dir: Path) -> str:
    return (state_dir / "artifacts").resolve().as_uri()


def is_server(uri: str) -> bool:
    """Whether a store's address is that of a server, which keeps artifacts in its own place."""
    return urlsplit(uri).scheme in ("http", "https")


def trackable() -> Any:
    """Import MLflow with quiet settings: no telemetry, no minutes of retries.

    Settings that the environment already has are left alone.

    Returns
    -------
    module
        ``mlflow``.

    Raises
    ------
    MissingExtra
        MLflow is not installed.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import mlflow
    except ImportError:
        raise MissingExtra("mlflow", extra="pipeline") from None
    for noisy, least in _LEAST.items():
        logging.getLogger(noisy).setLevel(least)
    return mlflow


@contextmanager
def store_lock(state_dir: Path) -> Iterator[None]:
    """Hold the project's lock on its MLflow store.

    It guards what must not happen twice at once: the migration of a new SQLite file (several processes at it
    break the file), and the look-up that keeps a run from being logged twice.
    """
    folder = state_dir / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "mlflow.lock").acquire()
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}; choose another folder") from None
    with lock:
        yield


def connect(project: Project) -> Store:
    """Open the store of a project: the configured server, or its own SQLite file.

    Parameters
    ----------
    project : Project
        Its ``tracking.uri``, or where that is null, ``.fselect/mlflow.db``, which is created here.

    Returns
    -------
    Store

    Raises
    ------
    StoreUnreachable
        The server does not answer, or what answers is no MLflow server.
    InputError
        MLflow cannot use the address.
    """
    uri = project.tracking_uri
    _tell_of_another(project)
    probe(uri)
    mlflow = trackable()
    with store_lock(project.state_dir):
        if project.config.tracking.uri is None:
            _make_database(mlflow, project.state_dir / "mlflow.db")
            relocate(project.state_dir / "mlflow.db", _artifacts(project.state_dir))
        return Store(_client(mlflow, uri), uri, project.state_dir)


def is_unused(project: Project) -> bool:
    """Whether a project has no store yet, so that who only looks need not make one."""
    database, outbox = project.state_dir / "mlflow.db", project.state_dir / "outbox"
    return project.config.tracking.uri is None and not database.exists() and not outbox.exists()


def _tell_of_another(project: Project) -> None:
    """Warn where MLflow's own variable names a store that the project does not use: the study file decides."""
    named = os.environ.get("MLFLOW_TRACKING_URI")
    if named and project.config.tracking.uri is None and named != project.tracking_uri:
        warnings.warn(
            f"MLFLOW_TRACKING_URI is {shown(named)}, but runs go to the project's own store, {project.tracking_uri}; "
            "to use the other, write it as tracking.uri in params.yaml",
            UserWarning,
            stacklevel=3,
        )


def _make_database(mlflow: Any, database: Path) -> None:
    """Make the project's own database, under another name until it is whole.

    MLflow takes seconds for it, and cannot open one whose making was broken off, by a full disk say.
    """
    if database.exists():
        return
    for broken_off in database.parent.glob(f"{database.name}.new-*"):
        broken_off.unlink()
    made = database.with_name(f"{database.name}.new-{uuid4().hex}")
    try:
        _client(mlflow, f"sqlite:///{made.resolve().as_posix()}", shared=False)
        made.replace(database)
    finally:
        made.unlink(missing_ok=True)


def _client(mlflow: Any, uri: str, *, shared: bool = True) -> MlflowClient:
    """Make the client, by which a new database gets its tables, and ask once, by which a wrong server shows."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        client = mlflow.MlflowClient(tracking_uri=uri, registry_uri=uri)
        client.search_experiments(max_results=1)
        if shared:
            _write_ahead(uri)
    except ModuleNotFoundError as error:
        raise InputError(
            f"the MLflow store {shown(uri)} needs the database driver {error.name}: install it, or write "
            "postgresql+psycopg2://, whose driver comes with pip install 'fselect-pipeline[team]'"
        ) from None
    except (mlflow.MlflowException, SQLAlchemyError, OSError, sqlite3.Error) as error:
        raise StoreUnreachable(f"the MLflow store {shown(uri)} cannot be used: {reason_of(error)}") from None
    return client


def _write_ahead(uri: str) -> None:
    """Let readers and a writer of a SQLite file work at the same time; the mode stays with the file."""
    if not uri.startswith("sqlite:///"):
        return
    path = uri.removeprefix("sqlite:///").partition("?")[0]
    with closing(sqlite3.connect(path, timeout=20)) as database:
        database.execute("pragma journal_mode=wal")


def shown(uri: str) -> str:
    """An address without the password in it, for sentences."""
    parts = urlsplit(uri)
    if not parts.password:
        return uri
    return uri.replace(f":{parts.password}@", ":***@").replace(f":{unquote(parts.password)}@", ":***@")
