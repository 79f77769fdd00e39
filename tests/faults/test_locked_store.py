"""Another process holds the SQLite store: runs wait, and none is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import warnings
from contextlib import contextmanager

import pytest

from fselect.tracking import TrackingWarning, list_runs, log_study, open_store, waiting
from tests.factories import make_project, make_summary

HOLD = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("begin exclusive")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
database.execute("commit")
"""
ORDER = ["transfer strength 0", "transfer strength 1", "transfer strength 4", "transfer first set"]
ORDER += ["transfer front", "trivial front"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
    made = make_project(tmp_path)
    open_store(made)
    return made


@contextmanager
def held(project, seconds):
    """Another program writes to the store for so long."""
    command = [sys.executable, "-c", HOLD, str(project.state_dir / "mlflow.db"), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder


def names(project):
    return list_runs(project)["name"].tolist()[::-1]


def test_a_lock_of_seconds_is_waited_for(project):
    with held(project, 3.0), warnings.catch_warnings():
        warnings.simplefilter("error", TrackingWarning)
        assert len(log_study(project, make_summary())) == 6
    assert names(project) == ORDER


@pytest.mark.slow
def test_a_lock_of_a_minute_delays_the_runs(project):
    store = open_store(project)
    with held(project, 75.0), pytest.warns(TrackingWarning, match="6 runs wait"):
        assert log_study(project, make_summary(), store=store) == []
    assert len(waiting(project.state_dir)) == 6
    open_store(project)
    assert names(project) == ORDER
    assert waiting(project.state_dir) == []


@pytest.mark.slow
def test_a_holder_that_is_killed_blocks_nobody(project):
    with held(project, 600.0) as holder:
        holder.kill()
        holder.wait()
        assert len(log_study(project, make_summary())) == 6
    assert names(project) == ORDER
