"""Newton's method in the residuals: for samples with fewer rows than columns.

Most columns act on the margins only through their Gram matrix K = Σ q_j z_j z_jᵀ (q = 1 / (2 λ β)), with the
residuals a_i = c_i (t_i - σ(f_i)) as unknowns: their weights are q_j z_jᵀa. A column with a q much above the
others' is kept out of K, with its weight as an unknown of its own ("free"), as the intercept (q = ∞) always is:
in K it would drown the rest in rounding errors, and its weight would be the product of a huge q with a scalar
product that is all cancellation. The optimum is where, with U the free columns and D their penalties,

    a = c (t - σ(f)),    f = K a + Uᵀω,    U a = D ω.
"""

from __future__ import annotations

import numpy as np

from fselect.classifiers.lapack import (
    add_scaled,
    cholesky,
    combine_rows,
    dot,
    solve_lower,
    solve_upper,
    symmetric_dot,
)
from fselect.classifiers.loss import derivatives, loss, null_margin, penalty, settle
from fselect.classifiers.primal_newton import MAX_STEPS, factor, finished, step_length, worse_than_null
from fselect.kernel import kernel

__all__ = ["solve_dual"]


@kernel
def solve_dual(
    K: np.ndarray,
    U: np.ndarray,
    D: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    margins: np.ndarray,
    a: np.ndarray,
    omega: np.ndarray,
    curvature: np.ndarray,
) -> int:
    """Fit the residuals a and the free weights omega; the last column of U is the intercept's.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        Gram matrix of the other columns; only its lower triangle is read.
    U : ndarray of shape (k, m)
        Free columns, a row each.
    D : ndarray of shape (k,)
        Their penalties; 0 for the intercept.
    targets, counts : ndarray of shape (m,)
        0 or 1, and positive weights.
    margins, a, omega
        On entry where to start: the margins may be those of an earlier fit with other columns. On return the
        solution; a is then computed from the margins.
    curvature : ndarray of shape (k,)
        On return, for each free column, the curvature of the objective along it.

    Returns
    -------
    int
        Number of Newton steps.
    """
    m, k = a.size, omega.size
    B, R, S = np.empty((m, m)), np.empty((1 + k, m)), np.empty((k, k))
    root, pull, direction = np.empty(m), np.empty(m), np.empty(m)
    current, step_omega = np.empty(m), np.empty((1, k))
    step_a = R[0]
    _margins(K, U, a, omega, pull, current)
    before = np.inf
    for count in range(1, MAX_STEPS + 1):
        derivatives(margins, targets, counts, step_a, root)
        add_scaled(step_a, -1.0, a)
        if count == 1:
            # linearised at the margins given, which need not be those of a and omega
            for i in range(m):
                step_a[i] += root[i] * root[i] * (margins[i] - current[i])
        _newton_step(K, U, D, root, a, omega, B, R, S, step_omega)
        for j in range(k):
            curvature[j] = S[j, j]
        length = 1.0
        if count > 1:
            slope = dot(pull, step_a) + penalty(D, omega, step_omega[0])
            _margins(K, U, step_a, step_omega[0], pull, direction)
            bend = dot(pull, step_a) + penalty(D, step_omega[0], step_omega[0])
            length = step_length(current, direction, slope, bend, targets, counts)
        add_scaled(a, length, step_a)
        add_scaled(omega, length, step_omega[0])
        _margins(K, U, a, omega, pull, current)
        change, largest = settle(margins, current)
        if count == 1:
            value = loss(margins, targets, counts) + 0.5 * (dot(pull, a) + penalty(D, omega, omega))
            if worse_than_null(value, targets, counts):
                _start(a, omega, null_margin(targets, counts))
                _margins(K, U, a, omega, pull, current)
                settle(margins, current)
                continue
        if finished(change, before, largest):
            break
        before = change
    derivatives(margins, targets, counts, a, root)
    return count


@kernel
def _start(a: np.ndarray, omega: np.ndarray, intercept: float) -> None:
    for i in range(a.size):
        a[i] = 0.0
    for j in range(omega.size):
        omega[j] = 0.0
    omega[omega.size - 1] = intercept


@kernel
def _margins(K: np.ndarray, U: np.ndarray, a: np.ndarray, omega: np.ndarray, pull: np.ndarray, out: np.ndarray) -> None:
    """Write ``K a`` to pull and ``K a + Uᵀω`` to out."""
    symmetric_dot(K, a, pull)
    combine_rows(omega, U, out)
    add_scaled(out, 1.0, pull)


@kernel
def _newton_step(
    K: np.ndarray,
    U: np.ndarray,
    D: np.ndarray,
    root: np.ndarray,
    a: np.ndarray,
    omega: np.ndarray,
    B: np.ndarray,
    R: np.ndarray,
    S: np.ndarray,
    step: np.ndarray,
) -> None:
    """Write the step of omega to step[0] and the step of a to R[0], where the right side was.

    With W = root² and B = I + W^½ K W^½ = L Lᵀ the step of a is W^½ L⁻ᵀ (y - Yᵀ δω), where y = L⁻¹ W^-½ R[0],
    Y = L⁻¹ W^½ U row by row, and δω solves (D + Y Yᵀ) δω = Y y + U a - D ω.
    """
    m, k = a.size, omega.size
    for i in range(m):
        for j in range(i + 1):
            B[i, j] = root[i] * K[i, j] * root[j]
        B[i, i] += 1.0
        R[0, i] /= root[i]
    for j in range(k):
        for i in range(m):
            R[1 + j, i] = U[j, i] * root[i]
    cholesky(B)
    solve_lower(B, R)
    for j in range(k):
        for i in range(j + 1):
            S[j, i] = dot(R[1 + j], R[1 + i])
        S[j, j] += D[j]
        step[0, j] = dot(R[1 + j], R[0]) + dot(U[j], a) - D[j] * omega[j]
    L = S.copy()
    factor(L)
    solve_lower(L, step)
    solve_upper(L, step)
    for j in range(k):
        add_scaled(R[0], -step[0, j], R[1 + j])
    solve_upper(B, R[:1])
    for i in range(m):
        R[0, i] *= root[i]
