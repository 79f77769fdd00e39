"""From relevant columns and a class to a table with irrelevant columns, copies, and the truth about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.seeds import Stream, generator
from fselect.errors import InputError

__all__ = ["ROWS_A_COLUMN", "assemble", "check_whole", "draw_columns", "number_of_rows", "start", "whole_table"]

ROWS_A_COLUMN = 40
"""α · c of Molina, Belanche and Nebot (2002): α = 20 rows, for each of two classes, a column of the table."""


def check_whole(word: str, value: Any, least: int) -> None:
    """Refuse anything but a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{word} must be a whole number of at least {least}, not {value!r}")


def start(random_state: int | np.random.Generator | None, family: str) -> np.random.Generator:
    """Start the generator of a table: the given one, a fresh one, or the family's own stream of a seed."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    return generator(random_state, Stream.SYNTHETIC, family)


def number_of_rows(n_samples: int | None, n_relevant: int, n_irrelevant: int, n_redundant: int) -> int:
    """Check the sizes of a table and give its number of rows: 40 a column unless it is told."""
    check_whole("n_irrelevant", n_irrelevant, 0)
    check_whole("n_redundant", n_redundant, 0)
    if n_samples is None:
        return ROWS_A_COLUMN * int(n_relevant + n_irrelevant + n_redundant)
    check_whole("n_samples", n_samples, 1)
    return int(n_samples)


def draw_columns(rng: np.random.Generator, n_samples: int, levels: Sequence[int], first: int) -> np.ndarray:
    """Draw columns of independent values, each uniform on `first`, …, `first` + its number of levels - 1."""
    if not levels:
        return np.empty((n_samples, 0), dtype=np.int64)
    return rng.integers(first, first + np.asarray(levels), size=(n_samples, len(levels)))


def assemble(
    family: str,
    relevant: np.ndarray,
    y: np.ndarray,
    irrelevant: np.ndarray,
    n_redundant: int,
    *,
    permute: bool,
    rng: np.random.Generator,
    seed: Any,
) -> Dataset:
    """Add copies of relevant columns, put the columns in random order, and write down the truth.

    Parameters
    ----------
    family : str
        Name of the concept.
    relevant, irrelevant : ndarray of int, shapes (n, R) and (n, I)
        The columns that decide the class, and those that say nothing about it.
    y : ndarray of int, shape (n,)
        The class.
    n_redundant : int
        Copies of relevant columns; which ones is drawn with replacement, since the paper leaves it open.
    permute : bool
        Whether columns come in random order.
    rng : numpy.random.Generator
        For the copies and the order.
    seed : object
        What the caller gave as ``random_state``, for the record.

    Returns
    -------
    Dataset
        All columns nominal; ``groups`` of the truth holds each relevant column with its copies.
    """
    n_relevant, n_irrelevant = relevant.shape[1], irrelevant.shape[1]
    copied = rng.integers(n_relevant, size=n_redundant)
    columns = np.hstack([relevant, irrelevant, relevant[:, copied]])
    place = rng.permutation(columns.shape[1]) if permute else np.arange(columns.shape[1])
    X = np.empty(columns.shape)
    X[:, place] = columns
    sizes = {"n_relevant": n_relevant, "n_irrelevant": n_irrelevant, "n_redundant": int(n_redundant)}
    recorded = int(seed) if isinstance(seed, int | np.integer) else None
    recipe = {"source": f"make_{family}", **sizes, "permute": bool(permute), "random_state": recorded}
    name = "-".join([family, *map(str, sizes.values())])
    X.flags.writeable = False
    return Dataset(X, y, name, kinds=("nominal",) * len(place), truth=_truth(place, sizes, copied), recipe=recipe)


def _truth(place: np.ndarray, sizes: dict[str, int], copied: np.ndarray) -> Truth:
    relevant, irrelevant, copies = np.split(place, np.cumsum(list(sizes.values()))[:-1])
    groups = {
        int(column): (int(column), *sorted(copies[copied == number].tolist())) for number, column in enumerate(relevant)
    }
    in_order = {column: groups[column] for column in sorted(groups)}
    return Truth(_sorted(relevant), _sorted(irrelevant), _sorted(copies), in_order)


def _sorted(columns: np.ndarray) -> tuple[int, ...]:
    return tuple(sorted(columns.tolist()))


def whole_table(levels: Sequence[int], first: int) -> np.ndarray:
    """List all combinations of values, the last column running fastest, shape (product of levels, columns)."""
    grids = np.indices(tuple(levels)).reshape(len(levels), -1).T
    return grids + first
