"""Rules that choose one point of a front, each with a sentence that says why.

A trivial strategy (a fixed random set, the first task's set kept) shows what stability costs nothing to
reach; it is on the plot for comparison and never chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fselect.errors import InputError
from fselect.evaluation.pareto import pareto_front

__all__ = ["RULES", "VALUED", "Choice", "choose"]


VALUED = ("min_stability", "max_accuracy_loss", "weight")
"""The rules that need a value."""


class Choice(NamedTuple):
    """The chosen point and the reason.

    Attributes
    ----------
    position : int
        Its position among the points given.
    reason : str
        One or two sentences with the numbers that decided.

    Examples
    --------
    >>> Choice(2, "the most stable").position
    2
    """

    position: int
    reason: str


@dataclass(frozen=True)
class _Candidates:
    """The points among which a rule chooses, with their positions among all points."""

    positions: NDArray[np.intp]
    accuracy: NDArray[np.float64]
    stability: NDArray[np.float64]
    errors: NDArray[np.float64]
    labels: Sequence[str]

    def pick(self, *keys: NDArray) -> int:
        """Return the place that is largest by the keys in turn; of equal ones the first."""
        return int(np.lexsort([-np.asarray(key, dtype=float) for key in reversed(keys)])[0])

    def told(self, place: int) -> str:
        name = self.labels[self.positions[place]]
        return f"{name} (accuracy {self.accuracy[place]:.3f}, stability {self.stability[place]:.3f})"


def choose(
    points: ArrayLike,
    accuracy_se: ArrayLike,
    front: Sequence[int] | NDArray[np.intp],
    trivial: ArrayLike,
    rule: str = "one_se",
    value: float | None = None,
    labels: Sequence[str] | None = None,
) -> Choice:
    """Choose the operating point of a front.

    Parameters
    ----------
    points : array-like of shape (n, 2)
        Mean (accuracy, stability) of every point.
    accuracy_se : array-like of shape (n,)
        Standard errors of the mean accuracies; nan (one repeat) counts as 0.
    front : sequence of int
        Positions of the Pareto points.
    trivial : array-like of bool, shape (n,)
        Which points are trivial strategies: never chosen. If no other point is on the front, the choice is
        among the points that no other non-trivial one dominates, and the reason says so.
    rule : str, default="one_se"
        ``one_se``: the most stable with an accuracy of at least the best minus one standard error of the
        best, the usual guard against paying stability for a difference that is noise.
        ``min_stability``: the most accurate with a stability of at least value; if none has, the most stable.
        ``max_accuracy_loss``: the most stable that loses at most value of the best accuracy.
        ``weight``: the largest value · stability + (1 - value) · accuracy.
        ``knee``: the farthest above the chord between the front's ends; ``one_se`` if fewer than three
        different points are left or none lies above.
    value : float, optional
        The rule's number, in [0, 1]; needed by ``min_stability``, ``max_accuracy_loss`` and ``weight``.
    labels : sequence of str, optional
        Names of the points in the reason; default "point 0" and so on.

    Returns
    -------
    Choice
        Position and reason. Between points that a rule finds equal the more stable wins, then the more
        accurate, then the earlier.

    Raises
    ------
    fselect.errors.InputError
        If the rule is unknown, its value missing or outside [0, 1], or all points are trivial or undefined.

    Examples
    --------
    >>> points, errors = [(.90, .20), (.89, .50), (.60, 1.0)], [.02, .02, .02]
    >>> choice = choose(points, errors, front=[0, 1, 2], trivial=[False, False, True])
    >>> choice.position
    1
    >>> print(choice.reason)                                                # doctest: +NORMALIZE_WHITESPACE
    one_se: point 1 (accuracy 0.890, stability 0.500) is the most stable point with an accuracy of at least
    0.880, the best that may be chosen (0.900) less one standard error (0.020).
    """
    _check_rule(rule, value)
    pairs, errors = np.asarray(points, dtype=float).reshape(-1, 2), np.asarray(accuracy_se, dtype=float)
    positions, note = _eligible(pairs, np.asarray(front, dtype=np.intp), np.asarray(trivial, dtype=bool))
    names = labels if labels is not None else [f"point {i}" for i in range(len(pairs))]
    chosen = pairs[positions]
    candidates = _Candidates(positions, chosen[:, 0], chosen[:, 1], errors[positions], names)
    place, reason = RULES[rule](candidates, value if value is not None else 0.0)
    return Choice(int(positions[place]), f"{rule}: {reason}{note}")


def _check_rule(rule: str, value: float | None) -> None:
    if rule not in RULES:
        raise InputError(f"unknown rule {rule!r} for the operating point; there are {', '.join(RULES)}")
    if rule in VALUED and value is None:
        raise InputError(f"the rule {rule} needs a value between 0 and 1")
    if value is not None and not 0 <= value <= 1:
        raise InputError(f"the value of the rule {rule} must lie between 0 and 1, not {value}")


def _eligible(
    pairs: NDArray[np.float64], front: NDArray[np.intp], trivial: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], str]:
    on_front = front[~trivial[front]]
    if len(on_front):
        return on_front, "" if len(on_front) > 1 else " It is the only one that is not a trivial strategy."
    others = np.flatnonzero(~trivial)
    best = others[pareto_front(pairs[others])]
    if len(best) == 0:
        raise InputError("no operating point: all points are trivial strategies or have no defined stability")
    return best, (
        " Trivial strategies dominate every other point, so the choice was among the points that only they "
        "dominate: the selection is not worth more than a trivial one here."
    )


def _one_se(candidates: _Candidates, value: float) -> tuple[int, str]:
    best = candidates.pick(candidates.accuracy, candidates.stability)
    top, error, known = candidates.accuracy[best], candidates.errors[best], "one standard error"
    if np.isnan(error):
        error, known = 0.0, "one standard error, which one repeat does not give"
    # The floor is lowered by rounding, so that the best itself always passes.
    place = _most_stable_above(candidates, top - error - 1e-12)
    return place, (
        f"{candidates.told(place)} is the most stable point with an accuracy of at least {top - error:.3f}, "
        f"the best that may be chosen ({top:.3f}) less {known} ({error:.3f})."
    )


def _min_stability(candidates: _Candidates, value: float) -> tuple[int, str]:
    enough = candidates.stability >= value
    if not enough.any():
        place = candidates.pick(candidates.stability, candidates.accuracy)
        return place, (f"no point reaches the stability {value:.3f}; {candidates.told(place)} is the most stable.")
    place = candidates.pick(enough, candidates.accuracy, candidates.stability)
    return (
        place,
        f"{candidates.told(place)} is the most accurate point with a stability of at least {value:.3f}.",
    )


def _max_accuracy_loss(candidates: _Candidates, value: float) -> tuple[int, str]:
    top = candidates.accuracy.max()
    place = _most_stable_above(candidates, top - value - 1e-12)
    return place, (
        f"{candidates.told(place)} is the most stable point that loses at most {value:.3f} of the best "
        f"accuracy ({top:.3f})."
    )


def _weight(candidates: _Candidates, value: float) -> tuple[int, str]:
    score = value * candidates.stability + (1 - value) * candidates.accuracy
    place = candidates.pick(score, candidates.stability, candidates.accuracy)
    return place, (
        f"{candidates.told(place)} has the largest {value:.3f} · stability + {1 - value:.3f} · accuracy, "
        f"{score[place]:.3f}."
    )


def _knee(candidates: _Candidates, value: float) -> tuple[int, str]:
    # A distance from the chord is proportional to this determinant whatever the scales of the axes.
    accuracy, stability = candidates.accuracy, candidates.stability
    left, right = candidates.pick(-stability, accuracy), candidates.pick(stability, accuracy)
    run, fall = stability[right] - stability[left], accuracy[right] - accuracy[left]
    above = (accuracy - accuracy[left]) * run - (stability - stability[left]) * fall
    length = float(np.hypot(run, fall))
    if above.max() <= 1e-12 * length:
        place, reason = _one_se(candidates, value)
        cause = "fewer than three different points" if len(_distinct(candidates)) < 3 else "no point above the chord"
        return place, f"{cause}, so by one_se: {reason}"
    place = candidates.pick(above, stability, accuracy)
    return place, (
        f"{candidates.told(place)} lies farthest above the chord between {candidates.told(left)} and "
        f"{candidates.told(right)}, by {above[place] / length:.3f}."
    )


def _distinct(candidates: _Candidates) -> set[tuple[float, float]]:
    return set(zip(candidates.accuracy.tolist(), candidates.stability.tolist(), strict=True))


def _most_stable_above(candidates: _Candidates, floor: float) -> int:
    return candidates.pick(candidates.accuracy >= floor, candidates.stability, candidates.accuracy)


RULES: dict[str, Callable[[_Candidates, float], tuple[int, str]]] = {
    "one_se": _one_se,
    "min_stability": _min_stability,
    "max_accuracy_loss": _max_accuracy_loss,
    "weight": _weight,
    "knee": _knee,
}
"""The rules by name."""
