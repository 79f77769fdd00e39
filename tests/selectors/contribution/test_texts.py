"""Columns of text and categories in a contribution search."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB

from fselect import ContributionSelection
from fselect.classifiers import C45Classifier, NaiveBayesClassifier
from fselect.errors import InputError

SEARCH = {"direction": "forward", "size": 2, "draws": 10, "threshold": 0.02, "random_state": 0}


@pytest.fixture(scope="module")
def weather():
    """Play is decided by the outlook, or by a strong wind; its codes in the order of the alphabet are not monotone."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"noise": rng.normal(size=240), "outlook": rng.choice(["fog", "rain", "sun", "snow"], 240)})
    X["ground"] = pd.Categorical(rng.choice(["dry", "wet"], 240))
    X["wind"] = rng.uniform(0, 10, 240)
    return X, np.where(X["outlook"].isin(["fog", "sun"]) & (X["wind"] < 7), "yes", "no")


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(),
        C45Classifier(nominal="none"),
        C45Classifier(nominal=["ground"]),
        NaiveBayesClassifier(),
        NaiveBayesClassifier(["gaussian"] * 4),
    ],
    ids=["C4.5", "none", "another", "naive Bayes", "kinds"],
)
def test_columns_of_text_are_nominal_as_in_the_classifier_alone(weather, model, scoring):
    X, y = weather
    found = ContributionSelection(model, **SEARCH, scoring=scoring, cv=4)
    found.fit(X[:160], y[:160], X_test=X[160:], y_test=y[160:])
    assert "outlook" in found.get_feature_names_out()
    kept = X.columns[found.support_]
    alone = type(model)().fit(X[kept][:160], y[:160])
    assert found.predict(X).tolist() == alone.predict(X[kept]).tolist()
    assert found.rounds_["test"].iloc[-1] == np.mean(alone.predict(X[kept][160:]) == y[160:])


def test_the_search_is_that_of_codes_which_are_named_nominal(weather):
    X, y = weather
    codes = X.assign(outlook=X["outlook"].map({"fog": 0, "rain": 1, "snow": 2, "sun": 3}), ground=X["ground"].cat.codes)
    texts = ContributionSelection("naive_bayes", **SEARCH).fit(X, y)
    named, plain = NaiveBayesClassifier(nominal=["outlook", "ground"]), NaiveBayesClassifier()
    coded, numeric = (ContributionSelection(model, **SEARCH).fit(codes, y) for model in (named, plain))
    pd.testing.assert_frame_equal(texts.history_, coded.history_)
    assert not texts.history_.equals(numeric.history_), "or it made no difference that columns are nominal"
    assert texts.categories_[1].tolist() == ["fog", "rain", "snow", "sun"]


def test_a_value_that_is_new_is_predicted_as_the_classifier_does_alone(weather):
    X, y = weather
    found = ContributionSelection("c45", **SEARCH).fit(X, y)
    new = X.assign(outlook="hail")
    kept = X.columns[found.support_]
    assert found.predict(new).tolist() == C45Classifier().fit(X[kept], y).predict(new[kept]).tolist()


@pytest.mark.parametrize("convert", [lambda X: X.convert_dtypes(), lambda X: pl.DataFrame(X.to_dict("list"))])
def test_any_form_of_text_gives_the_same(weather, convert):
    X, y = weather
    wanted = ContributionSelection("naive_bayes", **SEARCH).fit(X, y)
    found = ContributionSelection("naive_bayes", **SEARCH).fit(convert(X), y)
    pd.testing.assert_frame_equal(found.history_, wanted.history_)
    assert found.predict(convert(X)).tolist() == wanted.predict(X).tolist()


def test_the_selected_columns_come_as_they_were(weather):
    X, y = weather
    found = ContributionSelection("c45", **SEARCH).fit(X, y)
    kept = X.columns[found.support_]
    assert found.transform(X).tolist() == X[kept].to_numpy().tolist()
    pd.testing.assert_frame_equal(found.set_output(transform="pandas").transform(X), X[kept])


def test_auto_chooses_among_those_that_can_use_text(weather):
    found = ContributionSelection("auto", **SEARCH).fit(*weather)
    assert isinstance(found.estimator_, C45Classifier | NaiveBayesClassifier)


def test_other_classifiers_that_know_categories_are_told_of_them(weather):
    X, y = weather
    forest = HistGradientBoostingClassifier(max_iter=5, learning_rate=1.0)
    found = ContributionSelection(forest, **SEARCH | {"draws": 6}, cv=2).fit(X, y)
    assert found.final_estimator_.is_categorical_.tolist() == (found.get_feature_names_out() == "outlook").tolist()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"estimator": GaussianNB()},
            "'outlook' holds text, which GaussianNB cannot use; .* as 'c45' and 'naive_bayes'",
        ),
        ({"final_estimator": "linear_svm"}, "column 'outlook' holds text, which Pipeline cannot use"),
        ({"estimator": NaiveBayesClassifier("gaussian")}, "holds text, which kind='gaussian' cannot use; take 'auto'"),
    ],
)
def test_classifiers_that_cannot_use_text_are_refused_with_the_way_out(weather, options, sentence, tmp_path):
    with pytest.raises(InputError, match=sentence):
        ContributionSelection(**{"estimator": "c45"} | SEARCH | options).fit(*weather, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_missing_texts_are_named(weather):
    X, y = weather
    with pytest.raises(InputError, match="column 'outlook' holds NaN in row 7; impute it"):
        ContributionSelection("c45", **SEARCH).fit(X.assign(outlook=X["outlook"].where(X.index != 7)), y)


def test_text_that_is_numbers_and_booleans_are_numbers(weather):
    X, y = weather
    codes = X["outlook"].map({"fog": 0, "rain": 1, "snow": 2, "sun": 3})
    numbers = X[["noise", "wind"]].assign(code=pd.Categorical(codes), wet=X["ground"] == "wet")
    found = ContributionSelection("naive_bayes", **SEARCH).fit(numbers, y)
    plain = ContributionSelection("naive_bayes", **SEARCH).fit(numbers.astype(float), y)
    assert found.support_.tolist() == [False, True, True, False]
    pd.testing.assert_frame_equal(found.history_, plain.history_)
    assert found.categories_ == {}
