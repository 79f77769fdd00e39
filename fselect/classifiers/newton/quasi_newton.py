"""A quasi-Newton method in the weights, for samples whose Hessian is dear beside a gradient.

The same minimum as in `primal_newton`. A Hessian is computed seldom, in single precision, and kept while columns leave,
since that of fewer columns is a part of it. It only preconditions: gradients are exact, in double precision, each
from one walk through the columns, and the pairs of steps and gradient differences of a fit (L-BFGS) correct
what the kept Hessian has wrong. Where fits take many steps most gradients follow the step before them in single
precision, and the last ones do not. So the precision of the solution is not that of the Hessian.
"""

from __future__ import annotations

import math

import numpy as np

from fselect.classifiers.arrays import copy_to, largest_place, matrix, vector
from fselect.classifiers.newton.column_walks import Model, find_gradient, linearise, null_curvature
from fselect.classifiers.newton.kept_hessian import (
    EXACT,
    Hessian,
    follow,
    is_known,
    make_hessian,
    precondition,
    remember,
    renew,
    solve_scaled,
)
from fselect.classifiers.newton.lapack import add_scaled
from fselect.classifiers.newton.single_steps import follow_single, make_single
from fselect.kernel import bare, inner

__all__ = ["Hessian", "Model", "make_hessian", "solve_quasi"]

_PAIRS = 40  # of steps and gradient differences
_MOST_STEPS = 300
_SETTLED = 0.005  # change below which the curvatures are near enough to the solution's to be worth a Hessian
_DEAR = 400  # weights whose Hessian is too dear to be made at the null model
_ALMOST = 1e-6  # a change from which on steps need no check
_SMALL = 1e-4  # the same where less than an exact solution is asked for
# Part of a step; where even less leads beyond the minimum the direction is a wrong one, unless the gradient that it
# comes from was one of single precision: then the exact one that is found is gone on with.
_SHORTEST = 1e-8
_SAFETY = 100.0  # how much further the solution may be than the last steps let foresee
_LOOSE = 12  # gradients in single precision between exact ones
_PART = 30  # rows a column that a first Hessian is made of
_NEAR = 0.2  # a change of margins from which on that of all rows is worth it


@inner
def solve_quasi(model: Model, hessian: Hessian, margins: np.ndarray, omega: np.ndarray, curvature: np.ndarray) -> bool:
    """Fit the weights omega of a model's columns.

    Parameters
    ----------
    model : Model
        Columns, penalties and classes.
    hessian : Hessian
        What is kept; brought up to date where that pays.
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
        is slow, omega and margins may be worse than on entry.
    """
    k, m = model.U.shape
    L = np.empty((k, k), dtype=np.float32)
    gradient, other, trial, direction, moved_to = vector(k), vector(k), vector(k), vector(k), vector(m)
    S, Y, rho, hessian.error[model.c] = matrix(_PAIRS, k), matrix(_PAIRS, k), vector(_PAIRS), 0.0
    factored, follows = hessian.made[model.c] > 0 or k <= _DEAR, k <= _DEAR and is_known(hessian, model.c)
    if not _begin(model, hessian, margins, L, curvature, omega, gradient, factored, follows):
        return False
    halved = k > _DEAR  # then fits take many steps
    V = make_single(model.U, model.scale) if halved else L[:0].ravel()
    n_pairs, since, idle, loose, renews = 0, 0, 0, 0, False
    # the last change, the one before, their ratio, and the sum of changes since the last exact gradient
    before, earlier, ratio, drift, place = np.inf, np.inf, np.inf, 0.0, 0
    # steps before a judgement on their pace, and those that cost as much as a Hessian and what follows it
    few, dear = 3 + k // 250, 4.0 + max(6.0, k / 50.0)
    for step in range(_MOST_STEPS):
        exact = not halved or step == 0 or _due(loose, before, ratio, drift)
        copy_to(gradient, direction)
        _two_loops(S, Y, rho, n_pairs, L, factored, curvature, direction)
        if not halved and _ends(model, hessian, omega, direction, S[place], before, curvature):
            remember(model.scale, model.groups, hessian, model.c, omega)
            return True
        slope, length, place = _dot(gradient, direction), 1.0, n_pairs % _PAIRS
        while True:
            _add(omega, length, direction, trial)
            if exact:
                find_gradient(model, trial, moved_to, other, hessian, renews)
            else:
                _subtract(trial, omega, S[place])
                _follow_single(model, V, margins, gradient, S[place], moved_to, other)
            beyond = _dot(other, direction)
            if beyond >= -0.9 * slope or length < _SHORTEST:
                break
            length *= max(0.1, slope / (slope - beyond))
        change = _relative_change(margins, moved_to, omega, trial)
        if not (change < np.inf and (beyond >= -0.9 * slope or (exact and loose > 0))):
            return False
        _move(S[place], Y[place], omega, trial, gradient, other, margins, moved_to)
        bend = _dot(S[place], Y[place])
        # the first gradient is that of a model unless the fit follows another
        if bend > 0.0 and (step > 0 or follows) and not (exact and loose > 0):
            rho[place] = 1.0 / bend
            n_pairs += 1
        since, ratio = since + 1, change / before
        idle = idle + 1 if ratio > 0.5 else 0
        if loose == 0 and _done(change / length, ratio / length, idle):  # a step cut short is small by itself
            remember(model.scale, model.groups, hessian, model.c, omega)
            return True
        loose, drift = (0, 0.0) if exact else (loose + 1, drift + change)
        left = _steps_left(change, math.sqrt(change / earlier))
        before, earlier = change, before
        slow = left > dear and ((since >= few and change < _SETTLED) or since > dear)
        if halved and slow:
            renew(model.U, model.scale, model.groups, model.targets, model.counts, margins, hessian, model.c)
        if renews or (halved and slow):
            if not precondition(model.D, model.scale, model.groups, hessian, model.c, L, curvature):
                return False
            factored, n_pairs, since, renews, earlier = True, 0, 0, False, np.inf
        elif not halved:
            renews = slow or _is_due(hessian, model, change)
    return False


