"""Classifiers within a contribution search: parameters of single columns, real labels, and what is told of failures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import f1_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.tree import DecisionTreeClassifier

from fselect import ContributionSelection
from fselect.classifiers import C45Classifier, NaiveBayesClassifier
from fselect.classifiers.column_parameters import column_parameters
from fselect.errors import InputError
from fselect.selectors.contribution.method import ContributionMethod

SEARCH = {"direction": "forward", "size": 2, "draws": 10, "random_state": 0}


@pytest.fixture(scope="module")
def coded():
    """The class is whether the code in b is even, or e is large; a and c are noise, d a code that says nothing."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.integers(0, 6, 200).astype(float)})
    X["c"], X["d"] = rng.normal(size=200), rng.integers(0, 5, 200).astype(float)
    X["e"] = rng.integers(0, 100, 200).astype(float)
    return X, np.where((X["b"] % 2 == 0) | (X["e"] > 80), "p", "q")


KINDS = ["gaussian", "categorical", "gaussian", "categorical", "gaussian"]


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize(
    ("search", "alone"),
    [
        (C45Classifier(nominal=[1, 3]), lambda mask: C45Classifier(nominal=mask)),
        (C45Classifier(nominal=["b", "d"]), lambda mask: C45Classifier(nominal=mask)),
        (C45Classifier(nominal=np.array([0, 1, 0, 1, 0], dtype=bool)), lambda mask: C45Classifier(nominal=mask)),
        (NaiveBayesClassifier(nominal=[1, 3]), lambda mask: NaiveBayesClassifier(nominal=mask)),
        (
            NaiveBayesClassifier(KINDS, min_categories=[2, 8, 2, 5, 2]),
            lambda mask: NaiveBayesClassifier(nominal=mask, min_categories=8),
        ),
        (
            make_pipeline(MaxAbsScaler(), C45Classifier(nominal=[1, 3])),
            lambda mask: make_pipeline(MaxAbsScaler(), C45Classifier(nominal=mask)),
        ),
    ],
    ids=["positions", "names", "mask", "naive Bayes", "kinds", "pipeline"],
)
def test_parameters_of_single_columns_mean_columns_of_the_whole_table(coded, search, alone, scoring):
    X, y = coded
    found = ContributionSelection(search, **SEARCH, cv=3, threshold=0.02, scoring=scoring)
    found.fit(X[:150], y[:150], X_test=X[150:], y_test=y[150:])
    kept = np.sort(found.selected_)
    assert 1 in kept
    assert 0 not in kept, "or a narrowed table would have the same positions"
    table = X.to_numpy()[:, kept]
    plain = alone(np.isin(kept, [1, 3])).fit(table[:150], y[:150])
    assert found.predict(X).tolist() == plain.predict(table).tolist()
    assert found.rounds_["test"].iloc[-1] == np.mean(plain.predict(table[150:]) == y[150:])


def test_a_model_of_columns_none_of_which_was_named_takes_none_as_nominal():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 5, 300), rng.normal(size=(300, 3))])
    y = ((X[:, 2] > 0) & (X[:, 3] > -0.5)).astype(int)
    found = ContributionSelection(C45Classifier(nominal=[0]), **SEARCH, threshold=0.02).fit(X, y)
    assert sorted(found.selected_) == [2, 3]
    plain = C45Classifier().fit(X[:, [2, 3]], y)
    assert found.final_estimator_.export_text() == plain.export_text()


def test_every_refit_sees_its_own_part_of_a_parameter():
    forest = HistGradientBoostingClassifier(categorical_features=["d", "b"], monotonic_cst={"c": 1})
    narrowed = column_parameters(forest, 4, ["a", "b", "c", "d"]).narrowed([1, 2])
    assert narrowed.categorical_features == [True, False]
    assert narrowed.monotonic_cst == [0, 1]


