"""A quasi-Newton method in the weights, for samples whose Hessian is dear beside a gradient.

The same minimum as in `primal_newton`. A Hessian is computed seldom, in single precision, and kept while columns leave,
since that of fewer columns is a part of it. It only preconditions: gradients are exact, in double precision, each
from one walk through the columns, and the pairs of steps and gradient differences of a fit (L-BFGS) correct
what the kept Hessian has wrong. So the precision of the solution is not that of the Hessian.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import copy_to, fill, integers, matrix, total, vector
from fselect.classifiers.lapack import add_scaled, combine_columns, combine_rows, dot_columns
from fselect.classifiers.lapack_single import add_outer_single, cholesky_single, solve_single
from fselect.classifiers.loss import derivatives, residuals
from fselect.kernel import inner

__all__ = ["Hessian", "make_hessian", "solve_quasi"]

_PAIRS = 40  # of steps and gradient differences
_MOST_STEPS = 300
_SETTLED = 0.03  # change below which the curvatures are near enough to the solution's to be worth a Hessian
_DEAR = 400  # weights whose Hessian is too dear to be made at the null model
_TOLERANCE = 1e-12  # of margins and of scaled weights, relative to the largest
_LEAST_PIVOT = 1e-5  # of a diagonal element: below, single precision knows too little of a direction
_CACHE = 100_000  # doubles of the columns that are handled at a time
_BLOCK = 512  # rows at a time in the Hessian


class Hessian(NamedTuple):
    """Second derivatives of the loss by the weights of standardised columns, kept from fit to fit.

    Attributes
    ----------
    values : ndarray of shape (n_problems, k, k), float32
        Lower triangles; the last row is the intercept's.
    owner : ndarray of shape (n_problems, k), int64
        Which column each row belongs to, by the number of its group, -1 for the intercept.
    made : ndarray of shape (n_problems,), int64
        Number of rows that hold something; 0 where nothing has been computed.
    weight : ndarray of shape (n_problems, k)
        Weights of the standardised columns in the last fit, 0 of those that were not in it; the intercept's, behind
        them, is NaN where that fit was not finished here.
    """

    values: np.ndarray
    owner: np.ndarray
    made: np.ndarray
    weight: np.ndarray


def make_hessian(n_problems: int, k: int) -> Hessian:
    """Make room for so many columns, the intercept among them."""
    return Hessian(
        np.empty((n_problems, k, k), dtype=np.float32),
        np.empty((n_problems, k), dtype=np.int64),
        np.zeros(n_problems, dtype=np.int64),
        np.full((n_problems, k), np.nan),
    )


@inner
def solve_quasi(
    U: np.ndarray,
    D: np.ndarray,
    scale: np.ndarray,
    groups: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    hessian: Hessian,
    c: int,
    margins: np.ndarray,
    omega: np.ndarray,
    curvature: np.ndarray,
) -> bool:
    """Fit the weights omega of the columns U; the last column of U is the intercept's.

    Parameters
    ----------
    U, D, targets, counts
        See `solve_primal`.
    scale : ndarray of shape (k - 1,)
        What the standardised columns are multiplied by in U.
    groups : ndarray of shape (k - 1,), int64
        Numbers of the columns, the same ones from fit to fit.
    hessian : Hessian
        What is kept; brought up to date where that pays.
    c : int
        Number of the problem.
    margins : ndarray of shape (m,)
        On entry the margins at which the first step is taken (those of an earlier fit, say), on return
        those of the solution.
    omega : ndarray of shape (k,)
        On entry the weights to start from, on return the solution.
    curvature : ndarray of shape (k,)
        On return the diagonal of the kept Hessian.

    Returns
    -------
    bool
        Whether the solution was reached. Where columns are so nearly dependent, or change so much, that the method
        is slow, omega is just a good place to start from.
    """
    k, m = U.shape
    L = np.empty((k, k), dtype=np.float32)
    gradient, other, trial, direction = vector(k), vector(k), vector(k), vector(k)
    moved_to = vector(m)
    S, Y, rho = matrix(_PAIRS, k), matrix(_PAIRS, k), vector(_PAIRS)
    factored, follows = hessian.made[c] > 0 or k <= _DEAR, k <= _DEAR and _is_known(hessian, c)
    if not follows:
        _linearised(U, D, targets, counts, omega, margins, gradient)
    if factored:
        if hessian.made[c] == 0:
            _renew(U, scale, groups, targets, counts, margins, hessian, c)
        if not _precondition(D, scale, groups, hessian, c, L, curvature):
            return False
    else:
        _null_curvature(D, scale, targets, counts, curvature)
    if follows:
        _follow(scale, groups, hessian, c, L, omega)
        _gradient(U, D, targets, counts, omega, margins, gradient)
    n_pairs, since, idle = 0, 0, 0
    before, earlier = np.inf, np.inf  # the last change and the one before
    few = 3 + k // 250  # steps before a judgement on their pace
    dear = 4.0 + max(6.0, k / 110.0)  # steps that cost as much as a Hessian and those that follow it
    for step in range(_MOST_STEPS):
        copy_to(gradient, direction)
        _two_loops(S, Y, rho, n_pairs, L, factored, curvature, direction)
        slope, length = _dot(gradient, direction), 1.0
        while True:
            for j in range(k):
                trial[j] = omega[j] + length * direction[j]
            _gradient(U, D, targets, counts, trial, moved_to, other)
            beyond = _dot(other, direction)
            if beyond >= -0.9 * slope or length < 1e-8:
                break
            length *= max(0.1, slope / (slope - beyond))
        change = _relative_change(margins, moved_to, omega, trial)
        if not change < np.inf:
            return False
        place = n_pairs % _PAIRS
        for j in range(k):
            S[place, j] = trial[j] - omega[j]
            Y[place, j] = gradient[j] - other[j]
            omega[j] = trial[j]
            gradient[j] = other[j]
        copy_to(moved_to, margins)
        bend = _dot(S[place], Y[place])
        if bend > 0.0 and (step > 0 or follows):  # else the first gradient is that of a model
            rho[place] = 1.0 / bend
            n_pairs += 1
        since += 1
        ratio = change / before
        idle = idle + 1 if ratio > 0.5 else 0
        if _done(change, ratio, idle):
            _remember(scale, groups, hessian, c, omega)
            return True
        left = _steps_left(change, math.sqrt(change / earlier))
        before, earlier = change, before
        if left > dear and ((since >= few and change < _SETTLED) or since > dear):
            factored = True
            _renew(U, scale, groups, targets, counts, margins, hessian, c)
            if not _precondition(D, scale, groups, hessian, c, L, curvature):
                return False
            n_pairs, since, earlier = 0, 0, np.inf
    return False


@inner
def _null_curvature(
    D: np.ndarray, scale: np.ndarray, targets: np.ndarray, counts: np.ndarray, curvature: np.ndarray
) -> None:
    """Write the diagonal of the Hessian at the best fit without columns."""
    mass = total(counts)
    share = _dot(targets, counts) / mass
    for j in range(D.size):
        size = scale[j] if j < scale.size else 1.0
        curvature[j] = share * (1.0 - share) * mass * size * size + D[j]


@inner
def _linearised(
    U: np.ndarray,
    D: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    omega: np.ndarray,
    margins: np.ndarray,
    gradient: np.ndarray,
) -> None:
    """Write the gradient at omega of the quadratic model of the objective at margins, which need not be omega's."""
    m = margins.size
    residual, root, current = vector(m), vector(m), vector(m)
    derivatives(margins, targets, counts, residual, root)
    combine_rows(omega, U, current)
    for i in range(m):
        residual[i] += root[i] * root[i] * (margins[i] - current[i])
    for j in range(omega.size):
        gradient[j] = -D[j] * omega[j]
    dot_columns(U, 0, residual, gradient)


