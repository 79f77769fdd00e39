"""Another DVC command holds the project: it is waited for, and after a while told; what it broke off hinders nobody."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from fselect.errors import InputError
from fselect.versioning import dvc_commit, dvc_hash, run_dvc

HOLD = """
import sys, time
from dvc.repo import Repo
with Repo(".").lock:
    print("held", flush=True)
    time.sleep(float(sys.argv[1]))
"""
COMMIT = [sys.executable, "-c", "from fselect.versioning import dvc_commit; dvc_commit(['copy'], '.')"]
STAGE = "stages:\n  copy:\n    cmd: cp in.txt out.txt\n    deps: [in.txt]\n    outs: [out.txt]\n"


@pytest.fixture
def repository(tmp_path):
    """A DVC project with one stage, whose output was made outside DVC."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    run_dvc(["init", "-q"], tmp_path)
    (tmp_path / "dvc.yaml").write_text(STAGE)
    for name in ("in.txt", "out.txt"):
        (tmp_path / name).write_text("made\n")
    return tmp_path


@contextmanager
def held(repository, seconds):
    """Another DVC command works for so long."""
    command = [sys.executable, "-c", HOLD, str(seconds)]
    with subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        yield
        holder.kill()


def test_a_lock_that_another_command_holds_is_waited_for(repository):
    with held(repository, 2.0):
        dvc_commit(["copy"], repository)
    assert dvc_hash("out.txt", repository) is not None


@pytest.mark.slow
def test_a_lock_that_is_never_released_is_told_after_a_while(repository):
    with held(repository, 600.0), pytest.raises(InputError, match=r"dvc commit .* failed: .*lock"):
        run_dvc(["commit", "--force", "copy"], repository, patience=0.5)
    assert dvc_hash("out.txt", repository) is None
    dvc_commit(["copy"], repository)
    assert dvc_hash("out.txt", repository) is not None


@pytest.mark.slow
def test_a_command_that_is_killed_at_any_instant_hinders_nobody(repository):
    (repository / "out.txt").write_bytes(random.Random(0).randbytes(20_000_000))
    started = time.monotonic()
    subprocess.run(COMMIT, cwd=repository, check=True, capture_output=True)
    whole = time.monotonic() - started
    for seed in range(20):
        content = random.Random(seed).randbytes(20_000_000)
        (repository / "out.txt").write_bytes(content)
        with subprocess.Popen(COMMIT, cwd=repository, stderr=subprocess.DEVNULL, start_new_session=True) as killed:
            time.sleep(random.Random(seed).uniform(0.2, 1.0) * whole)
            os.killpg(killed.pid, signal.SIGKILL)
        assert (repository / "out.txt").read_bytes() == content
        dvc_commit(["copy"], repository)
        assert "up to date" in run_dvc(["status"], repository).stdout
