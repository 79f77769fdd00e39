"""BiasedRFE and TransferRFE as scikit-learn estimators."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect import BiasedRFE, TransferRFE
from fselect.errors import InputError
from fselect.selectors.elimination import eliminate
from fselect.selectors.shrinkage import transfer_log_shrinkage

BOTH = [BiasedRFE(3), TransferRFE(3)]
both = pytest.mark.parametrize("selector", BOTH, ids=["BiasedRFE", "TransferRFE"])


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True, as_frame=True)


@parametrize_with_checks([BiasedRFE(n_features_to_select=2), TransferRFE(n_features_to_select=2)])
def test_the_checks_of_scikit_learn_pass(estimator, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "2 features are asked for")  # some of their tables have two columns
        check(estimator)


@both
def test_a_grid_search_over_a_pipeline_runs(selector, cancer):
    X, y = cancer
    name = type(selector).__name__.lower()
    pipeline = make_pipeline(StandardScaler(), clone(selector), LogisticRegression())
    search = GridSearchCV(pipeline, {f"{name}__n_features_to_select": [1, 5]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


@both
def test_names_survive_pandas_output_clones_and_pickles(selector, cancer):
    X, y = cancer
    fitted = clone(selector).set_output(transform="pandas").fit(X, y)
    out = pickle.loads(pickle.dumps(fitted)).transform(X)
    assert out.columns.tolist() == fitted.get_feature_names_out().tolist() == X.columns[fitted.support_].tolist()
    assert clone(fitted).get_params() == selector.get_params()


@both
@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.to_numpy(),
        lambda X: np.asfortranarray(X.to_numpy()),
        lambda X: X.convert_dtypes(),
        lambda X: pl.DataFrame({name: X[name].to_numpy() for name in X}),
        lambda X: X.to_numpy().tolist(),
    ],
    ids=["array", "fortran", "nullable", "polars", "list"],
)
def test_any_form_of_a_table_gives_the_same_set(selector, convert, cancer):
    X, y = cancer
    wanted = clone(selector).fit(X, y).support_
    assert (clone(selector).fit(convert(X), y).support_ == wanted).all()


@both
@pytest.mark.parametrize(
    "convert",
    [
        lambda y: np.where(y, "benign", "malignant"),
        lambda y: y.astype(bool),
        lambda y: y.astype("Int64"),
        lambda y: pd.Series(np.where(y, "yes", "no")).astype("category"),
        lambda y: (10.0 * y).to_numpy(),
    ],
    ids=["text", "bool", "nullable", "category", "float"],
)
def test_any_form_of_labels_gives_the_same_set(selector, convert, cancer):
    X, y = cancer
    wanted = clone(selector).fit(X, y).support_
    assert (clone(selector).fit(X, convert(y)).support_ == wanted).all()


@both
def test_a_polars_frame_keeps_its_names(selector, cancer):
    X, y = cancer
    frame = pl.DataFrame({name: X[name].to_numpy() for name in X})
    fitted = clone(selector).fit(frame, y)
    assert fitted.get_feature_names_out().tolist() == X.columns[fitted.support_].tolist()
    assert fitted.set_output(transform="polars").transform(frame).columns == X.columns[fitted.support_].tolist()


@both
def test_a_read_only_table_is_taken(selector, cancer):
    X = cancer[0].to_numpy().copy()
    X.setflags(write=False)
    assert clone(selector).fit(X, cancer[1]).support_.sum() == 3


@both
def test_a_missing_or_reordered_column_is_refused_at_transform(selector, cancer):
    X, y = cancer
    fitted = clone(selector).fit(X, y)
    with pytest.raises(ValueError, match="same order"):
        fitted.transform(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="mean radius"):
        fitted.transform(X.drop(columns="mean radius"))


@both
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")])
def test_a_value_that_is_no_number_is_refused_with_its_column_and_row(selector, value, word, cancer):
    X, y = cancer[0].copy(), cancer[1]
    X.loc[4, "mean area"] = value
    with pytest.raises(InputError, match=f"'mean area' holds {word}.* row 4"):
        clone(selector).fit(X, y)
    with pytest.raises(InputError, match=f"column 3 holds {word}"):
        clone(selector).fit(X.to_numpy(), y)


@both
def test_a_missing_value_of_a_nullable_column_is_refused_by_name(selector, cancer):
    X, y = cancer[0].convert_dtypes(), cancer[1]
    X.loc[4, "mean area"] = pd.NA
    with pytest.raises(InputError, match="'mean area' holds NaN"):
        clone(selector).fit(X, y)


@both
def test_names_that_occur_twice_and_text_are_refused_by_name(selector, cancer):
    X, y = cancer
    with pytest.raises(InputError, match="'mean area' occurs more than once"):
        clone(selector).fit(X.rename(columns={"mean radius": "mean area"}), y)
    with pytest.raises(InputError, match="'mean area' holds something that is not a number"):
        clone(selector).fit(X.assign(**{"mean area": "large"}), y)


@both
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_features_to_select": 0}, "n_features_to_select"),
        ({"n_features_to_select": 2.5}, "n_features_to_select"),
        ({"n_features_to_select": True}, "n_features_to_select"),
        ({"step": 0}, "step"),
        ({"step": 2}, "step"),
        ({"penalty": 0}, "penalty"),
        ({"penalty": float("inf")}, "penalty"),
        ({"penalty": "high"}, "penalty"),
    ],
)
def test_bad_parameters_are_refused_by_name(selector, parameters, message, cancer):
    with pytest.raises(InputError, match=message):
        clone(selector).set_params(**parameters).fit(*cancer)


@both
@pytest.mark.parametrize(
    ("weight", "message"),
    [(np.ones(3), "shape"), (np.full(569, -1.0), "row 0"), (np.zeros(569), "zero"), (np.full(569, np.nan), "nan")],
)
def test_bad_weights_are_refused(selector, weight, message, cancer):
    with pytest.raises(InputError, match=message):
        clone(selector).fit(*cancer, sample_weight=weight)


@both
def test_one_class_and_constant_tables_are_refused(selector):
    X = np.random.default_rng(0).normal(size=(10, 4))
    with pytest.raises(InputError, match="one class 7 only"):
        clone(selector).fit(X, np.full(10, 7))
    with pytest.raises(InputError, match="all columns are constant"):
        clone(selector).fit(np.ones((10, 4)), np.arange(10) % 2)


@both
def test_weights_are_multiplicities(selector, cancer):
    X, y = cancer[0].to_numpy(), cancer[1].to_numpy()
    weight = np.random.default_rng(0).integers(0, 3, size=len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    once, again = clone(selector).fit(X, y, sample_weight=weight), clone(selector).fit(X[rows], y[rows])
    assert (once.ranking_ == again.ranking_).all()
    np.testing.assert_allclose(once.coef_, again.coef_, rtol=1e-8)


@both
def test_all_columns_are_kept_with_a_warning(selector):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.warns(UserWarning, match="all are kept"):
        fitted = clone(selector).fit(X, np.arange(20) % 2)
    assert fitted.support_.all()
    assert fitted.path_ == ()


def test_only_the_ratios_of_the_shrinkage_count(cancer):
    X, y = cancer
    beta = np.random.default_rng(0).gamma(0.3, size=30)
    one, other = (BiasedRFE(5, shrinkage=s * beta).fit(X, y) for s in (1.0, 1e-50))
    assert (one.ranking_ == other.ranking_).all()
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-10)


def test_a_cheap_feature_is_kept_and_a_dear_one_is_not(cancer):
    X, y = cancer
    beta = np.ones(30)
    favourite = int(np.argmax(BiasedRFE(3).fit(X, y).ranking_))
    beta[favourite] = 1e-9
    assert BiasedRFE(3, penalty=10.0, shrinkage=beta).fit(X, y).support_[favourite]


def test_coefficients_are_those_of_a_model_of_the_kept_features(cancer):
    X, y = cancer
    beta = np.random.default_rng(1).uniform(0.5, 2.0, size=30)
    fitted = BiasedRFE(4, penalty=0.5, shrinkage=beta).fit(X, y)
    kept = X.to_numpy()[:, fitted.support_]
    root = np.sqrt(beta / beta.mean())[fitted.support_]
    scaler = StandardScaler().fit(kept)
    model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-10).fit(scaler.transform(kept) / root, y)
    wanted = model.decision_function(scaler.transform(kept) / root)
    np.testing.assert_allclose(kept @ fitted.coef_[0] + fitted.intercept_[0], wanted, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(
    ("shrinkage", "message"),
    [(np.ones(3), "shape"), (np.zeros(30), "column 0 is 0"), (np.full(30, np.nan), "nan"), (-np.ones(30), "above 0")],
)
def test_a_bad_shrinkage_is_refused(shrinkage, message, cancer):
    with pytest.raises(InputError, match=message):
        BiasedRFE(3, shrinkage=shrinkage).fit(*cancer)


def test_a_sequence_of_tasks_is_a_sequence_of_biased_eliminations():
    rng = np.random.default_rng(0)
    tasks = [rng.normal(size=(30, 40)) for _ in range(4)]
    codes = np.arange(30) % 2
    selector, history = TransferRFE(5, strength=2.0), np.zeros((0, 40), dtype=bool)
    for X in tasks:
        selector.partial_fit(X, codes)
        bias = transfer_log_shrinkage(history, 2.0)
        found = eliminate(X, codes, np.ones(30), n_features=5, penalty=1.0, n_classes=2, log_shrinkage=bias)
        history = np.vstack([history, found.support])
        assert (selector.support_ == found.support).all()
    assert selector.history_.tolist() == history.tolist()
    assert selector.history_.dtype == bool


def test_the_history_given_comes_before_the_task_and_fit_begins_anew(cancer):
    X, y = cancer
    given = np.eye(30, dtype=int)[:2]
    selector = TransferRFE(3, history=given)
    assert selector.fit(X, y).history_.shape == (3, 30)
    assert (selector.history_[:2] == given).all()
    assert selector.fit(X, y).history_.shape == (3, 30)
    assert selector.partial_fit(X, y).history_.shape == (4, 30)


def test_a_strong_bias_keeps_what_the_history_names(cancer):
    X, y = cancer
    names = ["mean symmetry", "texture error", "smoothness error"]
    fitted = TransferRFE(3, strength=30.0, history=[names]).fit(X, y)
    assert sorted(fitted.get_feature_names_out()) == sorted(names)
    by_rows = TransferRFE(3, strength=30.0, history=[X.columns.isin(names)]).fit(X, y)
    assert (by_rows.support_ == fitted.support_).all()


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ([["no such column"]], "'no such column'"),
        ([[True, False]], "2 entries, and X has 30"),
        ([[0.5] * 30], "True and False"),
    ],
)
def test_a_bad_history_is_refused(history, message, cancer):
    with pytest.raises(InputError, match=message):
        TransferRFE(3, history=history).fit(*cancer)


def test_names_in_a_history_need_names_in_the_table(cancer):
    with pytest.raises(InputError, match="no column names"):
        TransferRFE(3, history=[["mean area"]]).fit(cancer[0].to_numpy(), cancer[1])


def test_a_next_task_with_other_columns_is_refused(cancer):
    X, y = cancer
    selector = TransferRFE(3).fit(X, y)
    with pytest.raises(ValueError, match="same order"):
        selector.partial_fit(X[X.columns[::-1]], y)
