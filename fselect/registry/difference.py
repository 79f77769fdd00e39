"""Two versions of a promoted set side by side: which features came and went, and on what evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from fselect.errors import InputError
from fselect.registry.documents import read_evidence
from fselect.registry.versions import find_version
from fselect.tracking import open_store

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["difference"]

_ORDER = {"came": 0, "went": 1, "stayed": 2}


def difference(project: Project, old: str, new: str) -> pd.DataFrame:
    """Compare two versions of a promoted set.

    Parameters
    ----------
    project : Project
        The project.
    old, new : str
        ``NAME@3``, ``NAME@champion``, …; they may be of different names.

    Returns
    -------
    DataFrame
        A row a feature of either set: ``feature``, ``change`` (came, went, stayed), and for the old and the new
        version ``frequency_…`` (share of fresh bootstraps that selected it; 0 if none did), ``rank_…`` (1 for the
        most frequent of all features, ties share the best rank; None where no bootstrap selected it) and
        ``weight_…`` (of the final model; None outside the set). Its ``attrs`` name the versions, their tasks and data.

    Raises
    ------
    InputError
        No such version, or a version against itself.
    """
    store = open_store(project)
    versions = [find_version(store, reference) for reference in (old, new)]
    if len({(version.name, version.version) for version in versions}) == 1:
        raise InputError(f"{old!r} and {new!r} are the same version; name two")
    before, after = (read_evidence(store, version) for version in versions)
    features = dict.fromkeys([*after["features"], *before["features"]])
    rows = [_row(name, before, after) for name in features]
    frame = pd.DataFrame(rows).astype(object)
    frame = frame.where(frame.notna(), None)
    ranked = frame.sort_values("change", key=lambda column: column.map(_ORDER), kind="stable", ignore_index=True)
    ranked.attrs = {"old": _head(versions[0], before), "new": _head(versions[1], after)}
    return ranked


def _head(version: Any, evidence: Mapping[str, Any]) -> dict[str, Any]:
    names = ("task", "task_version", "data_hash", "label", "accuracy", "stability")
    return {"name": version.name, "version": int(version.version)} | {name: evidence.get(name) for name in names}


def _row(feature: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    was, is_ = feature in before["features"], feature in after["features"]
    change = "stayed" if was and is_ else "came" if is_ else "went"
    row: dict[str, Any] = {"feature": feature, "change": change}
    for when, evidence in (("old", before), ("new", after)):
        frequencies = evidence.get("frequencies", {})
        row[f"frequency_{when}"] = float(frequencies.get(feature, 0.0))
        row[f"rank_{when}"] = _rank(feature, frequencies)
        row[f"weight_{when}"] = evidence.get("weights", {}).get(feature)
    return row


def _rank(feature: str, frequencies: Mapping[str, float]) -> int | None:
    if feature not in frequencies:
        return None
    return 1 + sum(share > frequencies[feature] for share in frequencies.values())
