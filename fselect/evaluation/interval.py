"""A value with its confidence limits."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from numbers import Real

from fselect.errors import InputError

__all__ = ["Interval", "check_level"]


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence limits.

    Attributes
    ----------
    value : float
        The estimate.
    low, high : float
        The limits, as the formula gives them; nan where there are too few values to say.
    variance : float
        Estimated variance of the estimate; nan where the limits do not come from one.

    Examples
    --------
    >>> Interval(0.5, 0.4, 0.7)
    Interval(value=0.5, low=0.4, high=0.7, variance=nan)
    """

    value: float
    low: float
    high: float
    variance: float = nan


def check_level(level: float) -> float:
    """Return a confidence level, or refuse one that is not between 0 and 1.

    Parameters
    ----------
    level : float
        Wanted coverage, such as 0.95.

    Returns
    -------
    float
        The level.

    Raises
    ------
    fselect.errors.InputError
        If it does not lie strictly between 0 and 1.

    Examples
    --------
    >>> check_level(0.95)
    0.95
    """
    if not (isinstance(level, Real) and 0 < level < 1):
        raise InputError(f"level must lie between 0 and 1 (0.95 is 95 %), not {level!r}")
    return float(level)
