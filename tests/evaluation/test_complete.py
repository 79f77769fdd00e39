"""Missing values in final models."""

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fselect.datasets import Dataset
from fselect.evaluation.complete import complete
from fselect.evaluation.protocols import kept_set, repeat_sample


def test_missing_values_are_the_means_of_the_rows_that_were_drawn():
    rng = np.random.default_rng(0)
    values, counts = rng.normal(size=(30, 4)), rng.integers(0, 3, size=30)
    values[rng.random(values.shape) < 0.3] = np.nan
    imputer = SimpleImputer().fit(np.repeat(values, counts, axis=0))
    np.testing.assert_allclose(complete(values, counts), imputer.transform(values), rtol=1e-12)


def test_a_column_without_a_value_in_the_drawn_rows_is_constant():
    values = np.array([[np.nan, 1.0], [np.nan, 2.0], [7.0, 3.0]])
    assert complete(values, np.array([1, 1, 0])).tolist() == [[0, 1], [0, 2], [7, 3]]


def test_whole_values_are_handed_on_as_they_are():
    values = np.ones((3, 2))
    assert complete(values, np.ones(3)) is values
    assert complete(np.empty((3, 0)), np.ones(3)).shape == (3, 0)


def test_out_of_bag_accuracy_is_that_of_scikit_learn_with_means_imputed():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = (X.sum(axis=1) + rng.normal(size=80) > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    data, mask = Dataset(X, y, "holes"), np.ones(3, dtype=bool)
    for number, found in enumerate(kept_set(data, mask, seed=0, repeat=0, bootstraps=4, penalty=0.1)):
        counts = repeat_sample(data, 0, 0, number).counts
        rows = np.repeat(np.arange(80), counts)
        model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression(C=5.0, tol=1e-10, max_iter=10_000))
        model.fit(X[rows], y[rows])
        assert found.accuracy == np.mean(model.predict(X[counts == 0]) == y[counts == 0])
