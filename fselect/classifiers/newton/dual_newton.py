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

from fselect.classifiers.arrays import copy_to, fill, matrix, vector
from fselect.classifiers.newton.lapack import (
    add_scaled,
    cholesky,
    combine_rows,
    dot,
    solve_lower,
    solve_row_lower,
    solve_row_upper,
    symmetric_dot,
)
from fselect.classifiers.newton.loss import derivatives, loss, null_margin, penalty, settle
from fselect.classifiers.newton.primal_newton import (
    MAX_STEPS,
    factor,
    finished,
    finished_chord,
    step_length,
    worse_than_null,
    worth_a_factor,
)
from fselect.kernel import bare, inner

__all__ = ["solve_dual"]

_CHEAP = 3.0  # steps that cost no more than a factor


@inner
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
        solution, a as the last step left it. Computed anew from the margins it would be wrong by W times their
        rounding, which q zᵀa magnifies beyond all bounds where q is large and columns nearly depend on others; the
        step has that error damped by (I + W K)⁻¹.
    curvature : ndarray of shape (k,)
        On return, for each free column, the curvature of the objective along it.

    Returns
    -------
    int
        Number of Newton steps.
    """
    m, k = a.size, omega.size
    B, Y, S = matrix(m, m), matrix(k, m), matrix(k, k)
    root, held, pull, direction = vector(m), vector(m), vector(m), vector(m)
    current, step_a, step_omega = vector(m), vector(m), vector(k)
    _margins(K, U, a, omega, pull, current)
    before, change, largest, moved = np.inf, np.inf, 0.0, np.inf
    for count in range(1, MAX_STEPS + 1):
        derivatives(margins, targets, counts, step_a, root)
        add_scaled(step_a, -1.0, a)
        if count == 1:
            # linearised at the margins given, which need not be those of a and omega
            for i in range(m):
                step_a[i] += root[i] * root[i] * (margins[i] - current[i])
        fresh = worth_a_factor(change, moved, largest, _CHEAP)
        if fresh:
            copy_to(root, held)
            _factorise(K, U, D, held, B, Y, S, curvature)
            moved = 0.0
        _newton_step(U, D, held, a, omega, B, Y, S, step_a, step_omega)
        length = 1.0
        if count > 1:
            slope = dot(pull, step_a) + penalty(D, omega, step_omega)
            _margins(K, U, step_a, step_omega, pull, direction)
            bend = dot(pull, step_a) + penalty(D, step_omega, step_omega)
            length = step_length(current, direction, slope, bend, targets, counts)
        add_scaled(a, length, step_a)
        add_scaled(omega, length, step_omega)
        _margins(K, U, a, omega, pull, current)
        change, largest = settle(margins, current)
        if count == 1:
            value = loss(margins, targets, counts) + 0.5 * (dot(pull, a) + penalty(D, omega, omega))
            if worse_than_null(value, targets, counts):
                _start(a, omega, null_margin(targets, counts))
                _margins(K, U, a, omega, pull, current)
                settle(margins, current)
                moved = np.inf
                continue
        moved += change
        if finished(change, before, largest) if fresh else finished_chord(change, before, largest):
            return count
        if not fresh and change > 0.25 * before:
            moved = np.inf
        before = change
    return MAX_STEPS


@bare
def _start(a: np.ndarray, omega: np.ndarray, intercept: float) -> None:
    fill(a, 0.0)
    fill(omega, 0.0)
    omega[omega.size - 1] = intercept


@bare
def _margins(K: np.ndarray, U: np.ndarray, a: np.ndarray, omega: np.ndarray, pull: np.ndarray, out: np.ndarray) -> None:
    """Write ``K a`` to pull and ``K a + Uᵀω`` to out."""
    symmetric_dot(K, a, pull)
    combine_rows(omega, U, out)
    add_scaled(out, 1.0, pull)


@inner
def _factorise(
    K: np.ndarray,
    U: np.ndarray,
    D: np.ndarray,
    root: np.ndarray,
    B: np.ndarray,
    Y: np.ndarray,
    S: np.ndarray,
    curvature: np.ndarray,
) -> None:
    """Prepare steps for curvatures W = root².

    B becomes the factor L of I + W^½ K W^½ = L Lᵀ, Y is L⁻¹ W^½ U row by row, and S the factor of D + Y Yᵀ, whose
    diagonal goes to curvature.
    """
    m, k = root.size, D.size
    for i in range(m):
        for j in range(i + 1):
            B[i, j] = root[i] * K[i, j] * root[j]
        B[i, i] += 1.0
    for j in range(k):
        for i in range(m):
            Y[j, i] = U[j, i] * root[i]
    cholesky(B)
    solve_lower(B, Y)
    for j in range(k):
        for i in range(j + 1):
            S[j, i] = dot(Y[j], Y[i])
        S[j, j] += D[j]
        curvature[j] = S[j, j]
    factor(S)


@bare
def _newton_step(
    U: np.ndarray,
    D: np.ndarray,
    root: np.ndarray,
    a: np.ndarray,
    omega: np.ndarray,
    B: np.ndarray,
    Y: np.ndarray,
    S: np.ndarray,
    step_a: np.ndarray,
    step_omega: np.ndarray,
) -> None:
    """Write the step of omega, and that of a, where the right side r was.

    With the factors of `_factorise` the step of a is W^½ L⁻ᵀ (y - Yᵀ δω), where y = L⁻¹ W^-½ r and δω solves
    (D + Y Yᵀ) δω = Y y + U a - D ω.
    """
    for i in range(a.size):
        step_a[i] /= root[i]
    solve_row_lower(B, step_a)
    for j in range(omega.size):
        step_omega[j] = dot(Y[j], step_a) + dot(U[j], a) - D[j] * omega[j]
    solve_row_lower(S, step_omega)
    solve_row_upper(S, step_omega)
    for j in range(omega.size):
        add_scaled(step_a, -step_omega[j], Y[j])
    solve_row_upper(B, step_a)
    for i in range(a.size):
        step_a[i] *= root[i]
