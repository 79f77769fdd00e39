"""Registered sets in MLflow: names, aliases, versions, and what each version says about itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pandas as pd

from fselect.datasets.wording import did_you_mean, listing
from fselect.errors import InputError
from fselect.tracking import Store, open_store
from fselect.tracking.connection import is_unused

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["CHALLENGER", "CHAMPION", "PREVIOUS", "check_name", "find_version", "panels", "versions_of"]

CHAMPION = "champion"
PREVIOUS = "previous"
CHALLENGER = "challenger"

_NAME = re.compile(r"\w(?:[\w .-]{0,98}\w)?")
_MARK = "fselect.features"
_NUMBERS = ("accuracy", "accuracy_se", "stability", "stability_se", "strength", "shape")
_TEXTS = ("name", "aliases", "study", "label", "run_id", "data_hash")
_COLUMNS = ("name", "version", "aliases", "n_features", *_NUMBERS, "study", "label", "run_id", "promoted", "data_hash")


def check_name(name: str) -> str:
    """Refuse a name that MLflow, a file system or ``NAME@champion`` would stumble over.

    Raises
    ------
    InputError
        Other characters than letters, digits, blanks, ``.``, ``_``, ``-``; or longer than 100.

    Examples
    --------
    >>> check_name("gene panel-2")
    'gene panel-2'
    >>> check_name("a/b")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: 'a/b' is no name for a promoted set; ...
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name for a promoted set; use up to 100 letters, digits, blanks, '.', '_' and '-', "
            "beginning and ending with a letter or digit"
        )
    return name


def panels(project: Project) -> pd.DataFrame:
    """List the promoted sets with all their versions: the history of promotions, newest first.

    Parameters
    ----------
    project : Project
        The project.

    Returns
    -------
    DataFrame
        Columns name, version, aliases (a comma between them), n_features, accuracy, accuracy_se, stability,
        stability_se, strength, shape (NaN where not applicable), study, label, run_id, promoted (UTC) and data_hash.
    """
    found = [] if is_unused(project) else _all_versions(open_store(project))
    rows = [_row(version, aliases) for version, aliases in found]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    frame["promoted"] = pd.to_datetime(frame["promoted"], utc=True).dt.as_unit("s")
    texts = dict.fromkeys(_TEXTS, object)
    frame = frame.astype(texts | dict.fromkeys(_NUMBERS, float) | {"version": int, "n_features": int})
    return frame.sort_values(["promoted", "version"], ascending=False, ignore_index=True)


def _row(version: Any, aliases: dict[str, str]) -> dict[str, Any]:
    tags = version.tags
    mine = sorted(alias for alias, number in aliases.items() if str(number) == str(version.version))
    return {
        "name": version.name,
        "version": int(version.version),
        "aliases": ", ".join(mine),
        "n_features": tags.get("fselect.n_features"),
        **{name: tags.get(f"fselect.{name}") for name in _NUMBERS},
        "study": tags.get("fselect.study"),
        "label": tags.get("fselect.label"),
        "run_id": version.run_id,
        "promoted": tags.get("fselect.promoted_at"),
        "data_hash": tags.get("fselect.data_hash"),
    }


def _all_versions(store: Store) -> list[tuple[Any, dict[str, str]]]:
    """Every version that a promotion made; a shared registry holds other people's models too."""
    aliases: dict[str, dict[str, str]] = {}
    found = []
    for version in _paged(store.client.search_model_versions, "", 1000):
        if _MARK in version.tags:
            if version.name not in aliases:
                aliases[version.name] = dict(store.client.get_registered_model(version.name).aliases)
            found.append((version, aliases[version.name]))
    return found


def versions_of(store: Store, name: str) -> list[Any]:
    """Give the versions of a registered name, newest first; none if there is no such name."""
    versions = _paged(store.client.search_model_versions, f"name = '{name}'", 1000)
    return sorted(versions, key=lambda version: -int(version.version))


def _paged(search: Any, condition: str, size: int) -> list[Any]:
    found: list[Any] = []
    token = None
    while True:
        page = search(condition, max_results=size, page_token=token)
        found += page
        token = page.token
        if not token:
            return found


def find_version(store: Store, reference: str) -> Any:
    """Find a version of a promoted set.

    Parameters
    ----------
    store : Store
        Where.
    reference : str
        ``NAME@champion`` (or another alias), ``NAME@3``, or ``NAME`` for the latest version.

    Returns
    -------
    mlflow.entities.model_registry.ModelVersion

    Raises
    ------
    InputError
        No such name, version or alias; the sentence says what there is.
    """
    name, _, which = reference.removeprefix("models:/").partition("@")
    versions = versions_of(store, check_name(name))
    if not versions:
        known = sorted({version.name for version, _ in _all_versions(store)})
        raise InputError(f"there is no promoted set {name!r}{did_you_mean(name, known) or '; none is promoted yet'}")
    if which in ("", "latest"):
        return versions[0]
    aliases = dict(store.client.get_registered_model(name).aliases)
    wanted = str(aliases.get(which, which))
    for version in versions:
        if str(version.version) == wanted:
            return version
    there = listing([*sorted(aliases), *(str(version.version) for version in reversed(versions))], limit=8)
    raise InputError(f"promoted set {name!r} has no version or alias {which!r}; it has {there}")
