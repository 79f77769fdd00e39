"""The first rounds of an elimination that has far more columns than rows, without the columns in memory.

As long as there are more columns than rows a fit needs of them only their Gram matrix K, which has as many rows as the
sample, and afterwards the product of each with the residuals. Both are sums that go through the columns of a table
where it lies, dense or sparse. The few columns that are far less penalised than the others ("free", see
`fselect.classifiers.newton.dual_newton`) are laid out at once, and those that are left in the end all are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fselect.classifiers.newton.columns import Columns
from fselect.classifiers.newton.problems import Problems
from fselect.selectors.elimination.column_kernels import find_equal, fit_free, weights_of
from fselect.selectors.elimination.column_source import ColumnSource, Penalties, gather
from fselect.selectors.elimination.loop import eliminate_columns
from fselect.selectors.elimination.ranking import lowest, number_to_drop

__all__ = ["Dropped", "eliminate_wide", "join"]

_ABOVE = 100.0  # a column is free if its q is this much above what the rest and the rows can resolve
_FEWER, _SMALLER = 0.3, 0.05  # of what the Gram matrix was computed from: below, it is computed anew

Dropped = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Columns, the logarithms of their weights when they went, and the rounds."""


@dataclass(eq=False)
class _Phase:
    """The state of the first rounds: which columns are left, and what is known of them."""

    source: ColumnSource
    penalties: Penalties
    problems: Problems
    places: np.ndarray
    K: np.ndarray
    free: Columns
    others: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    reference: tuple[int, float] = (0, 0.0)


def eliminate_wide(
    source: ColumnSource,
    penalties: Penalties,
    places: np.ndarray,
    constants: np.ndarray,
    problems: Problems,
    keep: int,
    step: float,
    enough: int,
) -> Dropped:
    """Fit, drop the least important features, and again, until so many are left.

    Parameters
    ----------
    source : ColumnSource
        The sample.
    penalties : Penalties
        Of all columns.
    places : ndarray, int64
        The columns that are not constant. Where they are no more than the rows all are laid out at once.
    constants : ndarray, int64
        The constant columns, by falling position.
    problems : Problems
        What is fitted.
    keep : int
        How many are left in the end.
    step : float
        Share of the remaining features that go each time.
    enough : int
        From how many columns on the rest is laid out in memory; below the number of rows it is that number.

    Returns
    -------
    tuple of ndarray
        As `fselect.selectors.elimination.loop.eliminate_columns` gives them.
    """
    phase = _start(source, penalties, problems, places)
    enough, left = max(enough, source.n_rows), places.size + constants.size
    gone: list[Dropped] = []
    while left > keep and phase.places.size > enough:
        number = number_to_drop(left, keep, step)
        first, constants = constants[:number], constants[number:]
        columns, keys = _round(phase, number - first.size)
        dropped, round_ = np.concatenate([first, columns]), len(gone)
        gone.append((dropped, np.append(np.full(first.size, np.nan), keys), np.full(number, round_)))
        left -= number
    if left > keep:
        columns, keys, rounds = eliminate_columns(_rest(phase), constants, problems, keep, step, either=True)
        gone.append((columns, keys, rounds + len(gone)))
    return join(gone)


def join(parts: list[Dropped]) -> Dropped:
    """Put what went in several spells behind one another.

    Examples
    --------
    >>> one = (np.array([3]), np.array([0.5]), np.array([0]))
    >>> join([one, one])[0]
    array([3, 3])
    """
    columns, keys, rounds = ([np.empty(0, dtype=kind)] for kind in (np.int64, np.float64, np.int64))
    for part in parts:
        columns.append(part[0])
        keys.append(part[1])
        rounds.append(part[2])
    return np.concatenate(columns), np.concatenate(keys), np.concatenate(rounds)


