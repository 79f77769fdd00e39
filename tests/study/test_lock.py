"""One study at a time in a folder, and a dead holder never blocks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from fselect.errors import InputError
from fselect.study.lock import project_lock

HOLD = """
import sys, time
from pathlib import Path
from fselect.study.lock import project_lock
with project_lock(Path(sys.argv[1]), flow_run="abc"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / ".fselect")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_study_in_the_folder_is_refused_and_told_who_holds_it(tmp_path, holder):
    with pytest.raises(InputError, match=f"process {holder.pid}"), project_lock(tmp_path / ".fselect"):
        pass


def test_a_killed_holder_leaves_its_note_and_no_lock(tmp_path, holder):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with project_lock(tmp_path / ".fselect", wait=5) as previous:
        assert previous is not None
        assert (previous.pid, previous.flow_run) == (holder.pid, "abc")
    with project_lock(tmp_path / ".fselect") as previous:
        assert previous is None


def test_the_note_names_this_process(tmp_path):
    with project_lock(tmp_path):
        note = json.loads((tmp_path / "locks" / "holder.json").read_text())
    assert note["pid"] == os.getpid()


def test_waiting_for_a_holder_that_ends_succeeds(tmp_path, holder):
    holder.terminate()
    started = time.monotonic()
    with project_lock(tmp_path / ".fselect", wait=10):
        assert time.monotonic() - started < 10
