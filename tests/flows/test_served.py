"""Where a project is served, and what a killed server leaves."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import psutil
import pytest

from flows import embedded, serve
from flows.served import MARK, Served, end_leftovers, serving, where
from flows.services import free_port
from fselect.errors import InputError

HERE = Served(os.getpid(), "http://127.0.0.1:4200", "http://127.0.0.1:5000")


def test_the_addresses_are_known_while_the_project_is_served_and_not_longer(tmp_path):
    assert where(tmp_path) is None
    with serving(tmp_path, HERE):
        assert where(tmp_path) == HERE
    assert where(tmp_path) is None


def test_the_note_of_a_killed_server_is_not_believed(tmp_path):
    with serving(tmp_path, HERE):
        note = (tmp_path / "serve.json").read_bytes()
    (tmp_path / "serve.json").write_bytes(note)  # as a killed process leaves it
    assert where(tmp_path) is None


def test_a_second_server_of_a_project_is_refused_and_told_where_the_first_is(tmp_path):
    with (
        serving(tmp_path / ".fselect", HERE),
        pytest.raises(InputError, match=r"served already: Prefect at http://127.0.0.1:4200"),
        serving(tmp_path / ".fselect", HERE),
    ):
        pass


def test_a_flow_by_hand_belongs_to_the_server_that_serves_the_project(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "environ", {name: value for name, value in os.environ.items() if "PREFECT" not in name})
    with serving(tmp_path, HERE):
        embedded.prepare(tmp_path)
    assert os.environ["PREFECT_API_URL"] == "http://127.0.0.1:4200/api"
    assert "PREFECT_HOME" not in os.environ


def test_what_a_killed_server_left_running_is_ended_and_nothing_else(tmp_path):
    def sleeper(mark):
        return subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], env=os.environ | {MARK: str(mark)}
        )

    ours, other = sleeper(tmp_path), sleeper(tmp_path / "other")
    try:
        assert end_leftovers(tmp_path) == [ours.pid]
        assert not psutil.pid_exists(ours.pid)
        assert other.poll() is None
    finally:
        for process in (ours, other):
            process.kill()
            process.wait()


def test_a_port_that_is_taken_is_refused_with_the_way_out():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"make serve PREFECT_PORT={port + 1}"):
            free_port("127.0.0.1", port, "PREFECT_PORT")


def test_a_folder_that_cannot_be_served_is_refused_in_a_sentence(tmp_path, capsys):
    (tmp_path / "params.yaml").write_text("tasks: {source: noisy, table: wine, target: target}\n")
    assert serve.main(["--root", str(tmp_path)]) == 2
    assert "git init" in capsys.readouterr().err
