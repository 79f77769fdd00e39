"""C4.5 against trees worked by hand, and against Weka's J48."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fselect.classifiers import C45Classifier
from fselect.classifiers.c45.prune import pessimistic_errors
from tests.oracles.weka_j48 import PUBLISHED, RECORD, folds_of, published, tables

UNPRUNED = {"min_weight": 1, "pruned": False}
J48 = json.loads(RECORD.read_text())["tables"]
FOLDER = os.environ.get("FSELECT_TABLES", "")

PLAY = pd.DataFrame(
    {
        "outlook": [
            *("sunny", "sunny", "overcast", "rain", "rain", "rain", "overcast"),
            *("sunny", "sunny", "rain", "sunny", "overcast", "overcast", "rain"),
        ],
        "temperature": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
        "humidity": [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91],
        "windy": [False, True, False, False, False, True, True, False, False, False, True, True, False, True],
    }
)
PLAYED = np.array(["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"])


def test_play_tennis_gives_the_tree_of_quinlans_book():
    tree = C45Classifier().fit(PLAY, PLAYED)
    assert tree.export_text().splitlines() == [
        "outlook = overcast: yes (4.0)",
        "outlook = rain",
        "|   windy = False: yes (3.0)",
        "|   windy = True: no (2.0)",
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
    ]
    assert (tree.tree_size_, tree.n_leaves_, tree.depth_) == (8, 5, 2)


def test_gain_ratios_at_the_root_are_those_worked_by_hand():
    # outlook: gain 0.2467, split information 1.5774; windy: 0.0481 and 0.9852 (Quinlan 1993, chapter 2)
    tree = C45Classifier().fit(PLAY[["windy", "outlook"]], PLAYED)
    np.testing.assert_allclose(tree.gain_ratios_, [0.0488, 0.1564], atol=5e-5)
    assert tree.relevance_order().tolist() == [1, 0]


def test_a_missing_value_lowers_gain_and_adds_a_branch_to_the_split_information():
    # Quinlan 1993, chapter 3: outlook of the sixth case unknown; gain 13/14 · 0.214 = 0.199, split 1.809, so 0.110
    cases = ["sunny"] * 5 + [None] + ["overcast"] * 3 + ["rain"] * 5
    played = ["yes", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no", "no", "yes", "yes", "yes"]
    tree = C45Classifier(**UNPRUNED).fit(pd.DataFrame({"outlook": cases}), played)
    assert tree.gain_ratios_[0] == pytest.approx(0.199 / 1.809, abs=1e-3)


def test_missing_values_go_down_all_branches_with_a_part_of_their_weight():
    X = np.array([[0], [0], [0], [1], [1], [np.nan]])
    tree = C45Classifier(**UNPRUNED, nominal="all").fit(X, ["a", "a", "a", "b", "b", "b"])
    # the last row is 3/5 in the first branch and 2/5 in the second
    np.testing.assert_allclose(tree.predict_proba([[0], [1], [np.nan]]), [[3 / 3.6, 0.6 / 3.6], [0, 1], [0.5, 0.5]])


def test_a_cut_has_to_pay_for_the_number_of_cuts_it_was_chosen_from():
    # the best of five cuts gains 0.650 bits less log2(5) / 6 = 0.387; of labels 0 1 0 1 a cut gains too little
    tree = C45Classifier(**UNPRUNED).fit(np.arange(6.0)[:, None], [0, 1, 1, 1, 1, 1])
    assert tree.gain_ratios_[0] == pytest.approx((0.65002 - np.log2(5) / 6) / 0.65002, abs=1e-4)
    assert C45Classifier(**UNPRUNED).fit(np.arange(4.0)[:, None], [0, 1, 0, 1]).tree_size_ == 1


def test_the_threshold_is_a_value_that_occurs():
    tree = C45Classifier(**UNPRUNED).fit([[1.0], [2.0], [5.0], [9.0]], [0, 0, 1, 1])
    assert tree.export_text().splitlines()[0] == "x0 <= 2: 0 (2.0)"


def test_corral_and_parity_have_the_papers_tree_sizes():
    # Boz (2002), table of results: 13 nodes on CorrAL's four relevant columns, 63 on parity's five
    X = np.array(list(itertools.product([0, 1], repeat=5)))
    tree = C45Classifier(**UNPRUNED, nominal="all")
    assert tree.fit(X, X.sum(axis=1) % 2).tree_size_ == 63
    assert tree.fit(X[:, :4], (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])).tree_size_ == 13


def test_a_subtree_that_makes_no_fewer_errors_collapses_although_unpruned():
    X = np.array([[0]] * 4 + [[1]] * 4)
    assert C45Classifier(**UNPRUNED, nominal="all").fit(X, [0, 0, 0, 1, 0, 0, 0, 0]).tree_size_ == 1


def test_a_branch_without_rows_is_a_leaf_of_its_parents_class_and_counts():
    X = pd.DataFrame({"c": pd.Categorical(["u", "u", "v", "v", "v"], ["u", "v", "w"])})
    tree = C45Classifier(**UNPRUNED).fit(X, ["b", "b", "a", "a", "a"])
    assert tree.tree_size_ == 4
    other = pd.DataFrame({"c": pd.Categorical(["w"], ["u", "v", "w"])})
    assert tree.predict(other).tolist() == ["a"]
    assert tree.export_text().splitlines()[-1] == "c = w: a (0.0)"


@pytest.mark.parametrize(
    ("weight", "errors", "wanted"),
    [(6, 0, 6 * 0.206), (9, 0, 9 * 0.143), (1, 0, 0.750), (16, 1, 16 * 0.157), (168, 0, 1.387)],
)
def test_pessimistic_errors_are_those_of_quinlans_book(weight, errors, wanted):
    # Quinlan 1993, section 4.2: U25%(0, 6) = .206, U25%(0, 9) = .143, U25%(0, 1) = .750, U25%(1, 16) = .157
    assert pessimistic_errors(float(weight), float(errors), 0.25, 0.6744897501960817) == pytest.approx(wanted, rel=0.02)


def test_a_weight_of_two_is_a_row_twice():
    X, y = tables()["mixed_missing"]
    counts = np.random.default_rng(0).integers(0, 3, size=len(y))
    weighted = C45Classifier().fit(X, y, counts)
    repeated = C45Classifier().fit(X.loc[X.index.repeat(counts)], np.repeat(y, counts))
    assert weighted.export_text() == repeated.export_text()


@pytest.mark.parametrize("pruned", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_a_row_of_weight_0_is_not_there(seed, pruned):
    rng = np.random.default_rng(seed)
    X, y, weights = rng.integers(0, 5, size=(14, 3)), rng.integers(0, 3, size=14), rng.integers(0, 3, size=14)
    y[0], weights[0] = 3, 0
    model, kept = C45Classifier(min_weight=1, pruned=pruned, nominal=[0, 1]), weights > 0
    found = model.fit(X, y, weights)
    sizes, text, shares = (found.tree_size_, found.n_leaves_, found.depth_), found.export_text(), found.predict_proba(X)
    assert found.classes_.tolist() == np.unique(y).tolist()
    assert (shares[:, -1] == 0).all()
    alone = model.fit(X[kept], y[kept], weights[kept])
    assert (alone.tree_size_, alone.n_leaves_, alone.depth_, alone.export_text()) == (*sizes, text)
    assert alone.predict_proba(X).tolist() == shares[:, np.isin(np.unique(y), y[kept])].tolist()


@pytest.mark.parametrize("pair", [(1234567.0, 1234568.0), (0.1, 0.1 + 1e-15), (1e300, 2e300), (-5.0, 1e-320)])
def test_a_printed_threshold_has_all_training_rows_on_their_side(pair):
    text = C45Classifier(**UNPRUNED).fit(np.repeat(pair, 4)[:, None], ["a"] * 4 + ["b"] * 4).export_text()
    low, high = (float(line.split()[2].removesuffix(":")) for line in text.splitlines())
    assert low == high == pair[0]


def test_max_depth_is_kept():
    X, y = tables()["wine"]
    assert C45Classifier(max_depth=0).fit(X, y).tree_size_ == 1
    assert C45Classifier(max_depth=1).fit(X, y).tree_size_ == 3


def test_a_drawing_shows_every_node_and_branch():
    tree = C45Classifier().fit(PLAY, PLAYED)
    texts = [one.get_text() for one in tree.plot().texts]
    assert len(texts) == 8 + 7
    assert {"outlook", "= overcast", "<= 75", "no (3.0)"} <= set(texts)


def compare_with_j48(X, y, known):
    """Hold trees and ten-fold predictions to what J48 did."""
    assert C45Classifier(**UNPRUNED).fit(X, y).tree_size_ == known["sizes"]["unpruned"]
    assert C45Classifier().fit(X, y).tree_size_ == known["sizes"]["pruned"]
    classes, folds, predicted = np.unique(y), folds_of(y), np.empty(len(y), dtype=object)
    for fold in range(10):
        rows = folds == fold
        predicted[rows] = C45Classifier(**UNPRUNED).fit(X[~rows], y[~rows]).predict(X[rows])
    assert predicted.tolist() == [classes[ord(letter) - ord("a")] for letter in known["predicted"]]


@pytest.mark.parametrize("name", sorted(set(J48) - set(PUBLISHED)))
def test_trees_and_predictions_are_those_of_weka(name):
    compare_with_j48(*tables()[name], J48[name])


@pytest.mark.skipif(not FOLDER, reason="FSELECT_TABLES names no folder with the published tables")
@pytest.mark.parametrize("name", PUBLISHED)
def test_trees_and_predictions_on_published_tables_are_those_of_weka(name):
    compare_with_j48(*published(Path(FOLDER))[name], J48[name])
