"""Cutting continuous columns into few values: by width, by frequency, or where the classes change."""

from __future__ import annotations

import numpy as np

from fselect.errors import InputError

__all__ = ["MOST_NOMINAL_VALUES", "STRATEGIES", "apply_cuts", "check_strategy", "cut_points", "is_nominal", "to_levels"]

STRATEGIES = ("equal_frequency", "equal_width", "mdl")

MOST_NOMINAL_VALUES = 10
"""A column of whole numbers with more different values than this is an amount (decided here)."""


def is_nominal(column: np.ndarray) -> bool:
    """Tell whether a column looks nominal: whole numbers, of at most 10 different values.

    Parameters
    ----------
    column : ndarray of shape (n,), float64
        Finite values.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_nominal(np.array([1.0, 3.0, 1.0])), is_nominal(np.array([0.5, 1.0])), is_nominal(np.arange(99.0))
    (True, False, False)
    """
    return bool((column == np.floor(column)).all()) and len(np.unique(column)) <= MOST_NOMINAL_VALUES


def cut_points(column: np.ndarray, codes: np.ndarray, strategy: str, n_bins: int = 5) -> np.ndarray:
    """Find where a column is cut; a value belongs to the part that ends at or above it.

    Parameters
    ----------
    column : ndarray of shape (n,), float64
        Finite values.
    codes : ndarray of shape (n,), int
        Classes from 0; only ``"mdl"`` looks at them.
    strategy : {"equal_frequency", "equal_width", "mdl"}
        Parts of equal numbers of rows (equal values stay together), of equal width, or cut where the entropy of the
        class falls most, as long as that saves description length (Fayyad and Irani 1993, "Multi-interval
        discretization of continuous-valued attributes for classification learning").
    n_bins : int, default=5
        Parts, 2 or more; ``"mdl"`` finds the number itself, and one is possible.

    Returns
    -------
    ndarray of float64
        Rising cut points, fewer than n_bins; none for a constant column.

    Raises
    ------
    InputError
        Another strategy, or fewer than two parts.

    Examples
    --------
    >>> x, codes = np.array([0.0, 1.0, 2.0, 3.0, 10.0, 11.0]), np.array([0, 0, 0, 1, 1, 1])
    >>> [cut_points(x, codes, strategy, 2).tolist() for strategy in ("equal_frequency", "equal_width", "mdl")]
    [[2.0], [5.5], [2.5]]
    """
    check_strategy(strategy, n_bins)
    if strategy == "mdl":
        order = np.argsort(column, kind="stable")
        return np.array(sorted(_mdl_cuts(column[order], codes[order], int(codes.max()) + 1)))
    low, high = column.min(), column.max()
    if strategy == "equal_width":
        cuts = low + (high - low) * np.arange(1, n_bins) / n_bins
    else:
        cuts = np.quantile(column, np.arange(1, n_bins) / n_bins, method="inverted_cdf")
    cuts = np.unique(cuts)
    kept: np.ndarray = cuts[cuts < high]
    return kept


def check_strategy(strategy: str, n_bins: int) -> None:
    """Refuse what is no strategy, or no number of parts."""
    if strategy not in STRATEGIES:
        raise InputError(f"discretize must be one of {', '.join(STRATEGIES)}, or None, not {strategy!r}")
    if isinstance(n_bins, bool) or not isinstance(n_bins, int | np.integer) or n_bins < 2:
        raise InputError(f"n_bins must be a whole number of at least 2, not {n_bins!r}")


def apply_cuts(column: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Give the part, from 0, in which each value lies.

    Parameters
    ----------
    column : ndarray of shape (n,), float64
        Values.
    cuts : ndarray of float64
        From `cut_points`.

    Returns
    -------
    ndarray of shape (n,), int64

    Examples
    --------
    >>> apply_cuts(np.array([1.0, 2.0, 2.5]), np.array([2.0]))
    array([0, 0, 1])
    """
    return np.searchsorted(cuts, column, side="left").astype(np.int64)


def to_levels(
    X: np.ndarray, codes: np.ndarray, nominal: np.ndarray, strategy: str | None, n_bins: int, names: list[str]
) -> np.ndarray:
    """Give each column as whole numbers from 0: nominal ones renumbered, others cut.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        Finite values.
    codes : ndarray of shape (n,), int
        Classes from 0.
    nominal : ndarray of shape (d,), bool
        Columns that are taken as they are.
    strategy : str or None
        As in `cut_points`; None refuses columns that are not nominal.
    n_bins : int
        As in `cut_points`.
    names : list of str
        What to call the columns in a sentence.

    Returns
    -------
    ndarray of shape (n, d), int64

    Raises
    ------
    InputError
        A column that is not nominal where nothing says how to cut it.

    Examples
    --------
    >>> X, codes = np.array([[3.0, 0.1], [7.0, 0.2], [3.0, 0.3], [7.0, 0.4]]), np.array([0, 0, 1, 1])
    >>> to_levels(X, codes, np.array([True, False]), "equal_frequency", 2, ["a", "b"]).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    levels = np.empty(X.shape, dtype=np.int64)
    for column in range(X.shape[1]):
        if nominal[column]:
            levels[:, column] = np.unique(X[:, column], return_inverse=True)[1]
        elif strategy is None:
            raise InputError(
                f"column {names[column]} is not nominal ({len(np.unique(X[:, column]))} different numbers); say how "
                f"it is cut, with discretize set to one of {', '.join(STRATEGIES)}, or list it under nominal"
            )
        else:
            levels[:, column] = apply_cuts(X[:, column], cut_points(X[:, column], codes, strategy, n_bins))
    return levels


def _mdl_cuts(x: np.ndarray, codes: np.ndarray, n_classes: int) -> list[float]:
    """Cut sorted values, and the two parts again."""
    ends = np.flatnonzero(x[1:] != x[:-1]) + 1
    if not ends.size:
        return []
    running = np.cumsum(codes[:, None] == np.arange(n_classes), axis=0)
    total, left = running[-1], running[ends - 1]
    right = total - left
    mean = (ends * _entropy(left) + (len(x) - ends) * _entropy(right)) / len(x)
    best = int(np.argmin(mean))
    if not _saves(total, left[best], right[best], mean[best], len(x)):
        return []
    end = int(ends[best])
    cut = float(0.5 * (x[end - 1] + x[end]))
    if not x[end - 1] <= cut < x[end]:
        cut = float(x[end - 1])
    return [*_mdl_cuts(x[:end], codes[:end], n_classes), cut, *_mdl_cuts(x[end:], codes[end:], n_classes)]


def _saves(total: np.ndarray, left: np.ndarray, right: np.ndarray, mean: float, n: int) -> bool:
    """Fayyad and Irani's criterion: the gain exceeds the cost of the cut."""
    k, k1, k2 = ((part > 0).sum() for part in (total, left, right))
    whole, first, second = (float(_entropy(part[None])[0]) for part in (total, left, right))
    delta = np.log2(3.0**k - 2) - (k * whole - k1 * first - k2 * second)
    return bool(whole - mean > (np.log2(n - 1) + delta) / n)


def _entropy(counts: np.ndarray) -> np.ndarray:
    share = counts / counts.sum(axis=1, keepdims=True)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    entropies: np.ndarray = -(share * logs).sum(axis=1)
    return entropies
