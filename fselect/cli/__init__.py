"""The command line ``fselect``: parse, call, print.

Commands import what they need when they run, so that ``--help`` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings

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
    try:
        app(prog_name="fselect")
    except InputError as error:
        _end(f"error: {error}", 2)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            _end(STOPPED, INTERRUPTED)
        raise
    except KeyboardInterrupt:
        _end(STOPPED, INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("FSELECT_TRACE"):
            raise
        _end(f"internal error: {type(error).__name__}: {error} (FSELECT_TRACE=1 shows where)", 1)


def _say(message: Warning | str, category: type[Warning], filename: str, *_: object, **__: object) -> None:
    """A warning as a plain line, once: where in the code, or in how many units, it came up helps nobody at a prompt."""
    line = f"warning: {message}"
    if line not in _said and is_for_users(category, filename):
        _said.add(line)
        print(line, file=sys.stderr)


def _end(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(code)
