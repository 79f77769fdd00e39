"""The columns of a weighted sample of a sparse table: what is zero costs nothing.

A standardised column is (x - μ) / σ, which has no zeros; but products with it need the entries of x only, and a term of
rank one for μ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from fselect.classifiers.newton.columns import Standardised, root_of, standardise
from fselect.classifiers.newton.problems import Problems
from fselect.kernel import kernel
from fselect.selectors.elimination.column_kernels import add_gram, importance_of
from fselect.selectors.elimination.column_source import Penalties, blocks_of, columns_of

__all__ = ["SparseSource", "is_ordinary", "make_sparse_source"]

_HEAVY = 0.15  # share of entries from which the product of a column with itself is worked out densely
_NOISE = 2e-14  # a scalar product this small beside its factors' norms is zero but for rounding
_SMALL, _LARGE = 1e-100, 1e100  # between them squares stay in the range of a double


@dataclass(frozen=True, eq=False)
class SparseSource:
    """The rows of positive weight of a sparse table, column by column.

    Parameters
    ----------
    starts : ndarray of shape (d + 1,), int64
        Where each column's entries begin.
    rows : ndarray of shape (nnz,), int64
        Place in the sample of each entry, rising within a column.
    values : ndarray of shape (nnz,), float64
        The entries, relative to the column's reference.
    reference : ndarray of shape (d,), float64
        0, or for a column without a zero its value in the first row.
    counts : ndarray of shape (m,), float64
        Positive weights of the rows.
    """

    starts: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    reference: np.ndarray
    counts: np.ndarray

    @property
    def n_rows(self) -> int:  # noqa: D102
        return self.counts.size

    @cached_property
    def moments(self) -> np.ndarray:
        """Of each column the weighted mean (less the reference) and variance, and the sum of squares about the mean."""
        return _moments(self.starts, self.rows, self.values, self.counts / self.counts.sum())

    def log_scales(self) -> np.ndarray:  # noqa: D102
        with np.errstate(divide="ignore"):
            return 0.5 * np.log(self.moments[1])

    def standardised(self, places: np.ndarray, root: np.ndarray) -> Standardised:  # noqa: D102
        tile = np.zeros((self.n_rows, places.size))
        _fill(self.starts, self.rows, self.values, places, tile)
        tile.flags.writeable = False
        return standardise(tile, np.arange(self.n_rows), self.counts, root)

    def add_gram(self, K: np.ndarray, places: np.ndarray, penalties: Penalties, sign: float) -> None:  # noqa: D102
        heavy = np.diff(self.starts)[places] > _HEAVY * self.n_rows
        for part in blocks_of(places[heavy], self.n_rows):
            add_gram(K, columns_of(self, part, penalties, 1), sign)
        light = places[~heavy]
        root = root_of(penalties.log_ratio[light])
        _add_gram(self.starts, self.rows, self.values, light, self.moments, root, sign, K)

    def log_importance(  # noqa: D102
        self, places: np.ndarray, penalties: Penalties, problems: Problems
    ) -> np.ndarray:
        root = root_of(penalties.log_ratio[places])
        log_factor = penalties.log_ratio[places] - np.log(root) - penalties.units(places)
        found, doubtful = _log_importance(
            self.starts, self.rows, self.values, places, self.moments, root, problems.residuals
        )
        found += log_factor
        for part in blocks_of(np.flatnonzero(doubtful), self.n_rows):
            columns = columns_of(self, places[part], penalties, problems.intercepts.size)
            found[part] = importance_of(columns, problems)
        return found


def make_sparse_source(X: Any, rows: np.ndarray, counts: np.ndarray) -> SparseSource:
    """Take the rows of a sample out of a sparse table.

    Parameters
    ----------
    X : scipy.sparse.csr_array or csr_matrix of shape (n, d), float64
        The table.
    rows : ndarray of shape (m,), int64
        Rows of the sample.
    counts : ndarray of shape (m,), float64
        Their positive weights.

    Returns
    -------
    SparseSource
        The sample.

    Examples
    --------
    >>> X = sparse.csr_array(np.array([[0.0, 2.0], [4.0, 2.0], [0.0, 3.0]]))
    >>> source = make_sparse_source(X, np.array([0, 1]), np.ones(2))
    >>> np.exp(source.log_scales())
    array([2., 0.])
    """
    taken = sparse.csc_array(X[rows])
    taken.sum_duplicates()
    taken.eliminate_zeros()
    starts, values = taken.indptr.astype(np.int64), taken.data.astype(np.float64)
    reference = _subtract_reference(starts, values, rows.size)
    return SparseSource(starts, taken.indices.astype(np.int64), values, reference, counts)


def is_ordinary(X: Any) -> bool:
    """Tell whether all entries' squares are in the range of a double."""
    if X.data.size == 0:
        return True
    size = np.abs(X.data)
    return bool(size.min() >= _SMALL and size.max() <= _LARGE)


