"""Sparse matrices as the values of a table: one canonical form, and ways to the dense one."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["as_canonical", "dense", "dense_columns", "is_canonical"]


def as_canonical(X: Any) -> sparse.csr_array:
    """Give a sparse matrix in the one form that its content has: rows, sorted, no entry twice, no entry of zero.

    Parameters
    ----------
    X : scipy.sparse matrix or array of shape (n, d)
        In any format. One that is in the form already, in arrays that cannot be written to, is taken as it is.

    Returns
    -------
    scipy.sparse.csr_array of shape (n, d), float64
        Its three arrays cannot be written to.

    Examples
    --------
    >>> as_canonical(sparse.coo_array(([1.0, 2.0, 0.0], ([0, 0, 1], [2, 2, 0])), shape=(2, 3))).data.tolist()
    [3.0]
    """
    if is_canonical(X):
        return X
    csr = sparse.csr_array(X, dtype=np.float64, copy=True)
    csr.sum_duplicates()
    csr.eliminate_zeros()
    for part in (csr.data, csr.indices, csr.indptr):
        part.flags.writeable = False
    return csr


def is_canonical(X: Any) -> bool:
    """Tell whether a matrix has the form of `as_canonical`, and cannot be changed."""
    if not isinstance(X, sparse.csr_array) or X.dtype != np.float64:
        return False
    if any(part.flags.writeable for part in (X.data, X.indices, X.indptr)):
        return False
    return bool(X.has_canonical_format and X.data.all())


def dense(X: Any) -> np.ndarray:
    """Give a table's values as a dense array; one that is dense is passed through.

    Examples
    --------
    >>> dense(sparse.csr_array(np.eye(2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return X.toarray() if sparse.issparse(X) else X


def dense_columns(X: Any, columns: np.ndarray) -> np.ndarray:
    """Give some columns of a table, dense or sparse, as a dense array.

    Parameters
    ----------
    X : ndarray or scipy.sparse.csr_array of shape (n, d)
        The table.
    columns : ndarray of int or bool
        Which.

    Returns
    -------
    ndarray of shape (n, number of columns)
        A row after the other in memory.

    Examples
    --------
    >>> dense_columns(sparse.csr_array(np.eye(3)), np.array([2, 0])).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    if sparse.issparse(X):
        return dense(X[:, columns])
    # X[:, columns] would be laid out column by column, and be copied once more by those that go through rows
    return np.take(X, np.flatnonzero(columns) if columns.dtype == bool else columns, axis=1)
