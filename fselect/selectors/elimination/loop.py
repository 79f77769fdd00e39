"""The elimination as one compiled loop over fits, each of which starts where the last one ended."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.arrays import copy_to, fill, integers, total, vector
from fselect.classifiers.newton.blocks import add_gram, choose_free, find_equal, subtract_gram
from fselect.classifiers.newton.columns import Columns, copy_column
from fselect.classifiers.newton.kept_hessian import EXACT
from fselect.classifiers.newton.lapack import dot
from fselect.classifiers.newton.problems import (
    Problems,
    is_dual,
    log_importance,
    relative_errors,
    room_for_hessian,
    solve,
)
from fselect.classifiers.newton.quasi_newton import Hessian
from fselect.kernel import bare, inner, kernel
from fselect.selectors.elimination.ranking import is_certain, lowest_inside, number_to_drop

__all__ = ["eliminate_columns"]

_ENOUGH = 1e-10  # error of weights, relative to the largest, at which mostly nobody can doubt which go first
_SPARE = 2  # fits with it that may be in doubt, and are to be gone on with, before all are exact ones
_FEWER, _SMALLER = 0.1, 0.05  # of what the Gram matrix was computed from: below, it is computed anew


def eliminate_columns(
    columns: Columns,
    constants: np.ndarray,
    problems: Problems,
    keep: int,
    step: float,
    *,
    either: bool = False,
    n_rows: int = 0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fit, drop the least important features, and again, until so many are left.

    Parameters
    ----------
    columns : Columns
        All features that are not constant. Survivors are moved to the front; what is behind them is overwritten.
    constants : ndarray, int64
        The constant features, by falling position: they go before all others, in this order.
    problems : Problems
        What is fitted.
    keep : int
        How many are left in the end.
    step : float
        Share of the remaining features that go each time.
    either : bool, default False
        Whether samples of this kind come with more columns than rows and with fewer: code for both is compiled then,
        where for fewer alone a part of it would do.
    n_rows : int, default 0
        How many rows the table has that the sample is of.

    Returns
    -------
    gone : ndarray, int64
        Dropped features, by round.
    keys : ndarray, float64
        Logarithms of their weights then, NaN for constant features, to sort each round by.
    rounds : ndarray, int64
        The round, from 0, in which each went.
    """
    p, m = columns.place.size, columns.Z.shape[1]
    K = np.zeros((m, m)) if is_dual(p, m) else np.zeros((0, 0)) if either else None
    hessian = room_for_hessian(p, m, problems.intercepts.size, n_rows)
    return _eliminate(columns, constants, problems, keep, step, K, hessian)


@kernel
def _eliminate(
    columns: Columns,
    constants: np.ndarray,
    problems: Problems,
    keep: int,
    step: float,
    K: np.ndarray | None,
    hessian: Hessian | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    m, p = columns.Z.shape[1], columns.place.size
    left = p + constants.size
    gone, keys, rounds = integers(left - keep, 0), vector(left - keep), integers(left - keep, 0)
    fill(keys, np.nan)
    n_gone, gone_constants, round_ = 0, 0, 0
    spare = _SPARE if problems.intercepts.size == 1 else 0
    reference = vector(2)
    dual = K is not None and K.size > 0
    _prepare(columns, p, K, dual, problems, reference)
    while left > keep:
        dual = dual and p > m
        number = number_to_drop(left, keep, step)
        for place in range(n_gone, n_gone + number):
            rounds[place] = round_
        n_constant = min(number, constants.size - gone_constants)
        copy_to(constants[gone_constants : gone_constants + n_constant], gone[n_gone:])
        gone_constants += n_constant
        rest = number - n_constant
        if rest > 0:
            asked = _ENOUGH if spare > 0 else EXACT
            while True:
                if hessian is not None:
                    fill(hessian.asked, asked)
                block, omega, curvature = solve(columns, p, K, dual, problems, hessian)
                importance = log_importance(columns, p, problems, block, omega, curvature)
                chosen, found = lowest_inside(importance, columns.place[:p], rest)
                if hessian is None or hessian.error[0] == 0.0:
                    break
                if is_certain(importance, relative_errors(block, omega[0], hessian.error[0]), chosen):
                    break
                spare, asked = spare - 1, EXACT
            copy_to(found, keys[n_gone + n_constant :])
            for r in range(rest):
                gone[n_gone + n_constant + r] = columns.place[chosen[r]]
            current = True
            if K is not None and dual:
                current = _subtract(columns, p, chosen, K, reference)
            _close_gaps(columns, p, chosen)
            p -= rest
            if not current:
                _keep_weights(columns, p, problems)
                _prepare(columns, p, K, p > m, problems, reference)
        n_gone += number
        left -= number
        round_ += 1
    return gone, keys, rounds


@inner
def _prepare(
    columns: Columns, p: int, K: np.ndarray | None, dual: bool, problems: Problems, reference: np.ndarray
) -> None:
    """Decide which columns are free, compute the Gram matrix of the others, and note of what."""
    if K is not None and dual:
        choose_free(columns, p, total(problems.counts))
        for row in range(K.shape[0]):
            fill(K[row], 0.0)
        add_gram(K, columns, p)
        reference[0], reference[1] = float(p), _trace(K)
    else:
        for j in range(p):
            columns.free[j] = True
        find_equal(columns, p)


@inner
def _trace(K: np.ndarray) -> float:
    total = 0.0
    for i in range(K.shape[0]):
        total += K[i, i]
    return total


@inner
def _subtract(columns: Columns, p: int, chosen: np.ndarray, K: np.ndarray, reference: np.ndarray) -> bool:
    """Take the chosen of the first p columns from the Gram matrix; tell whether that is as good as a new one.

    It is not where what remains is so much smaller that rounding would show, and where a new one costs less.
    """
    left = p - chosen.size
    if left <= columns.Z.shape[1] or left < _FEWER * reference[0] or 2 * left <= p:
        return False
    subtract_gram(K, columns, chosen)
    return _trace(K) >= _SMALLER * reference[1]


@inner
def _keep_weights(columns: Columns, p: int, problems: Problems) -> None:
    """Write down the weights of columns that may become free, to start the next fit from."""
    for c in range(columns.weight.shape[0]):
        for j in range(p):
            if not columns.free[j]:
                product = dot(columns.Z[j], problems.residuals[c])
                columns.weight[c, j] = np.exp(columns.log_ratio[j]) / columns.root[j] * product


@bare
def _close_gaps(columns: Columns, p: int, chosen: np.ndarray) -> None:
    """Move the last of the first p columns that stay to the places of the chosen, which rise."""
    stays = p - chosen.size
    last, source = chosen.size - 1, p - 1
    for r in range(chosen.size):
        if chosen[r] >= stays:
            break
        while last >= 0 and chosen[last] == source:
            last -= 1
            source -= 1
        copy_column(columns, source, chosen[r])
        source -= 1
