"""An undisturbed study, with whose bytes the disturbed ones are compared."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.faults.studies import go_on, put_study


@pytest.fixture(scope="session", autouse=True)
def _environment():
    """Git knows an author, stages find `fselect`, and no server of the user's is used."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        for name in ("MLFLOW_TRACKING_URI", "PREFECT_API_URL", "PREFECT_HOME"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def calm(tmp_path_factory):
    """The results of the small study, undisturbed."""
    return go_on(put_study(tmp_path_factory.mktemp("calm")))
