"""Confidence ellipse of the mean of (accuracy, stability) pairs, after Hotelling.

Hamer & Dupont (2019), section 3: with B pairs of mean m and sample covariance C, the region

    B (m - mu)' C^-1 (m - mu) <= 2 (B-1)/(B-2) * F,     F the upper point of F(2, B-2),

covers the expectation mu with the wanted level if the pairs are normal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtri

from fselect.errors import InputError
from fselect.evaluation.floats import as_floats
from fselect.evaluation.interval import check_level

__all__ = ["Ellipse", "as_samples", "confidence_ellipse"]

# An eigenvalue, or a variance along (1,1), below this share of the total is rounding: it counts as 0.
_ROUNDING = 1e-14
_DIAGONAL = np.array([1.0, 1.0]) / sqrt(2.0)


@dataclass(frozen=True, eq=False)
class Ellipse:
    """A confidence region of a mean (accuracy, stability).

    Attributes
    ----------
    center : ndarray of shape (2,)
        The mean pair.
    radii : ndarray of shape (2,)
        Half axes, the longer first; a 0 makes it a segment, two make it a point.
    axes : ndarray of shape (2, 2)
        Their directions, in columns.
    most_dominant, most_dominated : ndarray of shape (2,)
        The points of the region farthest along (1, 1) and along (-1, -1).

    Examples
    --------
    >>> spread = confidence_ellipse([(0.8, 0.5), (0.9, 0.7), (0.7, 0.6), (0.8, 0.4)])
    >>> spread.center.round(3)
    array([0.8 , 0.55])
    """

    center: NDArray[np.float64]
    radii: NDArray[np.float64]
    axes: NDArray[np.float64]
    most_dominant: NDArray[np.float64]
    most_dominated: NDArray[np.float64]

    def outline(self, n_points: int = 101) -> NDArray[np.float64]:
        """Return points along the border, for drawing.

        Parameters
        ----------
        n_points : int, default=101
            How many; the last repeats the first.

        Returns
        -------
        ndarray of shape (n_points, 2)
            (accuracy, stability) rows.

        Examples
        --------
        >>> confidence_ellipse([(0.8, 0.5), (0.9, 0.7), (0.7, 0.6)]).outline(5).shape
        (5, 2)
        """
        angle = np.linspace(0, 2 * np.pi, n_points)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        return self.center + (circle * self.radii) @ self.axes.T

    def contains(self, point: ArrayLike) -> bool:
        """Tell whether a pair lies in the region.

        Parameters
        ----------
        point : array-like of shape (2,)
            (accuracy, stability).

        Returns
        -------
        bool
            True inside and on the border; a segment or point contains only itself, up to 1e-12.

        Examples
        --------
        >>> confidence_ellipse([(0.8, 0.5), (0.9, 0.7), (0.7, 0.6)]).contains((0.8, 0.6))
        True
        """
        along = (np.asarray(point, dtype=float) - self.center) @ self.axes
        flat = self.radii == 0
        if (np.abs(along[flat]) > 1e-12).any():
            return False
        return bool(np.sum((along[~flat] / self.radii[~flat]) ** 2) <= 1 + 1e-12)


def confidence_ellipse(samples: ArrayLike, level: float = 0.95) -> Ellipse:
    """Return the confidence ellipse of the mean of repeated (accuracy, stability) pairs.

    The half axes are r times the square roots of the eigenvalues of the sample covariance C, with
    r² = 2(B-1)/(B(B-2)) F. The most dominant point is the one farthest along u = (1,1)/√2, that is
    mean + r C u / √(u'Cu), the most dominated one its mirror image (decided here, because "top-right
    point" has no other meaning that does not depend on the axes). With a negative covariance the
    "dominant" point can lie below the mean in one of the two. A singular C is no error: the ellipse
    becomes a segment or a point, as for a fixed random set, whose stability is always 1.

    Parameters
    ----------
    samples : array-like of shape (B, 2)
        One pair a repeat, B at least 3; any score in [0, 1] may stand for the accuracy.
    level : float, default=0.95
        Wanted coverage. It holds for one point at a time, not for all points of a front at once.

    Returns
    -------
    Ellipse
        Center, radii, axes, most dominant and most dominated point.

    Raises
    ------
    fselect.errors.InputError
        If there are fewer than three pairs, one is not finite, or level is not between 0 and 1.

    Examples
    --------
    >>> pairs = [(.80, .50), (.82, .55), (.78, .47), (.81, .52), (.79, .51), (.83, .56)]
    >>> confidence_ellipse(pairs).most_dominant.round(6)
    array([0.836198, 0.574314])
    """
    pairs = as_samples(samples)
    n_pairs = len(pairs)
    if n_pairs < 3:
        raise InputError(f"no ellipse: it needs at least 3 repeats, there are {n_pairs}; raise repeats")
    quantile = fdtri(2, n_pairs - 2, check_level(level))
    radius = sqrt(2 * (n_pairs - 1) / (n_pairs * (n_pairs - 2)) * quantile)
    covariance = _covariance(pairs)
    values, axes = _principal_axes(covariance)
    center, reach = pairs.mean(axis=0), radius * _reach(covariance)
    return Ellipse(center, radius * np.sqrt(values), axes, center + reach, center - reach)


def as_samples(samples: ArrayLike) -> NDArray[np.float64]:
    """Check repeated (accuracy, stability) pairs.

    Parameters
    ----------
    samples : array-like of shape (B, 2)
        One pair a repeat.

    Returns
    -------
    ndarray of shape (B, 2)
        The pairs as floats.

    Raises
    ------
    fselect.errors.InputError
        If the shape is another one, there is no pair, or a value is not finite.

    Examples
    --------
    >>> as_samples([(0.8, 0.5)])
    array([[0.8, 0.5]])
    """
    pairs = as_floats(samples, "samples")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
        raise InputError(f"samples must be (accuracy, stability) rows, not the shape {pairs.shape}")
    finite = np.isfinite(pairs).all(axis=1)
    if not finite.all():
        raise InputError(
            f"row {int(np.argmin(finite))} of samples (from 0) is not finite; leave out repeats without value"
        )
    return pairs


def _covariance(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    # Taken from the first row, not from the mean: a constant column then has exactly the variance 0.
    shifted = pairs - pairs[0]
    centred = shifted - shifted.mean(axis=0)
    return centred.T @ centred / (len(pairs) - 1)


def _principal_axes(covariance: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvalues, the larger first, rounding set to 0; eigenvectors with a positive largest entry."""
    values, axes = np.linalg.eigh(covariance)
    values, axes = values[::-1], axes[:, ::-1]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return np.where(values > _ROUNDING * values[0], values, 0.0), axes * signs


def _reach(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """C u / √(u'Cu): the step to the farthest point along (1,1) on the ellipse of radius 1."""
    along = float(_DIAGONAL @ covariance @ _DIAGONAL)
    if along <= _ROUNDING * np.trace(covariance):
        return np.zeros(2)
    return covariance @ _DIAGONAL / sqrt(along)
