"""The score of a selection: worked values, and the axioms of Molina, Belanche and Nebot (2002) as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fselect.errors import InputError
from fselect.evaluation.score import score_parts, selection_score

WORKED = {"relevant": [0, 1, 2], "irrelevant": [3, 7], "groups": {0: [0, 4], 1: [1], 2: [2, 5, 6]}}


@st.composite
def problems(draw, *, every_kind=False):
    """A truth over shuffled positions."""
    least = int(every_kind)
    copies = draw(st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(lambda c: sum(c) >= least))
    n_irrelevant = draw(st.integers(least, 5))
    total = len(copies) + sum(copies) + n_irrelevant
    order = draw(st.permutations(range(total)))
    relevant, irrelevant = order[: len(copies)], order[len(copies) : len(copies) + n_irrelevant]
    rest = iter(order[len(copies) + n_irrelevant :])
    groups = {r: [r, *(next(rest) for _ in range(c))] for r, c in zip(relevant, copies, strict=True)}
    return {"relevant": relevant, "irrelevant": irrelevant, "groups": groups}


def features(truth):
    return sorted([*truth["irrelevant"], *(f for group in truth["groups"].values() for f in group)])


def subset(data, truth):
    return [f for f in features(truth) if data.draw(st.booleans())]


def is_optimal(selected, truth):
    chosen = set(selected)
    return not chosen & set(truth["irrelevant"]) and all(len(chosen & set(g)) == 1 for g in truth["groups"].values())


@pytest.mark.parametrize(
    ("selected", "score"), [([0, 1, 2], 1.0), ([0, 4, 1, 3], 0.5), ([5], 0.625), ([3, 7], 0.0), ([], 0.25)]
)
def test_worked_values(selected, score):
    # α = (9, 4, 3) / 16; the empty set gets α_I
    assert selection_score(selected, **WORKED) == pytest.approx(score)


def test_terms_of_a_worked_value():
    parts = score_parts([0, 4, 1, 3], **WORKED)
    assert (parts.relevance, parts.irrelevance, parts.redundance) == (pytest.approx(2 / 3), 0.5, 0.0)
    assert parts.weights == pytest.approx((9 / 16, 4 / 16, 3 / 16))


@given(st.data(), problems())
def test_a_score_is_between_0_and_1(data, truth):
    assert 0 <= selection_score(subset(data, truth), **truth) <= 1


@given(st.data(), problems(every_kind=True))
def test_it_is_1_for_an_optimal_set_and_for_no_other(data, truth):
    selected = subset(data, truth)
    assert (selection_score(selected, **truth) == 1) == is_optimal(selected, truth)
    best = [data.draw(st.sampled_from(group)) for group in truth["groups"].values()]
    assert selection_score(best, **truth) == 1


@given(st.data(), problems(every_kind=True))
def test_it_is_0_for_all_irrelevant_features_and_for_no_other_set(data, truth):
    selected = subset(data, truth)
    assert (selection_score(selected, **truth) == 0) == (sorted(selected) == sorted(truth["irrelevant"]))
    assert selection_score(truth["irrelevant"], **truth) == 0


@given(st.data(), problems())
def test_it_does_not_matter_which_member_of_a_group_was_taken(data, truth):
    selected = set(subset(data, truth))
    moved = selected & set(truth["irrelevant"])
    for group in truth["groups"].values():
        moved |= set(data.draw(st.permutations(group))[: len(selected & set(group))])
    assert selection_score(moved, **truth) == pytest.approx(selection_score(selected, **truth))


@given(st.data(), problems())
def test_a_relevant_feature_more_helps_and_an_irrelevant_one_harms(data, truth):
    selected = set(subset(data, truth))
    score = selection_score(selected, **truth)
    for feature in set(truth["irrelevant"]) - selected:
        assert selection_score(selected | {feature}, **truth) < score
    for group in truth["groups"].values():
        if len(group) == 1 and not selected & set(group):
            assert selection_score(selected | set(group), **truth) > score


@given(problems(every_kind=True), st.tuples(*[st.floats(0.1, 5)] * 3))
def test_weights_of_one_feature_fall_from_relevant_to_redundant(truth, steps):
    weights = np.cumsum(steps)[::-1]
    alpha = score_parts([], **truth, weights=weights).weights
    sizes = [len(truth["relevant"]), len(truth["irrelevant"]), sum(len(g) - 1 for g in truth["groups"].values())]
    each = np.array(alpha) / sizes
    assert each[0] > each[1] > each[2] > 0
    assert sum(alpha) == pytest.approx(1)


def test_masks_names_numpy_numbers_and_missing_groups_are_taken():
    mask = np.zeros(8, dtype=bool)
    mask[[0, 4, 1, 3]] = True
    assert selection_score(mask, **WORKED) == selection_score(mask.tolist(), **WORKED) == 0.5
    assert selection_score(np.array([0, 4, 1, 3]), **WORKED) == 0.5
    assert selection_score(["a"], relevant=["a"], irrelevant=["b"], groups={}) == 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"selected": [99]}, "99 is neither"),
        ({"relevant": [0, 1]}, "2, which is not among"),
        ({"irrelevant": [3, 7, 5]}, "5 is in two"),
        ({"weights": (1, 2, 3)}, "fall"),
        ({"weights": (3, 2)}, "three numbers"),
        ({"relevant": [], "irrelevant": [], "groups": {}, "selected": []}, "no features"),
    ],
)
def test_what_cannot_be_scored_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        selection_score(**{"selected": [0], **WORKED, **changes})
