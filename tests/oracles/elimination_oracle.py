"""The elimination of the paper written once more, slowly: the rounds, ties and lift here, the solve by others.

Nothing is imported from the package under test.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

Solver = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class NoAnswerError(Exception):
    """The outside solver did not converge."""


def outside(name: str) -> Solver:
    """Let scikit-learn solve: log|w| of standardised columns under penalties with the logarithms given."""

    def solve(Z: np.ndarray, target: np.ndarray, counts: np.ndarray, log_penalty: np.ndarray) -> np.ndarray:
        # scaled so that the penalty is one number; only its ratios matter, so the geometric middle is free
        middle = log_penalty.min()
        half = 0.5 * (log_penalty - middle)
        model = LogisticRegression(C=0.5 / math.exp(middle), solver=name, tol=1e-10, max_iter=20_000)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model.fit(Z * np.exp(-half), target, sample_weight=counts)
            except (ConvergenceWarning, RuntimeWarning, UserWarning, ValueError) as error:
                raise NoAnswerError(str(error)) from error
        with np.errstate(divide="ignore"):
            return np.log(np.abs(model.coef_[0])) - half

    return solve


def precise(digits: int = 60) -> Solver:
    """Solve with Newton's method on decimal numbers of so many digits, in as few unknowns as can be."""

    def solve(Z: np.ndarray, target: np.ndarray, counts: np.ndarray, log_penalty: np.ndarray) -> np.ndarray:
        with localcontext() as context:
            context.prec = digits
            # no penalty is too large or too small for a decimal's exponent
            ridge = np.array([2 * Decimal(float(v)).exp() for v in log_penalty], dtype=object)
            newton = _newton if Z.shape[1] <= len(Z) else _dual_newton
            w = newton(_decimals(Z), _decimals(target), _decimals(counts), ridge, Decimal(10) ** (-digits // 3))
            return np.array([float(abs(v).ln()) if v else -np.inf for v in w])

    return solve


def _decimals(values: np.ndarray) -> np.ndarray:
    flat = [v if isinstance(v, Decimal) else Decimal(float(v)) for v in np.ravel(values)]
    return np.array(flat, dtype=object).reshape(np.shape(values))


def _newton(Z: np.ndarray, t: np.ndarray, c: np.ndarray, ridge: np.ndarray, least: Decimal) -> np.ndarray:
    """Return the weights, which are the unknowns, with the intercept as a last column without ridge."""
    A = np.hstack([Z, np.full((len(Z), 1), Decimal(1), dtype=object)])
    ridge = np.append(ridge, Decimal(0))

    def step(w: np.ndarray, s: np.ndarray) -> np.ndarray:
        H = A.T @ ((c * s * (1 - s))[:, None] * A)
        H[np.diag_indices(len(w))] += ridge
        return _solve(H, A.T @ (c * (t - s)) - ridge * w)

    return _descend(step, lambda w: A @ w, lambda w, f: (ridge * w * w).sum(), len(ridge), t, c, least)[:-1]


def _dual_newton(Z: np.ndarray, t: np.ndarray, c: np.ndarray, ridge: np.ndarray, least: Decimal) -> np.ndarray:
    """Return the weights Zᵀa / ridge; the unknowns are the residuals a and the intercept."""
    m = len(t)
    K = (Z / ridge) @ Z.T

    def step(x: np.ndarray, s: np.ndarray) -> np.ndarray:
        W = c * s * (1 - s)
        H = np.full((m + 1, m + 1), Decimal(0), dtype=object)
        H[:m, :m] = W[:, None] * K + np.diag(np.full(m, Decimal(1), dtype=object))
        H[:m, m], H[m, :m] = W, Decimal(1)
        return _solve(H, np.append(c * (t - s) - x[:m], -x[:m].sum()))

    x = _descend(step, lambda x: K @ x[:m] + x[m], lambda x, f: x[:m] @ (f - x[m]), m + 1, t, c, least)
    return (Z.T @ x[:m]) / ridge


def _descend(step, margins, penalty, size, t, c, least) -> np.ndarray:
    """Go from 0 by Newton's steps, halved until the objective falls, until the margins stand still."""

    def objective(x: np.ndarray) -> Decimal:
        f = margins(x)
        losses = (ci * (1 + (-v).exp()).ln() for ci, v in zip(c, (2 * t - 1) * f, strict=True))
        return sum(losses) + penalty(x, f) / 2

    x = np.full(size, Decimal(0), dtype=object)
    for _ in range(200):
        before = margins(x)
        s = np.array([1 / (1 + (-f).exp()) for f in before], dtype=object)
        change, value, length = step(x, s), objective(x), Decimal(1)
        if max(abs(v) for v in margins(x + change) - before) < least:
            return x + change
        while objective(x + length * change) > value:
            length /= 2
        x = x + length * change
    raise NoAnswerError("the precise solver took 200 steps")


def _solve(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    H, x = H.copy(), g.copy()
    for k in range(len(x)):
        ratio = H[k + 1 :, k] / H[k, k]
        H[k + 1 :, k + 1 :] -= ratio[:, None] * H[k, k + 1 :]
        x[k + 1 :] -= ratio * x[k]
    for k in reversed(range(len(x))):
        x[k] = (x[k] - H[k, k + 1 :] @ x[k + 1 :]) / H[k, k]
    return x


def standardise(X: np.ndarray, counts: np.ndarray, digits: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns standardised over the weighted rows, and which are constant; decimals if digits."""
    rows = counts > 0
    X, c = X[rows], counts[rows]
    constant = np.ptp(X, axis=0) == 0
    with localcontext() as context:
        context.prec = digits
        D, w = _decimals(X), _decimals(c)
        D = D - (w @ D) / w.sum()
        scale = [Decimal(1) if flat else v.sqrt() for v, flat in zip((w @ (D * D)) / w.sum(), constant, strict=True)]
        return D / np.array(scale, dtype=object), constant


def eliminate(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    *,
    keep: int,
    step: float,
    penalty: float,
    log_beta: np.ndarray,
    solver: Solver,
    exact: bool = False,
) -> tuple[list[list[int]], float]:
    """Return the dropped columns, a list a round, and the narrowest gap at which a round's cut was made."""
    rows = counts > 0
    Z, constant = standardise(X, counts)
    Z[:, constant] = Decimal(0)
    Z = Z if exact else Z.astype(np.float64)
    lift = max(0.0, math.log(1e-10) + logsumexp(-log_beta[~constant]) - math.log(penalty))
    log_penalty = log_beta + lift + math.log(penalty)
    classes = np.unique(codes)
    targets = [(codes[rows] == k).astype(float) for k in (classes[1:] if len(classes) == 2 else classes)]
    left, path, gap = list(range(X.shape[1])), [], np.inf
    while len(left) > keep:
        number = min(max(1, math.floor(step * len(left) + 1e-9)), len(left) - keep)
        live = [f for f in left if not constant[f]]
        value = dict.fromkeys(left, -np.inf)
        if len(left) - len(live) < number:
            logs = np.array([solver(Z[:, live], t, counts[rows], log_penalty[live]) for t in targets])
            rms = 0.5 * (logsumexp(2 * logs, axis=0) - math.log(len(targets)))
            value |= dict(zip(live, rms, strict=True))
        order = _order(value, constant)
        path.append(order[:number])
        if number < len(order):
            low, high = value[order[number - 1]], value[order[number]]
            # copies are a tie that the rule decides, not a close call
            gap = min(gap, high - low) if high - low > 1e-9 else gap
        left = [f for f in left if f not in set(path[-1])]
    return path, gap


def _order(value: dict[int, float], constant: np.ndarray) -> list[int]:
    flat = sorted((f for f in value if constant[f]), reverse=True)
    rest = sorted((f for f in value if not constant[f]), key=lambda f: value[f])
    groups: list[list[int]] = []
    for f in rest:
        if groups and (value[f] == value[groups[-1][-1]] or value[f] - value[groups[-1][-1]] < 1e-9):
            groups[-1].append(f)
        else:
            groups.append([f])
    return flat + [f for group in groups for f in sorted(group, reverse=True)]
