"""What errors call the classifier, the columns and the reason of a fit that failed, each on one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["called", "reason", "told_columns"]

_MOST_TOLD = 20
"""Columns that an error names; of more, so many and their number."""


def called(thing: Any) -> str:
    """Give what an error calls a classifier or a scorer: the name of its class or function, a word as it is.

    Parameters
    ----------
    thing : object
        A classifier, a function, or what was given instead.

    Returns
    -------
    str

    Examples
    --------
    >>> called("f1"), called(len), called(RuntimeError())
    ("'f1'", 'len', 'RuntimeError')
    """
    if isinstance(thing, str | int | float | None):
        return repr(thing)
    return str(getattr(thing, "__name__", type(thing).__name__))


def reason(error: Exception) -> str:
    r"""Give what an error says on one line, or its kind where it says nothing.

    Parameters
    ----------
    error : Exception
        What was raised.

    Returns
    -------
    str

    Examples
    --------
    >>> reason(RuntimeError("two are\ntoo many")), reason(KeyError())
    ('two are too many', 'KeyError')
    """
    return " ".join(str(error).split()) or type(error).__name__


def told_columns(columns: Any, names: Sequence[Any] | None) -> str:
    """Name columns for a message.

    Parameters
    ----------
    columns : array-like of int
        Their positions.
    names : sequence of str, optional
        The names of all.

    Returns
    -------
    str

    Examples
    --------
    >>> told_columns([2, 3], None), told_columns([1], ["a", "b"])
    ('columns 2, 3', 'column b')
    """
    told = [str(column if names is None else names[column]) for column in columns]
    rest = f", … ({len(told)} in all)" if len(told) > _MOST_TOLD else ""
    return f"column{'s' if len(told) > 1 else ''} {', '.join(told[:_MOST_TOLD])}{rest}"
