"""Record a finished study with DVC, but only what was really run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import yaml

from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.study.config import OPERATION, Config, read_config
from fselect.study.project import Project
from fselect.study.sources import resolve
from fselect.versioning import content_hash, dvc_commit, dvc_root

__all__ = ["STAGES", "Fingerprint", "check_versioned", "fingerprint", "record", "still_true"]

STAGES = ("tables", "tasks", "select", "evaluate", "report", "track")
"""The stages of dvc.yaml, which are the steps of the flow."""

SECTIONS = ("study", "tasks", "data", "selection", "evaluation", "operating_point")
"""The sections of params.yaml that dvc.yaml tracks."""


@dataclass(frozen=True)
class Fingerprint:
    """What a study was run with: its configuration, and the content of its tables."""

    config: str
    tables: str


def check_versioned(project: Project) -> None:
    """Refuse a folder where a flow could not record what it did.

    Raises
    ------
    InputError
        If the project is in no Git repository or not set up for DVC, or if params.yaml lacks a section.
    """
    root = project.root
    if not _in_git(root) or dvc_root(root) is None:
        raise InputError(
            f"{root} is not under Git and DVC, which a flow needs to record its tables and results: "
            "run `git init` and `dvc init` there, or use `fselect run`, which needs neither"
        )
    if not (root / "dvc.yaml").is_file():
        raise InputError(f"there is no dvc.yaml in {root}: copy it from the fselect repository, it fits any study")
    missing = _missing_sections(root / "params.yaml")
    if missing:
        raise InputError(f"params.yaml has no section {missing[0]!r}, which dvc.yaml tracks: add `{missing[0]}: {{}}`")


def _missing_sections(params: Path) -> list[str]:
    try:
        values = yaml.safe_load(params.read_text(encoding="utf-8")) or {}
    except (OSError, yaml.YAMLError):  # with --params; then nothing is recorded, see `still_true`
        return []
    return [name for name in SECTIONS if name not in values]


def _in_git(root: Path) -> bool:
    return any((folder / ".git").exists() for folder in (root.resolve(), *root.resolve().parents))


def fingerprint(project: Project, config: Config | None = None) -> Fingerprint:
    """Hash what a study runs with; the tables must be in place.

    Parameters
    ----------
    project : Project
        The project.
    config : Config, optional
        Another configuration than the project's, as read again later say.
    """
    facts = (config or project.config).model_dump_json(exclude=OPERATION)
    outside = [resolve(source, project) for source in project.config.tasks.sources]
    hashes = [content_hash(path) for path in (project.tables_dir, *outside)]
    return Fingerprint(_digest(facts), _digest("\n".join(hashes)))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def still_true(project: Project, at_start: Fingerprint) -> str | None:
    """Compare with what params.yaml and the tables say now.

    Returns
    -------
    str or None
        What changed since, as half a sentence; None if nothing did.
    """
    try:
        now = fingerprint(project, read_config(project.root / "params.yaml"))
    except (InputError, OSError):
        return "params.yaml or a table cannot be read any more"
    if now.config != at_start.config:
        return "params.yaml says something else than what was run"
    return None if now.tables == at_start.tables else "a table changed during the run"


def record(project: Project, at_start: Fingerprint, stages: tuple[str, ...] = STAGES) -> str | None:
    """Record stages with DVC as done, if params.yaml and the tables are still those of the start.

    `dvc commit` records the outputs under whatever params.yaml says at that moment; after an edit during the run that
    would be a lie, and `dvc repro` would believe it.

    Returns
    -------
    str or None
        Why nothing was recorded; None if it was.
    """
    lock = project.root / "dvc.lock"
    before = lock.read_bytes() if lock.is_file() else None
    changed = still_true(project, at_start)
    if changed is not None:
        return changed
    dvc_commit(list(stages), project.root)
    changed = still_true(project, at_start)  # an edit while DVC was reading
    if changed is not None:
        _put_back(lock, before)
    return changed


def _put_back(lock: Path, content: bytes | None) -> None:
    if content is None:
        lock.unlink(missing_ok=True)
    else:
        write_atomically(lock, content)
