"""ContributionSelection as a scikit-learn estimator, on tables whose answer is known."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect import ContributionSelection
from fselect.errors import InputError
from fselect.selectors.contribution.payoff import columns_payoff, make_folds

FORWARD = {"direction": "forward", "size": 3, "random_state": 0}


@parametrize_with_checks(
    [
        ContributionSelection("naive_bayes", size=2, n_permutations=30, step=3),
        ContributionSelection("nearest_neighbour", direction="forward", size=2, step=3),
    ]
)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "nothing is selected")  # their labels are often noise
        warnings.filterwarnings("ignore", ".*draw each")
        warnings.filterwarnings("ignore", "No features were selected")
        check(estimator)


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def parity():
    """The class is the parity of columns 1 and 3; 5 is constant, the rest is noise."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (160, 6)).astype(float)
    X[:, 5] = 1.0
    return X, (X[:, 1] + X[:, 3]) % 2


def test_a_parity_of_two_is_found_from_pairs_and_not_from_single_features(parity):
    X, y = parity
    found = ContributionSelection("nearest_neighbour", size=3, n_permutations=60, random_state=0).fit(X, y)
    assert {1, 3} <= set(np.flatnonzero(found.support_))
    pairs = ContributionSelection("nearest_neighbour", **FORWARD | {"size": 2}, n_permutations=60).fit(X, y)
    assert set(np.flatnonzero(pairs.support_)) >= {1, 3}
    assert (pairs.predict(X) == y).all()


def test_constant_columns_take_no_part_and_contribute_nothing(parity):
    X, y = parity
    found = ContributionSelection("nearest_neighbour", size=3, random_state=0).fit(X, y)
    assert not found.support_[5]
    assert found.contributions_[5] == 0 == found.standard_errors_[5]
    assert "x5" not in set(found.history_["feature"])


def test_the_history_tells_each_round(wine):
    X, y = wine
    found = ContributionSelection("naive_bayes", **FORWARD).fit(X[::2], y[::2], X_test=X[1::2], y_test=y[1::2])
    rounds, history = found.rounds_, found.history_
    assert rounds["features"].tolist() == [*range(1, len(rounds)), len(rounds) - 1]
    assert rounds["moved"].tolist() == [1] * (len(rounds) - 1) + [0]
    added = history[history["moved"]]
    assert added["feature"].tolist() == [X.columns[column] for column in found.selected_]
    np.testing.assert_allclose(added["contribution"], rounds["contribution"].iloc[:-1])
    best = history.groupby("round")["contribution"].max()
    assert (best.iloc[:-1].to_numpy() == added["contribution"].to_numpy()).all()
    assert best.iloc[-1] <= 0
    assert (history["standard_error"].dropna() >= 0).all()
    accuracy = np.mean(found.predict(X[1::2]) == y[1::2])
    assert rounds["test"].iloc[-1] == pytest.approx(accuracy)
    assert rounds["test"].between(0, 1).all()


def test_validation_is_the_cross_validated_accuracy_of_the_set(wine):
    X, y = wine[0].iloc[:, 8:], wine[1]
    found = ContributionSelection(GaussianNB(), **FORWARD).fit(X, y)
    rng = np.random.RandomState(0)
    folds = make_folds(y.to_numpy(), np.ones(len(y)), 10, rng.randint(2**31 - 1))
    parts = [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(10)]
    predicted = cross_val_predict(GaussianNB(), X.to_numpy()[:, np.sort(found.selected_)], y, cv=parts)
    assert found.rounds_["validation"].iloc[-1] == pytest.approx(np.mean(predicted == y))


def test_folds_are_stratified_and_copies_of_a_row_share_theirs():
    codes = np.repeat([0, 1], [40, 13])
    folds = make_folds(codes, np.ones(53), 10, 0)
    assert folds.max() == 9
    assert np.bincount(folds[codes == 1]).min() >= 1
    few = make_folds(codes[36:], np.ones(17), 10, 0)
    assert few.max() + 1 == 4  # the smaller class has four rows
    lonely = make_folds(np.array([0, 0, 0, 1]), np.array([1, 2, 0, 1]), 10, 0)
    assert lonely.tolist()[2] == -1
    assert set(lonely.tolist()) == {-1, 0, 1}


