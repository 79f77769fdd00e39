"""Scores of predictions equal scikit-learn's, ties included."""

from __future__ import annotations

import time
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as reference

from fselect.evaluation.metrics import accuracy, balanced_accuracy, roc_auc


def sample(seed, n_classes, n_rows=23):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows)])
    scores = np.round(rng.random((len(codes), n_classes)), 1)  # one decimal: many ties
    return codes, scores, scores.argmax(axis=1)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_accuracy_and_balanced_accuracy_equal_scikit_learns(seed, n_classes):
    codes, _, predicted = sample(seed, n_classes)
    assert accuracy(codes, predicted) == pytest.approx(reference.accuracy_score(codes, predicted))
    expected = reference.balanced_accuracy_score(codes, predicted)
    assert balanced_accuracy(codes, predicted, n_classes) == pytest.approx(expected)


@given(st.integers(0, 10_000))
def test_binary_auc_equals_scikit_learns_with_ties(seed):
    codes, scores, _ = sample(seed, 2)
    assert roc_auc(codes, scores[:, 1]) == pytest.approx(reference.roc_auc_score(codes, scores[:, 1]))


@given(st.integers(0, 10_000), st.integers(3, 5))
def test_multi_class_auc_equals_scikit_learns_macro_one_against_the_rest(seed, n_classes):
    codes, scores, _ = sample(seed, n_classes)
    shares = (scores + 0.1) / (scores + 0.1).sum(axis=1, keepdims=True)
    expected = reference.roc_auc_score(codes, shares, multi_class="ovr", average="macro")
    assert roc_auc(codes, shares) == pytest.approx(expected)


def test_auc_is_half_for_equal_scores_and_takes_infinite_ones():
    codes = np.array([0, 1, 1, 0])
    assert roc_auc(codes, np.zeros(4)) == 0.5
    assert roc_auc(codes, np.array([-np.inf, np.inf, 3.0, 2.0])) == 1.0


def test_a_sample_that_lacks_a_class_keeps_its_accuracy_and_has_no_other_score():
    codes, scores = np.array([1, 1, 1]), np.array([0.2, 0.8, 0.9])
    predicted = np.array([0, 1, 1])
    assert accuracy(codes, predicted) == pytest.approx(2 / 3)
    assert isnan(balanced_accuracy(codes, predicted))
    assert isnan(roc_auc(codes, scores))
    assert isnan(balanced_accuracy(np.array([0, 1]), np.array([0, 1]), n_classes=3))
    assert isnan(roc_auc(np.array([0, 1]), np.zeros((2, 3))))


def test_no_rows_and_scores_that_are_nan_have_no_value():
    none = np.array([], dtype=int)
    assert isnan(accuracy(none, none))
    assert isnan(balanced_accuracy(none, none))
    assert isnan(roc_auc(np.array([0, 1, 1]), np.array([0.1, np.nan, 0.3])))


def test_ten_thousand_small_samples_take_under_two_seconds():
    codes, scores, predicted = sample(0, 2, n_rows=38)
    start = time.process_time()
    for _ in range(10_000):
        accuracy(codes, predicted)
        balanced_accuracy(codes, predicted)
        roc_auc(codes, scores[:, 1])
    assert time.process_time() - start < 2
