"""Newton's method in the weights: for samples with at least as many rows as columns.

With columns u_j (scaled), penalties D_j and an unpenalised intercept (a column of ones with D = 0), the
minimum of Σ c log(1 + exp(-y f)) + ½ Σ D_j ω_j², f = Uᵀω, is found by steps δ = H⁻¹ (U r - D ω), where r are the
residuals c (t - σ(f)) and H = D + U W Uᵀ.
"""

from __future__ import annotations

import math

import numpy as np

from fselect.classifiers.arrays import fill, matrix, vector
from fselect.classifiers.newton.lapack import (
    add_outer,
    add_scaled,
    cholesky,
    combine_rows,
    rows_dot,
    solve_row_lower,
    solve_row_upper,
)
from fselect.classifiers.newton.loss import derivatives, loss, loss_along, null_margin, penalty, settle
from fselect.kernel import bare, inner

__all__ = [
    "MAX_STEPS",
    "factor",
    "finished",
    "finished_chord",
    "solve_primal",
    "step_length",
    "worse_than_null",
    "worth_a_factor",
]

MAX_STEPS = 200
_BLOCK = 512  # rows at a time: a block of the weighted columns stays in the second cache level
_TOLERANCE = 1e-12  # of the margins, relative to the largest (or to 1)


@inner
def finished(change: float, before: float, largest: float) -> bool:
    """Tell from the last two changes of the margins whether another Newton step would be lost in rounding.

    Newton's error squares: with changes δ₁ then δ₂ the next is about δ₂² · δ₂/δ₁², so it need not be made when
    that is below the tolerance. A change that no longer shrinks, though small, is rounding: no tolerance
    below it can be reached.
    """
    scale = max(1.0, largest)
    if change <= _TOLERANCE * scale:
        return True
    if math.isinf(before):
        return change <= 1e-8 * scale
    if change > 1e-4 * scale:
        return False
    if change >= 0.25 * before:
        return change <= 1e-6 * scale
    return 10.0 * change * (change / before) ** 2 <= _TOLERANCE * scale


@inner
def finished_chord(change: float, before: float, largest: float) -> bool:
    """Tell the same of two steps with one factor, whose error shrinks by the same ratio each time."""
    ratio = change / before
    return ratio < 0.5 and change * ratio <= _TOLERANCE * max(1.0, largest)


@inner
def worth_a_factor(change: float, moved: float, largest: float, steps: float) -> bool:
    """Tell whether more than so many steps would be needed if the last factor were kept.

    It was made where the margins were before they moved, so that the curvatures, and with them the steps, are
    off by about that part of themselves.
    """
    ratio = min(0.9, moved)
    error = change * ratio
    goal = _TOLERANCE * max(1.0, largest)
    return error > goal and math.log(error / goal) > -steps * math.log(ratio)


@bare
def step_length(
    margins: np.ndarray,
    direction: np.ndarray,
    slope: float,
    bend: float,
    targets: np.ndarray,
    counts: np.ndarray,
) -> float:
    """Halve a step until the objective falls.

    Parameters
    ----------
    margins, direction : ndarray of shape (m,)
        Margins now, and their change for a step of length 1.
    slope, bend : float
        The penalty grows by t slope + t² bend / 2 along the step.
    targets, counts : ndarray of shape (m,)
        The sample.

    Returns
    -------
    float
        1 where the margins move so little that Newton's step is safe, else the first of 1, ½, ¼ … that
        lowers the objective.
    """
    largest = 0.0
    for i in range(direction.size):
        largest = max(largest, abs(direction[i]))
    if largest < 0.5:
        return 1.0
    now = loss(margins, targets, counts)
    length = 1.0
    for _ in range(60):
        then = loss_along(margins, direction, length, targets, counts)
        change = then - now + length * slope + 0.5 * length * length * bend
        if change <= 1e-13 * now:
            break
        length *= 0.5
    return length