def test_the_last_phase_ends_with_the_best_round_of_the_final_classifier(wine):
    X, y = wine
    options = FORWARD | {"final_estimator": "nearest_neighbour", "threshold": -1.0}
    long = ContributionSelection("naive_bayes", **options).fit(X, y)
    short = ContributionSelection("naive_bayes", **options, final_phase=True).fit(X, y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    folds = make_folds(y.to_numpy(), np.ones(len(y)), 10, seed)
    payoff = columns_payoff(short.final_estimator_, X.to_numpy(), y.to_numpy(), folds)
    payoffs = [payoff.value(long.selected_[:end]) for end in range(1, len(long.selected_) + 1)]
    best = int(np.argmax(payoffs)) + 1  # of equals the first is the smallest
    assert short.selected_.tolist() == long.selected_[:best].tolist()
    assert best < len(long.selected_), "or the phase had no choice"


def test_the_same_seed_gives_the_same_on_any_number_of_workers(wine):
    X, y = wine
    runs = [ContributionSelection(**FORWARD | {"n_jobs": n}, estimator="naive_bayes").fit(X, y) for n in (1, 3)]
    pd.testing.assert_frame_equal(runs[0].history_, runs[1].history_)
    plain = [
        ContributionSelection(GaussianNB(), size=4, n_jobs=n, random_state=1, cv=2).fit(X.iloc[::4, :4], y[::4])
        for n in (1, 2)
    ]
    pd.testing.assert_frame_equal(plain[0].history_, plain[1].history_)


def test_a_fit_goes_on_from_the_rounds_in_its_folder(wine, tmp_path):
    X, y = wine
    whole = ContributionSelection("naive_bayes", **FORWARD).fit(X, y, folder=tmp_path)
    files = sorted(tmp_path.glob("*/round-*.npz"))
    assert len(files) == len(whole.rounds_)
    for file in files[2:]:
        file.unlink()
    again = ContributionSelection("naive_bayes", **FORWARD).fit(X, y, folder=tmp_path)
    pd.testing.assert_frame_equal(again.history_, whole.history_)
    other = ContributionSelection("naive_bayes", **FORWARD, threshold=0.05).fit(X, y, folder=tmp_path)
    assert other.n_features_ < whole.n_features_  # rounds of another search are not taken for its own
    assert len(list(tmp_path.iterdir())) == 2


def test_any_scikit_learn_classifier_and_score_can_be_the_payoff(wine):
    X, y = wine[0].iloc[:, 8:], wine[1]
    two = y < 2
    model = make_pipeline(DecisionTreeClassifier(max_depth=2))
    found = ContributionSelection(model, **FORWARD | {"scoring": "roc_auc"}, cv=3).fit(X[two], y[two])
    assert "proline" in found.get_feature_names_out()
    assert found.rounds_["validation"].iloc[-1] > 0.9


def test_a_classifier_that_draws_is_given_a_seed_so_that_the_payoff_is_a_function(wine):
    X, y = wine
    model = DecisionTreeClassifier(splitter="random")
    runs = [ContributionSelection(model, **FORWARD, cv=2).fit(X.iloc[::3, :4], y[::3]) for _ in range(2)]
    pd.testing.assert_frame_equal(runs[0].history_, runs[1].history_)


@pytest.mark.parametrize("convert", [lambda X: X.to_numpy(), lambda X: pl.DataFrame(X.to_dict("list"))])
def test_any_form_of_a_table_gives_the_same_set(wine, convert):
    X, y = wine
    wanted = ContributionSelection("naive_bayes", **FORWARD).fit(X, y).support_
    assert (ContributionSelection("naive_bayes", **FORWARD).fit(convert(X), y).support_ == wanted).all()


def test_it_works_in_pipelines_grids_clones_and_pickles(wine):
    X, y = wine
    pipeline = make_pipeline(ContributionSelection("naive_bayes", **FORWARD), GaussianNB())
    grid = GridSearchCV(pipeline, {"contributionselection__threshold": [0.0, 0.1]}, cv=2).fit(X, y)
    assert grid.best_score_ > 0.8
    fitted = clone(ContributionSelection("naive_bayes", **FORWARD)).set_output(transform="pandas").fit(X, y)
    out = pickle.loads(pickle.dumps(fitted)).transform(X)
    assert out.columns.tolist() == X.columns[fitted.support_].tolist()


def test_the_callers_table_is_left_as_it_is(wine):
    X, y = wine
    before = X.copy()
    ContributionSelection("naive_bayes", **FORWARD).fit(X, y)
    pd.testing.assert_frame_equal(X, before)


def test_nearest_neighbours_that_tie_make_the_wrapper_select_nothing():
    # as in the paper's Internet Ads: with one binary feature both classes have rows at distance 0
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 8)).astype(float)
    y = np.repeat(["ad", "nonad"], [12, 48])
    X[[0, 20]], X[[1, 21]], y[0], y[1] = 0.0, 1.0, "nonad", "nonad"
    order = np.argsort(y == "ad", kind="stable")  # the lowest row at distance 0 is always one of the larger class
    with pytest.warns(UserWarning, match="nothing is selected: the payoff is constant"):
        found = ContributionSelection("nearest_neighbour", **FORWARD | {"size": 1}).fit(X[order], y[order])
    assert found.n_features_ == 0
    assert set(found.predict(X)) == {"nonad"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found.transform(X).shape == (60, 0)


def test_where_nothing_contributes_enough_that_is_said(wine):
    X, y = wine
    with pytest.warns(UserWarning, match="no feature contributes more than 0.9"):
        found = ContributionSelection("naive_bayes", **FORWARD, threshold=0.9).fit(X, y)
    assert not found.support_.any()
    assert set(found.predict(X)) == {1}  # the largest class


class Brittle(BaseEstimator):
    """Fails when it is given two columns."""

    def fit(self, X, y):
        if X.shape[1] == 2:
            raise RuntimeError("two are\ntoo many")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_classifier_that_fails_names_the_columns(wine):
    X, y = wine
    with pytest.raises(InputError, match=r"fails on the columns \w+, .*: two are") as caught:
        ContributionSelection(Brittle(), **FORWARD).fit(X, y)
    told = str(caught.value).split("columns ")[1].split(": ")[0].split(", ")
    assert len(told) == 2
    assert set(told) <= set(X.columns)


class Mute(BaseEstimator):
    """Has no predict."""

    def fit(self, X, y):
        return self


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"estimator": Mute()}, "has no fit and predict"),
        ({"estimator": "forest"}, "there is no classifier 'forest'; there are auto, naive_bayes"),
        ({"step": 0}, "step must be"),
        ({"threshold": np.nan}, "threshold must be"),
        ({"cv": 1}, "cv must be an integer of at least 2"),
        ({"final_phase": True, "direction": "backward"}, "final_phase goes with direction 'forward'"),
        ({"final_estimator": Mute()}, "final_estimator Mute has no fit and predict"),
        ({"final_estimator": "auto"}, "there is no classifier 'auto' for final_estimator; there are naive_bayes"),
        ({"final_estimator": GaussianNB}, r"final_estimator is the class GaussianNB; give an instance, GaussianNB\(\)"),
        ({"final_estimator": 5}, "final_estimator 5 has no fit and predict; give a classifier"),
        ({"final_phase": "no"}, "final_phase must be True or False, not 'no'"),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_before_the_search(wine, changes, sentence, tmp_path):
    options = {"estimator": "naive_bayes"} | FORWARD | changes
    with pytest.raises(InputError, match=sentence):
        ContributionSelection(**options).fit(*wine, folder=tmp_path)
    assert not list(tmp_path.iterdir())  # or a round was finished


