"""Multinomial naive Bayes: counts of what each class's rows hold, normalised over the columns at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fselect.kernel import kernel

__all__ = ["CountModel", "fit_counts", "running_totals"]


@dataclass(frozen=True, eq=False)
class CountModel:
    """A fitted model.

    Attributes
    ----------
    smoothed : ndarray of shape (d, C), float64
        Sum of each column over each class's rows, with what is added.
    """

    smoothed: np.ndarray

    def joint(self, values: np.ndarray) -> np.ndarray:
        """Give the logarithm of the probability of each row under each class, without the prior.

        Parameters
        ----------
        values : ndarray of shape (n, d), float64
            Rows.

        Returns
        -------
        ndarray of shape (C, n), float64
            Logarithms, less what is the same for all classes.
        """
        joint, size = np.zeros((self.smoothed.shape[1], len(values))), np.zeros(len(values))
        total = running_totals(self.smoothed)[-1]
        for column, sums in enumerate(self.smoothed):
            # column by column, as prefixes are, so that both round alike
            joint += values[:, column] * np.log(sums)[:, None]
            size += values[:, column]
        joint -= size * np.log(total)[:, None]
        return joint


def running_totals(sums: np.ndarray) -> np.ndarray:
    """Add up along the first axis with what each addition rounds off, so that the order of terms makes no difference.

    Parameters
    ----------
    sums : ndarray of shape (l, …), float64
        Terms.

    Returns
    -------
    ndarray of shape (l, …), float64
        Their totals up to each place.

    Examples
    --------
    >>> float(np.cumsum([1.0, 1e-16, 1e-16])[-1]), float(running_totals(np.array([1.0, 1e-16, 1e-16]))[-1])
    (1.0, 1.0000000000000002)
    """
    out = np.empty(sums.shape)
    _add_exactly(np.ascontiguousarray(sums).reshape(len(sums), -1), out.reshape(len(sums), -1))
    return out


@kernel
def _add_exactly(sums: np.ndarray, out: np.ndarray) -> None:
    total, rest = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    for place in range(sums.shape[0]):
        for j in range(total.size):
            added = total[j] + sums[place, j]
            kept = added - total[j]
            rest[j] += (total[j] - (added - kept)) + (sums[place, j] - kept)
            total[j] = added
            out[place, j] = added + rest[j]


def fit_counts(values: np.ndarray, codes: np.ndarray, weight: np.ndarray, n_classes: int, alpha: float) -> CountModel:
    """Sum the columns over each class's rows.

    Parameters
    ----------
    values : ndarray of shape (n, d), float64
        Rows, at least 0.
    codes, weight : ndarray of shape (n,)
        Classes and weights of rows.
    n_classes : int
        Number of classes.
    alpha : float
        Added to every sum.

    Returns
    -------
    CountModel
        The model.

    Examples
    --------
    >>> fit_counts(np.array([[1.0, 2.0], [0.0, 4.0]]), np.array([0, 1]), np.ones(2), 2, 1.0).smoothed
    array([[2., 1.],
           [3., 5.]])
    """
    sums = np.zeros((n_classes, values.shape[1]))
    _add_rows(values, codes, weight, sums)
    return CountModel(np.ascontiguousarray(sums.T + alpha))


@kernel
def _add_rows(values: np.ndarray, codes: np.ndarray, weight: np.ndarray, sums: np.ndarray) -> None:
    """Add rows up in their order: a library's product would round by the numbers of columns and classes, too."""
    for i in range(codes.size):
        for j in range(values.shape[1]):
            sums[codes[i], j] += weight[i] * values[i, j]
