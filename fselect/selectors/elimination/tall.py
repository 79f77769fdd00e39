"""The first rounds of an elimination that has far more rows than columns, without a copy of the sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fselect.classifiers.newton.columns import Columns
from fselect.classifiers.newton.problems import Problems
from fselect.selectors.elimination.column_kernels import clear_products, find_equal, importance_of, note_residuals
from fselect.selectors.elimination.column_source import DenseSource, Penalties, gather
from fselect.selectors.elimination.loop import eliminate_columns
from fselect.selectors.elimination.ranking import lowest, number_to_drop
from fselect.selectors.elimination.tall_fit import Fitted, RowSource, fit_tall
from fselect.selectors.elimination.wide import Dropped, join

__all__ = ["eliminate_tall"]

_NOISE = 2e-14  # a scalar product this small beside its factors' norms is zero but for rounding
_CLOSE = 1e-10  # products with one direction that are this near are looked at for equal columns


@dataclass(eq=False)
class _Tall:
    """What is known of all columns that are not constant."""

    source: DenseSource
    penalties: Penalties
    problems: Problems
    shift: np.ndarray
    factor: np.ndarray
    norm: np.ndarray
    group: np.ndarray
    sign: np.ndarray
    fits: list[Fitted]
    heads: np.ndarray


def eliminate_tall(
    source: DenseSource,
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
    source, penalties, constants, problems, keep, step
        See `fselect.selectors.elimination.wide.eliminate_wide`.
    places : ndarray, int64
        The columns that are not constant; far fewer than rows.
    enough : int
        From how many columns on the rest is laid out in memory.

    Returns
    -------
    tuple of ndarray
        As `fselect.selectors.elimination.loop.eliminate_columns` gives them.
    """
    left, gone = places.size + constants.size, list[Dropped]()
    tall = _begin(source, penalties, problems, places) if places.size > enough and left > keep else None
    while tall is not None and left > keep and places.size > enough:
        number = number_to_drop(left, keep, step)
        first, constants = constants[:number], constants[number:]
        chosen, keys = _round(tall, places, number - first.size)
        dropped = np.concatenate([first, places[chosen]])
        gone.append((dropped, np.append(np.full(first.size, np.nan), keys), np.full(number, len(gone))))
        places, left = np.delete(places, chosen), left - number
    if left > keep:
        columns, keys, rounds = eliminate_columns(
            _rest(tall, source, penalties, problems, places), constants, problems, keep, step
        )
        gone.append((columns, keys, rounds + len(gone)))
    return join(gone)


def _begin(source: DenseSource, penalties: Penalties, problems: Problems, places: np.ndarray) -> _Tall:
    mean, log_scale, norm, product = source.moments
    shift = mean - source.X[source.rows[0]]
    factor = np.exp(-log_scale, where=np.isfinite(log_scale), out=np.zeros_like(log_scale))
    group, sign = _groups(source, penalties, places, np.abs(product), norm)
    k = problems.margins.shape[0]
    fits = [Fitted(np.append(np.zeros(0), problems.intercepts[c]), problems.margins[c]) for c in range(k)]
    none = np.empty(0, dtype=np.int64)
    return _Tall(source, penalties, problems, shift, factor, norm, group, sign, fits, none)


