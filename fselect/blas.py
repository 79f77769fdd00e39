"""How many threads linear algebra may use."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["threads_that_pay"]

_LARGE = 1e10
"""Multiplications from which threads of BLAS are taken to be worth their waiting for each other (decided here)."""


def threads_that_pay(n: int, d: int) -> AbstractContextManager[Any]:
    """Let BLAS have one thread while a table of ordinary size is worked on, and what it had for a large one.

    An elimination is thousands of small products, over which threads wait for each other longer than they work, the
    more so on a busy machine. From where on they pay was not measured.

    Parameters
    ----------
    n, d : int
        Rows and columns; a Gram matrix of the fewer of them takes n·d·min(n, d) multiplications.

    Returns
    -------
    context manager
        What was set before is set again at its end.

    Examples
    --------
    >>> from threadpoolctl import threadpool_info
    >>> with threads_that_pay(600, 20_000):
    ...     {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"} <= {1}
    True
    """
    if float(n) * d * min(n, d) > _LARGE:
        return nullcontext()
    libraries = _libraries()
    if all(one.num_threads == 1 for one in libraries.lib_controllers if one.user_api == "blas"):
        return nullcontext()  # to set it again would take as long as a small fit
    return libraries.limit(limits=1, user_api="blas")


@functools.cache
def _libraries() -> ThreadpoolController:
    # Looking for the libraries takes a millisecond, setting them a microsecond; the one that kernels call is scipy's.
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
