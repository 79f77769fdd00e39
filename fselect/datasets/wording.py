"""Words of the error sentences: quoted lists that stay short, close matches, places in a table."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

__all__ = ["did_you_mean", "listing", "plural", "shortened"]


def listing(names: Iterable[object], limit: int = 5) -> str:
    """Quote a few names and say how many there are.

    Parameters
    ----------
    names : iterable
        What to list, in this order.
    limit : int, default=5
        How many are shown: a sentence about 12600 genes must stay a sentence.

    Returns
    -------
    str
        The names, quoted if they are text, separated by commas.

    Examples
    --------
    >>> listing(["a", "b"])
    "'a', 'b'"
    >>> listing(range(12600), limit=3)
    '0, 1, 2, … (12600 in all)'
    """
    every = list(names)
    shown = ", ".join(repr(name) if isinstance(name, str) else str(name) for name in every[:limit])
    return shown if len(every) <= limit else f"{shown}, … ({len(every)} in all)"


def shortened(text: str, most: int = 60) -> str:
    """Give the beginning of a text that is too long for a sentence.

    Parameters
    ----------
    text : str
        From a cell, of any length.
    most : int, default=60
        Characters that are shown.

    Returns
    -------
    str

    Examples
    --------
    >>> shortened("short"), shortened("x" * 1000, most=5)
    ('short', 'xxxxx…')
    """
    return text if len(text) <= most else f"{text[:most]}…"


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Suggest the known words that are close to one that is not known.

    Parameters
    ----------
    word : str
        What was asked for.
    known : sequence of str
        What there is.

    Returns
    -------
    str
        A clause that starts with "; ", or with a short list of what there is where nothing is close.

    Examples
    --------
    >>> did_you_mean("Tagret", ["x0", "target"])
    "; did you mean 'target'?"
    >>> did_you_mean("label", ["x0", "x1"])
    "; there are 'x0', 'x1'"
    """
    folded = [name for name in known if name.casefold().strip() == word.casefold().strip()]
    close = folded or difflib.get_close_matches(word, known, n=3, cutoff=0.6) or _close_folded(word, known)
    if close:
        return "; did you mean " + " or ".join(repr(name) for name in close) + "?"
    return f"; there are {listing(known)}" if known else ""


def _close_folded(word: str, known: Sequence[str]) -> list[str]:
    by_folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(word.casefold(), list(by_folded), n=3, cutoff=0.6)
    return [by_folded[name] for name in close]


def plural(count: int, word: str) -> str:
    """Count things in words.

    Parameters
    ----------
    count : int
        How many.
    word : str
        The singular of what is counted (its plural ends in s).

    Returns
    -------
    str
        The number and the word.

    Examples
    --------
    >>> plural(1, "row"), plural(3, "row")
    ('1 row', '3 rows')
    """
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
