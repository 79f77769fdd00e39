"""Eliminations that do not lay their sample out in memory: of sparse tables, and of large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from fselect.classifiers.logistic import check_classes
from fselect.classifiers.newton.problems import is_dual, make_problems
from fselect.selectors.elimination.column_source import ColumnSource, DenseSource, make_penalties
from fselect.selectors.elimination.sparse_source import is_ordinary, make_sparse_source
from fselect.selectors.elimination.tall import eliminate_tall
from fselect.selectors.elimination.wide import Dropped, eliminate_wide

__all__ = ["LARGE", "eliminate_lean", "lean_source"]

LARGE = 64_000_000
"""Bytes of a table from which on a sample is not copied: below, a copy is faster and costs little."""

_SPARSE = 0.1  # share of entries up to which a sparse table is used as it is
_SHARE, _BYTES = 0.02, 8_000_000  # of a large table, and besides: so much of its columns is laid out in the end
_TALL, _MOST = 8, 2000  # rows a column, and columns: there a Hessian takes little room beside the table


def lean_source(X: Any, counts: np.ndarray) -> ColumnSource | None:
    """Give the columns of a sample without laying them out, where that pays.

    Parameters
    ----------
    X : ndarray or scipy.sparse.csr_array of shape (n, d), float64
        The table.
    counts : ndarray of shape (n,), float64
        How often each row is in the sample.

    Returns
    -------
    ColumnSource or None
        None unless there are so many more columns than rows that the fits are on the residuals of the rows, and the
        table is sparse (a tenth of entries at most) or large (`LARGE`); or so many more rows than columns that
        fits walk over the rows of a large table.
    """
    rows = np.flatnonzero(counts > 0)
    wide = is_dual(X.shape[1], rows.size)
    if issparse(X):
        sparse_enough = wide and X.nnz <= _SPARSE * X.shape[0] * X.shape[1] and is_ordinary(X)
        return make_sparse_source(X, rows, counts[rows]) if sparse_enough else None
    if X.nbytes <= LARGE:
        return None
    tall = _TALL * X.shape[1] <= rows.size and X.shape[1] <= _MOST
    if not wide and not (tall and _is_ordinary_table(X)):
        return None
    return DenseSource(np.ascontiguousarray(X, dtype=np.float64), rows, counts[rows])


def _is_ordinary_table(X: np.ndarray) -> bool:
    """Tell whether no value is so large that a sum or a difference of two might overflow."""
    return bool(max(-X.min(initial=0.0), X.max(initial=0.0)) <= 1e100)


def eliminate_lean(
    source: ColumnSource,
    codes: np.ndarray,
    counts: np.ndarray,
    *,
    n_features: int,
    step: float,
    penalty: float,
    n_classes: int,
    log_shrinkage: np.ndarray | None,
    standardize: bool,
) -> Dropped:
    """Do what `fselect.selectors.elimination.eliminate` does, column by column.

    Parameters
    ----------
    source : ColumnSource
        What `lean_source` gave.
    codes, counts, n_features, step, penalty, n_classes, log_shrinkage, standardize
        See `fselect.selectors.elimination.eliminate`.

    Returns
    -------
    tuple of ndarray
        The dropped columns, logarithms of their weights, and rounds.

    Raises
    ------
    InputError
        If λ is not above 0, or a class has no row of positive weight.
    """
    rows = np.flatnonzero(counts > 0)
    check_classes(codes[rows], n_classes)
    log_scale = source.log_scales()
    penalties = make_penalties(log_scale, log_shrinkage, penalty, standardize=standardize)
    constant = np.isneginf(log_scale)
    problems = make_problems(codes[rows], counts[rows], n_classes)
    places, constants = np.flatnonzero(~constant), np.flatnonzero(constant)[::-1].copy()
    if not isinstance(source, DenseSource):
        return eliminate_wide(source, penalties, places, constants, problems, n_features, step, 0)
    enough = int((_SHARE * source.X.nbytes + _BYTES) / (8 * source.n_rows))
    eliminate = eliminate_wide if is_dual(source.X.shape[1], source.n_rows) else eliminate_tall
    return eliminate(source, penalties, places, constants, problems, n_features, step, enough)
