"""Contributions estimated from sampled permutations of bounded length."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fselect.errors import InputError

__all__ = ["Contributions", "Sampled", "contribution_values", "draw_permutations", "gather"]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Estimated contributions of players, in the order in which the players were given.

    Attributes
    ----------
    values : ndarray of shape (players,), float64
        Mean marginals; nan for a player without one.
    standard_errors : ndarray of shape (players,), float64
        Standard deviation (ddof = 1) of the marginals over the root of their number; nan below two.
    counts : ndarray of shape (players,), int64
        How many marginals each mean is of; those from or to a payoff that is no number are left out.
    """

    values: np.ndarray
    standard_errors: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class Sampled:
    """Contributions with what a round decides by beside them.

    Attributes
    ----------
    contributions : Contributions
        The estimates.
    draws : ndarray of shape (players,), int64
        How many permutations held each player.
    idle : ndarray of shape (players,), bool
        Players that were drawn and whose every marginal was exactly 0.
    """

    contributions: Contributions
    draws: np.ndarray
    idle: np.ndarray


def contribution_values(
    v: Callable[[frozenset[int]], float],
    players: Sequence[int],
    *,
    size: int,
    n_permutations: int,
    base: Collection[int] = frozenset(),
    rng: np.random.Generator | int | None = None,
) -> Contributions:
    """Estimate the contributions of players to a game from permutations of random subsets of them.

    Each of the `n_permutations` is of `size` players. The marginal of a player in it is
    v(base ∪ prefix ∪ {player}) − v(base ∪ prefix), the prefix being the players before it, and its contribution
    is the mean over the permutations that hold it. (The paper's printed formula divides by the number of all
    permutations; decided here, because then the unit of a contribution would depend on how often it is drawn.)
    With ``size`` = number of players the expected contributions are the Shapley values; with 1 they are those of
    a filter, or given a base those of a greedy search.

    Draws are balanced (decided here, because it lowers the variance at no cost): the shuffled players are cut into
    consecutive blocks, an incomplete last one being filled from the next shuffle; so each player is in at least
    ⌊n_permutations · size / players⌋ of them.

    Parameters
    ----------
    v : callable
        The payoff of a coalition, a ``frozenset`` of players. One that is not finite counts as missing.
    players : sequence of int
        Whose contributions are wanted, each once.
    size : int
        Players in a permutation, from 1 to their number: as large as the interactions that one hopes to see.
    n_permutations : int
        How many permutations, at least 1.
    base : collection of int, default empty
        Players that take part in every coalition.
    rng : numpy.random.Generator, int or None
        Source of the permutations, or its seed.

    Returns
    -------
    Contributions
        In the order of `players`.

    Raises
    ------
    InputError
        If a player is no integer, there twice or in the base, or size or n_permutations is out of range.

    References
    ----------
    Cohen, Ruppin and Dror (2005), "Feature selection based on the Shapley value", section 2.1; Keinan et al. (2004),
    "Fair attribution of functional contribution in artificial and biological networks".

    Examples
    --------
    >>> gloves = lambda S: float(2 in S and len(S) > 1)
    >>> contribution_values(gloves, [0, 1, 2], size=3, n_permutations=6000, rng=0).values.round(2)
    array([0.17, 0.17, 0.67])
    """
    listed = [_whole(player) for player in players]
    fixed = frozenset(_whole(player) for player in base)
    _check_players(listed, fixed)
    _check_range("size", size, len(listed))
    _check_range("n_permutations", n_permutations, None)
    permutations = draw_permutations(len(listed), size, n_permutations, np.random.default_rng(rng))
    payoffs = np.array([_along(v, fixed, [listed[place] for place in one]) for one in permutations])
    return gather(permutations, payoffs, float(v(fixed)), len(listed)).contributions


def _along(v: Callable[[frozenset[int]], float], base: frozenset[int], order: Sequence[int]) -> list[float]:
    return [float(v(base.union(order[: place + 1]))) for place in range(len(order))]


