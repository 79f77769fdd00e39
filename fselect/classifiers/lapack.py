"""Dense linear algebra for compiled code: products, Cholesky factors, triangular solves, all in place.

Arrays are C-ordered. What Fortran reads as the upper triangle of a matrix is its lower triangle here.
"""

from __future__ import annotations

import numpy as np

from fselect.kernel import kernel, routine

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
    "solve_upper",
    "symmetric_dot",
]

_UPPER, _LEFT, _PLAIN, _TRANSPOSED = 85, 76, 78, 84  # the characters U, L, N, T

_syrk = routine("dsyrk", "cciiddiddi")
_potrf = routine("dpotrf", "cidii")
_trsm = routine("dtrsm", "cccciiddidi")
_trsv = routine("dtrsv", "cccididi")
_symv = routine("dsymv", "ciddididdi")
_gemv = routine("dgemv", "ciiddididdi")


@kernel
def add_inner(K: np.ndarray, A: np.ndarray, n_rows: int, sign: float) -> None:
    """Add ``sign * A[:n_rows].T @ A[:n_rows]`` to the lower triangle of K, in place."""
    letters = np.array([_UPPER, _PLAIN], dtype=np.uint8)
    sizes = np.array([K.shape[0], n_rows, A.shape[1]], dtype=np.int32)
    factors = np.array([sign, 1.0])
    _syrk(
        letters.ctypes, letters[1:].ctypes, sizes.ctypes, sizes[1:].ctypes, factors.ctypes, A.ctypes,
        sizes[2:].ctypes, factors[1:].ctypes, K.ctypes, sizes.ctypes,
    )  # fmt: skip


@kernel
def add_outer(H: np.ndarray, A: np.ndarray, n_columns: int) -> None:
    """Add ``A[:, :n_columns] @ A[:, :n_columns].T`` to the lower triangle of H, in place."""
    letters = np.array([_UPPER, _TRANSPOSED], dtype=np.uint8)
    sizes = np.array([H.shape[0], n_columns, A.shape[1]], dtype=np.int32)
    factors = np.ones(1)
    _syrk(
        letters.ctypes, letters[1:].ctypes, sizes.ctypes, sizes[1:].ctypes, factors.ctypes, A.ctypes,
        sizes[2:].ctypes, factors.ctypes, H.ctypes, sizes.ctypes,
    )  # fmt: skip


@kernel
def cholesky(A: np.ndarray) -> int:
    """Overwrite the lower triangle of A with its Cholesky factor; 0 if A is positive definite."""
    letters = np.array([_UPPER], dtype=np.uint8)
    sizes = np.array([A.shape[0], 0], dtype=np.int32)
    _potrf(letters.ctypes, sizes.ctypes, A.ctypes, sizes.ctypes, sizes[1:].ctypes)
    return sizes[1]


@kernel
def solve_lower(L: np.ndarray, R: np.ndarray) -> None:
    """Overwrite each row r of R with the solution of ``L x = r``."""
    _triangular(L, R, _TRANSPOSED)


@kernel
def solve_upper(L: np.ndarray, R: np.ndarray) -> None:
    """Overwrite each row r of R with the solution of ``L.T x = r``."""
    _triangular(L, R, _PLAIN)


@kernel
def _triangular(L: np.ndarray, R: np.ndarray, transposed: int) -> None:
    letters = np.array([_LEFT, _UPPER, transposed, _PLAIN], dtype=np.uint8)
    sizes = np.array([L.shape[0], R.shape[0]], dtype=np.int32)
    one = np.ones(1)
    _trsm(
        letters.ctypes, letters[1:].ctypes, letters[2:].ctypes, letters[3:].ctypes, sizes.ctypes,
        sizes[1:].ctypes, one.ctypes, L.ctypes, sizes.ctypes, R.ctypes, sizes.ctypes,
    )  # fmt: skip


@kernel
def solve_row_lower(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite one x with the solution of ``L y = x``."""
    _triangular_row(L, x, _TRANSPOSED)


@kernel
def solve_row_upper(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite one x with the solution of ``L.T y = x``."""
    _triangular_row(L, x, _PLAIN)


@kernel
def _triangular_row(L: np.ndarray, x: np.ndarray, transposed: int) -> None:
    letters = np.array([_UPPER, transposed, _PLAIN], dtype=np.uint8)
    sizes = np.array([L.shape[0], 1], dtype=np.int32)
    _trsv(
        letters.ctypes, letters[1:].ctypes, letters[2:].ctypes, sizes.ctypes, L.ctypes, sizes.ctypes,
        x.ctypes, sizes[1:].ctypes,
    )  # fmt: skip


@kernel
def symmetric_dot(K: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Write ``K @ x`` to out, where only the lower triangle of K is read."""
    letters = np.array([_UPPER], dtype=np.uint8)
    sizes = np.array([K.shape[0], 1], dtype=np.int32)
    factors = np.array([1.0, 0.0])
    _symv(
        letters.ctypes, sizes.ctypes, factors.ctypes, K.ctypes, sizes.ctypes, x.ctypes,
        sizes[1:].ctypes, factors[1:].ctypes, out.ctypes, sizes[1:].ctypes,
    )  # fmt: skip


@kernel
def rows_dot(A: np.ndarray, n_rows: int, x: np.ndarray, out: np.ndarray) -> None:
    """Write ``A[:n_rows] @ x`` to out."""
    _general(A, n_rows, x, out, _TRANSPOSED)


@kernel
def combine_rows(x: np.ndarray, A: np.ndarray, out: np.ndarray) -> None:
    """Write ``x @ A`` to out."""
    _general(A, A.shape[0], x, out, _PLAIN)


@kernel
def combine_columns(x: np.ndarray, A: np.ndarray, start: int, out: np.ndarray) -> None:
    """Write ``x @ A[:, start:]`` to out, as far as out reaches."""
    _gemv_part(A, start, out.size, x, out, _PLAIN, 0.0)


@kernel
def dot_columns(A: np.ndarray, start: int, x: np.ndarray, out: np.ndarray) -> None:
    """Add ``A[:, start:] @ x``, as far as x reaches, to out."""
    _gemv_part(A, start, x.size, x, out, _TRANSPOSED, 1.0)


@kernel
def _general(A: np.ndarray, n_rows: int, x: np.ndarray, out: np.ndarray, transposed: int) -> None:
    _gemv_part(A[:n_rows], 0, A.shape[1], x, out, transposed, 0.0)


@kernel
def _gemv_part(
    A: np.ndarray, start: int, width: int, x: np.ndarray, out: np.ndarray, transposed: int, keep: float
) -> None:
    """Add the product of columns start … start + width - 1 of A and x to keep · out."""
    letters = np.array([transposed], dtype=np.uint8)
    sizes = np.array([width, A.shape[0], A.shape[1], 1], dtype=np.int32)
    factors = np.array([1.0, keep])
    _gemv(
        letters.ctypes, sizes.ctypes, sizes[1:].ctypes, factors.ctypes, A[0, start:].ctypes, sizes[2:].ctypes, x.ctypes,
        sizes[3:].ctypes, factors[1:].ctypes, out.ctypes, sizes[3:].ctypes,
    )  # fmt: skip


@kernel
def dot(x: np.ndarray, y: np.ndarray) -> float:
    """Return the scalar product, summed from left to right."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@kernel
def add_scaled(x: np.ndarray, factor: float, y: np.ndarray) -> None:
    """Add ``factor * y`` to x, in place."""
    for i in range(x.size):
        x[i] += factor * y[i]
