"""CorrAL: a column that goes along with the class tempts a search away from the four that decide it."""

from __future__ import annotations

import numpy as np

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.synthetic.assembly import check_whole, start, whole_table
from fselect.errors import InputError

__all__ = ["make_corral"]


def make_corral(
    *, copies: int = 8, agreement: float = 0.78, random_state: int | np.random.Generator | None = None
) -> Dataset:
    """Make six bits whose class is (f0 ∧ f1) ∨ (f2 ∧ f3); f4 is irrelevant, f5 often agrees with the class.

    Parameters
    ----------
    copies : int, default=8
        How often each of the 32 patterns of f0 … f4 occurs: 256 rows.
    agreement : float, default=0.78
        Probability, of each row independently, that f5 equals the class.
    random_state : int, Generator or None, default=None
        Seed of f5; ``None`` gives another one every time.

    Returns
    -------
    Dataset
        Columns f0 … f5 in this order. In the truth f5 is redundant, but stands in for no single column: it is
        in no group.

    Raises
    ------
    InputError
        ``copies`` below 1, or an agreement outside 0 … 1.

    References
    ----------
    John, Kohavi and Pfleger (1994), "Irrelevant features and the subset selection problem".

    Examples
    --------
    >>> data = make_corral(random_state=0)
    >>> data, data.truth.relevant
    (Dataset('corral', 256 × 6, 2 classes), (0, 1, 2, 3))
    """
    check_whole("copies", copies, 1)
    if not 0 <= agreement <= 1:
        raise InputError(f"agreement is a probability, between 0 and 1, not {agreement!r}")
    rng = start(random_state, "corral")
    bits = np.repeat(whole_table([2] * 5, 0), copies, axis=0)
    f0, f1, f2, f3, _ = bits.T
    y = (f0 & f1) | (f2 & f3)
    f5 = np.where(rng.random(len(y)) < agreement, y, 1 - y)
    truth = Truth((0, 1, 2, 3), (4,), (5,), {column: (column,) for column in range(4)})
    names = tuple(f"f{column}" for column in range(6))
    recipe = {"source": "make_corral", "copies": int(copies), "agreement": float(agreement)}
    return Dataset(np.column_stack([bits, f5]), y, "corral", names, ("nominal",) * 6, truth, recipe)
