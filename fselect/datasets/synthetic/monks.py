"""The three MONK's problems: all robots, or a sample of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.synthetic.assembly import check_whole, start, whole_table
from fselect.datasets.synthetic.gmonks import MONKS_LEVELS
from fselect.errors import InputError

__all__ = ["make_monks"]

_RULES: dict[int, tuple[Callable[[np.ndarray], np.ndarray], tuple[int, ...]]] = {  # rule on columns, relevant columns
    1: (lambda a: (a[0] == a[1]) | (a[4] == 1), (0, 1, 4)),
    2: (lambda a: (a == 1).sum(axis=0) == 2, (0, 1, 2, 3, 4, 5)),
    3: (lambda a: ((a[4] == 3) & (a[3] == 1)) | ((a[4] != 4) & (a[1] != 3)), (1, 3, 4)),
}


def make_monks(
    problem: int = 1,
    *,
    n_samples: int | None = None,
    noise: float = 0.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Make one of the three MONK's problems.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        1: a1 = a2 or a5 = 1. 2: exactly two of the six have their first value. 3: a5 = 3 and a4 = 1, or
        a5 ≠ 4 and a2 ≠ 3.
    n_samples : int, optional
        A random sample of so many different robots; the published training sets have 124, 169 and 122.
        Default: all 432.
    noise : float, default=0.0
        Share of the labels that are turned round, rounded to whole rows; the third published training set
        has 5 %.
    random_state : int, Generator or None, default=None
        Seed of the sample and the noise; nothing is drawn otherwise.

    Returns
    -------
    Dataset
        Columns a1 … a6 in this order, with values from 1 on; classes 0 and 1; the truth.

    Raises
    ------
    InputError
        Another problem, more than 432 rows, or noise outside 0 … 1.

    References
    ----------
    Thrun et al. (1991), "The MONK's problems: a performance comparison of different learning algorithms".

    Examples
    --------
    >>> [int(make_monks(problem).y.sum()) for problem in (1, 2, 3)]
    [216, 142, 228]
    """
    if problem not in _RULES:
        raise InputError(f"problem must be 1, 2 or 3, not {problem!r}")
    rule, relevant = _RULES[problem]
    robots = whole_table(MONKS_LEVELS, 1)
    rng = start(random_state, "monks")
    robots = robots[_rows(rng, n_samples, len(robots))]
    y = rule(robots.T).astype(np.int64)
    y[_wrong(rng, noise, len(y))] ^= 1
    irrelevant = tuple(column for column in range(6) if column not in relevant)
    truth = Truth(relevant, irrelevant, (), {column: (column,) for column in relevant})
    names = tuple(f"a{column}" for column in range(1, 7))
    recipe = {"source": "make_monks", "problem": int(problem), "noise": float(noise)}
    return Dataset(robots, y, f"monks{problem}", names, ("nominal",) * 6, truth, recipe)


def _rows(rng: np.random.Generator, n_samples: int | None, n: int) -> np.ndarray:
    if n_samples is None:
        return np.arange(n)
    check_whole("n_samples", n_samples, 1)
    if n_samples > n:
        raise InputError(f"n_samples is {n_samples}, but there are {n} different robots")
    return rng.permutation(n)[:n_samples]


def _wrong(rng: np.random.Generator, noise: float, n: int) -> np.ndarray:
    if not 0 <= noise <= 1:
        raise InputError(f"noise is the share of labels that are turned round, between 0 and 1, not {noise!r}")
    return rng.permutation(n)[: round(noise * n)]
