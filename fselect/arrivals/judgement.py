"""A measured arrival becomes a challenger in the registry, and the gate decides on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fselect.arrivals.task import Arrival
from fselect.arrivals.work import Worked
from fselect.gate import Check, Decision, decide
from fselect.registry.challengers import Decided, mark_outdated, note_decision, register_challenger
from fselect.registry.ledger import members
from fselect.registry.moves import standing
from fselect.registry.promotion import promote_version
from fselect.registry.versions import find_version
from fselect.stages import facts
from fselect.study.project import Project
from fselect.tracking import Store, StoreUnreachable, log_study, open_store
from fselect.tracking.away import reaching
from fselect.tracking.record import RunRecord
from fselect.versioning import dvc_hash

__all__ = ["Verdict", "judge", "log", "reconsider", "register"]


@dataclass(frozen=True)
class Verdict:
    """What became of an arrival.

    Parameters
    ----------
    name, version : str and int
        The registered set.
    decision : Decision
        What the gate said.
    promoted : bool
        Whether it is champion now.
    replaced : int or None
        The champion before.
    outdated : tuple of int
        Versions that lean towards an older table of this task.
    """

    name: str
    version: int
    decision: Decision
    promoted: bool
    replaced: int | None
    outdated: tuple[int, ...] = ()

    @property
    def outcome(self) -> str:
        """``promoted``, ``passed`` (and left to a person) or ``refused``."""
        return "promoted" if self.promoted else "passed" if self.decision.passed else "refused"

    @property
    def sentence(self) -> str:
        """What was decided, and why."""
        which = f"version {self.version} of {self.name}"
        told = {
            "promoted": f"{which} is champion now" + (f" in place of version {self.replaced}" if self.replaced else ""),
            "passed": f"{which} passes the gate, and waits for: fselect promote {self.name}@{self.version}",
            "refused": f"{which} stays a challenger",
        }
        return f"{told[self.outcome]}: {self.decision.text}"


def log(project: Project, arrival: Arrival, worked: Worked, store: Store, table: Path, page: Path | None = None) -> str:
    """Log an arrival's points and front to MLflow, once.

    All arrivals of a study share one experiment, ``STUDY arrivals``; runs are called by task, version and point. The
    page, where one is given, is kept with the front's run.

    Returns
    -------
    str
        The run of the challenger.

    Raises
    ------
    StoreUnreachable
        The MLflow server went away; the runs wait and are sent when it is back.
    """
    experiment = f"{project.config.study.name} arrivals"
    tags = _tags(project, arrival, dvc_hash(table, project.root))
    chosen = worked.summary.chosen.key

    def as_arrival(record: RunRecord) -> RunRecord:
        name = f"{arrival.task[:60]} v{arrival.task_version} {record.name.removeprefix('arrival ')}"
        own = replace(record, experiment=experiment, name=name, tags={**record.tags, **tags})
        return _with_comparison(own, worked.comparison) if record.key == chosen else own

    known = facts(worked.project)
    runs = log_study(worked.project, worked.summary, facts=known, store=store, change=as_arrival, page=page)
    place = worked.summary.operating_point
    if len(runs) <= place:
        raise StoreUnreachable(
            "the MLflow server went away; the arrival is measured, its runs wait in .fselect/outbox, and it is "
            "registered when it runs again"
        )
    return runs[place]


def _tags(project: Project, arrival: Arrival, dvc: str | None) -> dict[str, str]:
    with_ = [f"{member.task} v{member.task_version}" for member in arrival.history]
    tags = {
        "fselect.arrival": f"{arrival.task} v{arrival.task_version}",
        "fselect.task": arrival.task,
        "fselect.task_version": str(arrival.task_version),
        "fselect.made_with": ", ".join(with_)[:4000] or "no earlier set",
        "fselect.name": str(project.config.promotion.name),
        "fselect.dvc_hash": dvc or "",
    }
    return {key: value for key, value in tags.items() if value}


def _with_comparison(record: RunRecord, comparison: Mapping[str, Any]) -> RunRecord:
    values = {
        f"{other}_{what}": comparison[other].get(what)
        for other in ("champion", "unbiased")
        if other in comparison
        for what in ("accuracy", "difference", "low")
    }
    metrics = {**record.metrics, **{name: value for name, value in values.items() if value is not None}}
    text = json.dumps(comparison, indent=1, allow_nan=False).encode()
    files = record.files
    return replace(record, metrics=metrics, files=lambda: {**files(), "comparison.json": text})


def register(project: Project, arrival: Arrival, worked: Worked, store: Store, run: str) -> int:
    """Register the challenger, with all that the gate and later arrivals need to know of it.

    Returns
    -------
    int
        The version; of an arrival that was registered before, the same.
    """
    made_with = [
        {"version": m.version, "task": m.task, "task_version": m.task_version, "data_hash": m.data_hash}
        for m in arrival.history
    ]
    extra = {
        "arrival": f"{arrival.task} v{arrival.task_version}",
        "task": arrival.task,
        "task_version": arrival.task_version,
        "made_with": ", ".join(str(member.version) for member in arrival.history),
        "history": made_with,
        "comparison": worked.comparison,
    }
    with reaching(store):
        return register_challenger(project, store, run, str(project.config.promotion.name), extra)


def reconsider(project: Project, reference: str) -> tuple[Decided, Decision]:
    """Ask the gate of params.yaml, as it is now, about a version that is registered; nothing is changed.

    Parameters
    ----------
    project : Project
        Its ``promotion.gate`` holds the rules.
    reference : str
        ``NAME@challenger`` or ``NAME@3``.

    Returns
    -------
    Decided, Decision

    Raises
    ------
    InputError
        No such version.
    """
    store = open_store(project)
    version = find_version(store, reference)
    found = Decided.read(store, version.name, int(version.version))
    decision = decide(found.evidence, project.config.promotion.gate)
    compared = ((found.evidence.get("comparison") or {}).get("champion") or {}).get("version")
    champion = standing(store, version.name).champion
    if champion in (compared, int(version.version)):
        return found, decision
    was = "was compared with no champion" if compared is None else f"was compared with version {compared}"
    stale = Check("champion", False, f"it {was}, and version {champion} is champion now")
    return found, Decision((stale, *decision.checks))


def judge(project: Project, arrival: Arrival, store: Store, version: int) -> Verdict:
    """Ask the gate, note what it says on version and run, and move the alias where it lets the challenger pass.

    Parameters
    ----------
    project : Project
        Its ``promotion.gate`` holds the rules.
    arrival : Arrival
        The task.
    store : Store
        Where.
    version : int
        The challenger.

    Returns
    -------
    Verdict
    """
    with reaching(store):
        return _judge(project, arrival, store, version)


def _judge(project: Project, arrival: Arrival, store: Store, version: int) -> Verdict:
    name, rules = str(project.config.promotion.name), project.config.promotion.gate
    found = Decided.read(store, name, version)
    decision = decide(found.evidence, rules)
    promoted, replaced = standing(store, name).champion == version, None
    if decision.passed and rules.automatic:  # also of the champion: a move that was broken off is ended
        made = promote_version(project, f"{name}@{version}", by_hand=False, why=decision.text)
        promoted, replaced = True, made.replaced
    outdated = mark_outdated(store, name, arrival.task, arrival.task_version, members(store, name))
    verdict = Verdict(name, version, decision, promoted, replaced, tuple(outdated))
    note_decision(store, found, verdict.outcome, decision.text)
    return verdict
