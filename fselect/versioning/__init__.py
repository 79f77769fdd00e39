"""Versions of data: content hashes, the git commit, and the ``dvc`` command where a project uses DVC.

DVC is never imported, only run: a project without it works, and its start-up time is paid only where it
is used.
"""

from fselect.versioning.command import dvc_add, dvc_commit, run_dvc
from fselect.versioning.content import content_hash, git_commit
from fselect.versioning.kept import dvc_root
from fselect.versioning.records import default_remote, dvc_hash

__all__ = [
    "content_hash",
    "default_remote",
    "dvc_add",
    "dvc_commit",
    "dvc_hash",
    "dvc_root",
    "git_commit",
    "run_dvc",
]
