"""Searches written down plainly, to compare with: no memo, no ties at random, no neighbours at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def floating(value, d, *, forward):
    """SFFS or SFBS through all sizes, as Pudil et al. (1994) describe it; the best value of each size."""
    everything = frozenset(range(d))
    state = frozenset() if forward else everything
    best = {len(state): value(state)}
    while len(state) != (d if forward else 1):
        if forward:
            taken = max(sorted(everything - state), key=lambda c: value(state | {c}))
            state = state | {taken}
        else:
            taken = max(sorted(state), key=lambda c: value(state - {c}))
            state = state - {taken}
        best[len(state)] = max(best.get(len(state), float("-inf")), value(state))
        while True:
            others = sorted((state if forward else everything - state) - {taken})
            if not others or (forward and len(state) == 1):
                break
            undone = max((state ^ {c} for c in others), key=value)
            if not value(undone) > best.get(len(undone), float("-inf")):
                break
            state = undone
            best[len(state)] = value(state)
    return best


def all_subsets(d):
    """All subsets but the empty one."""
    return [frozenset(chosen) for size in range(1, d + 1) for chosen in combinations(range(d), size)]


def smallest_consistent(rate, d):
    """All smallest subsets whose inconsistency rate is that of all columns."""
    wanted = rate(frozenset(range(d)))
    enough = [s for s in all_subsets(d) if rate(s) <= wanted]
    size = min(map(len, enough))
    return {s for s in enough if len(s) == size}


def noisy_nominal(seed, d=7, n=60):
    """Labels that hang on three columns, some of them wrong; small enough for brute force."""
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(n, d)).astype(float)
    y = (X[:, 1] * X[:, 3] + X[:, 4] > 2).astype(int)
    y[rng.permutation(n)[:2]] ^= 1
    return X, y


def numbers(seed, d=7, n=80):
    """Numbers without ties, classes that hang on some together."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    return X, (X[:, 0] - X[:, 2] + 0.5 * rng.normal(size=n) > 0).astype(int)


def separation(X, y):
    """Hotelling-like distance of two class means: a measure of numbers without ties."""
    if X.shape[1] == 0:
        return 0.0
    one, other = X[y == 0], X[y == 1]
    within = np.atleast_2d(np.cov(one.T) + np.cov(other.T)) + np.eye(X.shape[1])
    difference = one.mean(axis=0) - other.mean(axis=0)
    return float(difference @ np.linalg.solve(within, difference) - 0.15 * X.shape[1])
