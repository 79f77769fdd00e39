"""How often worker processes may be killed before somebody has to look."""

from __future__ import annotations

from fselect.errors import InputError

__all__ = ["Patience"]

TIMES = 3
"""Times that processes may be killed with nothing finished in between."""


class Patience:
    """Counts losses since the last unit was finished.

    Examples
    --------
    >>> patience = Patience()
    >>> patience.lose(), patience.lose(), patience.renew(), patience.lose()
    (None, None, None, None)
    """

    def __init__(self) -> None:
        self._lost = 0

    def renew(self) -> None:
        """A unit was finished."""
        self._lost = 0

    def lose(self) -> None:
        """A process was killed.

        Raises
        ------
        InputError
            If that was the third with nothing finished in between.
        """
        self._lost += 1
        if self._lost == TIMES:
            raise InputError(
                f"worker processes were killed {TIMES} times before one finished a unit, probably for lack of "
                "memory; finished units are kept: try fewer workers, or runner: threads"
            )
