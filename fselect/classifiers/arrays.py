"""Arrays for compiled code: one function for each kind, so that each kind is compiled once and not at every place."""

from __future__ import annotations

import numpy as np

from fselect.kernel import bare, inner

__all__ = ["copy_row", "copy_to", "fill", "integers", "largest_place", "matrix", "total", "vector"]


@inner
def vector(n: int) -> np.ndarray:
    """Return n doubles, not yet set."""
    return np.empty(n)


@inner
def matrix(n_rows: int, n_columns: int) -> np.ndarray:
    """Return doubles of shape (n_rows, n_columns), not yet set."""
    return np.empty((n_rows, n_columns))


@inner
def integers(n: int, value: int) -> np.ndarray:
    """Return n 64-bit integers of one value."""
    made = np.empty(n, dtype=np.int64)
    for i in range(n):
        made[i] = value
    return made


@bare
def fill(x: np.ndarray, value: float) -> None:
    """Set all of x to a value."""
    for i in range(x.size):
        x[i] = value


@bare
def copy_to(x: np.ndarray, y: np.ndarray) -> None:
    """Copy x to y, which is as long: to assign slices would compile how to tell of arrays that are not."""
    for i in range(x.size):
        y[i] = x[i]


@bare
def copy_row(A: np.ndarray, source: int, B: np.ndarray, target: int) -> None:
    """Copy a row of A to one of B, which is as long."""
    for i in range(A.shape[1]):
        B[target, i] = A[source, i]


@bare
def total(x: np.ndarray) -> float:
    """Return the sum, from left to right."""
    found = 0.0
    for i in range(x.size):
        found += x[i]
    return found


@bare
def largest_place(x: np.ndarray) -> int:
    """Return the first place at which |x| is largest."""
    place = 0
    for i in range(x.size):
        if abs(x[i]) > abs(x[place]):
            place = i
    return place
