"""Compiled steps on a few columns that are laid out, for eliminations that go through a table piece by piece."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.newton import blocks, loss
from fselect.classifiers.newton import problems as logistic
from fselect.classifiers.newton.columns import Columns
from fselect.classifiers.newton.problems import Problems
from fselect.kernel import kernel

__all__ = ["add_gram", "clear_products", "find_equal", "fit_free", "importance_of", "note_residuals", "weights_of"]


@kernel
def add_gram(K: np.ndarray, columns: Columns, sign: float) -> None:
    """Add the Gram matrix of all columns, of which none is free, to K; or subtract it."""
    p = columns.place.size
    if sign > 0:
        blocks.add_gram(K, columns, p)
    else:
        blocks.subtract_gram(K, columns, np.arange(p))


@kernel
def find_equal(columns: Columns, p: int) -> None:
    """Give free columns that are equal up to sign and rounding, among the first p, one group number."""
    blocks.find_equal(columns, p)


@kernel
def fit_free(columns: Columns, K: np.ndarray, problems: Problems) -> np.ndarray:
    """Fit the columns, all of which are free, beside those that are in K only; return the logarithms of their |w|."""
    k = columns.place.size
    block, omega, curvature = logistic.solve(columns, k, K, True, problems, None)
    return logistic.log_importance(columns, k, problems, block, omega, curvature)


@kernel
def importance_of(columns: Columns, problems: Problems) -> np.ndarray:
    """Return the logarithms of |w| of columns of which none is free."""
    p, n_problems = columns.place.size, problems.intercepts.size
    nothing = np.zeros((n_problems, 1))
    return logistic.log_importance(columns, p, problems, blocks.make_block(columns, p, True), nothing, nothing)


@kernel
def weights_of(columns: Columns, problems: Problems) -> np.ndarray:
    """Return the standardised weights, shape (n_problems, p), of columns of which none is free."""
    p, n_problems = columns.place.size, problems.intercepts.size
    return logistic.weights(columns, p, problems, blocks.make_block(columns, p, True), np.zeros((n_problems, 1)))


@kernel
def clear_products(columns: Columns, residual: np.ndarray) -> np.ndarray:
    """Return |zᵀa| of all columns, standardised; 0 where it is a sum of terms that cancel."""
    out = np.empty(columns.place.size)
    for j in range(out.size):
        out[j] = logistic.clear_product(columns.Z[j], residual) / columns.root[j]
    return out


@kernel
def note_residuals(problems: Problems, c: int) -> None:
    """Write the residuals of a problem, as its margins have them."""
    loss.residuals(problems.margins[c], problems.targets[c], problems.counts, problems.residuals[c])