@inner
def worse_than_null(value: float, targets: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether an objective is above that of the best model without columns, or not a number."""
    start = vector(targets.size)
    fill(start, null_margin(targets, counts))
    return not value <= loss(start, targets, counts) * (1.0 + 1e-12)


@inner
def factor(H: np.ndarray) -> None:
    """Factorise a matrix that is positive definite, if need be after a shift of the size of rounding errors."""
    n = H.shape[0]
    kept = matrix(n, n)
    for j in range(n):
        for i in range(j + 1):
            kept[j, i] = H[j, i]
    shift = 1e-15
    while cholesky(H) != 0 and shift < 1.0:
        for j in range(n):
            for i in range(j):
                H[j, i] = kept[j, i]
            H[j, j] = kept[j, j] * (1.0 + shift) + 1e-300
        shift *= 10.0


@inner
def _hessian(U: np.ndarray, D: np.ndarray, root: np.ndarray, H: np.ndarray) -> None:
    k, m = U.shape
    for j in range(k):
        for i in range(j):
            H[j, i] = 0.0
        H[j, j] = D[j]
    block = matrix(k, min(_BLOCK, m))
    for start in range(0, m, _BLOCK):
        width = min(_BLOCK, m - start)
        for j in range(k):
            for i in range(width):
                block[j, i] = U[j, start + i] * root[start + i]
        add_outer(H, block, width)


@inner
def solve_primal(
    U: np.ndarray,
    D: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    margins: np.ndarray,
    omega: np.ndarray,
    curvature: np.ndarray,
) -> int:
    """Fit the weights omega of the columns U; the last column of U is the intercept's.

    Parameters
    ----------
    U : ndarray of shape (k, m)
        Columns, a row each.
    D : ndarray of shape (k,)
        Penalties; 0 for the intercept.
    targets, counts : ndarray of shape (m,)
        0 or 1, and positive weights.
    margins : ndarray of shape (m,)
        On entry the margins at which the first step is taken (those of an earlier fit, say), on return
        those of the solution.
    omega : ndarray of shape (k,)
        On entry the weights to start from, on return the solution.
    curvature : ndarray of shape (k,)
        On return the diagonal of the last Hessian.

    Returns
    -------
    int
        Number of Newton steps.
    """
    k, m = U.shape
    H = matrix(k, k)
    residual, root, step = vector(m), vector(m), vector(k)
    current, direction = vector(m), vector(m)
    combine_rows(omega, U, current)
    before, change, largest, moved = np.inf, np.inf, 0.0, np.inf
    cheap = 3.0 + k / 16.0  # steps that cost no more than a Hessian
    for count in range(1, MAX_STEPS + 1):
        derivatives(margins, targets, counts, residual, root)
        if count == 1:
            # linearised at the margins given, which need not be those of omega
            for i in range(m):
                residual[i] += root[i] * root[i] * (margins[i] - current[i])
        fresh = worth_a_factor(change, moved, largest, cheap)
        if fresh:
            _hessian(U, D, root, H)
            for j in range(k):
                curvature[j] = H[j, j]
            factor(H)
            moved = 0.0
        rows_dot(U, k, residual, step)
        for j in range(k):
            step[j] -= D[j] * omega[j]
        solve_row_lower(H, step)
        solve_row_upper(H, step)
        length = 1.0
        if count > 1:
            # a first step from foreign margins is no descent from omega: it is checked below instead
            combine_rows(step, U, direction)
            slope, bend = penalty(D, omega, step), penalty(D, step, step)
            length = step_length(current, direction, slope, bend, targets, counts)
        add_scaled(omega, length, step)
        combine_rows(omega, U, current)
        change, largest = settle(margins, current)
        if count == 1:
            value = loss(margins, targets, counts) + 0.5 * penalty(D, omega, omega)
            if worse_than_null(value, targets, counts):
                fill(omega, 0.0)
                omega[k - 1] = null_margin(targets, counts)
                combine_rows(omega, U, current)
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
