"""The sorted-relevance search on the worked examples of Boz (2002), and what holds for every table."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect import SortedRelevanceSearch
from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier
from fselect.datasets import make_corral, make_parity5plus5
from fselect.errors import InputError
from fselect.measures import HeldOut
from fselect.measures.measure import Evaluator
from fselect.selectors.catalogue import get_method
from fselect.selectors.sorted_relevance.goodness import Candidate, Goodness
from fselect.selectors.sorted_relevance.goodness_estimators import (
    RelevanceBeamSearch,
    RelevanceExchangeSearch,
    RelevanceStepwiseSearch,
)

CORRAL = make_corral(random_state=0)
PARITY = make_parity5plus5()
RIVALS = [
    RelevanceStepwiseSearch(),
    RelevanceStepwiseSearch(test_all=True),
    RelevanceStepwiseSearch(direction="backward"),
    RelevanceStepwiseSearch(direction="backward", test_all=True),
    RelevanceExchangeSearch(p=2, q=1),
    RelevanceExchangeSearch(p=1, q=2),
    RelevanceExchangeSearch(random_start=True),
    RelevanceBeamSearch(width=3),
    RelevanceBeamSearch(width=3, direction="backward"),
]


class Landscape(Evaluator):
    """A measure whose values are given, and that notes what it is asked."""

    monotone = False
    highest = 1.0

    def __init__(self, value):
        self.given, self.asked = value, []

    def __deepcopy__(self, memo):
        return self

    def prepare(self, table, rng):
        return self

    def value(self, columns):
        state = frozenset(columns.tolist())
        self.asked.append(state)
        return self.given(state)


def search(value, d, **options):
    landscape = Landscape(value)
    options = {"relevance": -np.arange(d), "random_state": 0, **options}
    X = np.random.default_rng(0).normal(size=(8, d))
    found = SortedRelevanceSearch(measure=landscape, **options).fit(X, np.arange(8) % 2)
    return found, landscape.asked


def chosen(found):
    return found.get_support(indices=True).tolist()


def by_table(values):
    return lambda state: values.get(state, 0.0)


def sets(*texts):
    return [frozenset(int(c) for c in text) for text in texts]


def test_the_worked_example_takes_13_states_to_111100():
    # order f5, f0 … f3, f4; 100 % with the first five: 5 prefixes, 4 untested sets of four, 4 of three
    found, asked = search(lambda state: 1.0 if {0, 1, 2, 3} <= state else 0.8, 6, relevance=[5, 4, 3, 2, 0, 6])
    assert found.relevance_order_.tolist() == [5, 0, 1, 2, 3, 4]
    assert chosen(found) == [0, 1, 2, 3]
    assert found.evaluations_ == len(asked) == 5 + 4 + 4


def test_trees_on_corral_lead_to_the_four_features_on_any_cut():
    for seed in range(5):
        found = SortedRelevanceSearch(random_state=seed).fit(CORRAL.X, CORRAL.y)
        assert found.relevance_order_[[0, -1]].tolist() == [5, 4]
        assert chosen(found) == [0, 1, 2, 3]
    assert SortedRelevanceSearch(random_state=0).fit(CORRAL.X, CORRAL.y).evaluations_ == 13


def test_the_sorted_phase_alone_stops_at_111101_on_corral():
    found = SortedRelevanceSearch(neighbours=False, random_state=0).fit(CORRAL.X, CORRAL.y)
    assert chosen(found) == [0, 1, 2, 3, 5]
    assert found.evaluations_ == 5


def test_parity_gives_its_five_features_whose_tree_has_63_nodes():
    found = SortedRelevanceSearch(random_state=1).fit(PARITY.X, PARITY.y)
    assert chosen(found) == [0, 1, 2, 3, 4]
    tree = C45Classifier(min_weight=1, pruned=False, nominal="all").fit(PARITY.X[:, :5], PARITY.y)
    assert tree.tree_size_ == 63  # every test halves the rows, five deep: 2^6 - 1


def test_the_tree_of_corral_has_13_nodes():
    tree = C45Classifier(min_weight=1, pruned=False, nominal="all").fit(CORRAL.X[:, :4], CORRAL.y)
    assert tree.tree_size_ == 13


def test_relevance_is_the_sum_of_rank_values():
    goodness = Goodness(order=(3, 0, 2, 1))
    assert goodness.relevance(frozenset({0, 2})) == 3
    assert goodness.relevance(frozenset({0, 3})) == 5
    assert [goodness.relevance(frozenset({bit})) for bit in range(4)] == [2, 0, 1, 3]


def test_accuracy_comes_before_size_and_size_before_relevance():
    goodness = Goodness(order=(0, 1, 2))
    small, large, less_relevant = Candidate(*sets("0"), 0.8), Candidate(*sets("01"), 0.8), Candidate(*sets("2"), 0.8)
    assert goodness.beats(Candidate(*sets("012"), 0.9), small)
    assert goodness.beats(small, large)
    assert not goodness.beats(large, small)
    assert goodness.beats(small, less_relevant)
    assert not goodness.beats(less_relevant, small)
    assert goodness.best([large, less_relevant, small]) == small


def test_rounding_does_not_make_a_set_better():
    goodness = Goodness(order=(0, 1))
    assert not goodness.beats(Candidate(*sets("01"), 0.1 + 0.2), Candidate(*sets("0"), 0.3))


def test_the_tolerant_rule_gives_up_beta_for_fewer_features_only():
    goodness = Goodness((0, 1, 2), "tolerant", 0.05)
    large = Candidate(*sets("012"), 0.90)
    assert goodness.beats(Candidate(*sets("01"), 0.85), large)
    assert not goodness.beats(Candidate(*sets("01"), 0.84), large)
    assert goodness.beats(large, Candidate(*sets("01"), 0.85))  # all else as in the first rule


def test_the_smallest_set_near_the_full_one_is_taken():
    # full 95, best 97 with three features, next 92 with two, β = 5: the two
    values = {frozenset(range(4)): 0.95, **dict.fromkeys(sets("012"), 0.97), **dict.fromkeys(sets("01"), 0.92)}
    found, asked = search(by_table(values), 4, goodness="smallest", beta=0.05)
    assert chosen(found) == [0, 1]
    assert asked[0] == frozenset(range(4))
    assert chosen(search(by_table(values), 4, goodness="smallest", beta=0.02)[0]) == [0, 1, 2]


def test_a_perfect_prefix_ends_the_sorted_phase_and_larger_sets_are_not_evaluated():
    found, asked = search(lambda state: float({0, 1} <= state), 4)
    assert chosen(found) == [0, 1]
    assert asked == sets("0", "01", "1")


def test_a_perfect_single_feature_ends_the_search():
    found, asked = search(lambda state: float(0 in state), 4)
    assert chosen(found) == [0]
    assert asked == sets("0")


def test_a_start_of_one_feature_goes_to_pairs_first_and_to_other_singles_if_none_is_better():
    values = {**dict.fromkeys(sets("0"), 0.7), **dict.fromkeys(sets("2"), 0.8), **dict.fromkeys(sets("23"), 0.9)}
    found, asked = search(by_table(values), 4)
    assert asked[:4] == sets("0", "01", "012", "0123")
    assert asked[4:6] == sets("02", "03")
    assert asked[6:9] == sets("1", "2", "3")
    assert chosen(found) == [2, 3]


def test_other_singles_are_left_alone_where_a_pair_is_better():
    values = {**dict.fromkeys(sets("0"), 0.7), **dict.fromkeys(sets("02"), 0.8)}
    found, asked = search(by_table(values), 4)
    assert chosen(found) == [0, 2]
    assert not set(sets("1", "3")) & set(asked)
    assert set(sets("2")) <= set(asked)  # a neighbour of 02


def test_of_equal_neighbours_the_more_relevant_is_tried_first_and_the_next_if_that_brings_nothing():
    start = {**dict.fromkeys(sets("01"), 0.7), **dict.fromkeys(sets("012"), 0.6)}
    values = {**start, **dict.fromkeys(sets("013", "014"), 0.8), **dict.fromkeys(sets("0145"), 0.9)}
    found, asked = search(by_table(values), 6)
    assert asked.index(sets("0135")[0]) < asked.index(sets("0145")[0])  # 013 is expanded before 014
    assert chosen(found) == [0, 1, 4, 5]
    assert found.history_["action"].tolist().count("back") == 1


def test_equally_good_sets_are_told():
    values = {**dict.fromkeys(sets("01"), 0.7), **dict.fromkeys(sets("013", "014"), 0.8)}
    found, _ = search(by_table(values), 5)
    assert [np.flatnonzero(one).tolist() for one in found.equals_] == [[0, 1, 3], [0, 1, 4]]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.sampled_from(["accuracy", "tolerant", "smallest"]))
def test_no_set_is_evaluated_twice_the_empty_one_never_and_none_tested_beats_the_answer(d, seed, rule):
    rng = np.random.default_rng(seed)
    states = [frozenset(c) for size in range(d + 1) for c in itertools.combinations(range(d), size)]
    values = dict(zip(states, rng.integers(0, 8, len(states)) / 8, strict=True))
    found, asked = search(values.__getitem__, d, goodness=rule, beta=0.125)
    assert len(asked) == len(set(asked)) == found.evaluations_
    assert frozenset() not in asked
    if rule == "accuracy":
        assert found.value_ == max(values[state] for state in asked)
        top = [state for state in asked if values[state] == found.value_]
        assert found.support_.sum() == min(map(len, top))
    if rule == "smallest":
        enough = [state for state in asked if values[state] >= values[states[-1]] - 0.125]
        assert found.support_.sum() == min(map(len, enough))


@pytest.mark.parametrize("rival", RIVALS, ids=str)
def test_rivals_evaluate_no_set_twice_and_never_the_empty_one(rival):
    rng = np.random.default_rng(3)
    values: dict[frozenset[int], float] = {}
    landscape = Landscape(lambda state: values.setdefault(state, float(rng.integers(0, 8)) / 8))
    rival.set_params(measure=landscape, relevance=-np.arange(5), random_state=0)
    rival.fit(np.random.default_rng(0).normal(size=(8, 5)), np.arange(8) % 2)
    assert len(landscape.asked) == len(set(landscape.asked)) == rival.evaluations_
    assert frozenset() not in landscape.asked
    assert rival.support_.any()


def test_whole_walks_through_the_lattice_test_half_a_square_of_sets():
    for d in (6, 10):
        X, y = np.random.default_rng(0).normal(size=(8, d)), np.arange(8) % 2
        for direction in ("forward", "backward"):
            options = {"measure": Landscape(lambda state: 0.5), "relevance": -np.arange(d), "test_all": True}
            walk = RelevanceStepwiseSearch(direction=direction, **options).fit(X, y)
            assert walk.evaluations_ == d * (d + 1) // 2


def test_backward_search_finds_the_four_features_of_corral_in_15_states_beside_the_full_set():
    found = RelevanceStepwiseSearch(direction="backward", random_state=0).fit(CORRAL.X, CORRAL.y)
    assert chosen(found) == [0, 1, 2, 3]
    assert found.evaluations_ == 1 + 6 + 5 + 4


def test_a_round_of_p_and_q_that_brings_nothing_is_the_last():
    values = {**dict.fromkeys(sets("0"), 0.5), **dict.fromkeys(sets("01"), 0.6), **dict.fromkeys(sets("1"), 0.7)}
    landscape = Landscape(by_table(values))
    one = RelevanceExchangeSearch(p=2, q=1, measure=landscape, relevance=-np.arange(3))
    one.fit(np.random.default_rng(0).normal(size=(8, 3)), np.arange(8) % 2)
    assert chosen(one) == [1]  # of 01 the 0 is dropped; the next round does no better


def test_the_accuracy_is_that_of_a_tree_on_the_rows_held_out():
    rows = np.arange(0, 256, 5)
    found = SortedRelevanceSearch(measure=HeldOut(rows=rows), nominal="all", random_state=0).fit(CORRAL.X, CORRAL.y)
    first = found.history_.query("action == 'sorted'").iloc[0]
    column, training = [5], np.setdiff1d(np.arange(256), rows)
    tree = C45Classifier(min_weight=1, pruned=False, nominal="all").fit(
        CORRAL.X[training][:, column], CORRAL.y[training]
    )
    assert first["value"] == pytest.approx(tree.score(CORRAL.X[rows][:, column], CORRAL.y[rows]))


def test_rows_held_out_have_no_say_in_the_order():
    rows = np.arange(0, 256, 2)
    scrambled = CORRAL.X.copy()
    scrambled[rows] = np.random.default_rng(0).permuted(scrambled[rows], axis=1)
    orders = [
        SortedRelevanceSearch(measure=HeldOut(rows=rows), nominal="all").fit(X, CORRAL.y).relevance_order_.tolist()
        for X in (CORRAL.X, scrambled)
    ]
    assert orders[0] == orders[1]


@pytest.mark.parametrize("classifier", [NaiveBayesClassifier(nominal="all"), NearestNeighbourClassifier()], ids=str)
def test_other_classifiers_have_an_order_of_their_own(classifier):
    found = SortedRelevanceSearch(measure=HeldOut(classifier), random_state=0).fit(CORRAL.X, CORRAL.y)
    assert sorted(found.relevance_order_.tolist()) == list(range(6))
    assert set(found.relevance_order_[-2:].tolist()) & {4}  # the irrelevant one is among the last


def test_a_linear_model_is_asked_for_its_coefficients():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)) * [100, 1, 0.01, 1]
    y = (X @ [0, 1, 300, 0] > 0).astype(int)
    found = SortedRelevanceSearch(measure=HeldOut(LogisticRegression()), random_state=0).fit(X, y)
    assert found.relevance_order_[:2].tolist() == [2, 1]


def test_a_function_or_scores_can_give_the_order():
    X, y = CORRAL.X, CORRAL.y
    by_function = SortedRelevanceSearch(relevance=lambda X, codes: X[0] * 0 + np.arange(6), random_state=0).fit(X, y)
    by_scores = SortedRelevanceSearch(relevance=np.arange(6), random_state=0).fit(X, y)
    assert by_function.relevance_order_.tolist() == by_scores.relevance_order_.tolist() == [5, 4, 3, 2, 1, 0]


def test_threads_change_nothing():
    one, *others = (
        SortedRelevanceSearch(n_jobs=jobs, random_state=2).fit(PARITY.X, PARITY.y) for jobs in (1, 2, -1, None)
    )
    assert all(one.history_.equals(other.history_) for other in others)


def test_missing_values_pass_where_the_classifier_takes_them():
    X = CORRAL.X.astype(float)
    X[::9, 4] = np.nan
    assert chosen(SortedRelevanceSearch(nominal="all", random_state=0).fit(X, CORRAL.y)) == [0, 1, 2, 3]
    with pytest.raises(InputError, match="NaN"):
        SortedRelevanceSearch(measure=HeldOut("naive_bayes")).fit(X, CORRAL.y)
    with pytest.raises(InputError, match="takes no missing values; take 'gain_ratio'"):
        SortedRelevanceSearch(relevance="information").fit(X, CORRAL.y)


def test_columns_that_must_be_in_or_out_are():
    found = SortedRelevanceSearch(must_include=[4], must_exclude=[5], random_state=0).fit(CORRAL.X, CORRAL.y)
    assert found.support_[4]
    assert not found.support_[5]
    assert sorted(found.relevance_order_.tolist()) == [0, 1, 2, 3]


def test_studies_know_the_search_by_name():
    method = get_method("sorted-relevance")
    mask = method.support(CORRAL.X, np.asarray(CORRAL.y), np.ones(256, dtype=int), None, np.random.default_rng(0))
    assert np.flatnonzero(mask).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"goodness": "size"}, "goodness must be one of"),
        ({"beta": -0.1}, "beta must be a number of at least 0"),
        ({"beta": "0.1"}, "beta must be"),
        ({"relevance": "luck"}, "relevance must be one of"),
        ({"relevance": [1, 2]}, "one finite score for each of the 6 columns"),
        ({"relevance": [1, 2, 3, 4, 5, np.nan]}, "one finite score"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ({"neighbours": "yes"}, "neighbours must be True or False"),
        ({"measure": HeldOut(share=0.9)}, "share must be a number above 0"),
        ({"measure": HeldOut(rows=[300])}, "rows must name rows"),
        ({"measure": HeldOut(rows=np.ones(256, dtype=bool))}, "leave some on either side"),
        ({"measure": HeldOut("c5")}, "there is no classifier 'c5'"),
    ],
)
def test_parameters_that_mean_nothing_are_refused_with_the_way_out(options, words):
    with pytest.raises(InputError, match=words):
        SortedRelevanceSearch(**options).fit(CORRAL.X, CORRAL.y)
