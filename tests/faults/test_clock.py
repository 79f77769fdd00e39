"""A clock that jumps changes no result, and neither ends nor lengthens a wait."""

from __future__ import annotations

import itertools
import os
import threading
import time
from pathlib import Path

import pytest

from fselect.errors import InputError
from fselect.study.lock import project_lock
from tests.faults.studies import put_study, results, run_study

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
JUMPS = ("-1d", "+400d", "-20y", "+0", "+3h")


def jumping(tmp_path, every):
    """Settings under which the system's clock jumps, for real, but not the monotonic one, as when it is corrected."""
    offset = tmp_path / "offset"
    offset.write_text(JUMPS[0])

    def jump():
        for where in itertools.cycle(JUMPS):
            time.sleep(every)
            new = offset.with_suffix(".new")
            new.write_text(where)
            try:
                new.replace(offset)
            except OSError:  # the test has ended
                return

    threading.Thread(target=jump, daemon=True).start()
    settings = {"FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    return os.environ | settings | {"LD_PRELOAD": str(FAKETIME)}


@pytest.mark.skipif(FAKETIME is None, reason="libfaketime is not installed (Debian: apt install faketime)")
@pytest.mark.parametrize("track", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["untracked", "tracked"])
def test_a_study_under_a_jumping_clock_gives_the_same_bytes(tmp_path, calm, track):
    project = put_study(tmp_path / "project")
    done = run_study(project.root, settings=jumping(tmp_path, 0.2), track=track)
    assert done.returncode == 0, done.stderr
    assert results(project) == calm


@(pytest.mark.slow if FAKETIME else lambda test: test)
def test_a_study_gives_the_same_bytes_where_every_look_at_the_clock_is_another_day(tmp_path, calm):
    """The same without the library that fakes the system's clock: here Python's own clocks jump."""
    (tmp_path / "jump").mkdir()
    (tmp_path / "jump" / "sitecustomize.py").write_text(
        "import itertools, time\n"
        "true, steps = time.time, itertools.cycle([0, -86400.0, 4e7, -7e8, 3600.0])\n"
        "time.time = lambda: true() + next(steps)\n"
        "time.time_ns = lambda: int(time.time() * 1e9)\n"
    )
    project = put_study(tmp_path / "project")
    path = os.pathsep.join(filter(None, [str(tmp_path / "jump"), os.environ.get("PYTHONPATH")]))
    done = run_study(project.root, settings=os.environ | {"PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    assert results(project) == calm


@pytest.mark.parametrize("step", [86400.0, -86400.0], ids=["forward", "backward"])
def test_a_wait_for_the_folder_takes_as_long_as_it_says_however_the_clock_jumps(tmp_path, monkeypatch, step):
    true, looks = time.time, itertools.count()
    monkeypatch.setattr(time, "time", lambda: true() + step * next(looks))
    held, release = threading.Event(), threading.Event()

    def hold():
        with project_lock(tmp_path):
            held.set()
            release.wait(30)

    threading.Thread(target=hold, daemon=True).start()
    assert held.wait(10)
    started = time.monotonic()
    with pytest.raises(InputError, match="another study is running"), project_lock(tmp_path, wait=1.0):
        pass
    assert 0.9 <= time.monotonic() - started < 10
    release.set()
