"""Units in chunks: a chunk is one Prefect task, long enough for Prefect's own work not to count."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice

from fselect.study.plan import Unit

__all__ = ["chunks"]


def chunks(units: Sequence[Unit], *, workers: int, seconds: float = 20.0, most: int = 500) -> Iterator[list[Unit]]:
    """Cut units into chunks of about `seconds` each, measured as they run.

    Parameters
    ----------
    units : sequence of Unit
        What is to be run, in order. The time between two chunks taken is the time the first of them took.
    workers : int
        Units that run at a time; no chunk but the last has fewer.
    seconds : float
        How long a chunk should take. A killed flow loses no finished unit, so this bounds only Prefect's overhead
        (about 0.1 s a task) against how often the run page of its UI moves.
    most : int
        Units in a chunk at most.

    Yields
    ------
    list of Unit

    Examples
    --------
    >>> [len(chunk) for chunk in chunks(range(9), workers=2, seconds=0)]
    [4, 2, 2, 1]
    """
    waiting = iter(units)
    size = 2 * workers
    while chunk := list(islice(waiting, size)):
        started = time.monotonic()
        yield chunk
        pace = (time.monotonic() - started) / len(chunk)
        size = max(workers, min(most, round(seconds / max(pace, 1e-6))))