def _groups(
    source: DenseSource, penalties: Penalties, places: np.ndarray, key: np.ndarray, norm: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Give columns that are equal up to sign and rounding one number, and their signs; as `find_equal` does."""
    group, sign = np.arange(source.X.shape[1]), np.ones(source.X.shape[1])
    order = places[np.argsort(key[places], kind="stable")]
    near = np.diff(key[order]) <= _CLOSE * norm[order[1:]]
    suspects = np.sort(order[np.append(near, False) | np.append(False, near)])
    if suspects.size:
        columns = gather(source, suspects, penalties, 1)
        columns.free[:] = True
        find_equal(columns, suspects.size)
        group[suspects], sign[suspects] = suspects[columns.group], columns.sign
    return group, sign


def _round(tall: _Tall, places: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Fit all columns that are left; return the places of so many of the least important, and their keys."""
    if number == 0:
        return np.empty(0, dtype=np.int64), np.empty(0)
    heads, slot, log_ratio = _unknowns(tall, places)
    D = np.append(np.exp(np.minimum(-log_ratio, 600.0)), 0.0)
    signs = tall.sign[heads]
    rows = RowSource(
        tall.source.X, tall.source.rows, tall.source.counts, heads, tall.shift[heads], tall.factor[heads] * signs
    )
    for c, start in enumerate(tall.fits):
        tall.fits[c] = fit_tall(rows, D, tall.problems.targets[c], _part_of(tall, start, heads))
    tall.heads = heads
    _note(tall)
    return lowest(_importance(tall, places, slot, log_ratio, D), places, number)


def _unknowns(tall: _Tall, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One column of each group, which group each column is in, and the logarithms of the groups' sums of q."""
    _, first, slot = np.unique(tall.group[places], return_index=True, return_inverse=True)
    log_ratio = np.full(first.size, -np.inf)
    np.logaddexp.at(log_ratio, slot, tall.penalties.log_ratio[places])
    return places[first], slot, log_ratio


def _part_of(tall: _Tall, start: Fitted, heads: np.ndarray) -> Fitted:
    """What the last fit knows of the columns that are left."""
    before = tall.group[tall.heads]
    if before.size == 0:
        return Fitted(np.append(np.zeros(heads.size), start.weight[-1]), start.margins)
    kept = np.append(np.searchsorted(before, tall.group[heads]), before.size)
    hessian = None if start.hessian is None else start.hessian[np.ix_(kept, kept)]
    return Fitted(start.weight[kept], start.margins, hessian)


def _note(tall: _Tall) -> None:
    """Write down where the fits ended, as the later rounds read it."""
    problems = tall.problems
    for c, fitted in enumerate(tall.fits):
        problems.margins[c], problems.intercepts[c] = fitted.margins, fitted.weight[-1]
        note_residuals(problems, c)


def _importance(tall: _Tall, places: np.ndarray, slot: np.ndarray, log_ratio: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Return the logarithms of |w|; those that the penalty rules are read off their products with the residuals."""
    curvature = np.array([np.diag(fitted.hessian)[:-1] for fitted in tall.fits])  # type: ignore[arg-type]
    ruled_by_data = curvature.max(axis=0) > D[:-1]
    squares = np.zeros(log_ratio.size)
    for c, fitted in enumerate(tall.fits):
        value = np.abs(fitted.weight[:-1])
        noise = _NOISE * np.linalg.norm(tall.problems.residuals[c])
        floor = noise * tall.norm[tall.heads] / (curvature[c] + D[:-1])
        lost = np.flatnonzero((value <= floor) & ruled_by_data)
        value[lost] = _clear_weights(tall, lost, D, c)
        squares += value * value
    with np.errstate(divide="ignore"):
        of_group = 0.5 * np.log(squares / len(tall.fits))
    share = tall.penalties.log_ratio[places] - log_ratio[slot]
    found = of_group[slot] + share - tall.penalties.units(places)
    ruled_by_penalty = np.flatnonzero(~ruled_by_data[slot])
    for part in tall.source.parts(ruled_by_penalty):
        found[part] = importance_of(gather(tall.source, places[part], tall.penalties, len(tall.fits)), tall.problems)
    return found


def _clear_weights(tall: _Tall, which: np.ndarray, D: np.ndarray, c: int) -> np.ndarray:
    """Return |w| of some unknowns that were lost in rounding, where rows of tiny residuals tell them; else 0."""
    found = np.zeros(which.size)
    for part in tall.source.parts(np.arange(which.size)):
        columns = gather(tall.source, tall.heads[which[part]], tall.penalties, 1)
        found[part] = clear_products(columns, tall.problems.residuals[c]) / D[which[part]]
    return found


def _rest(
    tall: _Tall | None, source: DenseSource, penalties: Penalties, problems: Problems, places: np.ndarray
) -> Columns:
    """Lay out what is left, with weights to start from."""
    columns = gather(source, places, penalties, problems.intercepts.size)
    if tall is not None and tall.heads.size:
        _, slot, log_ratio = _unknowns(tall, places)
        groups = tall.group[tall.heads]
        before = np.searchsorted(groups, tall.group[places])
        share = np.exp(penalties.log_ratio[places] - log_ratio[slot]) * tall.sign[places]
        for c, fitted in enumerate(tall.fits):
            columns.weight[c] = share * fitted.weight[before]
    return columns
