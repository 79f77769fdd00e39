"""How close a selection comes to the known right answer: relevance, irrelevance and redundance in one number."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fselect.errors import InputError

__all__ = ["ScoreParts", "score_parts", "selection_score"]

Groups = Mapping[Any, Iterable[Any]]


@dataclass(frozen=True)
class ScoreParts:
    """The score of a selection and the three terms of which it is the weighted sum.

    Attributes
    ----------
    score : float
        α_R R + α_I I + α_R' R', between 0 and 1.
    relevance : float
        R, share of the relevant features of which the feature or a copy was selected.
    irrelevance : float
        I, share of the irrelevant features that were left out.
    redundance : float
        R', how few superfluous copies were taken of the features that were found.
    weights : tuple of float
        α_R, α_I and α_R', which sum to 1.
    """

    score: float
    relevance: float
    irrelevance: float
    redundance: float
    weights: tuple[float, float, float]


def selection_score(
    selected: Iterable[Any],
    *,
    relevant: Iterable[Any],
    irrelevant: Iterable[Any],
    groups: Groups,
    weights: Sequence[float] = (3, 2, 1),
) -> float:
    """Score a selection against the truth: 1 for an optimal set, 0 for all irrelevant features and nothing else.

    S = α_R R + α_I I + α_R' R' of Molina, Belanche and Nebot (2002), section 4. R is the share of groups (a relevant
    feature and its copies) that the selection touches, I the share of irrelevant features left out, and R' is
    1 − F(A) / F(touched groups), F counting the members beyond one, or 0 if no touched group has a copy.

    Parameters
    ----------
    selected : iterable
        The selected features: positions or names, or a boolean mask over positions.
    relevant, irrelevant : iterable
        The relevant features, and those that say nothing about the class.
    groups : mapping
        For each relevant feature its copies with itself; features without copies may be absent.
    weights : sequence of three numbers, default (3, 2, 1)
        Weights w_R ≥ w_I ≥ w_R' > 0 of one relevant, irrelevant and redundant feature: α_T is w_T |X_T| divided by the
        sum of the three (decided here, because the paper asks for α_R/|X_R| > α_I/|X_I| > α_R'/|X_R'| only; so it
        holds at any size, and a kind that is absent has no weight).

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    InputError
        A feature that is of no kind or of two, a group of something not relevant, or weights that do not fall.

    Examples
    --------
    >>> truth = {"relevant": [0, 1, 2], "irrelevant": [3, 7], "groups": {0: [0, 4], 1: [1], 2: [2, 5, 6]}}
    >>> [selection_score(A, **truth) for A in ([0, 1, 2], [0, 4, 1, 3], [5], [3, 7])]
    [1.0, 0.5, 0.625, 0.0]
    """
    return score_parts(selected, relevant=relevant, irrelevant=irrelevant, groups=groups, weights=weights).score


def score_parts(
    selected: Iterable[Any],
    *,
    relevant: Iterable[Any],
    irrelevant: Iterable[Any],
    groups: Groups,
    weights: Sequence[float] = (3, 2, 1),
) -> ScoreParts:
    """Give the score of a selection with its terms; parameters and errors are those of `selection_score`.

    Returns
    -------
    ScoreParts
        Terms of an absent kind are 1 for R and I, and 0 for R'; their weight is 0.

    Examples
    --------
    >>> parts = score_parts([0, 4, 1, 3], relevant=[0, 1], irrelevant=[3], groups={0: [0, 4]})
    >>> parts.relevance, parts.irrelevance, parts.redundance
    (1.0, 0.0, 0.0)
    """
    chosen, irrelevant_ = _features(selected), set(irrelevant)
    sets = _groups(list(dict.fromkeys(relevant)), irrelevant_, groups)
    _check_known(chosen, irrelevant_, sets)
    touched = [group for group in sets if group & chosen]
    R = len(touched) / len(sets) if sets else 1.0
    I = 1 - len(chosen & irrelevant_) / len(irrelevant_) if irrelevant_ else 1.0  # noqa: E741 - the paper's letter
    copies = sum(len(group) - 1 for group in touched)
    R_ = 1 - sum(len(group & chosen) - 1 for group in touched) / copies if copies else 0.0
    sizes = (len(sets), len(irrelevant_), sum(len(group) - 1 for group in sets))
    mass = _mass(weights, sizes)
    total = sum(mass)  # divided by it last, so that an optimal set has exactly 1
    score = (mass[0] * R + mass[1] * I + mass[2] * R_) / total
    return ScoreParts(score, R, I, R_, (mass[0] / total, mass[1] / total, mass[2] / total))


def _features(selected: Iterable[Any]) -> set[Hashable]:
    values = selected if isinstance(selected, np.ndarray) else list(selected)
    mask = np.asarray(values)
    if mask.dtype == bool:
        return set(np.flatnonzero(mask).tolist())
    return set(mask.tolist() if isinstance(values, np.ndarray) else values)


def _groups(relevant: list[Any], irrelevant: set[Any], groups: Groups) -> list[set[Any]]:
    strangers = [key for key in groups if key not in set(relevant)]
    if strangers:
        raise InputError(f"groups holds {strangers[0]!r}, which is not among the relevant features")
    sets = [{feature, *groups.get(feature, ())} for feature in relevant]
    members = [*irrelevant, *(member for group in sets for member in group)]
    if len(members) != len(set(members)):
        twice = next(member for member in members if members.count(member) > 1)
        raise InputError(
            f"feature {twice!r} is in two groups, or both irrelevant and in one; it can be of one kind only"
        )
    if not members:
        raise InputError("there are no features to score: relevant and irrelevant are both empty")
    return sets


def _check_known(chosen: set[Any], irrelevant: set[Any], sets: list[set[Any]]) -> None:
    unknown = chosen - irrelevant - set().union(*sets)
    if unknown:
        first = sorted(unknown, key=str)[0]
        raise InputError(f"selected feature {first!r} is neither relevant nor irrelevant nor in a group")


def _mass(weights: Sequence[float], sizes: tuple[int, int, int]) -> list[float]:
    """Multiply the weight of one feature of each kind by their number."""
    w = [float(weight) for weight in weights]
    if len(w) != 3 or not (np.isfinite(w).all() and w[0] >= w[1] >= w[2] > 0):
        raise InputError(f"weights must be three numbers that fall and are above 0, such as (3, 2, 1), not {weights!r}")
    return [weight * size for weight, size in zip(w, sizes, strict=True)]