@pytest.mark.parametrize(
    ("nominal", "sentence"),
    [
        (["z"], "nominal names the column 'z', which is not there; the table has a, b, c, d, e"),
        ([7], "nominal names the column 7"),
        ([True, False], "nominal is a mask of 2 columns, but the table has 5"),
    ],
)
def test_a_column_that_is_not_there_is_refused_before_the_search(coded, nominal, sentence):
    with pytest.raises(InputError, match=sentence):
        ContributionSelection(C45Classifier(nominal=nominal), **SEARCH).fit(*coded)


@pytest.mark.parametrize("changes", [{"kind": ["gaussian"] * 3}, {"min_categories": [2, 2]}])
def test_another_number_of_values_than_columns_is_refused_before_the_search(coded, changes):
    with pytest.raises(InputError, match=r"holds \d values, but the table has 5 columns; give one each"):
        ContributionSelection(NaiveBayesClassifier(**changes), **SEARCH).fit(*coded)


class Positional(ClassifierMixin, BaseEstimator):
    """Takes arrays only, and fails when there are three columns."""

    def __init__(self, of=("many words that fill the line of a message, " * 9,)):
        self.of = of

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.cut_ = X[:, 0].mean()
        if X.shape[1] == 3:
            raise RuntimeError("three are\ntoo many")
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > self.cut_).astype(int)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_subset_that_failed_is_named_with_its_own_reason(coded, n_jobs):
    X, y = coded
    options = SEARCH | {"size": 4, "n_jobs": n_jobs}
    with pytest.raises(InputError, match=r"^Positional fails on the columns \w, \w, \w: three are too many$"):
        ContributionSelection(Positional(), **options).fit(X, y)
    with pytest.raises(InputError, match=r"^Positional fails on the columns \d, \d, \d: three are too many$"):
        ContributionSelection(Positional(), **options).fit(X.to_numpy(), y)


def test_a_study_names_columns_too(coded):
    X, y = coded
    method = ContributionMethod("linear_svm", size=2, scoring="neg_log_loss")
    codes, rng = (y == "q").astype(np.int64), np.random.default_rng(0)
    with pytest.raises(InputError, match=r"Pipeline fails on the column [a-e]: .*predict_proba"):
        method.support(X.to_numpy(), codes, np.ones(200, dtype=np.int64), None, rng, names=tuple(X.columns))


def too_wide(model, X, y):
    if X.shape[1] > 50:
        raise ValueError("too wide")
    return 0.5


def test_of_many_columns_only_the_first_are_named():
    X, y = np.random.default_rng(0).normal(size=(30, 60)), np.arange(30) % 2
    with pytest.raises(InputError, match=r"on the columns 0, 1, [\d, ]+, 19, … \(60 in all\): too wide$"):
        ContributionSelection("auto", scoring=too_wide, cv=2, random_state=0).fit(X, y)


def test_classifiers_see_the_real_labels():
    X, y = load_wine(return_X_y=True)
    names = np.array(["p", "q", "r"])[y]
    options = SEARCH | {"cv": 3, "step": 4, "threshold": 0.03}
    weights = {0: 3, 1: 1, 2: 1}
    tree = DecisionTreeClassifier(max_depth=2, class_weight=weights)
    codes = ContributionSelection(tree, **options).fit(X, y)
    tree = DecisionTreeClassifier(max_depth=2, class_weight=dict(zip("pqr", weights.values(), strict=True)))
    labels = ContributionSelection(tree, **options).fit(X, names)
    pd.testing.assert_frame_equal(labels.history_, codes.history_)
    assert labels.predict(X).tolist() == np.array(["p", "q", "r"])[codes.predict(X)].tolist()


