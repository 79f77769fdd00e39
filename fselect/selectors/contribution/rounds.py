"""The rounds of a contribution search: sample, add or drop, and again until none is left to add or drop."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from fselect.selectors.contribution.payoff import Payoff
from fselect.selectors.contribution.sampling import Contributions, Sampled, draw_permutations, gather
from fselect.selectors.contribution.settings import FEWEST_DRAWS, Settings
from fselect.selectors.contribution.steps import add_greedily, add_top, drop_lowest

__all__ = ["Keeping", "Round", "is_constant", "is_flat", "is_undefined", "run_rounds", "sets_after", "size_warning"]

CHUNKS_A_WORKER = 4
"""Permutations go to workers in so many parts each: later parts even out what took longer."""


@dataclass(frozen=True, eq=False)
class Round:
    """What one round measured and did.

    Attributes
    ----------
    candidates : ndarray of shape (m,), int64
        The columns that could be added or dropped, rising.
    contributions : Contributions
        Theirs.
    draws : ndarray of shape (m,), int64
        How many permutations held each.
    n_permutations, size : int
        What was drawn.
    moved : ndarray, int64
        The columns that were added or dropped, in this order; none ends the search.
    payoff : float
        Payoff of the set after the round.
    """

    candidates: np.ndarray
    contributions: Contributions
    draws: np.ndarray
    n_permutations: int
    size: int
    moved: np.ndarray
    payoff: float


class Keeping(Protocol):
    """Where finished rounds are kept, so that a search goes on after an interruption."""

    def rounds(self) -> list[Round]:
        """The finished rounds, in order."""
        ...

    def keep(self, number: int, finished: Round) -> None:
        """Keep a finished round."""
        ...


def run_rounds(
    payoff: Payoff,
    columns: Sequence[int],
    settings: Settings,
    *,
    seed: int,
    n_jobs: int | None = 1,
    keeping: Keeping | None = None,
    on_round: Callable[[Round], object] | None = None,
) -> list[Round]:
    """Run a forward or backward search.

    Parameters
    ----------
    payoff : Payoff
        What sets of columns are worth.
    columns : sequence of int
        The columns that may be selected, rising.
    settings : Settings
        The search's parameters.
    seed : int
        Of the permutations: those of a round are drawn at once from (seed, number of the round), so that neither
        the number of workers nor an interruption changes them.
    n_jobs : int or None, default 1
        Workers for the permutations of a round, as in scikit-learn.
    keeping : Keeping, optional
        Where finished rounds are kept; those that are there are not run again.
    on_round : callable, optional
        Told of each finished round.

    Returns
    -------
    list of Round
        All rounds; nothing moved in the last one.

    Warns
    -----
    UserWarning
        If too few permutations are asked for in the first round, or longer ones than there are columns.
    """
    everything = np.array(columns, dtype=np.int64)
    rounds = keeping.rounds() if keeping is not None else []
    _warn_of_few(settings, len(everything))
    while not rounds or len(rounds[-1].moved):
        candidates = _candidates(everything, rounds)
        if not len(candidates):
            break
        base = _moved(rounds) if settings.direction == "forward" else []
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(len(rounds),)))
        finished = _run_round(payoff, base, candidates, settings, rng, n_jobs)
        rounds.append(finished)
        if keeping is not None:
            keeping.keep(len(rounds) - 1, finished)
        if on_round is not None:
            on_round(finished)
    return rounds


def _moved(rounds: Sequence[Round]) -> list[int]:
    return [int(column) for one in rounds for column in one.moved]


def _candidates(everything: np.ndarray, rounds: Sequence[Round]) -> np.ndarray:
    return everything[~np.isin(everything, _moved(rounds))]


def sets_after(rounds: Sequence[Round], settings: Settings) -> Iterator[list[int]]:
    """The set after each round: what was added until then, or what is left, in rising order when backward.

    Where the payoff of a backward search is the same for every set, or never a number, nothing is left.
    """
    moved: list[int] = []
    for finished in rounds:
        moved += [int(column) for column in finished.moved]
        if settings.direction == "forward":
            yield list(moved)
        else:
            left = rounds[0].candidates[~np.isin(rounds[0].candidates, moved)]
            yield [] if is_constant(rounds[0]) or is_undefined(rounds[0]) else left.tolist()


def is_constant(first: Round) -> bool:
    """Whether every marginal of a first round was exactly 0, so that no payoff differed from that of the empty set."""
    return is_flat(first) and not first.moved.size


def is_flat(one: Round) -> bool:
    """Whether every marginal of a round was exactly 0, whatever was moved then."""
    found = one.contributions
    still = (found.values == 0) & ((found.counts < 2) | (found.standard_errors == 0))
    return bool(still[one.draws > 0].all())


def is_undefined(first: Round) -> bool:
    """Whether no payoff of a first round was a number."""
    return bool((first.contributions.counts == 0)[first.draws > 0].all())


def _run_round(
    payoff: Payoff,
    base: list[int],
    candidates: np.ndarray,
    settings: Settings,
    rng: np.random.Generator,
    n_jobs: int | None,
) -> Round:
    n = len(candidates)
    permutations = draw_permutations(n, settings.block(n), settings.permutations(n), rng)
    start = payoff.value(base)
    payoffs = _measured(payoff, base, candidates[permutations], n_jobs)
    sampled = gather(permutations, payoffs, start, n)
    if settings.direction == "forward":
        moved = candidates[_added(payoff, base, candidates, sampled, settings, start)]
        after = [*base, *moved.tolist()]
    else:
        drawn = sampled.draws > 0
        nothing = sampled.idle[drawn].all() or not sampled.contributions.counts[drawn].any()
        moved = candidates[[] if nothing else drop_lowest(sampled, settings.step, settings.threshold)]
        after = candidates[~np.isin(candidates, moved)].tolist()
    worth = start if settings.direction == "forward" and not len(moved) else payoff.value(after)
    return Round(candidates, sampled.contributions, sampled.draws, len(permutations), settings.block(n), moved, worth)


def _added(
    payoff: Payoff, base: list[int], candidates: np.ndarray, sampled: Sampled, settings: Settings, start: float
) -> np.ndarray:
    if settings.addition == "top":
        return add_top(sampled, settings.step, settings.threshold)
    return add_greedily(
        sampled, settings.threshold, lambda places: payoff.value([*base, *candidates[places].tolist()]), start
    )


def _measured(payoff: Payoff, base: list[int], orders: np.ndarray, n_jobs: int | None) -> np.ndarray:
    """The payoffs along each permutation; parts go to workers, and come back in order."""
    workers = Parallel(n_jobs=n_jobs, prefer="threads" if payoff.compiled else None)
    parts = np.array_split(orders, min(len(orders), CHUNKS_A_WORKER * max(1, workers._effective_n_jobs())))
    return np.concatenate(workers(delayed(_part)(payoff, base, part) for part in parts))


def _part(payoff: Payoff, base: list[int], orders: np.ndarray) -> np.ndarray:
    return np.array([payoff.along(base, order.tolist()) for order in orders])


def _warn_of_few(settings: Settings, n: int) -> None:
    for sentence in (lowered_warning(settings, n), size_warning(settings, n)):
        if sentence:
            warnings.warn(sentence, UserWarning, stacklevel=5)


def lowered_warning(settings: Settings, n: int) -> str | None:
    """What is to be said of the size of permutations when n columns can be selected, or None."""
    if settings.size <= n:
        return None
    return f"size is {settings.size}, but {n} features can be selected: permutations hold {n}"


def size_warning(settings: Settings, n: int) -> str | None:
    """What is to be said of the number of permutations when n columns can be selected, or None."""
    asked, drawn, size = settings.asked(n), settings.permutations(n), settings.block(n)
    if asked is None or asked * size > FEWEST_DRAWS * n:
        return None
    few = f"{asked} permutations of {size} of {n} features draw each {asked * size / n:.3g} times"
    if drawn > asked:
        return f"{few}, and more than {FEWEST_DRAWS} are needed: raised to {drawn}"
    return f"{few}, and the method needs more than {FEWEST_DRAWS}: features without a draw stay as they are"
