"""Dense linear algebra for compiled code: products, Cholesky factors, triangular solves, all in place.

Arrays are C-ordered. What Fortran reads as the upper triangle of a matrix is its lower triangle here.
"""

from __future__ import annotations

import numpy as np

from fselect.kernel import bare, processor_has, routine

__all__ = [
    "add_inner",
    "add_outer",
    "add_scaled",
    "cholesky",
    "combine_columns",
    "combine_rows",
    "dot",
    "dot_columns",
    "rows_dot",
    "solve_lower",
    "solve_row_lower",
    "solve_row_upper",
    "symmetric_dot",
]

_UPPER, _LEFT, _PLAIN, _TRANSPOSED = 85, 76, 78, 84  # the characters U, L, N, T
_SMALL = 100  # up to so many rows a matrix is factorised faster as a whole than by blocks
_STRIP = 8  # rows of a strip of a Gram matrix
# Up to so many rows a Gram matrix is computed faster by strips. OpenBLAS multiplies small matrices without packing
# them first where registers are wide, and else packs them for each strip.
_FEW = 128 if processor_has("avx512f") else 0

_syrk = routine("dsyrk", "cciiddiddi")
_gemm = routine("dgemm", "cciiiddididdi")
_potrf = routine("dpotrf", "cidir")
_potf2 = routine("dpotf2", "cidir")
_trsm = routine("dtrsm", "cccciiddidi")
_trsv = routine("dtrsv", "cccididi")
_symv = routine("dsymv", "ciddididdi")
_gemv = routine("dgemv", "ciiddididdi")


@bare
def add_inner(K: np.ndarray, A: np.ndarray, n_rows: int, sign: float) -> None:
    """Add ``sign * A[:n_rows].T @ A[:n_rows]`` to the lower triangle of K, in place; the upper one may be lost."""
    m = K.shape[0]
    if m > _FEW:
        _syrk(_UPPER, _PLAIN, m, n_rows, sign, A, m, 1.0, K, m)
        return
    for start in range(0, m, _STRIP):
        width = min(_STRIP, m - start)
        _gemm(_PLAIN, _TRANSPOSED, start + width, width, n_rows, sign, A, m, A[0, start:], m, 1.0, K[start], m)


@bare
def add_outer(H: np.ndarray, A: np.ndarray, n_columns: int) -> None:
    """Add ``A[:, :n_columns] @ A[:, :n_columns].T`` to the lower triangle of H, in place."""
    _syrk(_UPPER, _TRANSPOSED, H.shape[0], n_columns, 1.0, A, A.shape[1], 1.0, H, H.shape[0])


@bare
def cholesky(A: np.ndarray) -> int:
    """Overwrite the lower triangle of A with its Cholesky factor; 0 if A is positive definite."""
    if A.shape[0] <= _SMALL:
        return _potf2(_UPPER, A.shape[0], A, A.shape[0])
    return _potrf(_UPPER, A.shape[0], A, A.shape[0])


@bare
def solve_lower(L: np.ndarray, R: np.ndarray) -> None:
    """Overwrite each row r of R with the solution of ``L x = r``."""
    n = L.shape[0]
    if R.shape[0] == 1:
        _trsv(_UPPER, _TRANSPOSED, _PLAIN, n, L, n, R, 1)
        return
    _trsm(_LEFT, _UPPER, _TRANSPOSED, _PLAIN, n, R.shape[0], 1.0, L, n, R, n)


@bare
def solve_row_lower(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite one x with the solution of ``L y = x``."""
    _trsv(_UPPER, _TRANSPOSED, _PLAIN, L.shape[0], L, L.shape[0], x, 1)


@bare
def solve_row_upper(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite one x with the solution of ``L.T y = x``."""
    _trsv(_UPPER, _PLAIN, _PLAIN, L.shape[0], L, L.shape[0], x, 1)


@bare
def symmetric_dot(K: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Write ``K @ x`` to out, where only the lower triangle of K is read."""
    _symv(_UPPER, K.shape[0], 1.0, K, K.shape[0], x, 1, 0.0, out, 1)


@bare
def rows_dot(A: np.ndarray, n_rows: int, x: np.ndarray, out: np.ndarray) -> None:
    """Write ``A[:n_rows] @ x`` to out."""
    _gemv(_TRANSPOSED, A.shape[1], n_rows, 1.0, A, A.shape[1], x, 1, 0.0, out, 1)


@bare
def combine_rows(x: np.ndarray, A: np.ndarray, out: np.ndarray) -> None:
    """Write ``x @ A`` to out."""
    _gemv(_PLAIN, A.shape[1], A.shape[0], 1.0, A, A.shape[1], x, 1, 0.0, out, 1)


@bare
def combine_columns(x: np.ndarray, A: np.ndarray, start: int, out: np.ndarray) -> None:
    """Write ``x @ A[:, start:]`` to out, as far as out reaches."""
    _gemv(_PLAIN, out.size, A.shape[0], 1.0, A[0, start:], A.shape[1], x, 1, 0.0, out, 1)


@bare
def dot_columns(A: np.ndarray, start: int, x: np.ndarray, out: np.ndarray) -> None:
    """Add ``A[:, start:] @ x``, as far as x reaches, to out."""
    _gemv(_TRANSPOSED, x.size, A.shape[0], 1.0, A[0, start:], A.shape[1], x, 1, 1.0, out, 1)


@bare
def dot(x: np.ndarray, y: np.ndarray) -> float:
    """Return the scalar product, summed from left to right."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@bare
def add_scaled(x: np.ndarray, factor: float, y: np.ndarray) -> None:
    """Add ``factor * y`` to x, in place."""
    for i in range(x.size):
        x[i] += factor * y[i]