@bare
def _is_due(hessian: Hessian, model: Model, change: float) -> bool:
    """Tell whether the next gradient is to come with a Hessian of all rows."""
    rough = hessian.every[model.c] > 1 and change < _NEAR
    return rough or (change < _SETTLED and hessian.made[model.c] >= 2 * model.D.size)


@inner
def _begin(
    model: Model,
    hessian: Hessian,
    margins: np.ndarray,
    L: np.ndarray,
    curvature: np.ndarray,
    omega: np.ndarray,
    gradient: np.ndarray,
    factored: bool,
    follows: bool,
) -> bool:
    """Factorise the kept Hessian, made first if there is none, or take the curvature at the null model; and begin.

    Omega goes to where the last fit leads, if this one follows it; the gradient is that where it starts.
    """
    fresh = factored and hessian.made[model.c] == 0
    if not factored:
        null_curvature(model, curvature)
    if not follows:
        every = max(1, margins.size // (_PART * model.D.size)) if fresh else 0
        linearise(model, omega, margins, gradient, hessian, every)
    if factored and not precondition(model.D, model.scale, model.groups, hessian, model.c, L, curvature):
        return False
    if follows:
        follow(model.scale, model.groups, hessian, model.c, L, omega)
        find_gradient(model, omega, margins, gradient, hessian, False)
    return True


@inner
def _follow_single(
    model: Model,
    V: np.ndarray,
    margins: np.ndarray,
    gradient: np.ndarray,
    step: np.ndarray,
    moved_to: np.ndarray,
    other: np.ndarray,
) -> None:
    """Write margins and gradient behind a step, from those before it, in single precision."""
    follow_single(V, model.scale, model.D, model.targets, model.counts, margins, gradient, step, moved_to, other)


@bare
def _move(
    s: np.ndarray,
    y: np.ndarray,
    omega: np.ndarray,
    trial: np.ndarray,
    gradient: np.ndarray,
    other: np.ndarray,
    margins: np.ndarray,
    moved_to: np.ndarray,
) -> None:
    """Take a step: note it and how the gradient changed, and go on from there."""
    _subtract(trial, omega, s)
    _subtract(gradient, other, y)
    copy_to(trial, omega)
    copy_to(other, gradient)
    copy_to(moved_to, margins)


@bare
def _add(x: np.ndarray, length: float, direction: np.ndarray, out: np.ndarray) -> None:
    for j in range(x.size):
        out[j] = x[j] + length * direction[j]


@bare
def _subtract(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    for j in range(x.size):
        out[j] = x[j] - y[j]


@inner
def _due(loose: int, change: float, ratio: float, drift: float) -> bool:
    """Tell whether the next gradient is to be exact, after so many in single precision and so much of a change."""
    if loose >= _LOOSE or (loose > 0 and change * min(ratio, 1.0) <= EXACT):
        return True
    return change < (1e-3 if ratio > 0.5 else 1e-5) * drift


@inner
def _done(change: float, ratio: float, idle: int) -> bool:
    """Tell whether the next change would be below the tolerance, or changes are rounding and no longer shrink."""
    if change <= EXACT or (0.0 < ratio < 0.3 and change * ratio <= EXACT):
        return True
    return idle >= 3 and change < 1e-11


@bare
def _ends(
    model: Model,
    hessian: Hessian,
    omega: np.ndarray,
    step: np.ndarray,
    last: np.ndarray,
    before: float,
    curvature: np.ndarray,
) -> bool:
    """Take a step without a look at the gradient behind it if it leads to the solution; tell whether it does.

    It does where the step that would follow is as small as it has to be, as the last one and its change let foresee.
    The margins stay those before it, which is allowed where no weight is read off them, so where the data rule all.
    """
    asked = hessian.asked[model.c]
    if not before < (_ALMOST if asked <= EXACT else _SMALL):
        return False
    ratio = _largest(step) / _largest(last)
    left = before * ratio * ratio
    if not (ratio < 0.3 and left <= asked):
        return False
    ruled_by_penalty, size = 0, 0.0
    for j in range(step.size):
        ruled_by_penalty += curvature[j] <= 2.0 * model.D[j]
        size = max(size, abs(step[j]) * (model.scale[j] if j < model.scale.size else 1.0))
    if ruled_by_penalty == 0:
        add_scaled(omega, 1.0, step)
        hessian.error[model.c] = _SAFETY * ratio * size if left > EXACT else 0.0
    return ruled_by_penalty == 0


@bare
def _largest(x: np.ndarray) -> float:
    return abs(x[largest_place(x)])


@inner
def _steps_left(change: float, ratio: float) -> float:
    return math.log(EXACT / change) / math.log(min(ratio, 0.95))


@bare
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
    oldest = max(0, n_pairs - _PAIRS + 1)  # the place of the next pair is written to while it is tried
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
        solve_scaled(L, x)
        return
    bend, size = 1.0, 1.0
    if n_pairs > 0:
        s, y = S[(n_pairs - 1) % _PAIRS], Y[(n_pairs - 1) % _PAIRS]
        bend, size = _dot(s, y), 0.0
        for j in range(x.size):
            size += y[j] * y[j] / diagonal[j]
    for j in range(x.size):
        x[j] *= bend / size / diagonal[j]


@bare
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
