"""An MLflow server that goes away in the middle is told of in one sentence, not by its client's stack trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fselect.tracking.connection import Store, is_server, shown
from fselect.tracking.probe import StoreUnreachable
from fselect.tracking.reasons import reason_of

__all__ = ["reaching"]

_UNDERSTOOD = range(400, 500)
"""HTTP statuses of a server that has understood a request, and says no to it."""


@contextmanager
def reaching(store: Store) -> Iterator[None]:
    """Say that the store is away where a request in the block gets no answer from it.

    What the server understood and refused, and whatever else goes wrong, a full disk say, is raised as it is.

    Parameters
    ----------
    store : Store
        Where the requests go.

    Raises
    ------
    StoreUnreachable
        A request got no answer, or the database behind it is locked or gone.
    """
    from mlflow.exceptions import MlflowException
    from requests.exceptions import RequestException

    try:
        yield
    except MlflowException as error:
        if error.get_http_status_code() in _UNDERSTOOD:
            raise
        raise _away(store, error) from None
    except (RequestException, ConnectionError, TimeoutError) as error:
        raise _away(store, error) from None


def _away(store: Store, error: Exception) -> StoreUnreachable:
    what = "went away" if is_server(store.uri) else "cannot be used now"
    return StoreUnreachable(f"the MLflow store {shown(store.uri)} {what} ({reason_of(error)}); what was done is kept")
