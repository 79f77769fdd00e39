"""Dense linear algebra in single precision: the part of it that preconditioners and small steps need."""

from __future__ import annotations

import numpy as np

from fselect.kernel import bare, routine

__all__ = ["add_outer_single", "cholesky_single", "combine_columns_single", "dot_columns_single", "solve_single"]

_UPPER, _PLAIN, _TRANSPOSED = 85, 78, 84  # the characters U, N, T

_syrk = routine("ssyrk", "cciississi")
_potrf = routine("spotrf", "cisir")
_trsv = routine("strsv", "cccisisi")
_gemv = routine("sgemv", "ciissisissi")


@bare
def add_outer_single(H: np.ndarray, A: np.ndarray, n_columns: int) -> None:
    """Add ``A[:, :n_columns] @ A[:, :n_columns].T`` to the lower triangle of H, in place."""
    _syrk(_UPPER, _TRANSPOSED, A.shape[0], n_columns, 1.0, A, A.shape[1], 1.0, H, H.shape[1])


@bare
def cholesky_single(A: np.ndarray) -> int:
    """Overwrite the lower triangle of A with its Cholesky factor; 0 if A is positive definite."""
    return _potrf(_UPPER, A.shape[0], A, A.shape[0])


@bare
def solve_single(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of ``L L.T y = x``."""
    _trsv(_UPPER, _TRANSPOSED, _PLAIN, L.shape[0], L, L.shape[0], x, 1)
    _trsv(_UPPER, _PLAIN, _PLAIN, L.shape[0], L, L.shape[0], x, 1)


@bare
def combine_columns_single(x: np.ndarray, A: np.ndarray, start: int, out: np.ndarray) -> None:
    """Write ``x @ A[:, start:]`` to out, as far as out reaches."""
    _gemv(_PLAIN, out.size, A.shape[0], 1.0, A[0, start:], A.shape[1], x, 1, 0.0, out, 1)


@bare
def dot_columns_single(A: np.ndarray, start: int, x: np.ndarray, out: np.ndarray) -> None:
    """Write ``A[:, start:] @ x``, as far as x reaches, to out."""
    _gemv(_TRANSPOSED, x.size, A.shape[0], 1.0, A[0, start:], A.shape[1], x, 1, 0.0, out, 1)
