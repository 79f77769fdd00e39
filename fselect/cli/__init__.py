"""The command line ``fselect``: parse, call, print.

Commands import what they need when they run, so that ``--help`` answers at once.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial

from fselect.cli.warned import is_for_users

__all__ = ["main"]

INTERRUPTED = 130
_UNREACHABLE = (50_000, 20, 100)
"""When Python looks for unreachable objects: by its own rule often while a short command loads its modules,
which are all reachable."""

_said: set[str] = set()

STOPPED = "stopped; finished units are kept, and the same command goes on from there"


def main() -> None:
    """Run the command line; input that cannot be used ends it with one sentence and exit code 2."""
    from fselect.cli.app import app
    from fselect.errors import InputError

    gc.set_threshold(*_UNREACHABLE)
    _said.clear()
    warnings.showwarning = _say
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of features may hold what a terminal cannot show
    try:
        _call(partial(app, prog_name="fselect"))
    except InputError as error:
        _end(f"error: {error}", 2)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            _end(STOPPED, INTERRUPTED)
        raise
    except KeyboardInterrupt:
        _end(STOPPED, INTERRUPTED)
    except BrokenPipeError:
        _give_up_output()
    except _OutputError as error:
        _give_up_output()
        _end(f"error: the answer could not be written: {error}; what was worked out is kept", 2)
    except Exception as error:
        if os.environ.get("FSELECT_TRACE"):
            raise
        _end(f"internal error: {type(error).__name__}: {error} (FSELECT_TRACE=1 shows where)", 1)


class _OutputError(Exception):
    """Standard output takes no more: a full disk behind it, say."""


def _call(app: Callable[[], None]) -> None:
    """Run a command, and tell a failure of standard output from all others, also that of its last lines."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) and error.filename is None:
            raise _OutputError(error.strerror) from None
        raise


def _give_up_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: Warning | str, category: type[Warning], filename: str, *_: object, **__: object) -> None:
    """A warning as a plain line, once: where in the code, or in how many units, it came up helps nobody at a prompt."""
    line = f"warning: {message}"
    if line not in _said and is_for_users(category, filename):
        _said.add(line)
        print(line, file=sys.stderr)


def _end(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(code)
