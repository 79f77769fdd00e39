"""Promotion: a set becomes the champion of a name, and the champion before is kept as the previous one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.registry.documents import read_evidence
from fselect.registry.moves import BY_GATE, BY_HAND, BY_STUDY, crown, is_settled, standing
from fselect.registry.registration import Candidate, candidate, new_version
from fselect.registry.versions import CHAMPION, check_name, find_version, versions_of
from fselect.tracking import Store, find_run, open_store
from fselect.tracking.away import reaching
from fselect.tracking.connection import store_lock
from fselect.tracking.probe import StoreUnreachable
from fselect.versioning import dvc_add, dvc_root

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Promotion", "Prospect", "promote", "promote_version", "prospect", "write_panel"]


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
    already : bool
        Whether it was the champion before, so that nothing was changed and no reason noted.
    """

    name: str
    version: int
    replaced: int | None
    run_id: str
    selected: tuple[str, ...]
    file: Path
    tracked: Path | None
    already: bool = False

    @property
    def uri(self) -> str:
        """What ``mlflow.sklearn.load_model`` takes."""
        return f"models:/{self.name}@{CHAMPION}"


@dataclass(frozen=True)
class Prospect:
    """What promoting a run would do: the version that there would be, whom it would replace, and the set's evidence."""

    name: str
    version: int
    is_new: bool
    replaces: int | None
    run_id: str
    evidence: Mapping[str, Any]


def promote(project: Project, run: str, name: str, *, by_hand: bool = True, why: str = "") -> Promotion:
    """Promote the set of a run: register it, make it the champion, and write its evidence.

    Promoting the champion's own run again changes nothing, so the step can be repeated. The old champion keeps its
    version and gets the alias ``previous``; every move is noted in the journal of the name.

    Parameters
    ----------
    project : Project
        The project; the evidence goes to its ``data/panels/NAME.json``.
    run : str
        The id of a run or its first characters, ``STUDY/LABEL`` (say ``breast-cancer/strength 2``), or the key of a
        point.
    name : str
        Name to register under.
    by_hand : bool, default=True
        Whether a person decided, and not a study at its end; the journal says so.
    why : str, default=""
        The reason, for the journal.

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
    chosen = candidate(store, find_run(store, run))
    with store_lock(project.state_dir), reaching(store):
        version = _reusable(store, versions_of(store, name), chosen) or new_version(store, chosen, name)
        already = is_settled(store, name, version)
        replaced = crown(store, name, version, action=BY_HAND if by_hand else BY_STUDY, why=why)
    made = _promotion(project, name, version, replaced, chosen.run.info.run_id, chosen.evidence)
    return replace(made, already=already)


def promote_version(project: Project, reference: str, *, by_hand: bool, why: str = "") -> Promotion:
    """Make a registered version, a challenger say, the champion of its name.

    Parameters
    ----------
    project : Project
        The project.
    reference : str
        ``NAME@challenger`` or ``NAME@3``.
    by_hand : bool
        Whether a person decided, and not the gate; the journal says so.
    why : str
        The reason, for the journal.

    Returns
    -------
    Promotion

    Raises
    ------
    InputError
        No such version.
    """
    store = open_store(project)
    found = find_version(store, reference)
    evidence = read_evidence(store, found)
    with store_lock(project.state_dir), reaching(store):
        already = is_settled(store, found.name, int(found.version))
        replaced = crown(store, found.name, int(found.version), action=BY_HAND if by_hand else BY_GATE, why=why)
    made = _promotion(project, found.name, int(found.version), replaced, str(found.run_id), evidence)
    return replace(made, already=already)


def prospect(project: Project, run: str, name: str) -> Prospect:
    """Say what `promote` would do, and do nothing.

    Raises
    ------
    InputError
        As `promote` does.
    """
    check_name(name)
    store = open_store(project)
    chosen = candidate(store, find_run(store, run))
    versions = versions_of(store, name)
    again = _reusable(store, versions, chosen)
    champion = standing(store, name).champion if versions else None
    version = again or (int(versions[0].version) if versions else 0) + 1
    return Prospect(name, version, again is None, champion, chosen.run.info.run_id, chosen.evidence)


def _reusable(store: Store, versions: list[Any], chosen: Candidate) -> int | None:
    """The newest version, if it is this run's and whole: promoted before, or broken off before the alias."""
    if not versions or versions[0].run_id != chosen.run.info.run_id or versions[0].status != "READY":
        return None
    try:
        read_evidence(store, versions[0])
    except StoreUnreachable:
        raise
    except InputError:  # its files are lost, for which promoting again is the remedy
        return None
    return int(versions[0].version)


def _promotion(
    project: Project, name: str, version: int, replaced: int | None, run_id: str, evidence: Mapping[str, Any]
) -> Promotion:
    file = _write_evidence(project, name, {"name": name, "version": version, "run_id": run_id} | dict(evidence))
    return Promotion(name, version, replaced, run_id, tuple(evidence["features"]), file, _track(project, file))


def write_panel(project: Project, store: Store, name: str) -> Path:
    """Write the evidence of a name's champion as it is now to ``data/panels``."""
    version = find_version(store, f"{name}@{CHAMPION}")
    head = {"name": name, "version": int(version.version), "run_id": version.run_id}
    file = _write_evidence(project, name, head | read_evidence(store, version))
    _track(project, file)
    return file


def _write_evidence(project: Project, name: str, document: Mapping[str, Any]) -> Path:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return write_atomically(project.root / "data" / "panels" / f"{name}.json", text.encode("utf-8"))


def _track(project: Project, file: Path) -> Path | None:
    root = dvc_root(project.root)
    if root is None:
        return None
    dvc_add([file], root)
    return file.with_name(file.name + ".dvc")
