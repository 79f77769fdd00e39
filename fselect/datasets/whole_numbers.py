"""Whole numbers that float64 cannot tell from their neighbours: identifiers, mostly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fselect.errors import InputError

__all__ = ["LARGEST_WHOLE", "holds_too_long", "refuse_too_long"]

LARGEST_WHOLE = 2**53
"""Up to here float64 holds every whole number."""

_DIGITS = re.compile(r"\s*[+-]?\d{16,}\s*")  # 2^53 has sixteen


def holds_too_long(cells: Iterable[Any]) -> bool:
    """Tell whether a cell, a Python number or a text, is a whole number beyond 2^53.

    Parameters
    ----------
    cells : iterable
        Cells of any kind; what is no whole number is passed over.

    Returns
    -------
    bool

    Examples
    --------
    >>> holds_too_long([2**53, "9007199254740993"]), holds_too_long([2**53, "0.12345678901234567890", None])
    (True, False)
    """
    return any(
        abs(int(cell)) > LARGEST_WHOLE
        for cell in cells
        if (isinstance(cell, str) and _DIGITS.fullmatch(cell)) or isinstance(cell, int)
    )


def refuse_too_long(name: str, table: str) -> None:
    """Raise the sentence about a column of such numbers.

    Raises
    ------
    InputError
        Always.

    Examples
    --------
    >>> refuse_too_long("id", "t.csv")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: t.csv: column 'id' holds whole numbers beyond 2^53, which would lose digits; if it is ...
    """
    raise InputError(
        f"{table}: column {name!r} holds whole numbers beyond 2^53, which would lose digits; "
        "if it is an identifier, drop it, else subtract or divide"
    )