@inner
def _done(change: float, ratio: float, idle: int) -> bool:
    """Tell whether the next change would be below the tolerance, or changes are rounding and no longer shrink."""
    if change <= _TOLERANCE or (0.0 < ratio < 0.3 and change * ratio <= _TOLERANCE):
        return True
    return idle >= 3 and change < 1e-11


@inner
def _steps_left(change: float, ratio: float) -> float:
    return math.log(_TOLERANCE / change) / math.log(min(ratio, 0.95))


@inner
def _gradient(
    U: np.ndarray,
    D: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    omega: np.ndarray,
    margins: np.ndarray,
    gradient: np.ndarray,
) -> None:
    """Write the margins of omega, and how fast the objective falls with each weight, in one walk through U."""
    k, m = U.shape
    residual = vector(m)
    for j in range(k):
        gradient[j] = -D[j] * omega[j]
    width = min(m, max(64, _CACHE // k))
    for start in range(0, m, width):
        stop = min(m, start + width)
        part, rest = margins[start:stop], residual[start:stop]
        combine_columns(omega, U, start, part)
        residuals(part, targets[start:stop], counts[start:stop], rest)
        dot_columns(U, start, rest, gradient)


@inner
def _relative_change(margins: np.ndarray, moved_to: np.ndarray, omega: np.ndarray, trial: np.ndarray) -> float:
    """Return the largest change of a margin or of a weight, relative to the largest; inf if it is no number."""
    change, largest = 0.0, 1.0
    for i in range(margins.size):
        change = max(change, abs(moved_to[i] - margins[i]))
        largest = max(largest, abs(moved_to[i]))
    weight_change, weight = 0.0, 1e-300
    for j in range(omega.size):
        weight_change = max(weight_change, abs(trial[j] - omega[j]))
        weight = max(weight, abs(trial[j]))
    found = max(change / largest, weight_change / weight)
    return found if _dot(trial, trial) < np.inf else np.inf


@inner
def _two_loops(
    S: np.ndarray,
    Y: np.ndarray,
    rho: np.ndarray,
    n_pairs: int,
    L: np.ndarray,
    factored: bool,
    diagonal: np.ndarray,
    x: np.ndarray,
) -> None:
    """Multiply x by the inverse Hessian: the kept one, or just its diagonal, corrected by the pairs."""
    alpha = vector(_PAIRS)
    oldest = max(0, n_pairs - _PAIRS)
    for pair in range(n_pairs - 1, oldest - 1, -1):
        r = pair % _PAIRS
        alpha[r] = rho[r] * _dot(S[r], x)
        add_scaled(x, -alpha[r], Y[r])
    _first_guess(S, Y, n_pairs, L, factored, diagonal, x)
    for pair in range(oldest, n_pairs):
        r = pair % _PAIRS
        add_scaled(x, alpha[r] - rho[r] * _dot(Y[r], x), S[r])


@inner
def _first_guess(
    S: np.ndarray, Y: np.ndarray, n_pairs: int, L: np.ndarray, factored: bool, diagonal: np.ndarray, x: np.ndarray
) -> None:
    """Multiply x by the inverse of the kept Hessian, or by that of its diagonal at the scale of the last pair."""
    if factored:
        _solve_scaled(L, x)
        return
    bend, size = 1.0, 1.0
    if n_pairs > 0:
        s, y = S[(n_pairs - 1) % _PAIRS], Y[(n_pairs - 1) % _PAIRS]
        bend, size = _dot(s, y), 0.0
        for j in range(x.size):
            size += y[j] * y[j] / diagonal[j]
    for j in range(x.size):
        x[j] *= bend / size / diagonal[j]


@inner
def _solve_scaled(L: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of ``L L.T y = x``, whatever its size."""
    largest = 1e-300
    for j in range(x.size):
        largest = max(largest, abs(x[j]))
    single = np.empty(x.size, dtype=np.float32)
    for j in range(x.size):
        single[j] = x[j] / largest
    solve_single(L, single)
    for j in range(x.size):
        x[j] = single[j] * largest


@inner
def _dot(x: np.ndarray, y: np.ndarray) -> float:
    """Return the scalar product as four sums, which can be computed side by side."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = x.size // 4 * 4
    for i in range(0, whole, 4):
        a += x[i] * y[i]
        b += x[i + 1] * y[i + 1]
        c += x[i + 2] * y[i + 2]
        d += x[i + 3] * y[i + 3]
    for i in range(whole, x.size):
        a += x[i] * y[i]
    return (a + b) + (c + d)


@inner
def _renew(
    U: np.ndarray,
    scale: np.ndarray,
    groups: np.ndarray,
    targets: np.ndarray,
    counts: np.ndarray,
    margins: np.ndarray,
    hessian: Hessian,
    c: int,
) -> None:
    """Compute the Hessian of the loss at the margins given."""
    k, m = U.shape
    H = hessian.values[c]
    for j in range(k):
        for i in range(k):
            H[j, i] = 0.0
    residual, root = vector(m), vector(m)
    derivatives(margins, targets, counts, residual, root)
    block = np.empty((k, min(_BLOCK, m)), dtype=np.float32)
    for start in range(0, m, _BLOCK):
        width = min(_BLOCK, m - start)
        for j in range(k):
            inverse = 1.0 / scale[j] if j < k - 1 else 1.0
            line = U[j, start : start + width]
            for i in range(width):
                block[j, i] = line[i] * (root[start + i] * inverse)
        add_outer_single(H, block, width)
    hessian.made[c] = k
    copy_to(groups, hessian.owner[c])
    hessian.owner[c, k - 1] = -1


@inner
def _rows_of(groups: np.ndarray, hessian: Hessian, c: int) -> np.ndarray:
    """Return the rows of the kept Hessian that belong to the columns, and at last the intercept's."""
    made, last = hessian.made[c], 0
    for r in range(made):
        last = max(last, hessian.owner[c, r])
    row_of, rows = integers(last + 1, -1), integers(groups.size + 1, made - 1)
    for r in range(made - 1):
        row_of[hessian.owner[c, r]] = r
    for j in range(groups.size):
        rows[j] = row_of[groups[j]]
    return rows


@inner
def _is_known(hessian: Hessian, c: int) -> bool:
    return hessian.made[c] > 0 and math.isfinite(hessian.weight[c, hessian.made[c] - 1])


@inner
def _remember(scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, omega: np.ndarray) -> None:
    """Write down the weights that a fit ended with, for the next one to follow."""
    weight = hessian.weight[c]
    fill(weight, 0.0)
    if hessian.made[c] > 0:
        rows = _rows_of(groups, hessian, c)
        for j in range(omega.size):
            weight[rows[j]] = omega[j] * scale[j] if j < scale.size else omega[j]


@inner
def _follow(
    scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, L: np.ndarray, omega: np.ndarray
) -> None:
    """Move omega to where the minimum of the last fit goes, by the kept Hessian, when columns leave.

    Only ratios of its elements count, so it may well be one of smaller or larger curvatures.
    """
    rows, made, H = _rows_of(groups, hessian, c), hessian.made[c], hessian.values[c]
    lost = vector(made)
    copy_to(hessian.weight[c, :made], lost)
    hessian.weight[c, made - 1] = np.nan
    step = vector(omega.size)
    for j in range(omega.size):
        lost[rows[j]] -= omega[j] * scale[j] if j < scale.size else omega[j]
    for j in range(omega.size):
        r, product = rows[j], 0.0
        for i in range(made):
            if lost[i] != 0.0:
                product += H[max(r, i), min(r, i)] * lost[i]
        step[j] = product * scale[j] if j < scale.size else product
    _solve_scaled(L, step)
    add_scaled(omega, 1.0, step)


@inner
def _precondition(
    D: np.ndarray, scale: np.ndarray, groups: np.ndarray, hessian: Hessian, c: int, L: np.ndarray, curvature: np.ndarray
) -> bool:
    """Factorise the part of the kept Hessian that belongs to the columns, with the penalties; False if singular."""
    k, H = D.size, hessian.values[c]
    row, size = _rows_of(groups, hessian, c), vector(k)
    size[k - 1] = 1.0
    copy_to(scale, size)
    for j in range(k):
        for i in range(j + 1):
            high, low = max(row[i], row[j]), min(row[i], row[j])
            L[j, i] = H[high, low] * (size[i] * size[j])
        curvature[j] = L[j, j] + D[j]
        L[j, j] = curvature[j]
    if cholesky_single(L) != 0:
        return False
    worst = np.inf
    for j in range(k):
        worst = min(worst, L[j, j] * L[j, j] / curvature[j])
    return worst > _LEAST_PIVOT
