"""Payoffs of longer prefixes alone are those of all prefixes, for every path."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier, nested_payoff

RNG = np.random.default_rng(2)
NUMBERS = RNG.normal(size=(60, 5))
BITS = RNG.integers(0, 2, (60, 5)).astype(float)
FEW = np.eye(60)[:, [3, 20, 41, 7, 58]]
Y = (NUMBERS[:, 1] + BITS[:, 2] > 0.5).astype(int)
FOLDS = np.arange(60) % 4


EVERY_PATH = pytest.mark.parametrize(
    ("estimator", "X"),
    [
        (C45Classifier(), NUMBERS),
        (C45Classifier(pruned=False, nominal="all"), BITS),
        (NaiveBayesClassifier(), NUMBERS),
        (NaiveBayesClassifier("multinomial"), BITS),
        (NearestNeighbourClassifier(), NUMBERS),
        (NearestNeighbourClassifier(), FEW),
        (DecisionTreeClassifier(random_state=0), BITS),
    ],
    ids=["c45", "c45 bits", "naive bayes", "multinomial", "nearest", "nearest of few ones", "plain"],
)


@EVERY_PATH
def test_prefixes_from_a_length_on_are_the_same_without_the_shorter_ones(estimator, X):
    payoff = nested_payoff(estimator, X, Y, FOLDS)
    order = np.array([3, 1, 4, 2])
    whole = payoff.accuracies(order)
    for start in range(5):
        assert payoff.accuracies(order, start).tolist() == whole[start:].tolist()


@EVERY_PATH
def test_what_is_kept_of_a_common_beginning_is_of_that_beginning(estimator, X):
    payoff = nested_payoff(estimator, X, Y, FOLDS)
    for order in ([3, 1, 4, 2], [3, 1, 2, 4], [3, 1, 0], [1, 3, 0], [3, 1, 2, 4], [2, 4, 0]):
        whole = nested_payoff(estimator, X, Y, FOLDS).accuracies(np.array(order))
        assert payoff.accuracies(np.array(order), 3).tolist() == whole[3:].tolist()
