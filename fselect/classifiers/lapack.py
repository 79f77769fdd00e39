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
    "combine_rows",
    "dot",
    "rows_dot",
    "solve_lower",
    "solve_upper",
    "symmetric_dot",
]

_UPPER, _LEFT, _PLAIN, _TRANSPOSED = 85, 76, 78, 84  # the characters U, L, N, T

_syrk = routine("dsyrk", "cciiddiddi")
_potrf = routine("dpotrf", "cidii")
_trsm = routine("dtrsm", "cccciiddidi")
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
def _general(A: np.ndarray, n_rows: int, x: np.ndarray, out: np.ndarray, transposed: int) -> None:
    letters = np.array([transposed], dtype=np.uint8)
    sizes = np.array([A.shape[1], n_rows, 1], dtype=np.int32)
    factors = np.array([1.0, 0.0])
    _gemv(
        letters.ctypes, sizes.ctypes, sizes[1:].ctypes, factors.ctypes, A.ctypes, sizes.ctypes, x.ctypes,
        sizes[2:].ctypes, factors[1:].ctypes, out.ctypes, sizes[2:].ctypes,
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
