"""The one-vs-rest problems of a sample: solved one after the other, and the weights of all columns read off."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fselect.classifiers.arrays import copy_to, fill, largest_place, matrix, total, vector
from fselect.classifiers.newton.blocks import Block, make_block
from fselect.classifiers.newton.columns import Columns
from fselect.classifiers.newton.dual_newton import solve_dual
from fselect.classifiers.newton.lapack import dot, rows_dot
from fselect.classifiers.newton.logarithm import take_logarithms
from fselect.classifiers.newton.loss import residuals
from fselect.classifiers.newton.primal_newton import solve_primal
from fselect.classifiers.newton.quasi_newton import Hessian, Model, make_hessian, solve_quasi
from fselect.kernel import bare, inner

__all__ = [
    "Problems",
    "clear_product",
    "is_dual",
    "log_importance",
    "make_problems",
    "relative_errors",
    "room_for_hessian",
    "solve",
    "weights",
]

_MANY_ROWS, _MANY_MORE = 1000, 3
_SMALL = 6000  # numbers in a sample whose Hessian is worked out anew at any time
_SMALL_DUAL = 12_000  # the same of a table where only the last fits, of no more columns than rows, would keep one
_NOISE = 2e-14  # a scalar product this small beside its factors' norms is zero but for rounding
_CLEAR = 1e-3  # and one above that is none of terms that cancel


class Problems(NamedTuple):
    """What is fitted, and where the last fit ended; the arrays are updated by each fit.

    Attributes
    ----------
    targets : ndarray of shape (n_problems, m)
        1 for the rows of the class, else 0.
    counts : ndarray of shape (m,)
        Positive weights of the rows.
    margins : ndarray of shape (n_problems, m)
        w·x + b of each row.
    residuals : ndarray of shape (n_problems, m)
        c (t - σ(margin)).
    intercepts : ndarray of shape (n_problems,)
        For standardised columns.
    """

    targets: np.ndarray
    counts: np.ndarray
    margins: np.ndarray
    residuals: np.ndarray
    intercepts: np.ndarray


def make_problems(codes: np.ndarray, counts: np.ndarray, n_classes: int) -> Problems:
    """State the problems of a sample: one for two classes, else one a class.

    Parameters
    ----------
    codes : ndarray of shape (m,), int
        Classes 0 … n_classes - 1.
    counts : ndarray of shape (m,), float64
        Positive weights.
    n_classes : int
        At least 2; each class must have a row.

    Returns
    -------
    Problems
        All at the best fit without columns.
    """
    classes = np.array([1]) if n_classes == 2 else np.arange(n_classes)
    targets = (codes[None, :] == classes[:, None]).astype(np.float64)
    positive = targets @ counts
    intercepts = np.log(positive / (counts.sum() - positive))
    margins = np.full(targets.shape, intercepts[:, None])
    return Problems(targets, counts, margins, np.zeros_like(targets), intercepts)


def is_dual(p: int, m: int) -> bool:
    """Tell whether p columns are best fitted by the residuals of m rows, and not by their weights.

    Beyond so many rows a factor of the rows is too dear to be made for each fit, unless the columns are many more.
    """
    return p > m and (m <= _MANY_ROWS or p > _MANY_MORE * m)


def room_for_hessian(p: int, m: int, n_problems: int, n_rows: int = 0) -> Hessian | None:
    """Make room for the Hessian of min(p, m) columns, or none if it costs no more than a few gradients.

    Where it would pay for as many rows as the table has, it is an empty one and not None: then all samples of a table
    run the same compiled code, of which a second version is megabytes and seconds.
    """
    if not _pays(p, max(m, n_rows)):
        return None
    k = min(p, m) if is_dual(p, m) else p
    return make_hessian(n_problems, k + 1 if k * m > _SMALL else 0)


def _pays(p: int, n_rows: int) -> bool:
    """Tell whether samples of so many rows are worth the time that it takes to compile the method that keeps it."""
    return n_rows * n_rows > _SMALL_DUAL if is_dual(p, n_rows) else p * n_rows > _SMALL


@inner
def solve(
    columns: Columns, p: int, K: np.ndarray | None, dual: bool, problems: Problems, hessian: Hessian | None
) -> tuple[Block, np.ndarray, np.ndarray]:
    """Fit all problems on the first p columns.

    Parameters
    ----------
    columns : Columns
        The columns; their `weight` is updated for the free ones.
    p : int
        How many of them are in the model.
    K : ndarray of shape (m, m) or None
        Gram matrix of those that are not free; not looked at unless dual. None where it never is: then the dual
        solver is not even compiled.
    dual : bool
        Whether there are columns that are not free.
    problems : Problems
        Updated in place.
    hessian : Hessian or None
        Kept from fit to fit. Without it each fit computes its own, and the method that keeps it is not compiled.

    Returns
    -------
    block : Block
        The free columns.
    omega, curvature : ndarray of shape (n_problems, k + 1)
        Their scaled weights, and the curvature of the objective along each.
    """
    block = make_block(columns, p, dual)
    n_problems, k = problems.intercepts.size, block.scale.size
    omega, curvature = matrix(n_problems, k + 1), matrix(n_problems, k + 1)
    for c in range(n_problems):
        _warm_start(columns, block, c, omega[c])
        omega[c, k] = problems.intercepts[c]
        targets, margins, a = problems.targets[c], problems.margins[c], problems.residuals[c]
        solved = False
        if K is not None and dual:
            solve_dual(K, block.U, block.D, targets, problems.counts, margins, a, omega[c], curvature[c])
            solved = True
        if hessian is not None and hessian.values.shape[1] > 0 and not solved:
            model = Model(block.U, block.D, block.scale, block.group, targets, problems.counts, c)
            begin, fitted = margins.copy(), omega[c].copy()
            solved = solve_quasi(model, hessian, margins, omega[c], curvature[c])
            if not solved:  # it may have gone far astray
                copy_to(begin, margins)
                copy_to(fitted, omega[c])
        if not solved:
            solve_primal(block.U, block.D, targets, problems.counts, margins, omega[c], curvature[c])
        if not dual:
            residuals(margins, targets, problems.counts, a)
        problems.intercepts[c] = omega[c, k]
        for r in range(block.place.size):
            j, s = block.place[r], block.slot[r]
            share = math.exp(columns.log_ratio[j] - block.log_ratio[s])
            columns.weight[c, j] = columns.sign[j] * share * block.scale[s] * omega[c, s]
    return block, omega, curvature


@bare
def _warm_start(columns: Columns, block: Block, c: int, omega: np.ndarray) -> None:
    fill(omega, 0.0)
    for r in range(block.place.size):
        j, s = block.place[r], block.slot[r]
        if block.scale[s] > 0.0:
            omega[s] += columns.sign[j] * columns.weight[c, j] / block.scale[s]


@inner
def log_importance(
    columns: Columns, p: int, problems: Problems, block: Block, omega: np.ndarray, curvature: np.ndarray
) -> np.ndarray:
    """Return the logarithm of each column's |w|, over several problems of its root mean square.

    A weight that the penalty rules is read off as q zᵀa, in logarithms, so that no q is too small; one that
    the data rule is the solver's own unknown. Weights that are nothing but rounding are 0, so -inf.
    """
    n_problems = omega.shape[0]
    size, fresh = vector(n_problems), matrix(n_problems, problems.counts.size)
    for c in range(n_problems):
        # from the margins every residual is exact in itself, not only beside the largest
        residuals(problems.margins[c], problems.targets[c], problems.counts, fresh[c])
        # residuals that do not sum to 0 exactly let a constant in a column count, which it must not
        residual = problems.residuals[c]
        size[c] = _NOISE * math.sqrt(dot(residual, residual)) + abs(total(residual))
    of_group, out = vector(block.scale.size), vector(p)
    for s in range(of_group.size):
        j = block.first[s]
        squares = 0.0
        ruled_by_data = _ruled_by_data(curvature, block.D, s)
        for c in range(n_problems):
            if ruled_by_data:
                value = abs(omega[c, s])
                floor = size[c] * columns.norm[j] / curvature[c, s]
                if value <= floor:  # it may be one of rows that hardly weigh, whose curvature is that of the intercept
                    value = clear_product(columns.Z[j], fresh[c]) / block.D[s]
                    floor = 0.0
            else:
                value = abs(dot(columns.Z[j], problems.residuals[c]))
                floor = size[c] * columns.norm[j]
                if value <= floor:
                    value = _beside_reference(columns.Z[j], fresh[c], _NOISE)
                    floor = 0.0
            squares += value * value if value > floor else 0.0
        of_group[s] = _log_root(squares / n_problems)
        # as the sum of the group's standardised weights, over its q, times its root
        log_scale = math.log(block.scale[s])
        of_group[s] += 2.0 * log_scale - block.log_ratio[s] if ruled_by_data else 0.0
    fill(out, 0.0)
    if block.place.size < p:
        for c in range(n_problems):
            _add_squares(columns, p, problems.residuals[c], fresh[c], size[c], out)
    take_logarithms(out)
    _halve(out, math.log(n_problems), columns.log_factor)
    for r in range(block.place.size):
        j, s = block.place[r], block.slot[r]
        out[j] = of_group[s] - math.log(block.scale[s]) + math.log(columns.root[j]) + columns.log_factor[j]
    return out


@inner
def relative_errors(block: Block, omega: np.ndarray, error: float) -> np.ndarray:
    """Return what the logarithms of the weights may be wrong by where those of standardised columns are by so much.

    For a block of all columns; inf where a weight may be nothing else.
    """
    out = vector(block.place.size)
    for r in range(out.size):
        s = block.slot[r]
        share = error / max(abs(omega[s]) * block.scale[s], 1e-300)
        out[block.place[r]] = 2.0 * share if share < 0.1 else np.inf
    return out


@inner
def _add_squares(
    columns: Columns, p: int, residual: np.ndarray, fresh: np.ndarray, size: float, out: np.ndarray
) -> None:
    """Add the squares of the products of the first p columns with the residuals to out."""
    products = vector(p)
    rows_dot(columns.Z, p, residual, products)
    if _any_lost(products, columns.norm, size):
        for j in range(p):
            if abs(products[j]) <= size * columns.norm[j]:
                products[j] = _beside_reference(columns.Z[j], fresh, _NOISE)
    for j in range(p):
        out[j] += products[j] * products[j]


@bare
def _any_lost(products: np.ndarray, norm: np.ndarray, size: float) -> bool:
    lost = 0
    for j in range(products.size):
        lost += abs(products[j]) <= size * norm[j]
    return lost > 0


@bare
def _halve(squares: np.ndarray, shift: float, log_factor: np.ndarray) -> None:
    """Turn logarithms of squares, less a shift, into those of weights."""
    for j in range(squares.size):
        squares[j] = 0.5 * (squares[j] - shift) + log_factor[j]


@bare
def clear_product(z: np.ndarray, a: np.ndarray) -> float:
    """Return |zᵀa| if few rows of tiny residuals, exact ones, make it; 0 if it is a sum of terms that cancel."""
    return _beside_reference(z, a, _CLEAR)


@bare
def _beside_reference(z: np.ndarray, a: np.ndarray, noise: float) -> float:
    """Return |zᵀa| where the plain product is lost in rounding, 0 where this one is too.

    The residuals sum to 0, so a constant may be taken from z: its value in the row of the largest residual. Where a
    column holds that value in all rows that weigh, rows of tiny residuals decide, and these are exact.
    """
    reference = z[largest_place(a)]
    product, squares = 0.0, 0.0
    for i in range(z.size):
        term = (z[i] - reference) * a[i]
        product += term
        squares += term * term
    return abs(product) if abs(product) > noise * math.sqrt(squares) else 0.0


@bare
def _ruled_by_data(curvature: np.ndarray, D: np.ndarray, s: int) -> bool:
    largest = 0.0
    for c in range(curvature.shape[0]):
        largest = max(largest, curvature[c, s])
    return largest > 2.0 * D[s]


@inner
def _log_root(square: float) -> float:
    return 0.5 * math.log(square) if square > 0.0 else -np.inf


@inner
def weights(columns: Columns, p: int, problems: Problems, block: Block, curvature: np.ndarray) -> np.ndarray:
    """Return the standardised weights of the first p columns, shape (n_problems, p), in their order."""
    out = matrix(problems.intercepts.size, p)
    for c in range(out.shape[0]):
        for j in range(p):
            if not columns.free[j]:
                out[c, j] = _read_off(columns, j, problems.residuals[c])
        for r in range(block.place.size):
            j, s = block.place[r], block.slot[r]
            ruled_by_data = curvature[c, s] > 2.0 * block.D[s]
            out[c, j] = columns.weight[c, j] if ruled_by_data else _read_off(columns, j, problems.residuals[c])
    return out


@bare
def _read_off(columns: Columns, j: int, residual: np.ndarray) -> float:
    """Return the weight of a column that the penalty rules."""
    return math.exp(columns.log_ratio[j]) / columns.root[j] * dot(columns.Z[j], residual)
