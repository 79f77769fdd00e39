"""Naive Bayes along a permutation of a small table, where folds lack values and classes, against plain fits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

from fselect.classifiers import NaiveBayesClassifier, nested_payoff

seeds = st.integers(0, 2**32 - 1)
tables = st.sampled_from(["numbers", "bits", "codes", "rare", "together"])


def small(seed, kind):
    """Few rows, so that some training rows lack a value or a class; some rows are trained on only."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(6, 40), 6
    bits = rng.integers(0, 2, size=(n, d)).astype(float)
    X = {
        "numbers": rng.normal(size=(n, d)),
        "bits": bits,
        "codes": rng.integers(0, 3, size=(n, d)).astype(float),
        "rare": np.where(rng.random((n, d)) < 0.08, 2.0, bits),
        "together": np.column_stack([rng.normal(size=(n, 3)), 7.0 * bits[:, :2], np.ones(n)]),
    }[kind]
    y = rng.integers(0, rng.integers(2, 4), size=n)
    assume(len(np.unique(y)) > 1)
    folds = rng.permutation(np.arange(n) % 3)
    folds[: rng.integers(0, 3)] = -1
    assume(np.array_equal(np.unique(folds[folds >= 0]), [0, 1, 2]))
    return X, y, folds, rng.permutation(d)


def shares(X, y, folds, order, predict):
    """Share of rows predicted right on each prefix; predict takes training rows, labels, rows and sorted columns."""
    right = [np.sum(y[folds >= 0] == np.argmax(np.bincount(y)))]
    for k in range(1, len(order) + 1):
        folded = [(folds == fold, folds != fold) for fold in range(3)]
        right.append(sum(np.sum(predict(X[t], y[t], X[r], np.sort(order[:k])) == y[r]) for r, t in folded))
    return (np.array(right) / np.sum(folds >= 0)).tolist()


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayesClassifier(epsilon=1e-3),
        NaiveBayesClassifier(nominal=[1, 4], epsilon=1e-3),
        NaiveBayesClassifier("categorical", alpha=0.5),
        NaiveBayesClassifier("categorical", min_categories=3),
        NaiveBayesClassifier("gaussian", epsilon=1e-3),
    ],
    ids=["auto", "some nominal", "categorical", "least number", "gaussian"],
)
@settings(max_examples=25, deadline=None)
@given(seeds, tables)
def test_payoffs_are_those_of_plain_fits_on_the_training_rows_alone(model, seed, kind):
    X, y, folds, order = small(seed, kind)

    def predict(train, labels, rows, S):
        parameters = model.get_params()
        if not isinstance(parameters["nominal"], str):
            parameters["nominal"] = np.isin(S, parameters["nominal"])
        return NaiveBayesClassifier(**parameters).fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(model, X, y, folds).accuracies(order)
    assert found.tolist() == shares(X, y, folds, order, predict)


@settings(max_examples=25, deadline=None)
@given(seeds, st.sampled_from(["bits", "codes", "rare", "fractions"]))
def test_multinomial_payoffs_are_those_of_plain_fits_on_the_training_rows_alone(seed, kind):
    X, y, folds, order = small(seed, "numbers" if kind == "fractions" else kind)
    X, model = np.abs(X), NaiveBayesClassifier("multinomial")

    def predict(train, labels, rows, S):
        return NaiveBayesClassifier("multinomial").fit(train[:, S], labels).predict(rows[:, S])

    assert nested_payoff(model, X, y, folds).accuracies(order).tolist() == shares(X, y, folds, order, predict)


@settings(max_examples=25, deadline=None)
@given(seeds, tables)
def test_smoothing_is_that_of_a_fit_on_all_columns_of_the_training_rows(seed, kind):
    X, y, folds, order = small(seed, kind)

    def predict(train, labels, rows, S):
        whole = NaiveBayesClassifier().fit(train, labels)
        return NaiveBayesClassifier(epsilon=whole.epsilon_).fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(NaiveBayesClassifier(), X, y, folds).accuracies(order)
    assert found.tolist() == shares(X, y, folds, order, predict)


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_a_frame_is_read_fold_by_fold_but_keeps_the_categories_that_are_declared(seed):
    X, y, folds, order = small(seed, "rare")
    texts = np.array(["u", "v", "w"], dtype=object)[X.astype(int)]
    frame = pd.DataFrame({"text": texts[:, 0], "number": X[:, 1], "whole": X[:, 2].astype(int), "bit": X[:, 3] == 0})
    frame["declared"] = pd.Categorical(texts[:, 4], ["t", "u", "v", "w"])
    frame["more"] = np.random.default_rng(seed).normal(size=len(y))
    model, right = NaiveBayesClassifier(epsilon=1e-3), []
    for k in range(1, 7):
        part = frame.iloc[:, np.sort(order[:k])]
        plain = [model.fit(part[folds != f], y[folds != f]).predict(part[folds == f]) for f in range(3)]
        right.append(sum(np.sum(plain[f] == y[folds == f]) for f in range(3)) / np.sum(folds >= 0))
    assert nested_payoff(model, frame, y, folds).accuracies(order)[1:].tolist() == right


def beyond_rounding(probabilities):
    """Tell whether the two likeliest classes of each row differ by more than another order of additions can decide."""
    ranked = np.sort(probabilities, axis=1)
    return bool((ranked[:, -1] - ranked[:, :-1].max(axis=1, initial=0.0) > 1e-9).all())


@pytest.mark.parametrize("kind", ["auto", "categorical", "gaussian", "multinomial"])
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_payoffs_are_scikit_learns_where_training_rows_have_all_values(kind, seed):
    X, y, folds, order = small(seed, {"auto": "bits", "categorical": "rare", "gaussian": "numbers"}.get(kind, "codes"))
    X = X[:, :2]
    order, whole = order[order < 2], [np.unique(column).tolist() for column in X.T]
    if kind in ("auto", "categorical"):
        assume(all(np.unique(X[folds != f, j]).tolist() == whole[j] for f in range(3) for j in range(2)))
        assume(all(values == list(range(len(values))) for values in whole))
    if kind == "auto":
        assume(all(len(values) == 2 for values in whole))

    def predict(train, labels, rows, S):
        theirs = {"auto": BernoulliNB(), "categorical": CategoricalNB(), "multinomial": MultinomialNB()}
        if kind == "gaussian":
            theirs["gaussian"] = GaussianNB(var_smoothing=0.5 / np.var(train[:, S], axis=0).max())
        model = theirs[kind].fit(train[:, S], labels)
        assume(beyond_rounding(model.predict_proba(rows[:, S])))
        return model.predict(rows[:, S])

    found = nested_payoff(NaiveBayesClassifier(kind, epsilon=0.5), X, y, folds).accuracies(order)
    assert found.tolist() == shares(X, y, folds, order, predict)
