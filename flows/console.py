"""What a flow prints while it runs: a line a step, and warnings without the code that they come from."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from fselect.cli.warned import is_for_users

__all__ = ["plain_warnings", "said"]

WHAT = {
    "tables": "tables in place and versioned",
    "tasks": "ordered tasks made",
    "select": "selections finished",
    "evaluate": "trade-off and operating point",
    "report": "page written",
    "track": "runs logged to MLflow",
    "promote": "set offered to the registry",
}


@contextmanager
def said(step: str) -> Iterator[None]:
    """Time a step, and print its line on standard error when it is done."""
    started = time.monotonic()
    yield
    print(f"  {step:<9} {WHAT[step]:<32} {time.monotonic() - started:6.1f} s", file=sys.stderr, flush=True)


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print a warning as one line: where in the code it came from helps nobody at a prompt."""
    with warnings.catch_warnings():
        warnings.showwarning = _say
        yield


def _say(message: Warning | str, category: type[Warning], filename: str, *_: object, **__: object) -> None:
    if is_for_users(category, filename):
        print(f"warning: {message}", file=sys.stderr, flush=True)
