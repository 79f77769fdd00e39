"""Programs that are kept running: started again when they end, stopped with all that they started."""

from __future__ import annotations

import sys
import threading
import time

import psutil
import pytest

from flows import supervisor
from flows.supervisor import Kept, Service, begin, supervise
from fselect.errors import InputError


def kept(tmp_path, script, **options):
    return Kept(Service("thing", [sys.executable, "-c", script], **options), tmp_path / "thing.log", tmp_path)


SLEEP = "import time; print('up', flush=True); time.sleep(600)"
CHILD = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print(child.pid, flush=True)\n"
    "time.sleep(600)"
)


def eventually(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def watched(all_kept, stop, said, **options):
    thread = threading.Thread(target=supervise, args=(all_kept, stop, said.append), kwargs={"every": 0.05} | options)
    thread.start()
    return thread


def test_what_is_killed_runs_again_and_a_line_says_so(tmp_path):
    thing, stop, said = kept(tmp_path, SLEEP), threading.Event(), []
    begin([thing], stop)
    thread, first = watched([thing], stop, said), thing.process
    first.kill()
    eventually(lambda: thing.running and thing.process is not first)
    stop.set()
    thread.join()
    thing.stop()
    assert "thing ended with signal 9" in said[0]
    assert said[1] == "thing runs again"
    assert not thing.running


def test_what_ends_again_and_again_is_told_with_its_last_words(tmp_path):
    thing = kept(tmp_path, "raise SystemExit('no such pool')")
    begin([thing], threading.Event())
    with pytest.raises(InputError, match=r"(?s)thing ended 2 times in a row, the last time with code 1.*no such pool"):
        supervise([thing], threading.Event(), print, every=0.05, attempts=1)


def test_an_end_after_a_long_time_is_no_failed_start(tmp_path):
    thing, stop, said = kept(tmp_path, "import time; time.sleep(0.3)"), threading.Event(), []
    begin([thing], stop)
    thread = watched([thing], stop, said, lasting=0.1, attempts=1)
    eventually(lambda: said.count("thing runs again") >= 2)
    stop.set()
    thread.join()
    thing.stop()


def test_stopping_ends_what_the_program_started_too(tmp_path):
    thing = kept(tmp_path, CHILD)
    begin([thing], threading.Event())
    eventually(lambda: thing.log.read_text().endswith("\n"))
    child = int(thing.log.read_text())
    thing.stop()
    eventually(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == "zombie")


def test_a_program_that_ignores_the_request_is_killed_after_its_grace(tmp_path):
    script = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SLEEP
    thing = kept(tmp_path, script, grace=0.3)
    begin([thing], threading.Event())
    eventually(lambda: "up" in thing.log.read_text())
    thing.stop()
    assert thing.process.returncode == -9


def test_what_ends_before_it_is_ready_is_told(tmp_path):
    thing = kept(tmp_path, "raise SystemExit('port in use')", ready="http://127.0.0.1:9/health")
    with pytest.raises(InputError, match=r"(?s)thing ended as it started.*port in use"):
        begin([thing], threading.Event())


def test_what_is_never_ready_is_told(tmp_path):
    thing = kept(tmp_path, SLEEP, ready="http://127.0.0.1:9/health")
    with pytest.raises(InputError, match="thing was not ready after 0 s"):
        begin([thing], threading.Event(), patience=0.3)
    thing.stop()


def test_a_long_log_is_put_aside_and_written_on(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "MOST_LOG", 1000)
    thing = kept(tmp_path, "import time\nwhile True: print('x' * 99, flush=True); time.sleep(0.01)")
    begin([thing], threading.Event())
    eventually(lambda: thing.log.stat().st_size > 1000)
    thing.trim()
    assert (tmp_path / "thing.log.1").stat().st_size > 1000
    eventually(lambda: 0 < thing.log.stat().st_size < 1000)
    assert thing.log.read_bytes()[:1] == b"x"
    thing.stop()
