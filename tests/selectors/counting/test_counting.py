"""Selection by counting over folds of three parts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_selection import SelectKBest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect import BiasedRFE, CountingSelection, ReliefF, SequentialSearch, SortedRelevanceSearch
from fselect.classifiers import C45Classifier
from fselect.datasets import make_corral
from fselect.errors import InputError
from fselect.measures import HeldOut
from fselect.selectors.catalogue import get_method
from fselect.selectors.counting.folds import counted, three_parts
from fselect.selectors.sorted_relevance.goodness_estimators import (
    RelevanceBeamSearch,
    RelevanceExchangeSearch,
    RelevanceStepwiseSearch,
)

CORRAL = make_corral(random_state=0)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), st.integers(1, 4), st.integers(1, 4), st.integers(0, 1000))
def test_parts_share_the_rows_out_and_each_row_is_validated_equally_often(n_parts, test, validation, seed):
    if test + validation >= n_parts:
        return
    codes = np.random.default_rng(seed).permutation(np.arange(60) % 2)
    folds = three_parts(codes, n_parts, test, validation, np.random.default_rng(seed))
    for fold in folds:
        assert (fold.training.astype(int) + fold.test + fold.validation == 1).all()
    assert (sum(fold.validation.astype(int) for fold in folds) == validation).all()
    assert (sum(fold.test.astype(int) for fold in folds) == test).all()


@pytest.mark.parametrize(
    ("parts", "sizes"), [((10, 1, 1), (80, 10, 10)), ((10, 2, 2), (60, 20, 20)), ((20, 4, 4), (60, 20, 20))]
)
def test_the_folds_of_the_paper_have_their_shares(parts, sizes):
    folds = three_parts(np.arange(100) % 2, *parts, np.random.default_rng(0))
    assert {tuple(int(part.sum()) for part in fold) for fold in folds} == {sizes}


def test_the_test_part_follows_the_validation_part_in_a_circle():
    folds = three_parts(np.zeros(10, dtype=int) + np.arange(10) % 2, 10, 2, 1, np.random.default_rng(0))
    for i in range(10):
        assert (folds[i].test == folds[(i + 1) % 10].validation + folds[(i + 2) % 10].validation).all()


def test_classes_are_in_all_parts_alike():
    codes = np.repeat([0, 1], [80, 20])
    for fold in three_parts(codes, 10, 1, 1, np.random.default_rng(0)):
        assert codes[fold.validation].sum() == 2
        assert codes[fold.test].sum() == 2


def test_features_that_are_chosen_as_often_as_on_average_are_kept():
    # counts 3, 2, 1, 2: mean 2
    supports = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 1]], dtype=bool)
    assert counted(supports).tolist() == [True, True, False, True]
    assert counted(np.ones((3, 4), dtype=bool)).all()


def test_corral_gives_its_four_features_and_both_accuracies():
    found = CountingSelection(test_parts=2, validation_parts=2, random_state=0).fit(CORRAL.X, CORRAL.y)
    assert found.get_support(indices=True).tolist() == [0, 1, 2, 3]
    assert found.final_accuracy_ == 1.0
    assert (found.folds_["final_tree_size"] == 13).all()
    assert found.counts_.tolist() == found.supports_.sum(axis=0).tolist()


def test_accuracies_are_of_trees_that_saw_the_training_part_only():
    found = CountingSelection(test_parts=2, validation_parts=2, random_state=3).fit(CORRAL.X, CORRAL.y)
    codes = np.asarray(CORRAL.y)
    folds = three_parts(codes, 10, 2, 2, np.random.default_rng(3))
    expected = []
    for fold in folds:
        tree = C45Classifier(min_weight=1, pruned=False, nominal="all").fit(
            CORRAL.X[fold.training], codes[fold.training]
        )
        expected.append(tree.score(CORRAL.X[fold.validation], codes[fold.validation]))
    np.testing.assert_allclose(found.folds_["all_accuracy"], expected)


def test_labels_on_the_validation_part_have_no_say_in_a_folds_own_set():
    folds = three_parts(np.asarray(CORRAL.y), 10, 1, 1, np.random.default_rng(5))
    X = CORRAL.X.copy()
    X[folds[0].validation] = 1 - X[folds[0].validation]  # of fold 0 the validation part only
    options = {"random_state": 5}
    plain, changed = (CountingSelection(**options).fit(table, CORRAL.y) for table in (CORRAL.X, X))
    assert plain.supports_[0].tolist() == changed.supports_[0].tolist()


@pytest.mark.parametrize(
    "selector",
    [
        BiasedRFE(4),
        ReliefF(cut=4),
        SequentialSearch("backward"),
        SequentialSearch("backward", measure=HeldOut()),
        RelevanceStepwiseSearch(direction="backward"),
        RelevanceExchangeSearch(p=1, q=2),
        RelevanceBeamSearch(width=2, direction="backward"),
        SelectKBest(k=4),
    ],
    ids=str,
)
def test_any_selector_can_be_inside(selector):
    counting = CountingSelection(selector, n_parts=4, random_state=0).fit(CORRAL.X, CORRAL.y)
    assert counting.supports_.shape == (4, 6)
    assert counting.support_.tolist() == (counting.counts_ >= counting.counts_.mean()).tolist()
    assert 0.5 < counting.own_accuracy_ <= 1


def test_a_search_with_held_out_rows_compares_on_the_test_part():
    counting = CountingSelection(SortedRelevanceSearch(), n_parts=5, random_state=0).fit(CORRAL.X, CORRAL.y)
    fold = three_parts(np.asarray(CORRAL.y), 5, 1, 1, np.random.default_rng(0))[2]
    held_out = counting.selectors_[2].measure.rows
    assert held_out.tolist() == fold.test[fold.training | fold.test].tolist()


def test_columns_can_be_told_by_name_to_the_selector_inside():
    frame = pd.DataFrame(CORRAL.X, columns=list("abcdef"))
    search = SortedRelevanceSearch(nominal=list("abcdef"), must_exclude=["f"])
    counting = CountingSelection(search, n_parts=4, random_state=0).fit(frame, CORRAL.y)
    assert list(counting.get_feature_names_out()) == list("abcd")
    assert not counting.supports_[:, 5].any()


def test_a_classifier_whose_nominal_columns_are_named_is_refused():
    frame = pd.DataFrame(CORRAL.X, columns=list("abcdef"))
    with pytest.raises(InputError, match="must hold positions"):
        CountingSelection(n_parts=4, estimator=C45Classifier(nominal=["a"])).fit(frame, CORRAL.y)


def test_threads_and_seeds_decide_nothing_and_all():
    one, *others = (
        CountingSelection(n_parts=4, n_jobs=jobs, random_state=1).fit(CORRAL.X, CORRAL.y) for jobs in (1, 2, -1, None)
    )
    assert all(one.folds_.equals(other.folds_) for other in others)
    assert all((one.supports_ == other.supports_).all() for other in others)


def test_the_selector_that_was_given_is_left_as_it_was():
    selector = SortedRelevanceSearch()
    CountingSelection(selector, n_parts=4, random_state=1).fit(CORRAL.X, CORRAL.y)
    assert selector.measure == "held_out"
    assert not hasattr(selector, "support_")


def test_studies_know_counting_by_name_with_any_method_inside():
    rng = np.random.default_rng(0)
    ones = np.ones(256, dtype=int)
    for inner, options in (("sorted-relevance", None), ("relieff", {"cut": 4})):
        method = get_method("counting", inner=inner, options=options, n_parts=4)
        assert method.support(CORRAL.X, np.asarray(CORRAL.y), ones, None, rng).any()
    with pytest.raises(InputError, match="inner is 'counting' itself"):
        get_method("counting", inner="counting").support(CORRAL.X, np.asarray(CORRAL.y), ones, None, rng)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_parts": 2}, "n_parts must be a whole number of at least 3"),
        ({"n_parts": 4, "test_parts": 2, "validation_parts": 2}, "leave one or more to train on"),
        ({"n_parts": 300}, "there are 256 rows; make fewer parts"),
        ({"test_parts": 0}, "test_parts must be"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ({"n_jobs": 1.5}, "n_jobs must be None or an integer other than 0"),
        ({"n_jobs": True}, "n_jobs must be None or an integer other than 0"),
        ({"selector": C45Classifier()}, "selector must be a feature selector"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_parameters_that_mean_nothing_are_refused_with_the_way_out(options, words):
    with pytest.raises(InputError, match=words):
        CountingSelection(**options).fit(CORRAL.X, CORRAL.y)


def test_a_fold_that_lacks_a_class_is_refused():
    y = np.array(["a"] * 2 + ["b"] * 20)
    X = np.random.default_rng(0).normal(size=(22, 2))
    with pytest.raises(InputError, match="trains on one class only"):
        CountingSelection(n_parts=3, test_parts=1, validation_parts=1, random_state=0).fit(X, y)


SMALL = [
    SortedRelevanceSearch(max_evaluations=30),
    RelevanceStepwiseSearch(direction="backward", max_evaluations=30),
    RelevanceExchangeSearch(max_evaluations=30),
    RelevanceBeamSearch(max_evaluations=30),
    CountingSelection(SelectKBest(k=1), n_parts=3),
]


@parametrize_with_checks(SMALL)
@pytest.mark.filterwarnings("ignore:the search was ended by")
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


def test_a_classifier_by_name_is_refused_in_a_sentence_before_any_fold_is_run():
    with pytest.raises(InputError, match=r"estimator must be a classifier .* not 'c45'"):
        CountingSelection(ReliefF(), estimator="c45").fit(CORRAL.X, CORRAL.y)