@pytest.mark.parametrize("size", [10, 11])
def test_the_size_is_lowered_to_a_narrow_table_and_that_is_said(wine, size):
    X, y = wine
    with pytest.warns(UserWarning, match=f"size is {size}, but 4 features can be selected: permutations hold 4"):
        found = ContributionSelection("naive_bayes", size=size, random_state=0).fit(X.iloc[:, :4], y)
    assert found.rounds_["size"].max() == 4


def test_test_rows_need_both_parts(wine):
    X, y = wine
    with pytest.raises(InputError, match="X_test and y_test go together"):
        ContributionSelection("naive_bayes").fit(X, y, X_test=X)


def test_every_classifier_that_a_study_can_name_can_be_made():
    from fselect.selectors.contribution.classifiers import AUTO, NAMED, make_classifier
    from fselect.selectors.contribution.settings import CLASSIFIERS

    assert tuple(NAMED) == CLASSIFIERS
    assert set(AUTO) < set(NAMED)
    assert all(hasattr(make_classifier(name, 0), "predict") for name in NAMED)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_payoff_that_is_never_a_number_selects_nothing_and_that_is_said(wine, direction):
    X, y = wine
    search = ContributionSelection(
        "naive_bayes", direction=direction, size=2, scoring=lambda model, X, y: np.nan, random_state=0
    )
    with pytest.warns(UserWarning, match="nothing is selected: the payoff is no number for any set"):
        search.fit(X.iloc[:, :4], y)
    assert not search.support_.any()


class Short(ClassifierMixin, BaseEstimator):
    """Predicts one row, whatever it is given."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[:1]


@pytest.mark.parametrize(
    ("changes", "rows", "sentence"),
    [
        ({"estimator": GaussianNB}, {}, r"estimator is the class GaussianNB; give an instance, GaussianNB\(\)"),
        ({"estimator": Short()}, {}, r"Short fails on the column \w+: predict gives \(1,\) for"),
        ({"scoring": "acc"}, {}, "scoring 'acc' cannot be used"),
        ({"n_jobs": 0}, {}, "n_jobs must be None or an integer other than 0"),
        ({}, {"y_test": [0, 1]}, "y_test must hold a label for each of the 178 rows of X_test"),
        ({}, {"y_test": ["0", "1"] * 89}, "no label of y_test is one of y: '0' is none of 0, 1, 2; give both the same"),
    ],
)
def test_what_cannot_be_used_is_refused_before_the_search(wine, changes, rows, sentence):
    X, y = wine
    options = {"estimator": "naive_bayes", "size": 2, "random_state": 0} | changes
    with pytest.raises(InputError, match=sentence):
        ContributionSelection(**options).fit(X, y, **({"X_test": X} | rows if rows else {}))
