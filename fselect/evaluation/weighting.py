"""What a unit of dominance area counts for: weights on the square of accuracies and stabilities."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fselect.errors import InputError

__all__ = ["Density", "Separable", "Weight", "as_weighting"]

# None, a pair of laws or (low, high) intervals, or a density w(accuracy, stability).
Weight = Any

# A law or a density may miss the total of 1 by this much before it is refused.
_LAW_TOLERANCE = 1e-9
_DENSITY_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Separable:
    """A weight that is one law an axis: exact, through the distribution functions.

    Attributes
    ----------
    accuracy, stability : callable
        Distribution functions, from arrays to arrays.

    Examples
    --------
    >>> as_weighting(((0.5, 1), (0, 1))).rectangle(0.75, 1.0)
    0.5
    """

    accuracy: Callable[[Any], Any]
    stability: Callable[[Any], Any]

    def rectangle(self, accuracy: float, stability: float) -> float:
        """Return the weight of the rectangle from (0, 0) to a point.

        Parameters
        ----------
        accuracy, stability : float
            Its corner, both in [0, 1].

        Returns
        -------
        float
            Between 0 and 1.

        Examples
        --------
        >>> as_weighting(None).rectangle(0.5, 0.5)
        0.25
        """
        return float(self.accuracy(accuracy) * self.stability(stability))


@dataclass(frozen=True)
class Density:
    """A weight given as a density, integrated numerically.

    Attributes
    ----------
    function : callable
        w(accuracy, stability), not negative, with the integral 1 over the unit square.

    Examples
    --------
    >>> round(as_weighting(lambda accuracy, stability: 4 * accuracy * stability).rectangle(0.5, 1), 9)
    0.25
    """

    function: Callable[[float, float], float]

    def strip(self, accuracy: float, low: float, high: float) -> float:
        """Return the weight of the accuracies up to a value and the stabilities between two.

        Parameters
        ----------
        accuracy, low, high : float
            The limits, in [0, 1].

        Returns
        -------
        float
            The integral of the density.

        Raises
        ------
        fselect.errors.InputError
            If the density is negative or not finite somewhere.

        Examples
        --------
        >>> round(Density(lambda accuracy, stability: 1.0).strip(0.5, 0.2, 0.4), 9)
        0.1
        """
        if high <= low or accuracy <= 0:
            return 0.0
        # most weights are laws, and scipy.integrate takes a while to import
        from scipy.integrate import IntegrationWarning, dblquad

        with warnings.catch_warnings():
            # A density with jumps makes the quadrature complain at its usual precision of 1e-8 or so.
            warnings.simplefilter("ignore", IntegrationWarning)
            value, _ = dblquad(self._checked, low, high, 0.0, accuracy, epsabs=1e-9, epsrel=1e-9)
        return float(value)

    def rectangle(self, accuracy: float, stability: float) -> float:
        """Return the weight of the rectangle from (0, 0) to a point.

        Parameters
        ----------
        accuracy, stability : float
            Its corner, both in [0, 1].

        Returns
        -------
        float
            Between 0 and 1.

        Examples
        --------
        >>> round(Density(lambda accuracy, stability: 1.0).rectangle(0.5, 0.5), 9)
        0.25
        """
        return self.strip(accuracy, 0.0, stability)

    def _checked(self, accuracy: float, stability: float) -> float:
        value = float(self.function(accuracy, stability))
        if not value >= 0 or not np.isfinite(value):
            raise InputError(f"weight({accuracy:.4g}, {stability:.4g}) is {value}; a density is not negative")
        return value


def as_weighting(weight: Weight) -> Separable | Density:
    """Check a weight and prepare it for integration.

    Parameters
    ----------
    weight : None, pair or callable
        None weighs every unit of area alike. A pair has one entry an axis, accuracy first, each an interval
        (low, high), a frozen continuous scipy law on [0, 1], or None. A callable is a density
        w(accuracy, stability). What this function returned is taken as it is.

    Returns
    -------
    Separable or Density
        The weight, known to have the total 1.

    Raises
    ------
    fselect.errors.InputError
        If it is of another form, reaches outside [0, 1], or does not integrate to 1.

    Examples
    --------
    >>> from scipy.stats import beta
    >>> round(as_weighting((beta(2, 1), None)).rectangle(0.5, 1), 9)
    0.25
    """
    if weight is None:
        return Separable(_share, _share)
    if isinstance(weight, Separable | Density):
        return weight
    if isinstance(weight, Sequence) and not isinstance(weight, str) and len(weight) == 2:
        return Separable(_distribution(weight[0], "accuracy"), _distribution(weight[1], "stability"))
    if callable(weight):
        return _density(weight)
    raise InputError(
        "weight must be a pair (one law or (low, high) interval for accuracy, one for stability) "
        f"or a function w(accuracy, stability), not {weight!r}"
    )


def _density(function: Callable[[float, float], float]) -> Density:
    density = Density(function)
    total = density.rectangle(1.0, 1.0)
    if abs(total - 1) > _DENSITY_TOLERANCE:
        raise InputError(f"weight integrates to {total:.6g} over [0, 1]², it must be 1; divide it by that")
    return density


def _distribution(law: Any, axis: str) -> Callable[[Any], Any]:
    if law is None:
        return _share
    if hasattr(law, "cdf") and hasattr(law, "pdf"):
        outside = float(law.cdf(0.0)) + 1 - float(law.cdf(1.0))
        if not outside <= _LAW_TOLERANCE:
            raise InputError(f"the weight's law of {axis} must lie in [0, 1]; {outside:.3g} of it is outside")
        return law.cdf
    if isinstance(law, Sequence) and not isinstance(law, str) and len(law) == 2:
        return _uniform(float(law[0]), float(law[1]), axis)
    raise InputError(f"the weight's entry for {axis} must be (low, high) or a continuous frozen law, not {law!r}")


def _uniform(low: float, high: float, axis: str) -> Callable[[Any], Any]:
    if not 0 <= low < high <= 1:
        raise InputError(f"the weight's interval of {axis} must have 0 <= low < high <= 1, not ({low}, {high})")
    return lambda value: np.clip((value - low) / (high - low), 0.0, 1.0)


def _share(value: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
    return value
