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


class NoAnswer(Exception):
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
                raise NoAnswer(str(error)) from error
        with np.errstate(divide="ignore"):
            return np.log(np.abs(model.coef_[0])) - half

    return solve


def precise(digits: int = 60) -> Solver:
    """Solve with Newton's method on decimal numbers of so many digits."""

    def solve(Z: np.ndarray, target: np.ndarray, counts: np.ndarray, log_penalty: np.ndarray) -> np.ndarray:
        with localcontext() as context:
            context.prec = digits
            # no penalty is too large or too small for a decimal's exponent
            ridge = np.array([2 * Decimal(float(v)).exp() for v in log_penalty] + [Decimal(0)], dtype=object)
            A = np.hstack([_decimals(Z), np.full((len(Z), 1), Decimal(1), dtype=object)])
            w = _newton(A, _decimals(target), _decimals(counts), ridge, Decimal(10) ** (-digits // 3))
            return np.array([float(abs(v).ln()) if v else -np.inf for v in w[:-1]])

    return solve


def _decimals(values: np.ndarray) -> np.ndarray:
    flat = [v if isinstance(v, Decimal) else Decimal(float(v)) for v in np.ravel(values)]
    return np.array(flat, dtype=object).reshape(np.shape(values))


def _newton(A: np.ndarray, t: np.ndarray, c: np.ndarray, ridge: np.ndarray, least: Decimal) -> np.ndarray:
    w = np.full(A.shape[1], Decimal(0), dtype=object)
    value = _objective(A, t, c, ridge, w)
    for _ in range(200):
        s = np.array([1 / (1 + (-f).exp()) for f in A @ w], dtype=object)
        gradient = A.T @ (c * (t - s)) - ridge * w
        H = A.T @ ((c * s * (1 - s))[:, None] * A)
        H[np.diag_indices(len(w))] += ridge
        step = _solve(H, gradient)
        if max(abs(v) for v in A @ step) < least:
            return w + step
        length = Decimal(1)
        while (after := _objective(A, t, c, ridge, w + length * step)) > value:
            length /= 2
        w, value = w + length * step, after
    raise NoAnswer("the precise solver took 200 steps")


def _objective(A: np.ndarray, t: np.ndarray, c: np.ndarray, ridge: np.ndarray, w: np.ndarray) -> Decimal:
    signed = (2 * t - 1) * (A @ w)
    return sum(ci * (1 + (-f).exp()).ln() for ci, f in zip(c, signed, strict=True)) + (ridge * w * w).sum() / 2


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
    constant = (X == X[0]).all(axis=0)
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
