"""The classifiers as scikit-learn estimators, and what they refuse."""

from __future__ import annotations

import pickle
from decimal import Decimal

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
        (C45Classifier(nominal="all"), FRAME.assign(size=[1.0, np.inf] * 10), "column 'size' holds inf .* in row 1"),
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


class Size:
    """Neither number nor text."""


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), NearestNeighbourClassifier()])
@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pd.date_range("2020", periods=20), "column 'size' holds dates or times; drop it"),
        (pd.timedelta_range("1 day", periods=20), "column 'size' holds dates or times; drop it"),
        (pd.period_range("2020", periods=20, freq="D"), "column 'size' holds dates or times"),
        ([pd.Timestamp("2020").date(), None] * 10, "column 'size' holds dates or times"),
        ([pd.NaT, pd.Timedelta(1)] * 10, "column 'size' holds dates or times"),
        (np.arange(20) + 1j, "column 'size' holds complex numbers; drop it"),
        (pd.Series([1j, 2] * 10, dtype=object), "column 'size' holds (complex numbers|a complex in row 0)"),
        ([None, [1], [2], [3]] * 5, "column 'size' holds a list in row 1, neither number nor text"),
        ([1, Size()] * 10, "column 'size' holds a Size in row 1, neither number nor text"),
        ([1, None, "big", 2.5] * 5, "column 'size' holds numbers and in row 2 the text 'big'; make it all"),
        ([True, 2] * 10, "column 'size' holds numbers and in row 0 the boolean True; make it all"),
    ],
)
def test_columns_of_neither_numbers_nor_text_are_refused(model, column, words):
    numbers = FRAME[["size"]]
    with pytest.raises(InputError, match=words):
        clone(model).fit(numbers.assign(size=column), LABELS)
    if "numbers and" not in words:
        with pytest.raises(InputError, match=r"column 'size' (holds (dates|complex)|was numeric when fitted)"):
            clone(model).fit(numbers, LABELS).predict(numbers.assign(size=column))


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), NearestNeighbourClassifier()])
def test_times_in_an_array_are_refused(model):
    with pytest.raises(InputError, match="X holds dates or times"):
        clone(model).fit(np.arange(20).astype("m8[s]")[:, None], LABELS)


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
def test_a_column_of_objects_that_are_all_numbers_is_numeric(missing):
    objects = pd.DataFrame({"a": pd.Series([1, 2.5, missing, np.float32(4), 7, Decimal("8.5")], dtype=object)})
    floats = pd.DataFrame({"a": [1, 2.5, np.nan, 4, 7, 8.5]})
    model, labels = C45Classifier(min_weight=1, pruned=False), ["a", "a", "a", "b", "b", "b"]
    assert model.fit(objects, labels).export_text() == model.fit(floats, labels).export_text()
    assert model.predict_proba(objects).tolist() == model.predict_proba(floats).tolist()
    whole = [0, 1, 3, 4, 5]
    assert NaiveBayesClassifier().fit(objects.iloc[whole], np.array(labels)[whole]).kinds_ == ("gaussian",)


def test_booleans_of_which_some_are_missing_are_nominal():
    X = pd.DataFrame({"wet": pd.Series([True, False, None, True], dtype=object)})
    text = C45Classifier(min_weight=1, pruned=False).fit(X, ["a", "b", "b", "a"]).export_text()
    assert text.startswith("wet = False: b")


@pytest.mark.parametrize("model", [NaiveBayesClassifier(), NearestNeighbourClassifier()])
@pytest.mark.parametrize(("value", "words"), [(np.nan, "NaN"), (np.inf, r"inf \(infinity\)")])
def test_what_is_not_finite_in_an_array_is_named(model, value, words):
    X = np.arange(60.0).reshape(20, 3)
    X[4, 1] = value
    with pytest.raises(InputError, match=f"column 'x1' holds {words} in row 4; impute it"):
        clone(model).fit(X, LABELS)
    with pytest.raises(InputError, match=f"column 'x1' holds {words} in row 4; impute it"):
        clone(model).fit(np.ones((20, 3)), LABELS).predict(X)


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), NearestNeighbourClassifier()])
@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.array([None] * 20), "y has no label in row 0; drop"),
        (["a", "b", None, "a"] * 5, "y has no label in row 2; drop"),
        (pd.Series([0, 1, 1, None] * 5, dtype="Int64"), "y has no label in row 3; drop"),
        (pd.Series(["a", pd.NA] * 10, dtype="string"), "y has no label in row 1; drop"),
        (np.array(["a", 1] * 10, dtype=object), "y mixes labels of several types; make them all text or all numbers"),
    ],
)
def test_missing_or_mixed_labels_are_named(model, y, words):
    with pytest.raises(InputError, match=words):
        clone(model).fit(FRAME[["size"]], y)


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), NearestNeighbourClassifier()])
@pytest.mark.parametrize(("dtype", "kind"), [("Int64", "i"), ("UInt8", "u"), ("boolean", "b"), ("int64[pyarrow]", "i")])
def test_nullable_labels_keep_their_kind(model, dtype, kind):
    labels = pd.Series([0, 1, 0, 1] * 5, dtype=dtype)
    fitted = clone(model).fit(FRAME[["size"]], labels)
    assert fitted.classes_.dtype.kind == fitted.predict(FRAME[["size"]]).dtype.kind == kind
    assert fitted.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), NearestNeighbourClassifier()])
def test_a_frame_without_columns_is_refused(model):
    with pytest.raises(InputError, match="X has 20 rows and no columns; give at least one"):
        clone(model).fit(FRAME[[]], LABELS)


@pytest.mark.parametrize("nominal", [0, {0}, "size"])
def test_nominal_is_a_list(nominal):
    with pytest.raises(InputError, match="nominal must be 'auto', 'all', 'none', or a list of columns, not"):
        C45Classifier(nominal=nominal).fit(FRAME, LABELS)


def test_weights_are_checked_row_by_row():
    with pytest.raises(InputError, match="sample_weight of row 3 is -1"):
        C45Classifier().fit(FRAME, LABELS, [1, 1, 1, -1] * 5)
