"""Keep a few programs running: start them in order, start again what ends, and stop all in the opposite order."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any
from urllib.request import urlopen

from fselect.errors import InputError

__all__ = ["Kept", "Service", "answers", "supervise"]

MOST_LOG = 20_000_000
"""Bytes of a log, after which it is put aside as NAME.log.1: a year of polling must not fill a disk."""


@dataclass(frozen=True)
class Service:
    """A program that is to run all the time.

    Parameters
    ----------
    name : str
        For sentences, and of its log.
    command : sequence of str
        What is run.
    settings : mapping of str to str
        Environment variables beside those of this process.
    ready : str, optional
        Address that answers with status 200 once the program does its work; without one it counts as ready at once.
    grace : float
        Seconds it is given to end after SIGTERM.
    before : callable, optional
        Called before each start.
    ending : callable, optional
        Called before it is asked to end.
    """

    name: str
    command: Sequence[str]
    settings: Mapping[str, str] = field(default_factory=dict)
    ready: str | None = None
    grace: float = 20.0
    before: Callable[[], Any] | None = None
    ending: Callable[[], Any] | None = None


class Kept:
    """A service with its process, which may be the third one.

    Parameters
    ----------
    service : Service
        What runs.
    log : Path
        Where its output goes, at the end of what is there.
    folder : Path
        Where it runs.
    """

    def __init__(self, service: Service, log: Path, folder: Path) -> None:
        self.service = service
        self.log = log
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.quick_ends = 0
        self.begun = 0.0
        self.due = 0.0

    def start(self) -> None:
        """Start it, in a process group of its own, so that Ctrl-C reaches this process alone."""
        if self.service.before is not None:
            self.service.before()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, **self.service.settings}
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.service.command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.begun = time.monotonic()

    @property
    def running(self) -> bool:
        """Whether its process lives."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """End it with SIGTERM, and after its grace with SIGKILL; whatever it started is ended with it."""
        if self.process is None:
            return
        if self.service.ending is not None:
            self.service.ending()
        if self.running:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(self.service.grace)
        self.clear()

    def clear(self) -> None:
        """End what a dead process left of its group."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def trim(self) -> None:
        """Put a log aside that has grown long; the program goes on at the start of the file."""
        if self.log.is_file() and self.log.stat().st_size > MOST_LOG:
            self.log.with_suffix(".log.1").write_bytes(self.log.read_bytes())
            os.truncate(self.log, 0)

    def last_words(self, lines: int = 5) -> str:
        """The end of its log."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(f"    {line[:200]}" for line in text.splitlines()[-lines:])


def answers(address: str, seconds: float = 2.0) -> bool:
    """Whether an address answers with status 200.

    Examples
    --------
    >>> answers("http://127.0.0.1:9/health")
    False
    """
    try:
        with urlopen(address, timeout=seconds) as answer:
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


def begin(all_kept: Sequence[Kept], stop: Event, *, patience: float = 180.0) -> None:
    """Start services together, and wait until all are ready.

    Raises
    ------
    InputError
        If one ends, or is not ready in time.
    """
    for kept in all_kept:
        kept.start()
    end = time.monotonic() + patience
    for kept in all_kept:
        while not stop.is_set() and kept.service.ready and not answers(kept.service.ready):
            how = None if kept.running else "ended as it started"
            if time.monotonic() > end:
                how = f"was not ready after {patience:.0f} s"
            if how is not None:
                raise InputError(f"{kept.service.name} {how}; the end of {kept.log}:\n{kept.last_words()}")
            stop.wait(0.2)


def supervise(
    all_kept: Sequence[Kept],
    stop: Event,
    say: Callable[[str], Any],
    *,
    every: float = 0.5,
    lasting: float = 60.0,
    attempts: int = 5,
) -> None:
    """Watch services until `stop` is set, and start again what ends.

    A service that ends is started again after 1, 2, 4 … seconds, at most a minute. Time is read from a clock that no
    correction of the wall clock moves.

    Parameters
    ----------
    all_kept : sequence of Kept
        Started ones.
    stop : threading.Event
        Set by a signal.
    say : callable
        Told in a line of each end and new start.
    every : float
        Seconds between two looks.
    lasting : float
        Seconds after which a run was no failed start.
    attempts : int
        Failed starts in a row after which nothing more is tried: somebody has to look.

    Raises
    ------
    InputError
        If a service fails to start so many times in a row.
    """
    while not stop.wait(every):
        for kept in all_kept:
            kept.trim()
            if kept.running:
                continue
            if not kept.due:
                _note_end(kept, say, lasting, attempts)
            elif time.monotonic() >= kept.due:
                _start_again(kept, say)


def _start_again(kept: Kept, say: Callable[[str], Any]) -> None:
    try:
        kept.start()
    except InputError as error:  # what it needs is away for the moment
        kept.due = time.monotonic() + 5.0
        say(str(error))
    else:
        kept.due = 0.0
        say(f"{kept.service.name} runs again")


def _note_end(kept: Kept, say: Callable[[str], Any], lasting: float, attempts: int) -> None:
    code = kept.process.returncode if kept.process else None
    kept.clear()
    lasted = time.monotonic() - kept.begun
    kept.quick_ends = kept.quick_ends + 1 if lasted < lasting else 1
    how = f"signal {-code}" if code is not None and code < 0 else f"code {code}"
    if kept.quick_ends > attempts:
        raise InputError(
            f"{kept.service.name} ended {kept.quick_ends} times in a row, the last time with {how}; "
            f"the end of {kept.log}:\n{kept.last_words()}"
        )
    pause = min(2.0 ** (kept.quick_ends - 1), 60.0)
    kept.due = time.monotonic() + pause
    say(f"{kept.service.name} ended with {how}; it is started again in {pause:.0f} s (log: {kept.log})")
