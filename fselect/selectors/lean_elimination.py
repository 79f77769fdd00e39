"""Eliminations that do not lay their sample out in memory: of sparse tables, and of large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from fselect.classifiers.logistic import check_classes
from fselect.classifiers.problems import is_dual, make_problems
from fselect.selectors.column_source import ColumnSource, DenseSource, make_penalties
from fselect.selectors.sparse_source import is_ordinary, make_sparse_source
from fselect.selectors.wide_elimination import Dropped, eliminate_wide

__all__ = ["LARGE", "eliminate_lean", "wide_source"]

LARGE = 64_000_000
"""Bytes of a table from which on a sample is not copied: below, a copy is faster and costs little."""

_SPARSE = 0.1  # share of entries up to which a sparse table is used as it is
_SHARE = 0.04  # of a large table: so many of its columns may be laid out in the end


def wide_source(X: Any, counts: np.ndarray) -> ColumnSource | None:
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
        table is sparse (a tenth of entries at most) or large (`LARGE`).
    """
    rows = np.flatnonzero(counts > 0)
    if not is_dual(X.shape[1], rows.size):
        return None
    if issparse(X):
        sparse_enough = X.nnz <= _SPARSE * X.shape[0] * X.shape[1] and is_ordinary(X)
        return make_sparse_source(X, rows, counts[rows]) if sparse_enough else None
    return DenseSource(np.ascontiguousarray(X, dtype=np.float64), rows, counts[rows]) if X.nbytes > LARGE else None


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
        What `wide_source` gave.
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
    enough = 0
    if isinstance(source, DenseSource):
        enough = int(_SHARE * source.X.size / source.n_rows)
    return eliminate_wide(source, penalties, places, constants, problems, n_features, step, enough)
