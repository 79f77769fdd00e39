"""One quick try whether an MLflow server answers."""

from __future__ import annotations

import socket
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from fselect.errors import InputError

__all__ = ["StoreUnreachable", "probe"]

SECONDS = 4.0
"""Long enough for a server across the world, short enough to wait for at a prompt."""

_FILES = ("", "file")


class StoreUnreachable(InputError):  # noqa: N818 - named like the other errors that users meet
    """The MLflow store cannot be used now; the runs can be spooled, or the work started without tracking."""


def probe(uri: str, seconds: float = SECONDS) -> None:
    """Try a store's address once.

    Parameters
    ----------
    uri : str
        Of an MLflow server (``http://host:5000``) or a database. A SQLite file always passes; it is made later.
    seconds : float, default=4
        How long to wait for an answer.

    Raises
    ------
    StoreUnreachable
        Nothing answers, or what answers is no MLflow server.
    InputError
        The address is a folder, which MLflow no longer takes as a store.

    Examples
    --------
    >>> probe("sqlite:///mlflow.db")
    >>> probe("http://127.0.0.1:9", seconds=1)
    Traceback (most recent call last):
    ...
    fselect.tracking.probe.StoreUnreachable: no MLflow server answers at http://127.0.0.1:9 (...); ...
    """
    parts = urlsplit(uri)
    if "databricks" in (uri, parts.scheme):
        raise InputError(f"tracking.uri {uri!r} is not supported; give http://HOST:PORT or https://HOST of a server")
    if parts.scheme in _FILES:
        raise InputError(
            f"tracking.uri {uri!r} is a folder, which MLflow no longer takes; give http://HOST:PORT, "
            "sqlite:///FILE, or null for the project's own store"
        )
    if parts.scheme in ("http", "https"):
        _ask(uri, seconds)
    elif parts.hostname and parts.port:
        _knock(uri, parts.hostname, parts.port, seconds)


def _ask(uri: str, seconds: float) -> None:
    try:
        with urlopen(uri.rstrip("/") + "/health", timeout=seconds) as answer:
            text = answer.read(100).decode("utf-8", "replace").strip()
    except HTTPError as error:
        if error.code in (401, 403):  # it wants a name and password, which the client has and this does not
            return
        raise StoreUnreachable(f"what answers at {uri} is no MLflow server (HTTP status {error.code})") from None
    except (URLError, OSError, ValueError) as error:
        raise StoreUnreachable(_silent(uri, error)) from None
    if text != "OK":
        raise StoreUnreachable(f"what answers at {uri} is no MLflow server; check tracking.uri")


def _knock(uri: str, host: str, port: int, seconds: float) -> None:
    try:
        socket.create_connection((host, port), timeout=seconds).close()
    except OSError as error:
        raise StoreUnreachable(_silent(f"{host}:{port}", error)) from None


def _silent(place: str, error: Exception) -> str:
    reason = getattr(error, "reason", error)
    said = getattr(reason, "strerror", None) or reason
    return (
        f"no MLflow server answers at {place} ({said}); start it, correct tracking.uri, or set tracking.uri "
        "to null for the project's own store"
    )
