"""The elimination as one compiled loop over fits, each of which starts where the last one ended."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.blocks import add_gram, choose_free, find_equal
from fselect.classifiers.columns import Columns, swap_columns
from fselect.classifiers.lapack import dot
from fselect.classifiers.problems import Problems, is_dual, log_importance, room_for_hessian, solve
from fselect.kernel import kernel
from fselect.selectors.ranking import lowest, number_to_drop

__all__ = ["eliminate_columns"]

_FEWER, _SMALLER = 0.3, 0.05  # of what the Gram matrix was computed from: below, it is computed anew


@kernel
def eliminate_columns(
    columns: Columns, constants: np.ndarray, problems: Problems, keep: int, step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fit, drop the least important features, and again, until so many are left.

    Parameters
    ----------
    columns : Columns
        All features that are not constant; permuted in place, the survivors are first.
    constants : ndarray, int64
        The constant features, by falling position: they go before all others, in this order.
    problems : Problems
        What is fitted.
    keep : int
        How many are left in the end.
    step : float
        Share of the remaining features that go each time.

    Returns
    -------
    gone : ndarray, int64
        Dropped features, by round.
    keys : ndarray, float64
        Logarithms of their weights then, NaN for constant features, to sort each round by.
    rounds : ndarray, int64
        The round, from 0, in which each went.
    """
    m = columns.Z.shape[1]
    p = columns.place.size
    left = p + constants.size
    gone, keys = np.empty(left - keep, dtype=np.int64), np.full(left - keep, np.nan)
    rounds = np.empty(left - keep, dtype=np.int64)
    n_gone, gone_constants, round_ = 0, 0, 0
    dual = is_dual(p, m)
    K = np.zeros((m, m)) if dual else np.zeros((1, 1))
    hessian = room_for_hessian(p, m, problems.intercepts.size)
    reference = _prepare(columns, p, K, dual, problems)
    while left > keep:
        dual = dual and p > m
        number = number_to_drop(left, keep, step)
        rounds[n_gone : n_gone + number] = round_
        n_constant = min(number, constants.size - gone_constants)
        gone[n_gone : n_gone + n_constant] = constants[gone_constants : gone_constants + n_constant]
        gone_constants += n_constant
        rest = number - n_constant
        if rest > 0:
            block, omega, curvature = solve(columns, p, K, dual, problems, hessian)
            importance = log_importance(columns, p, problems, block, omega, curvature)
            chosen, keys[n_gone + n_constant : n_gone + number] = lowest(importance, columns.place[:p], rest)
            gone[n_gone + n_constant : n_gone + number] = columns.place[chosen]
            _move_behind(columns, p, chosen)
            if dual:
                reference = _update(columns, p, p - rest, K, reference, problems)
            p -= rest
        n_gone += number
        left -= number
        round_ += 1
    return gone, keys, rounds


@kernel
def _prepare(columns: Columns, p: int, K: np.ndarray, dual: bool, problems: Problems) -> np.ndarray:
    """Decide which columns are free, compute the Gram matrix of the others, and note of what."""
    if dual:
        choose_free(columns, p, problems.counts.sum())
        K[:] = 0.0
        add_gram(K, columns, 0, p, 1.0)
    else:
        columns.free[:] = True
        find_equal(columns, p)
    return np.array([float(p), _trace(K)])


@kernel
def _trace(K: np.ndarray) -> float:
    total = 0.0
    for i in range(K.shape[0]):
        total += K[i, i]
    return total


@kernel
def _update(
    columns: Columns, before: int, p: int, K: np.ndarray, reference: np.ndarray, problems: Problems
) -> np.ndarray:
    """Make the Gram matrix that of the first p columns, of which there were more before.

    What has gone is subtracted, unless what remains is so much smaller that rounding would show.
    """
    m = columns.Z.shape[1]
    if p > m and p >= _FEWER * reference[0] and 2 * p > before:
        add_gram(K, columns, p, before, -1.0)
        if _trace(K) >= _SMALLER * reference[1]:
            return reference
    _keep_weights(columns, p, problems)
    return _prepare(columns, p, K, p > m, problems)


@kernel
def _keep_weights(columns: Columns, p: int, problems: Problems) -> None:
    """Write down the weights of columns that may become free, to start the next fit from."""
    for c in range(columns.weight.shape[0]):
        for j in range(p):
            if not columns.free[j]:
                product = dot(columns.Z[j], problems.residuals[c])
                columns.weight[c, j] = np.exp(columns.log_ratio[j]) / columns.root[j] * product


@kernel
def _move_behind(columns: Columns, p: int, chosen: np.ndarray) -> None:
    """Exchange the chosen among the first p columns with the last of them that stay."""
    leaves = np.zeros(p, dtype=np.bool_)
    leaves[chosen] = True
    last = p - 1
    for place in range(p - chosen.size):
        if leaves[place]:
            while leaves[last]:
                last -= 1
            swap_columns(columns, place, last)
            last -= 1
