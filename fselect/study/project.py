"""A project: the folder with params.yaml, and where everything of its study lies."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from fselect.errors import InputError
from fselect.study.config import Config, parse_config, read_config, read_values

__all__ = ["Project", "find_root", "open_project"]


@dataclass(frozen=True)
class Project:
    """Where a study's files lie.

    Parameters
    ----------
    root : Path
        The project folder.
    config : Config
        The validated study.
    results : Path, optional
        Results folder instead of ``data/results`` (the command line's ``-o``).

    Examples
    --------
    >>> config = Config(tasks={"source": "noisy", "table": "wine", "target": "target"})
    >>> Project(Path("p"), config).archive_path.as_posix()
    'p/data/results/study/archive.parquet'
    """

    root: Path
    config: Config
    results: Path | None = field(default=None)

    @property
    def state_dir(self) -> Path:
        """Local state that no version control sees: store, MLflow, locks, outbox."""
        return self.root / ".fselect"

    @property
    def store_dir(self) -> Path:
        """Finished units, by key."""
        return self.state_dir / "store"

    @property
    def tables_dir(self) -> Path:
        """The user's tables, versioned by DVC as one folder."""
        return self.root / "data" / "tables"

    @property
    def tasks_dir(self) -> Path:
        """The tasks as they enter selection."""
        return self.root / "data" / "tasks" / self.config.study.name

    @property
    def results_dir(self) -> Path:
        """Archive, summary and metrics of the study."""
        return (self.results or self.root / "data" / "results") / self.config.study.name

    @property
    def archive_path(self) -> Path:
        """The one table of all selections."""
        return self.results_dir / "archive.parquet"

    @property
    def summary_path(self) -> Path:
        """Points, fronts and the operating point, as JSON."""
        return self.results_dir / "summary.json"

    @property
    def metrics_path(self) -> Path:
        """The figures of the operating point, for ``dvc metrics``."""
        return self.results_dir / "metrics.json"

    @property
    def points_path(self) -> Path:
        """The trade-off as a CSV table, for ``dvc plots``."""
        return self.results_dir / "points.csv"

    @property
    def report_path(self) -> Path:
        """The HTML page."""
        folder = self.results if self.results is not None else self.root / "reports"
        return folder / f"{self.config.study.name}.html"

    @property
    def tracking_uri(self) -> str:
        """The MLflow store: the configured server, or the project's SQLite file."""
        return self.config.tracking.uri or f"sqlite:///{(self.state_dir / 'mlflow.db').resolve().as_posix()}"


def find_root(start: Path | None = None) -> Path:
    """Find the nearest folder at or above `start` that holds a params.yaml, else `start` itself.

    Examples
    --------
    >>> find_root(Path("/")).as_posix()
    '/'
    """
    here = (start or Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / "params.yaml").is_file()), here)


def open_project(start: Path | None = None, *, params: Path | None = None, overrides: Sequence[str] = ()) -> Project:
    """Open the project around a folder.

    Parameters
    ----------
    start : Path, optional
        A folder in the project; the current one by default.
    params : Path, optional
        Another study file than the project's params.yaml.
    overrides : sequence of str
        Changes as ``section.key=value`` with YAML values, ``selection.repeats=50`` say.

    Returns
    -------
    Project

    Raises
    ------
    InputError
        If the study file is missing or invalid, or an override is not ``section.key=value``.
    """
    root = find_root(start)
    path = params or root / "params.yaml"
    config = read_config(path)
    if overrides:
        config = _overridden(path, overrides)
    return Project(root, config)


def _overridden(path: Path, overrides: Sequence[str]) -> Config:
    values: dict[str, Any] = read_values(path)
    for override in overrides:
        key, equals, text = override.partition("=")
        section, dot, name = key.partition(".")
        if not (equals and dot and name):
            raise InputError(f"--set {override!r} is not of the form section.key=value, say selection.repeats=50")
        values.setdefault(section, {})
        values[section] = {**(values[section] or {}), name: _value(override, text)}
    return parse_config(values, path.name)


def _value(override: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise InputError(f"--set {override!r}: {text!r} is no YAML value; quote text, close brackets") from None


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be made or written, before any work starts.

    Raises
    ------
    InputError
        Naming the folder and the system's reason.
    """
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"\0" * 4096)
        probe.unlink()
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}; choose another folder") from None


def open_tracking_project(start: Path | None = None) -> Project:
    """Open the project for its tracked runs and panels, which need no study file.

    Commands on single tables track in a folder that may have no params.yaml; then the defaults hold.
    """
    root = find_root(start)
    uri = None
    if (root / "params.yaml").is_file():
        try:
            return open_project(root)
        except InputError as error:
            # Half an edit of the next study must not keep anybody from the promoted sets of the last.
            warnings.warn(f"{error}; only its tracking.uri is used here", stacklevel=2)
            uri = _tracking_uri(root / "params.yaml")
    tasks = {"source": "noisy", "table": "none", "target": "none"}
    return Project(root, parse_config({"tasks": tasks, "tracking": {"uri": uri}}))


def _tracking_uri(path: Path) -> str | None:
    try:
        uri = read_values(path)["tracking"]["uri"]
    except (InputError, KeyError, TypeError):
        return None
    return uri if isinstance(uri, str) else None
