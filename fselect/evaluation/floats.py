"""Numbers from whoever calls, or a sentence that says what is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError

__all__ = ["as_floats"]


def as_floats(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Turn values into an array of numbers.

    Parameters
    ----------
    values : array-like
        Numbers, in rows of one length if there are rows.
    what : str
        What they are, in the plural, for the sentence.

    Returns
    -------
    ndarray of float64
        The same; not copied if it was such already.

    Raises
    ------
    fselect.errors.InputError
        If they are no numbers, or in rows of different lengths.

    Examples
    --------
    >>> as_floats([1, 2], "weights")
    array([1., 2.])
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} must be numbers, in rows of one length; they are not: {error}") from error
