"""The gate lets a challenger pass exactly where every rule holds, and says why where one does not."""

from __future__ import annotations

import pytest
from scipy import stats

from fselect.gate import decide
from fselect.study.operation import GateConfig


def evidence(accuracy=0.9, stability=0.8, champion=(0.88, 0.7), difference=0.02, variance=1e-4, features="abc"):
    beside = None
    if champion is not None:
        beside = {"accuracy": champion[0], "stability": champion[1], "difference": difference}
        beside |= {"variance": variance, "resamples": 41}
    return {
        "features": list(features),
        "accuracy": accuracy,
        "stability": stability,
        "comparison": {"champion": beside} if beside else {},
    }


def only(**rules):
    none = {"not_dominated": False, "margin": None, "min_stability": None}
    return GateConfig(**(none | rules))


def test_a_better_challenger_passes_and_the_figures_are_told():
    decision = decide(evidence(), GateConfig())
    assert decision.passed
    assert decision.reasons == ()
    assert "+0.020, at least +0.003" in decision.text  # 0.02 - 1.684 * 0.01


@pytest.mark.parametrize(
    ("ours", "theirs", "passes"),
    [
        ((0.9, 0.8), (0.9, 0.8), True),  # equal points dominate neither
        ((0.9, 0.8), (0.9, 0.81), False),
        ((0.9, 0.8), (0.91, 0.8), False),
        ((0.9, 0.8), (0.95, 0.79), True),
        ((0.9, 0.8), (0.89, 0.95), True),
        ((0.9, 0.8), (0.95, None), False),  # a stability that was never recorded decides nothing
        ((0.9, 0.8), (0.9, None), True),
    ],
)
def test_domination_is_that_of_pareto(ours, theirs, passes):
    found = decide(evidence(*ours, champion=theirs), only(not_dominated=True))
    assert found.passed is passes


@pytest.mark.parametrize("margin", [0.0, 0.005, 0.01, 0.0368, 0.0369, 0.05])
def test_the_margin_is_held_against_the_lower_limit_and_not_against_the_mean(margin):
    low = -0.02 - stats.t.ppf(0.95, 40) * 0.01  # -0.0368
    found = decide(evidence(difference=-0.02), only(margin=margin))
    assert found.passed is bool(low >= -margin)


def test_a_difference_that_cannot_be_judged_does_not_pass():
    told = evidence()
    told["comparison"]["champion"] |= {"variance": None, "resamples": 1}
    assert not decide(told, only(margin=0.5)).passed


def test_stability_and_size_are_held_to_their_limits():
    assert decide(evidence(stability=0.5), only(min_stability=0.5)).passed
    assert decide(evidence(stability=0.49), only(min_stability=0.5)).text == "stability 0.490 is below 0.5"
    assert decide(evidence(), only(n_features=3)).passed
    assert decide(evidence(), only(n_features=4)).text == "the set has 3 features, not 4"
    assert decide(evidence(), only(max_features=3)).passed
    assert decide(evidence(), only(max_features=2)).text == "the set has 3 features, not at most 2"


def test_without_a_champion_only_the_rules_about_the_set_count():
    assert decide(evidence(champion=None), GateConfig()).passed
    assert not decide(evidence(champion=None, stability=0.1), GateConfig()).passed


def test_all_reasons_are_given_and_not_the_first_alone():
    found = decide(evidence(0.7, 0.2, difference=-0.2), GateConfig(max_features=1))
    assert [check.rule for check in found.checks if not check.passed] == [
        "not_dominated",
        "margin",
        "min_stability",
        "max_features",
    ]
    assert len(found.reasons) == 4


def test_no_rules_let_everything_pass():
    assert decide(evidence(0.1, 0.0), only()).text == "no rule is set"