def _start(source: ColumnSource, penalties: Penalties, problems: Problems, places: np.ndarray) -> _Phase:
    m, none = source.n_rows, np.empty(0, dtype=np.int64)
    free = gather(source, none, penalties, problems.intercepts.size)
    phase = _Phase(source, penalties, problems, places, np.zeros((m, m)), free)
    if places.size > m:  # else, where many columns are constant, all are laid out next
        _prepare(phase)
    return phase


def _prepare(phase: _Phase) -> None:
    """Choose which columns are free, and compute the Gram matrix of the others."""
    log_ratio, m = phase.penalties.log_ratio[phase.places], phase.source.n_rows
    at = np.partition(log_ratio, log_ratio.size - m)[log_ratio.size - m]
    is_free = log_ratio > math.log(_ABOVE) + max(at, -math.log(phase.problems.counts.sum()))
    chosen, phase.others = phase.places[is_free], phase.places[~is_free]
    phase.free = _with_weights(phase, chosen)
    phase.K[:] = 0.0
    phase.source.add_gram(phase.K, phase.others, phase.penalties, 1.0)
    phase.reference = phase.places.size, float(np.trace(phase.K))


def _with_weights(phase: _Phase, places: np.ndarray) -> Columns:
    """Lay out columns that are to be free, with the weights that the last fit gave them."""
    before = phase.free
    columns = gather(phase.source, places, phase.penalties, phase.problems.intercepts.size)
    p = places.size
    if p:
        columns.weight[:] = weights_of(columns, phase.problems)  # none is free yet
        was_free = np.flatnonzero(np.isin(places, before.place))
        order = np.argsort(before.place)
        old = order[np.searchsorted(before.place, places[was_free], sorter=order)]
        columns.weight[:, was_free] = before.weight[:, old]
        columns.free[:] = True
        find_equal(columns, p)
    return columns


def _round(phase: _Phase, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Fit, and take so many columns away; return them and the logarithms of their weights."""
    if number == 0:
        return np.empty(0, dtype=np.int64), np.empty(0)
    places = np.concatenate([phase.free.place, phase.others])
    importance = _fit(phase)
    chosen, keys = lowest(importance, places, number)
    leaves = np.zeros(places.size, dtype=bool)
    leaves[chosen] = True
    phase.places = places[~leaves]
    _update(phase, leaves)
    return places[chosen], keys


def _fit(phase: _Phase) -> np.ndarray:
    """Fit all columns that are left; return the logarithms of their weights, the free ones first."""
    own = fit_free(phase.free, phase.K, phase.problems)
    return np.concatenate([own, phase.source.log_importance(phase.others, phase.penalties, phase.problems)])


def _update(phase: _Phase, leaves: np.ndarray) -> None:
    """Make the Gram matrix, and the free columns, those of what is left.

    What has gone is subtracted, unless what remains is so much smaller that rounding would show.
    """
    k, p, m = phase.free.place.size, phase.places.size, phase.source.n_rows
    if p <= m:
        return  # what is left is laid out next
    if p >= _FEWER * phase.reference[0] and 2 * p > leaves.size:
        phase.source.add_gram(phase.K, phase.others[leaves[k:]], phase.penalties, -1.0)
        if np.trace(phase.K) >= _SMALLER * phase.reference[1]:
            phase.free = _without(phase.free, leaves[:k])
            phase.others = phase.others[~leaves[k:]]
            return
    _prepare(phase)


def _without(columns: Columns, leaves: np.ndarray) -> Columns:
    """Leave columns out, if any; groups of equal ones are looked for anew."""
    if not leaves.any():
        return columns
    stay = ~leaves
    kept = {name: value[stay] for name, value in columns._asdict().items() if name not in ("Z", "weight")}
    Z = np.concatenate([columns.Z[:-1][stay], columns.Z[-1:]])
    found = Columns(Z=Z, weight=np.ascontiguousarray(columns.weight[:, stay]), **kept)
    find_equal(found, int(stay.sum()))
    return found


def _rest(phase: _Phase) -> Columns:
    """Lay out what is left, with weights to start from."""
    columns = _with_weights(phase, phase.places)
    columns.free[:] = False
    return columns
