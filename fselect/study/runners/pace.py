"""How many units make a chunk of work for a cluster, from the time that units were measured to take."""

from __future__ import annotations

import math

__all__ = ["Pace"]


class Pace:
    """Sizes of chunks, learned as they finish.

    A chunk costs a cluster some milliseconds (and Prefect some tenths of a second), and is lost with its worker where
    the worker does not see the store. So chunks take between `shortest` and `longest` seconds, and within these as
    long as it takes to make about `n_chunks` of the whole.

    Parameters
    ----------
    shortest, longest : float
        Seconds of a chunk on one thread of a worker.
    n_chunks : int
        Wanted number of chunks: a few hundred show progress and keep many workers busy to the end.
    most : int
        Units in a chunk at most, since their rows may travel in one message.

    Examples
    --------
    >>> pace = Pace()
    >>> pace.size(100_000, slots=8)            # nothing is known yet
    1
    >>> pace.learn(10, 2.0)                    # 0.2 s a unit
    >>> pace.size(100_000, slots=8)            # 100,000 units are some 330 chunks of a minute
    300
    >>> pace.size(40, slots=8)                 # the last ones are shared out
    5
    """

    def __init__(self, *, shortest: float = 5.0, longest: float = 60.0, n_chunks: int = 300, most: int = 1000) -> None:
        self._shortest, self._longest, self._n_chunks, self._most = shortest, longest, n_chunks, most
        self._units = self._seconds = 0.0
        self._whole = 0

    def learn(self, units: int, seconds: float) -> None:
        """Take note that so many units took so many seconds of one thread; what was learned earlier fades."""
        self._units = 0.8 * self._units + units
        self._seconds = 0.8 * self._seconds + seconds

    def size(self, left: int, slots: int) -> int:
        """Give the number of units in the next chunk, when `left` are to be run on `slots` threads."""
        self._whole = max(self._whole, left)
        if not self._units:
            return 1
        each = max(self._seconds / self._units, 1e-6)
        seconds = min(max(self._whole * each / self._n_chunks, self._shortest), self._longest)
        fair = max(math.ceil(left / (2 * max(slots, 1))), round(1 / each))  # towards the end, down to a second
        return max(1, min(round(seconds / each), fair, self._most, left))
