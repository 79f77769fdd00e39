"""Promotion from the command line: of a run, by hand; of a registered version, through the gate; or only said."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

from fselect.errors import InputError

if TYPE_CHECKING:
    from fselect.gate import Decision
    from fselect.registry import Promotion
    from fselect.study.project import Project

__all__ = ["of_run", "of_version"]


def of_run(project: Project, run: str, name: str, *, dry_run: bool, why: str, as_json: bool) -> None:
    """Promote the set of a run, or say what that would do."""
    from fselect.registry import promote
    from fselect.study.lock import project_lock

    if dry_run:
        _say_prospect(project, run, name, as_json)
        return
    with project_lock(project.state_dir):
        panel = promote(project, run, name, why=why)
    _say(project, panel, why, as_json)


def of_version(project: Project, reference: str, *, dry_run: bool, force: bool, why: str, as_json: bool) -> None:
    """Promote a registered version if the gate lets it pass, or say what that would do.

    Raises
    ------
    InputError
        The gate refuses it, and it is not forced.
    """
    from fselect.arrivals.judgement import reconsider
    from fselect.registry import promote_version
    from fselect.study.lock import project_lock

    found, decision = reconsider(project, reference)
    which = f"version {found.version.version} of {found.name}"
    if dry_run:
        _say_decision(which, decision, force, as_json)
        return
    if not (decision.passed or force):
        raise InputError(f"the gate refuses {which}: {decision.text}; --force promotes it all the same")
    with project_lock(project.state_dir):
        told = why or ("" if decision.passed else f"forced; the gate: {decision.text}")
        panel = promote_version(project, f"{found.name}@{found.version.version}", by_hand=True, why=told)
    _say(project, panel, why, as_json)


def _say_decision(which: str, decision: Decision, force: bool, as_json: bool) -> None:
    would = decision.passed or force
    if as_json:
        print(json.dumps({"would_promote": would} | decision.to_dict(), indent=1, ensure_ascii=False))
        return
    print(f"{which} would {'become champion' if would else 'be refused'}; nothing was changed")
    for check in decision.checks:
        print(f"  {check.rule:<14} {'holds' if check.passed else 'does not hold'}: {check.sentence}")


def _say_prospect(project: Project, run: str, name: str, as_json: bool) -> None:
    from fselect.gate import decide
    from fselect.registry import prospect

    would = prospect(project, run, name)
    rules = project.config.promotion.gate.model_copy(update={"not_dominated": False, "margin": None})
    decision = decide(would.evidence, rules)
    answer = {"name": would.name, "version": would.version, "replaces": would.replaces, "run_id": would.run_id}
    answer |= {"selected": would.evidence["features"], "gate": decision.to_dict()}
    if as_json:
        print(json.dumps({"would_promote": True} | answer, indent=1, ensure_ascii=False))
        return
    already = would.replaces == would.version
    what = (
        "is champion already"
        if already
        else "would be champion" + (f" in place of version {would.replaces}" if would.replaces else "")
    )
    print(f"{name} version {would.version} {what}: {_shown(tuple(would.evidence['features']))}; nothing was changed")
    print(f"by hand the gate is not asked; of its rules, those that need no comparison: {decision.text}")


def _say(project: Project, panel: Promotion, why: str, as_json: bool) -> None:
    replaced = None if panel.already else panel.replaced
    if panel.already and why:
        warnings.warn(
            f"the reason was not noted: {panel.name} version {panel.version} was champion before", stacklevel=2
        )
    if as_json:
        answer: dict[str, Any] = {"name": panel.name, "version": panel.version, "selected": list(panel.selected)}
        print(json.dumps(answer | {"replaced": replaced, "already": panel.already}, indent=1))
        return
    evidence = json.loads(panel.file.read_text(encoding="utf-8"))
    now = "is champion already, nothing was changed" if panel.already else "is now champion"
    print(f"{panel.name} version {panel.version} {now}: {_shown(panel.selected)}")
    print(
        f"from run {panel.run_id[:8]}, {evidence['study']}, {evidence['label']}: accuracy {evidence['accuracy']:.3f}, "
        f"stability {evidence['stability']:.3f}" + (f"; it replaces version {replaced}" if replaced else "")
    )
    print(f"load it: mlflow.set_tracking_uri({project.tracking_uri!r}); mlflow.sklearn.load_model({panel.uri!r})")
    if panel.tracked:
        files = panel.tracked, panel.tracked.with_name(".gitignore")  # DVC keeps the file itself out of Git by it
        named = " ".join(file.relative_to(project.root).as_posix() for file in files if file.exists())
        print(f"the set and its evidence are versioned: git add {named}")


def _shown(names: tuple[str, ...], most: int = 10) -> str:
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else f"{listed}, … ({len(names)} features)"
