"""Exact Shapley values of small games: what sampled contributions are estimates of."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from math import comb

import numpy as np

from fselect.errors import InputError

__all__ = ["MOST_PLAYERS", "shapley_values"]

MOST_PLAYERS = 20
"""2^20 payoffs are a million calls of the payoff; each further player doubles them."""


def shapley_values(v: Callable[[frozenset[int]], float], n: int) -> np.ndarray:
    """Shapley values of a game of n players, from the payoffs of all 2^n coalitions.

    The value of player i is the mean over all n! orders of v(S ∪ {i}) − v(S), S the players before i.

    Parameters
    ----------
    v : callable
        The payoff of a coalition, a ``frozenset`` of players 0 … n - 1; called once for each.
    n : int
        Number of players, at most 20.

    Returns
    -------
    ndarray of shape (n,), float64
        The values; they add up to v(all) − v(∅).

    Raises
    ------
    InputError
        If n is not an integer from 1 to 20.

    References
    ----------
    Shapley (1953), "A value for n-person games"; Cohen, Ruppin and Dror (2005), "Feature selection based on the
    Shapley value", section 2.

    Examples
    --------
    A pair of gloves: players 0 and 1 own a left one each, player 2 the only right one.

    >>> shapley_values(lambda S: float(2 in S and len(S) > 1), 3).round(4)
    array([0.1667, 0.1667, 0.6667])
    """
    _check_number_of_players(n)
    masks = np.arange(1 << n)
    payoffs = np.array([v(_members(int(mask), n)) for mask in masks], dtype=np.float64)
    sizes = np.array([int(mask).bit_count() for mask in masks])
    weights = np.array([1 / (n * comb(n - 1, size)) for size in range(n)] + [0.0])
    values = np.empty(n)
    for player in range(n):
        without = masks[(masks >> player) & 1 == 0]
        gains = payoffs[without | (1 << player)] - payoffs[without]
        values[player] = weights[sizes[without]] @ gains
    return values


def _check_number_of_players(n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, numbers.Integral) or not 1 <= n <= MOST_PLAYERS:
        raise InputError(
            f"n must be an integer from 1 to {MOST_PLAYERS}, not {n!r}: exact values take 2^n payoffs; "
            "estimate those of larger games with contribution_values"
        )


def _members(mask: int, n: int) -> frozenset[int]:
    return frozenset(player for player in range(n) if mask >> player & 1)
