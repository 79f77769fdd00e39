"""Why MLflow could not do something, in the part of its message that tells a person."""

from __future__ import annotations

__all__ = ["reason_of"]

_REMEDIES = {
    "readonly database": "allow writing to the file and its folder, or set tracking.uri to another store",
    "unable to open database": "allow writing to its folder, or set tracking.uri to another store",
    "disk is full": "free some space",
    "disk I/O error": "free some space, or set tracking.uri to a store on another disk",
    "malformed": "the file is damaged: move it away, and finished units are logged anew by the same command",
    "not a database": "the file is damaged: move it away, and finished units are logged anew by the same command",
    "no such table": "the file is damaged: move it away, and finished units are logged anew by the same command",
}
"""What helps, by what SQLite says."""


def reason_of(error: Exception) -> str:
    """Tell why a request to a store failed: without address, number of retries, and SQL; with what helps.

    Parameters
    ----------
    error : Exception
        MLflow's, SQLAlchemy's or that of the connection.

    Returns
    -------
    str
        At most 200 characters of it.

    Examples
    --------
    >>> reason_of(OSError("Max retries exceeded with url: /x (Caused by ResponseError('too many 500 responses'))"))
    "ResponseError('too many 500 responses')"
    >>> reason_of(OSError("(sqlite3.OperationalError) database or disk is full [SQL: INSERT INTO ...] (Background"))
    'database or disk is full; free some space'
    """
    text = " ".join(str(error).split())
    _, cause, reason = text.rpartition("(Caused by ")
    shown = (reason.removesuffix(")") if cause else _without_sql(text))[:200]
    remedy = next((remedy for words, remedy in _REMEDIES.items() if words in shown), None)
    return f"{shown}; {remedy}" if remedy else shown


def _without_sql(text: str) -> str:
    told = text.partition(" [SQL:")[0].partition(" (Background on this error")[0]
    kind, close, rest = told.partition("Error) ")
    return rest if close and kind.startswith("(") else told
