"""How many workers ``n_jobs`` asks for."""

from __future__ import annotations

import numbers
from typing import Any

from fselect.errors import InputError

__all__ = ["check_jobs", "worker_count"]


def check_jobs(n_jobs: Any) -> None:
    """Refuse what is no ``n_jobs`` of scikit-learn.

    Parameters
    ----------
    n_jobs : int or None
        A number of workers; None is one, or as many as joblib's context says; -1 all processors, -2 all but one.

    Raises
    ------
    InputError
        Zero, or no integer.
    """
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0):
        raise InputError(f"n_jobs must be None or an integer other than 0 (-1 is all processors), not {n_jobs!r}")


def worker_count(n_jobs: Any) -> int:
    """Give the number of workers that an ``n_jobs`` of scikit-learn means.

    Parameters
    ----------
    n_jobs : int or None
        As in `check_jobs`.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    InputError
        Zero, or no integer.

    Examples
    --------
    >>> worker_count(None), worker_count(3), worker_count(-1) >= 1
    (1, 3, True)
    """
    check_jobs(n_jobs)
    if n_jobs is not None and n_jobs > 0:
        return int(n_jobs)
    from sklearn.utils.parallel import Parallel  # here, because workers of a study do without scikit-learn

    return int(Parallel(n_jobs=n_jobs, prefer="threads")._effective_n_jobs())