def test_scorers_see_the_real_labels():
    X, y = load_wine(return_X_y=True)
    p, options = y == 1, SEARCH | {"cv": 3, "threshold": 0.02}
    codes = ContributionSelection("naive_bayes", **options, scoring="f1").fit(X, p.astype(int))
    scoring = make_scorer(f1_score, pos_label="p")
    labels = ContributionSelection("naive_bayes", **options, scoring=scoring).fit(X, np.where(p, "p", "a"))
    assert labels.rounds_["validation"].tolist() == codes.rounds_["validation"].tolist()
    with pytest.raises(InputError, match=r"scoring 'f1' fails .*pos_label=1 is not a valid label"):
        ContributionSelection("naive_bayes", **options, scoring="f1").fit(X, np.where(p, "p", "q"))


@pytest.mark.parametrize(
    ("scoring", "sentence"),
    [
        ("roc_auc", "^scoring 'roc_auc' fails where the largest class is predicted, as without columns: multi_class"),
        (lambda model, X, y: None, "^scoring <lambda> fails .*: the score is None, which is no number; give another"),
    ],
)
@pytest.mark.parametrize("estimator", ["naive_bayes", "auto"])
def test_a_score_that_does_not_fit_is_named(estimator, scoring, sentence):
    with pytest.raises(InputError, match=sentence):
        ContributionSelection(estimator, **SEARCH, scoring=scoring).fit(*load_wine(return_X_y=True))


class Refusing(ClassifierMixin, BaseEstimator):
    """Cannot be fitted."""

    def fit(self, X, y):
        raise RuntimeError("no memory")

    def predict(self, X):
        return X


def test_a_final_classifier_that_fails_names_the_columns_and_the_set_is_kept(coded):
    X, y = coded
    found = ContributionSelection("c45", **SEARCH, final_estimator=Refusing())
    with pytest.raises(
        InputError, match=r"final classifier Refusing fails on the selected columns? .*\be\b.*no memory"
    ):
        found.fit(X, y)
    wanted = ContributionSelection("c45", **SEARCH).fit(X, y)
    assert found.selected_.tolist() == wanted.selected_.tolist()
    pd.testing.assert_frame_equal(found.rounds_, wanted.rounds_)
    assert list(found.transform(X).T[0]) == list(X[X.columns[found.support_]].to_numpy().T[0])
    with pytest.raises(NotFittedError):
        found.predict(X)


class Silent(Refusing):
    """Can be fitted, and predicts nothing."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        raise RuntimeError("nothing to say")


@pytest.mark.parametrize(
    ("final", "options", "sentence"),
    [
        (
            Refusing(),
            {"final_phase": True},
            r"^Refusing fails on the column [be]: no memory in the final phase; selected_",
        ),
        (
            Silent(),
            {},
            r"^the final classifier Silent cannot predict X_test from column [be]: nothing to say; selected_",
        ),
    ],
)
def test_a_search_is_kept_where_what_comes_after_it_fails(coded, final, options, sentence):
    X, y = coded
    found = ContributionSelection("c45", **SEARCH, final_estimator=final, **options)
    with pytest.raises(InputError, match=sentence):
        found.fit(X, y, X_test=X, y_test=y)
    wanted = ContributionSelection("c45", **SEARCH).fit(X, y)
    assert found.selected_.tolist() == wanted.selected_.tolist()
    pd.testing.assert_frame_equal(found.rounds_, wanted.rounds_)


def single(model, X, y):
    return float((model.predict(X) == y).mean()) if X.shape[1] == 1 else np.nan


def test_a_payoff_of_the_last_set_that_is_no_number_is_said():
    found = ContributionSelection("naive_bayes", size=3, cv=2, scoring=single, random_state=0)
    with pytest.warns(UserWarning, match=r"payoff of the last set, of \d features, is no number"):
        found.fit(*load_wine(return_X_y=True))
    assert np.isnan(found.rounds_["validation"].iloc[-1])


def test_a_constant_payoff_is_said_where_a_threshold_selects_all_the_same(coded):
    search = ContributionSelection(DummyClassifier(), **SEARCH, threshold=-0.1)
    with pytest.warns(UserWarning, match="the payoff is constant: .* only because threshold is -0.1"):
        assert search.fit(*coded).support_.all()
