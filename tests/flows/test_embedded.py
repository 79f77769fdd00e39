"""Prefect's settings for a flow with a server of its own."""

import os
import subprocess
import sys

import psutil

from flows import embedded


def test_the_database_lies_in_the_project_and_nothing_is_sent_anywhere(tmp_path):
    wanted = embedded.settings(tmp_path / ".fselect", {})
    assert wanted["PREFECT_HOME"] == str(tmp_path / ".fselect" / "prefect")
    assert wanted["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert int(wanted["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"]) > 60


def test_a_server_that_the_user_names_is_used_as_it_is(tmp_path):
    wanted = embedded.settings(tmp_path, {"PREFECT_API_URL": "http://127.0.0.1:4200/api"})
    assert "PREFECT_HOME" not in wanted
    assert "PREFECT_SERVER_EPHEMERAL_ENABLED" not in wanted


def test_a_home_that_the_user_names_is_used_as_it_is(tmp_path):
    assert "PREFECT_HOME" not in embedded.settings(tmp_path, {"PREFECT_HOME": "elsewhere"})


def test_what_the_user_set_stays(tmp_path):
    assert "DO_NOT_TRACK" not in embedded.settings(tmp_path, {"DO_NOT_TRACK": "false"})


def test_the_home_is_made_with_its_parents(tmp_path, monkeypatch):
    for name in ("PREFECT_HOME", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    embedded.prepare(tmp_path / "not" / "yet" / ".fselect")
    assert (tmp_path / "not" / "yet" / ".fselect" / "prefect").is_dir()


def test_the_server_of_a_killed_flow_is_ended_and_that_of_a_living_one_is_not(tmp_path):
    mine, other = (started(tmp_path / name) for name in ("mine", "other"))
    try:
        assert embedded.end_orphans(tmp_path / "mine") == []
        orphan = orphaned(tmp_path / "mine")
        assert embedded.end_orphans(tmp_path / "mine") == [orphan]
        psutil.wait_procs([psutil.Process(orphan)] if psutil.pid_exists(orphan) else [], timeout=10)
        assert mine.poll() is None
        assert other.poll() is None
    finally:
        for process in (mine, other):
            process.kill()
            process.wait()


COMMAND = [sys.executable, "-c", "import time; time.sleep(60)", "prefect.server.api.server:create_app"]


def environment(home, flow):
    server = {"PREFECT_HOME": str(home), "PREFECT__SERVER_EPHEMERAL": "1", embedded.FLOW_PROCESS: str(flow)}
    return {**os.environ, **server}


def started(home):
    """A process that looks like the temporary server of this process."""
    return subprocess.Popen(COMMAND, env=environment(home, os.getpid()))


def orphaned(home):
    """Another, whose parent ends at once."""
    script = (
        "import os, subprocess\n"
        f"os.environ[{embedded.FLOW_PROCESS!r}] = str(os.getpid())\n"
        f"print(subprocess.Popen({COMMAND!r}, stdout=subprocess.DEVNULL).pid)"
    )
    command = [sys.executable, "-c", script]
    # Its standard error is left alone: the orphan keeps it open, and reading it would wait for its end.
    done = subprocess.run(command, env=environment(home, 0), stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)