@kernel
def _subtract_reference(starts: np.ndarray, values: np.ndarray, n_rows: int) -> np.ndarray:
    reference = np.zeros(starts.size - 1)
    for j in range(reference.size):
        if starts[j + 1] - starts[j] == n_rows:
            reference[j] = values[starts[j]]
            for e in range(starts[j], starts[j + 1]):
                values[e] -= reference[j]
    return reference


@kernel
def _moments(starts: np.ndarray, rows: np.ndarray, values: np.ndarray, share: np.ndarray) -> np.ndarray:
    out = np.zeros((3, starts.size - 1))
    for j in range(starts.size - 1):
        mean, absent = 0.0, 1.0
        for e in range(starts[j], starts[j + 1]):
            mean += share[rows[e]] * values[e]
            absent -= share[rows[e]]
        n_absent = share.size - (starts[j + 1] - starts[j])
        out[0, j] = mean
        out[1, j] = max(absent, 0.0) * mean * mean if n_absent > 0 else 0.0
        out[2, j] = n_absent * mean * mean
        for e in range(starts[j], starts[j + 1]):
            square = (values[e] - mean) ** 2
            out[1, j] += share[rows[e]] * square
            out[2, j] += square
    return out


@kernel
def _fill(starts: np.ndarray, rows: np.ndarray, values: np.ndarray, places: np.ndarray, tile: np.ndarray) -> None:
    for k in range(places.size):
        for e in range(starts[places[k]], starts[places[k] + 1]):
            tile[rows[e], k] = values[e]


@kernel
def _add_gram(
    starts: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    places: np.ndarray,
    moments: np.ndarray,
    root: np.ndarray,
    sign: float,
    K: np.ndarray,
) -> None:
    """Add sign · Σ g (x - μ) (x - μ)ᵀ, with g = root² / σ², to the lower triangle of K."""
    m = K.shape[0]
    line, level = np.zeros(m), 0.0
    for k in range(places.size):
        j = places[k]
        g = sign * root[k] * root[k] / moments[1, j]
        for e in range(starts[j], starts[j + 1]):
            scaled = g * values[e]
            row = rows[e]
            for f in range(starts[j], e + 1):
                K[row, rows[f]] += scaled * values[f]
            line[row] += scaled * moments[0, j]
        level += g * moments[0, j] * moments[0, j]
    for i in range(m):
        for h in range(i + 1):
            K[i, h] += level - line[i] - line[h]


@kernel
def _log_importance(
    starts: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    places: np.ndarray,
    moments: np.ndarray,
    root: np.ndarray,
    residuals: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the root mean square of zᵀa, and where rounding may have made it."""
    n_problems, m = residuals.shape
    out, doubtful = np.empty(places.size), np.zeros(places.size, dtype=np.bool_)
    total, size = np.zeros(n_problems), np.zeros(n_problems)
    for c in range(n_problems):
        for i in range(m):
            total[c] += residuals[c, i]
            size[c] += residuals[c, i] * residuals[c, i]
        size[c] = _NOISE * math.sqrt(size[c]) + abs(
            total[c]
        )  # see `fselect.classifiers.newton.problems.log_importance`
    for k in range(places.size):
        j = places[k]
        scale = root[k] / math.sqrt(moments[1, j])
        length = scale * (math.sqrt(moments[2, j]) + 2.0 * math.sqrt(m) * abs(moments[0, j]))
        squares = 0.0
        for c in range(n_problems):
            product = -moments[0, j] * total[c]
            for e in range(starts[j], starts[j + 1]):
                product += values[e] * residuals[c, rows[e]]
            product *= scale
            doubtful[k] |= abs(product) <= size[c] * length
            squares += product * product
        out[k] = 0.5 * math.log(squares / n_problems) if squares > 0.0 else -np.inf
    return out, doubtful
