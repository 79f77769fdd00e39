"""Searches written down plainly, to compare with: no memo, no ties at random, no neighbours at once."""

from __future__ import annotations

from itertools import combinations


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
