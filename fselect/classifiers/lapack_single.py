"""Dense linear algebra in single precision: the part of it that a preconditioner needs."""

from __future__ import annotations

import numpy as np

from fselect.kernel import kernel, routine

__all__ = ["add_outer_single", "cholesky_single", "solve_single"]

_UPPER, _PLAIN, _TRANSPOSED = 85, 78, 84  # the characters U, N, T

_syrk = routine("ssyrk", "cciississi")
_potrf = routine("spotrf", "cisii")
_trsv = routine("strsv", "cccisisi")


@kernel
def add_outer_single(H: np.ndarray, A: np.ndarray, n_columns: int) -> None:
    """Add ``A[:, :n_columns] @ A[:, :n_columns].T`` to the lower triangle of H, in place."""
    letters = np.array([_UPPER, _TRANSPOSED], dtype=np.uint8)
    sizes = np.array([A.shape[0], n_columns, A.shape[1], H.shape[1]], dtype=np.int32)
    factors = np.ones(1, dtype=np.float32)
    _syrk(
        letters.ctypes, letters[1:].ctypes, sizes.ctypes, sizes[1:].ctypes, factors.ctypes, A.ctypes,
        sizes[2:].ctypes, factors.ctypes, H.ctypes, sizes[3:].ctypes,
    )  # fmt: skip


@kernel
def cholesky_single(A: np.ndarray) -> int:
    """Overwrite the lower triangle of A with its Cholesky factor; 0 if A is positive definite."""
    letters = np.array([_UPPER], dtype=np.uint8)
    sizes = np.array([A.shape[0], 0], dtype=np.int32)
    _potrf(letters.ctypes, sizes.ctypes, A.ctypes, sizes.ctypes, sizes[1:].ctypes)
    return sizes[1]


@kernel
def solve_single(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of ``L L.T y = x``."""
    letters = np.array([_UPPER, _TRANSPOSED, _PLAIN], dtype=np.uint8)
    sizes = np.array([L.shape[0], 1], dtype=np.int32)
    for transposed in (1, 2):
        _trsv(
            letters.ctypes, letters[transposed:].ctypes, letters[2:].ctypes, sizes.ctypes, L.ctypes, sizes.ctypes,
            x.ctypes, sizes[1:].ctypes,
        )  # fmt: skip
