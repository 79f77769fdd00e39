"""The classifiers as scikit-learn estimators, and what they refuse."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier
from fselect.errors import InputError

ALL = [
    C45Classifier(),
    C45Classifier(min_weight=1, pruned=False),
    NaiveBayesClassifier(),
    NaiveBayesClassifier("gaussian"),
    NaiveBayesClassifier("categorical"),
    NaiveBayesClassifier("multinomial"),
    NearestNeighbourClassifier(),
]

FRAME = pd.DataFrame({"colour": ["red", "blue", "red", "green"] * 5, "size": [1.0, 2.0, 3.0, 4.0] * 5})
LABELS = ["a", "b", "a", "b"] * 5


@parametrize_with_checks(ALL)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier()], ids=["C4.5", "naive Bayes"])
def test_text_columns_are_nominal_in_pandas_and_polars_alike(model):
    fitted = clone(model).fit(FRAME, LABELS)
    again = pickle.loads(pickle.dumps(clone(model).fit(pl.from_pandas(FRAME), LABELS)))
    assert fitted.predict(FRAME).tolist() == again.predict(pl.from_pandas(FRAME)).tolist() == LABELS
    assert cross_val_score(model, FRAME.astype({"colour": "category"}), LABELS, cv=2).mean() == 1.0


@pytest.mark.parametrize(
    ("model", "X", "words"),
    [
        (C45Classifier(min_weight=0), FRAME, "min_weight must be a number above 0"),
        (C45Classifier(confidence=0.7), FRAME, "confidence must be a number above 0 and at most 0.5"),
        (C45Classifier(max_depth=-1), FRAME, "max_depth must be None or an integer"),
        (C45Classifier(nominal=["price"]), FRAME, "nominal names the column 'price', which is not there"),
        (C45Classifier(), FRAME.assign(size=np.inf), "column 'size' holds inf .* in row 0"),
        (NaiveBayesClassifier(), FRAME.assign(size=np.nan), "column 'size' holds NaN in row 0"),
        (NaiveBayesClassifier("bayes"), FRAME, "kind must be one of auto, gaussian"),
        (NaiveBayesClassifier("multinomial"), FRAME, "column 'colour' is nominal"),
        (NaiveBayesClassifier("multinomial"), FRAME[["size"]] - 3, "Negative values .* 'size' in row 0"),
        (NearestNeighbourClassifier(), FRAME, "column 'colour' is nominal, and distances need numbers"),
    ],
)
def test_what_cannot_be_used_is_named(model, X, words):
    with pytest.raises(InputError, match=words):
        model.fit(X, LABELS)


def test_weights_are_checked_row_by_row():
    with pytest.raises(InputError, match="sample_weight of row 3 is -1"):
        C45Classifier().fit(FRAME, LABELS, [1, 1, 1, -1] * 5)
