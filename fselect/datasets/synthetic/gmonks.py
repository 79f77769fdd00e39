"""GMonks: the MONK's features in segments of six, some of which must fulfil a rule."""

from __future__ import annotations

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.synthetic.assembly import assemble, check_whole, draw_columns, number_of_rows, start
from fselect.errors import InputError

__all__ = ["MONKS_LEVELS", "gmonks_class", "make_gmonks"]

MONKS_LEVELS = (3, 3, 2, 3, 4, 2)
"""How many values, from 1 on, the six features of the MONK's problems have."""


def make_gmonks(
    n_relevant: int,
    n_irrelevant: int = 0,
    n_redundant: int = 0,
    *,
    n_samples: int | None = None,
    permute: bool = True,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Make the survey's generalisation of the MONK's problems; see `gmonks_class` for the class.

    Parameters
    ----------
    n_relevant : int
        Relevant columns, a multiple of 6; the survey has 6, 12, 18 and 24.
    n_irrelevant : int, default=0
        Columns of random values with 3, 3, 2, 3, 4, 2 levels in turn, as the relevant ones have.
    n_redundant : int, default=0
        Exact copies of relevant columns; which ones is drawn with replacement.
    n_samples : int, optional
        Rows. Default: 40 a column.
    permute : bool, default=True
        Put the columns in random order; else relevant ones come first, copies last.
    random_state : int, Generator or None, default=None
        Seed; ``None`` gives another table every time.

    Returns
    -------
    Dataset
        Columns of whole numbers from 1 on that are names, not amounts; classes 0 and 1, and the truth.

    Raises
    ------
    InputError
        A size that is not a whole number or is too small, or ``n_relevant`` no multiple of 6.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 5.1.

    Examples
    --------
    >>> make_gmonks(6, 3, random_state=0)
    Dataset('gmonks-6-3-0', 360 × 9, 2 classes)
    """
    check_whole("n_relevant", n_relevant, 6)
    if n_relevant % 6:
        raise InputError(f"n_relevant must be a multiple of 6, a segment of the MONK's features each, not {n_relevant}")
    n = number_of_rows(n_samples, n_relevant, n_irrelevant, n_redundant)
    rng = start(random_state, "gmonks")
    relevant = draw_columns(rng, n, MONKS_LEVELS * (n_relevant // 6), 1)
    levels = [MONKS_LEVELS[column % 6] for column in range(n_irrelevant)]
    irrelevant = draw_columns(rng, n, levels, 1)
    y = gmonks_class(relevant)
    return assemble("gmonks", relevant, y, irrelevant, n_redundant, permute=permute, rng=rng, seed=random_state)


def gmonks_class(values: np.ndarray) -> np.ndarray:
    """Give the class of rows of segments.

    A segment x1 … x6 counts if P2 ∧ ¬(P1 ∧ P3), with P1: x1 = x2 or x5 = 1; P2: exactly two of the six are 1;
    P3: x5 = 3 and x4 = 1, or x5 ≠ 3 and x2 ≠ 2 (as printed: it is not the third MONK's rule). The class is 1
    if half of the segments count, rounded down, and at least one (decided here, because half of one is none;
    the number of ones in P2 is damaged in print, and is two as in the second MONK's problem).

    Parameters
    ----------
    values : ndarray of int, shape (n, 6 · segments)
        Values from 1 on.

    Returns
    -------
    ndarray of int64, shape (n,)
        The classes, 0 or 1.

    Examples
    --------
    >>> gmonks_class(np.array([[1, 2, 1, 2, 2, 2], [1, 2, 2, 2, 2, 2]]))
    array([1, 0])
    """
    segments = values.reshape(len(values), -1, 6)
    x1, x2, _, x4, x5, _ = np.moveaxis(segments, 2, 0)
    p1 = (x1 == x2) | (x5 == 1)
    p2 = (segments == 1).sum(axis=2) == 2
    p3 = np.where(x5 == 3, x4 == 1, x2 != 2)
    counted = (p2 & ~(p1 & p3)).sum(axis=1)
    return (counted >= max(segments.shape[1] // 2, 1)).astype(np.int64)
