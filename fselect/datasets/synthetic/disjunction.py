"""Disjunction: two conjunctions of bits, either of which makes the class 1."""

from __future__ import annotations

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.synthetic.assembly import assemble, check_whole, draw_columns, number_of_rows, start

__all__ = ["make_disjunction"]

_RARE = 10  # columns from which on fewer than one row in ten has class 1 when bits are drawn


def make_disjunction(
    n_relevant: int,
    n_irrelevant: int = 0,
    n_redundant: int = 0,
    *,
    n_samples: int | None = None,
    permute: bool = True,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Make bits whose class is (x1 ∧ … ∧ xm) ∨ (xm+1 ∧ … ∧ xn), m the larger half of the n relevant ones.

    With 10 relevant columns or more the class is a fair coin, and the bits are then drawn uniformly among
    those of that class (decided here, because the paper leaves it open, and uniform bits would give class 1 to
    6 % of the rows with 10 columns and to 0.2 % with 20). With fewer, bits are uniform.

    Parameters
    ----------
    n_relevant : int
        Relevant columns, 2 or more; the survey has 5, 10, 15 and 20.
    n_irrelevant : int, default=0
        Columns of random bits.
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
        Columns of 0 and 1, classes 0 and 1, and the truth.

    Raises
    ------
    InputError
        A size that is not a whole number, or is too small.

    References
    ----------
    Molina, Belanche and Nebot (2002), section 5.1.

    Examples
    --------
    >>> data = make_disjunction(5, permute=False, random_state=0)
    >>> halves = data.X[:, :3].all(axis=1), data.X[:, 3:].all(axis=1)
    >>> bool(((halves[0] | halves[1]) == data.y).all())
    True
    """
    check_whole("n_relevant", n_relevant, 2)
    n = number_of_rows(n_samples, n_relevant, n_irrelevant, n_redundant)
    rng = start(random_state, "disjunction")
    first = n_relevant - n_relevant // 2
    relevant = (
        _balanced(rng, n, n_relevant, first) if n_relevant >= _RARE else draw_columns(rng, n, [2] * n_relevant, 0)
    )
    irrelevant = draw_columns(rng, n, [2] * n_irrelevant, 0)
    y = _disjunction(relevant, first).astype(np.int64)
    return assemble("disjunction", relevant, y, irrelevant, n_redundant, permute=permute, rng=rng, seed=random_state)


def _disjunction(bits: np.ndarray, first: int) -> np.ndarray:
    ones: np.ndarray = np.logical_or(bits[:, :first].all(axis=1), bits[:, first:].all(axis=1))
    return ones


def _balanced(rng: np.random.Generator, n: int, n_bits: int, first: int) -> np.ndarray:
    ones = rng.random(n) < 0.5
    bits = np.empty((n, n_bits), dtype=np.int64)
    bits[~ones] = _refused(rng, int((~ones).sum()), n_bits, first)
    bits[ones] = _accepted(rng, int(ones.sum()), n_bits, first)
    return bits


def _refused(rng: np.random.Generator, n: int, n_bits: int, first: int) -> np.ndarray:
    """Uniform bits of class 0, drawn again where the class is 1."""
    bits = rng.integers(2, size=(n, n_bits))
    while (wrong := _disjunction(bits, first)).any():
        bits[wrong] = rng.integers(2, size=(int(wrong.sum()), n_bits))
    return bits


def _accepted(rng: np.random.Generator, n: int, n_bits: int, first: int) -> np.ndarray:
    """Uniform bits of class 1: the first half all ones, or the second half all ones and the first not."""
    by_first, by_second = 2 ** (n_bits - first), 2**first - 1
    second = rng.random(n) < by_second / (by_first + by_second)
    bits = rng.integers(2, size=(n, n_bits))
    bits[~second, :first] = 1
    bits[second, first:] = 1
    while (wrong := second & bits[:, :first].all(axis=1)).any():
        bits[wrong, :first] = rng.integers(2, size=(int(wrong.sum()), first))
    return bits
