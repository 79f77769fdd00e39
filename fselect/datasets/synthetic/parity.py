"""Parity: the class is the parity of the relevant bits, and no smaller set of them says anything about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.synthetic.assembly import (
    assemble,
    check_whole,
    draw_columns,
    number_of_rows,
    start,
    whole_table,
)

__all__ = ["make_parity", "make_parity5plus5"]


def make_parity(
    n_relevant: int,
    n_irrelevant: int = 0,
    n_redundant: int = 0,
    *,
    n_samples: int | None = None,
    permute: bool = True,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Make bits whose class is 1 if and only if an odd number of the relevant ones are 1.

    Parameters
    ----------
    n_relevant : int
        Relevant columns, 1 or more; the survey has 4, 8, 16 and 32.
    n_irrelevant : int, default=0
        Columns of random bits.
    n_redundant : int, default=0
        Exact copies of relevant columns; which ones is drawn with replacement.
    n_samples : int, optional
        Rows. Default: 40 a column, the survey's choice for two classes.
    permute : bool, default=True
        Put the columns in random order, so that position tells nothing; else relevant ones come first,
        copies last.
    random_state : int, Generator or None, default=None
        Seed; ``None`` gives another table every time.

    Returns
    -------
    Dataset
        Columns of 0 and 1, classes 0 and 1, and the truth.

    Raises
    ------
    InputError
        A size that is not a whole number, or is too small.

    References
    ----------
    Molina, Belanche and Nebot (2002), "Feature selection algorithms: a survey and experimental evaluation",
    section 5.1.

    Examples
    --------
    >>> data = make_parity(4, 2, 1, random_state=0)
    >>> data
    Dataset('parity-4-2-1', 280 × 7, 2 classes)
    >>> bool((data.X[:, data.truth.relevant].sum(axis=1) % 2 == data.y).all())
    True
    """
    check_whole("n_relevant", n_relevant, 1)
    n = number_of_rows(n_samples, n_relevant, n_irrelevant, n_redundant)
    rng = start(random_state, "parity")
    relevant = draw_columns(rng, n, [2] * n_relevant, 0)
    irrelevant = draw_columns(rng, n, [2] * n_irrelevant, 0)
    y = relevant.sum(axis=1) % 2
    return assemble("parity", relevant, y, irrelevant, n_redundant, permute=permute, rng=rng, seed=random_state)


def make_parity5plus5(*, random_state: Any = None) -> Dataset:
    """Make the whole table of ten bits, the class being the parity of the first five.

    Parameters
    ----------
    random_state : object, optional
        Taken so that all these functions can be called alike; nothing is drawn.

    Returns
    -------
    Dataset
        1024 rows in the order of the binary numbers, columns not permuted; 0 to 4 are relevant.

    Notes
    -----
    The published variants have 1024 or 1124 rows; the whole table has 1024.

    References
    ----------
    Liu and Motoda (1998), "Feature Selection for Knowledge Discovery and Data Mining".

    Examples
    --------
    >>> data = make_parity5plus5()
    >>> data.X.shape, data.truth.relevant
    ((1024, 10), (0, 1, 2, 3, 4))
    """
    bits = whole_table([2] * 10, 0)
    groups = {column: (column,) for column in range(5)}
    truth = Truth(tuple(range(5)), tuple(range(5, 10)), (), groups)
    recipe = {"source": "make_parity5plus5"}
    y = bits[:, :5].sum(axis=1) % 2
    return Dataset(bits, y, "parity5plus5", kinds=("nominal",) * 10, truth=truth, recipe=recipe)
