"""The selection and elimination steps of a round: which candidates are added, and which are dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fselect.selectors.contribution.sampling import Sampled

__all__ = ["add_greedily", "add_top", "drop_lowest"]

DIGITS = 12
"""Contributions are compared to this many decimals: beyond, equal means of fractions differ by rounding."""


def _compared(values: np.ndarray) -> np.ndarray:
    return np.round(values, DIGITS) + 0.0


def _above(sampled: Sampled, threshold: float) -> np.ndarray:
    """Places of the candidates above the threshold, best first; of equals the lower one first. nan is never above."""
    values = _compared(sampled.contributions.values)
    order = np.argsort(-values, kind="stable")
    return order[values[order] > threshold]


def add_top(sampled: Sampled, step: int, threshold: float) -> np.ndarray:
    """The `step` candidates of highest contribution above the threshold.

    Parameters
    ----------
    sampled : Sampled
        The round's estimates; candidates are by rising column, so that of equals the lower column goes first.
    step : int
        The most that are added (s).
    threshold : float
        Δ.

    Returns
    -------
    ndarray, int64
        Places of the candidates, in the order in which they are added.
    """
    return _above(sampled, threshold)[:step]


def add_greedily(
    sampled: Sampled,
    threshold: float,
    worth: Callable[[Sequence[int]], float],
    start: float,
) -> np.ndarray:
    """Candidates above the threshold by falling contribution, one by one while each raises the payoff.

    The paper's footnote has "ascending order", which would begin with the worst; falling is decided here.

    Parameters
    ----------
    sampled : Sampled
        The round's estimates.
    threshold : float
        Δ.
    worth : callable
        Payoff of the selected columns and these candidates.
    start : float
        Payoff of the selected columns.

    Returns
    -------
    ndarray, int64
        Places of the candidates, in the order in which they are added. A payoff that is no number raises nothing.
    """
    added: list[int] = []
    for place in _above(sampled, threshold):
        payoff = worth([*added, int(place)])
        # not "payoff <= start": nan must end it, too, unless there was no payoff before
        if not (payoff > start or (np.isnan(start) and not np.isnan(payoff))):
            break
        added.append(int(place))
        start = payoff
    return np.array(added, dtype=np.int64)


def drop_lowest(sampled: Sampled, step: int, threshold: float) -> np.ndarray:
    """The `step` remaining features of lowest contribution below the threshold, the last feature excepted.

    Also dropped, where Δ ≥ 0, are features whose every marginal was exactly 0: the classifier never used them, and
    else they would stay for ever (decided here, because the paper's runs end with fewer). So are features that were
    drawn but never had a payoff that is a number. Features without a draw stay.

    Parameters
    ----------
    sampled : Sampled
        The round's estimates; features by rising column, so that of equals the higher column is dropped first.
    step : int
        The most that are dropped (p).
    threshold : float
        Δ.

    Returns
    -------
    ndarray, int64
        Places of the features, in the order in which they are dropped.

    Examples
    --------
    >>> from fselect.selectors.contribution.sampling import gather
    >>> round_ = gather(np.array([[0, 1, 2]]), np.array([[0.6, 0.6, 0.5]]), 0.5, 3)
    >>> drop_lowest(round_, 5, 0.0)
    array([2, 1])
    """
    values = _compared(sampled.contributions.values)
    never = (sampled.draws > 0) & (sampled.contributions.counts == 0)
    low = (values < threshold) | never
    if threshold >= 0:
        low |= sampled.idle
    ranked = np.where(never, -np.inf, values)
    falling = np.flatnonzero(low)[::-1]
    order = falling[np.argsort(ranked[falling], kind="stable")]
    return order[: min(step, len(values) - 1)]
