"""Where the columns of a weighted sample come from when they are not laid out in memory: a table, dense or sparse.

A table stays where it is (mapped from a file that all workers share, or sparse). Columns are gathered over the rows of
the sample and standardised a few at a time, so that a sample costs a block that fits in the second cache level, and not
a copy of itself; how often a row was drawn is a multiplicity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from fselect.classifiers.logistic import lift
from fselect.classifiers.newton.columns import Columns, Standardised, make_columns, root_of, standardise
from fselect.classifiers.newton.problems import Problems
from fselect.errors import InputError
from fselect.kernel import kernel
from fselect.selectors.elimination.column_kernels import add_gram, importance_of

__all__ = ["ColumnSource", "DenseSource", "Penalties", "gather", "make_penalties"]

_NUMBERS = 131_072  # of a block: a megabyte


@dataclass(frozen=True, eq=False)
class Penalties:
    """What the ridge grants to each column of a table; see `fselect.classifiers.newton.columns.Columns`.

    Parameters
    ----------
    log_ratio : ndarray of shape (d,), float64
        Logarithm of q.
    log_unit : ndarray of shape (d,), float64, or None
        Logarithm of what a standardised weight is divided by before it is ranked; None where that is 1.
    """

    log_ratio: np.ndarray
    log_unit: np.ndarray | None

    def units(self, places: np.ndarray) -> np.ndarray:
        """Give log_unit of some columns."""
        return np.zeros(places.size) if self.log_unit is None else self.log_unit[places]


class ColumnSource(Protocol):
    """Columns of a weighted sample."""

    @property
    def n_rows(self) -> int:
        """Number of rows of positive weight, m."""
        ...

    def log_scales(self) -> np.ndarray:
        """Logarithms of the weighted standard deviations of all columns, -inf for constant ones."""
        ...

    def standardised(self, places: np.ndarray, root: np.ndarray) -> Standardised:
        """Give some columns that are not constant, standardised and times their roots."""
        ...

    def add_gram(self, K: np.ndarray, places: np.ndarray, penalties: Penalties, sign: float) -> None:
        """Add (sign 1) or take away (sign -1) these columns to or from a Gram matrix, its lower triangle."""
        ...

    def log_importance(self, places: np.ndarray, penalties: Penalties, problems: Problems) -> np.ndarray:
        """Return the logarithms of |w| of columns that are not free."""
        ...


def make_penalties(
    log_scale: np.ndarray, log_beta: np.ndarray | None, penalty: float, *, standardize: bool
) -> Penalties:
    """Work out the penalties of a table's columns, as `fselect.classifiers.logistic.make_sample` does.

    Parameters
    ----------
    log_scale : ndarray of shape (d,), float64
        Logarithms of the columns' standard deviations, -inf for constant ones.
    log_beta : ndarray of shape (d,), float64, or None
        Logarithms of β; None for no bias.
    penalty : float
        λ, above 0.
    standardize : bool
        Whether the penalty is on the weights of standardised columns.

    Returns
    -------
    Penalties

    Raises
    ------
    InputError
        If λ is not above 0.

    Examples
    --------
    >>> make_penalties(np.array([0.0, -np.inf]), None, 1.0, standardize=True).log_ratio.round(3)
    array([-0.693, -0.693])
    """
    if not (np.isfinite(penalty) and penalty > 0):
        raise InputError(f"penalty must be a finite number above 0, not {penalty!r}")
    log_variance = np.where(np.isneginf(log_scale), -np.inf, 0.0) if standardize else 2.0 * log_scale
    log_beta = np.zeros(log_scale.size) if log_beta is None else np.asarray(log_beta, dtype=np.float64)
    log_ratio = -np.log(2.0 * penalty) - lift(log_beta, log_variance, penalty)
    if standardize:
        return Penalties(log_ratio, None)
    with np.errstate(invalid="ignore"):
        log_ratio += 2.0 * log_scale
    return Penalties(log_ratio, log_scale)


def blocks_of(places: np.ndarray, n_rows: int) -> Iterator[np.ndarray]:
    """Cut places into runs whose columns make a block that stays in the second cache level."""
    width = max(16, _NUMBERS // n_rows)
    for start in range(0, places.size, width):
        yield places[start : start + width]


def columns_of(source: ColumnSource, places: np.ndarray, penalties: Penalties, n_problems: int) -> Columns:
    """Lay out some columns for the solvers, in one piece."""
    log_ratio = penalties.log_ratio[places]
    root = root_of(log_ratio)
    found = source.standardised(places, root)
    return make_columns(found, root, log_ratio, penalties.units(places), n_problems)._replace(place=places.copy())


def gather(source: ColumnSource, places: np.ndarray, penalties: Penalties, n_problems: int) -> Columns:
    """Lay out some columns for the solvers, block by block.

    Parameters
    ----------
    source : ColumnSource
        The sample.
    places : ndarray of shape (p,), int64
        Columns that are not constant.
    penalties : Penalties
        Of all columns.
    n_problems : int
        Number of one-vs-rest problems.

    Returns
    -------
    Columns
        In the order of places.
    """
    parts = iter(blocks_of(places, source.n_rows))
    first = columns_of(source, next(parts, places[:0]), penalties, n_problems)
    p, done = places.size, first.place.size
    if done == p:
        return first
    Z, norm = np.empty((p + 1, source.n_rows)), np.empty(p)
    Z[:done], norm[:done] = first.Z[:done], first.norm
    for part in parts:
        found = source.standardised(part, root_of(penalties.log_ratio[part]))
        Z[done : done + part.size], norm[done : done + part.size] = found.Z[:-1], found.norm
        done += part.size
    log_ratio = penalties.log_ratio[places]
    whole = Standardised(Z, np.arange(p), norm, np.empty(0), np.empty(0))
    columns = make_columns(whole, root_of(log_ratio), log_ratio, penalties.units(places), n_problems)
    return columns._replace(place=places.copy())


@dataclass(frozen=True, eq=False)
class DenseSource:
    """The rows of positive weight of a dense table.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table, C-ordered; mapped from a file or in memory.
    rows : ndarray of shape (m,), int64
        Rows of the sample.
    counts : ndarray of shape (m,), float64
        Their positive weights.
    """

    X: np.ndarray
    rows: np.ndarray
    counts: np.ndarray

    @property
    def n_rows(self) -> int:  # noqa: D102
        return self.rows.size

    def parts(self, places: np.ndarray) -> Iterator[np.ndarray]:
        """Cut places into runs that are handled at a time."""
        return blocks_of(places, self.n_rows)

    @cached_property
    def moments(self) -> np.ndarray:
        """Of each column mean, log σ, the norm when standardised, and its product with a direction of no meaning."""
        moments = np.zeros((4, self.X.shape[1]))
        direction = np.cos(1.0 + 0.7 * np.arange(self.n_rows) ** 2 % (2.0 * np.pi))
        for part in self.parts(np.arange(self.X.shape[1])):
            found = self.standardised(part, np.ones(part.size))
            moments[0, part], moments[1, part] = found.mean, found.log_scale
            moments[2:, part[found.place]] = found.norm, found.Z[:-1] @ direction
        return moments

    def log_scales(self) -> np.ndarray:  # noqa: D102
        if self.n_rows > self.X.shape[1]:
            return self.moments[1]
        parts = self.parts(np.arange(self.X.shape[1]))
        return np.concatenate([self.standardised(part, np.ones(part.size)).log_scale for part in parts])

    def standardised(self, places: np.ndarray, root: np.ndarray) -> Standardised:  # noqa: D102
        tile = np.empty((self.n_rows, places.size))
        _copy_tile(self.X, self.rows, places, tile)
        tile.flags.writeable = False  # as tables are: what is compiled for them serves here too
        return standardise(tile, np.arange(self.n_rows), self.counts, root)

    def add_gram(self, K: np.ndarray, places: np.ndarray, penalties: Penalties, sign: float) -> None:  # noqa: D102
        for part in blocks_of(places, self.n_rows):
            add_gram(K, columns_of(self, part, penalties, 1), sign)

    def log_importance(  # noqa: D102
        self, places: np.ndarray, penalties: Penalties, problems: Problems
    ) -> np.ndarray:
        n_problems = problems.intercepts.size
        parts = blocks_of(places, self.n_rows)
        found = [importance_of(columns_of(self, part, penalties, n_problems), problems) for part in parts]
        return np.concatenate([np.empty(0), *found])


@kernel
def _copy_tile(X: np.ndarray, rows: np.ndarray, places: np.ndarray, tile: np.ndarray) -> None:
    for i in range(rows.size):
        line = X[rows[i]]
        for j in range(places.size):
            tile[i, j] = line[places[j]]
