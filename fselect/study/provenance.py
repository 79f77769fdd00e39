"""Where a study's numbers come from: the facts that stand on its report and on every tracked run."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fselect.study.project import Project
from fselect.versioning import dvc_hash, git_commit

__all__ = ["provenance"]

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def provenance(project: Project) -> dict[str, Any]:
    """Collect the facts.

    Returns
    -------
    dict
        ``git_commit`` and ``dvc_hash`` (None outside a repository), ``versions`` of Python and packages, ``config``
        as it was validated.
    """
    return {
        "git_commit": git_commit(project.root),
        "dvc_hash": dvc_hash(project.tables_dir, project.root),
        "versions": {"fselect": _version("fselect-pipeline"), "python": platform.python_version()}
        | {name: _version(name) for name in PACKAGES},
        "config": project.config.model_dump(mode="json"),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
