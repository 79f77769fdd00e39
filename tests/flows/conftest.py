"""One Prefect server for all tests of flows, and an environment in which the stages of dvc.yaml find `fselect`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def _environment():
    """Git knows an author, and the stages of dvc.yaml find the `fselect` that is tested."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "tester")
            patch.setenv(f"GIT_{role}_EMAIL", "tester@localhost")
        patch.setenv("DO_NOT_TRACK", "true")
        patch.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
        patch.setenv("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
        for name in ("MLFLOW_TRACKING_URI", "PREFECT_API_URL", "PREFECT_HOME"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def prefect_server(_environment):
    """A Prefect server with an empty database."""
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=300):
        yield