def _whole(player: Any) -> int:
    if isinstance(player, bool) or not isinstance(player, numbers.Integral):
        raise InputError(f"player {player!r} is not an integer; number the players")
    return int(player)


def _check_players(players: list[int], base: frozenset[int]) -> None:
    if not players:
        raise InputError("players is empty; give at least one")
    twice = next((player for player in players if players.count(player) > 1), None) if _repeats(players) else None
    if twice is not None:
        raise InputError(f"player {twice} occurs more than once; give each player once")
    shared = sorted(base.intersection(players))
    if shared:
        raise InputError(f"player {shared[0]} is in the base, too; a player of the base has no contribution")


def _repeats(players: list[int]) -> bool:
    return len(set(players)) < len(players)


def _check_range(name: str, value: int, high: int | None) -> None:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < 1 or (high is not None and value > high):
        limit = "of at least 1" if high is None else f"from 1 to {high}, the number of players"
        raise InputError(f"{name} must be an integer {limit}, not {value!r}")


def draw_permutations(n: int, size: int, n_permutations: int, rng: np.random.Generator) -> np.ndarray:
    """Draw ordered blocks of players, balanced.

    Parameters
    ----------
    n : int
        Number of players.
    size : int
        Players in a block, at most n.
    n_permutations : int
        Number of blocks.
    rng : numpy.random.Generator
        Source.

    Returns
    -------
    ndarray of shape (n_permutations, size), int64
        Players 0 … n - 1, in no block twice. Each block alone is a uniform draw: all is symmetric in the players.

    Examples
    --------
    >>> draws = draw_permutations(5, 2, 5, np.random.default_rng(0))
    >>> np.bincount(draws.ravel())
    array([2, 2, 2, 2, 2])
    """
    blocks = np.empty((n_permutations, size), dtype=np.int64)
    queue = rng.permutation(n)
    for row in range(n_permutations):
        if len(queue) < size:
            queue = _filled_up(queue, rng.permutation(n), size)
        blocks[row], queue = queue[:size], queue[size:]
    return blocks


def _filled_up(rest: np.ndarray, shuffle: np.ndarray, size: int) -> np.ndarray:
    """The rest of a shuffle, then as many others of the next one as a block needs, then what is left of that."""
    others = np.flatnonzero(~np.isin(shuffle, rest))[: size - len(rest)]
    return np.concatenate([rest, shuffle[others], np.delete(shuffle, others)])


def gather(permutations: np.ndarray, payoffs: np.ndarray, start: float, n: int) -> Sampled:
    """Make contributions of the payoffs along permutations.

    Parameters
    ----------
    permutations : ndarray of shape (t, l), int
        Players 0 … n - 1.
    payoffs : ndarray of shape (t, l), float64
        Payoff after each further player; not finite = missing.
    start : float
        Payoff before the first.
    n : int
        Number of players.

    Returns
    -------
    Sampled

    Examples
    --------
    >>> found = gather(np.array([[0, 1], [1, 0]]), np.array([[0.5, 0.75], [0.5, 0.75]]), 0.5, 2)
    >>> found.contributions.values, found.draws
    (array([0.125, 0.125]), array([2, 2]))
    """
    before = np.column_stack([np.full(len(payoffs), start), payoffs[:, :-1]])
    with np.errstate(invalid="ignore"):
        marginals = payoffs - before
    known = np.isfinite(payoffs) & np.isfinite(before)
    who, what = permutations[known], marginals[known]
    counts = np.bincount(who, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(who, weights=what, minlength=n) / counts
        squares = np.bincount(who, weights=(what - means[who]) ** 2, minlength=n)
        errors = np.where(counts > 1, np.sqrt(squares / (counts - 1) / counts), np.nan)
    moved = np.bincount(who, weights=what != 0, minlength=n) > 0
    draws = np.bincount(permutations.ravel(), minlength=n)
    return Sampled(Contributions(means, errors, counts), draws, (counts > 0) & ~moved)
