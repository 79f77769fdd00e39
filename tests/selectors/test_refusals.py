"""What the estimators cannot use is a ValueError of one sentence, and leaves a fitted estimator as it was."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

from fselect import BiasedRFE, TransferRFE

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.standard_normal((30, 4)), columns=list("abcd"))
Y = np.arange(30) % 2
DATES = [datetime.datetime(2024, 1, 1)] * 30


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"strength": "a"}, "strength"),
        ({"strength": -1.0}, "strength"),
        ({"strength": np.nan}, "strength"),
        ({"standardize": "no"}, "standardize"),
        ({"history": "abc"}, "history"),
        ({"history": ["a", "b"]}, "history"),
        ({"history": 5}, "history"),
        ({"history": [True, False, True, False]}, "history"),
        ({"history": [["a", "z"]]}, "'z'"),
        ({"n_features_to_select": 0}, "n_features_to_select"),
        ({"n_features_to_select": 2.5}, "n_features_to_select"),
        ({"step": 0}, "step"),
        ({"penalty": 0.0}, "penalty"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        TransferRFE(2).set_params(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("table", "labels", "sentence"),
    [
        (X[:2], [0, 1], "3 or more"),
        (X, [1] + [0] * 29, "class 1 has one member"),
        (X, [0] * 30, "one class"),
        (X, [None] + [0, 1] * 14 + [0], "y"),
        (X, np.array(["a", 1] * 15, dtype=object), "y"),
        (X.assign(when=DATES), Y, "'when'"),
        (X.assign(e="text"), Y, "'e'"),
        (X.assign(e=np.nan), Y, "'e'"),
        (X.assign(e=np.inf), Y, "'e'"),
        (X * 0, Y, "constant"),
        (pd.concat([X, X[["a"]]], axis=1), Y, "'a'"),
    ],
)
def test_a_table_or_labels_that_cannot_be_used_are_told_why(table, labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        BiasedRFE(2).fit(table, labels)


def test_a_class_of_one_row_with_a_weight_of_two_is_two_rows():
    weights = np.ones(30)
    weights[0] = 2.0
    labels = np.array([1] + [0] * 29)
    repeated = BiasedRFE(2).fit(pd.concat([X[:1], X]), np.append([1], labels))
    weighted = BiasedRFE(2).fit(X, labels, sample_weight=weights)
    np.testing.assert_array_equal(repeated.support_, weighted.support_)


def test_a_history_may_be_a_frame():
    rows = pd.DataFrame([[True, False, True, False]], columns=list("abcd"))
    selector = TransferRFE(2, history=rows, strength=50.0).fit(X, Y)
    np.testing.assert_array_equal(selector.support_, rows.to_numpy()[0])


def test_a_refused_task_leaves_what_was_fitted_as_it_was():
    selector = TransferRFE(2).fit(X, Y)
    before = {name: np.array(value, dtype=object) for name, value in vars(selector).items() if name.endswith("_")}
    with pytest.raises(ValueError, match="one class"):
        selector.partial_fit(X, np.ones(30))
    for name, value in before.items():
        np.testing.assert_array_equal(np.array(getattr(selector, name), dtype=object), value)
