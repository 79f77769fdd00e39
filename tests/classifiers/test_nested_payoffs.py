"""Accuracies along a permutation against fits and predictions on each prefix, by other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier, nested_payoff
from fselect.classifiers.c45.payoff import BitPayoff, RowPayoff, TreePayoff
from fselect.classifiers.nearest_neighbour.lists import ListedNeighbours
from fselect.classifiers.refitted_payoff import RefittedPayoff
from fselect.datasets import make_disjunction, make_gmonks, make_parity
from fselect.errors import InputError
from tests.oracles.weka_j48 import mixed

seeds = st.integers(0, 2**32 - 1)


def sample(seed: int, *, kind: str = "normal"):
    """Rows, classes and folds; some rows are trained on only."""
    rng = np.random.default_rng(seed)
    n, d, n_classes = rng.integers(30, 90), rng.integers(1, 8), rng.integers(2, 4)
    y = rng.permutation(np.arange(n) % n_classes)
    folds = np.where(rng.random(n) < 0.1, -1, np.arange(n) % 4)
    X = {
        "normal": rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3, size=d) + 0.8 * y[:, None],
        "counts": rng.poisson(1.5 + y[:, None], size=(n, d)).astype(float),
        "codes": ((rng.integers(0, 3, size=(n, d)) + y[:, None] * (rng.random((n, d)) < 0.3)) % 3).astype(float),
        "whole": rng.integers(0, 3, size=(n, d)).astype(float),
        "tenths": rng.integers(0, 8, size=(n, d)) / 10.0,
    }[kind]
    return X, y, folds, rng.permutation(d)


def by_hand(X, y, folds, permutation, predict):
    """Share of rows predicted right for each prefix; predict takes training rows, labels, rows and sorted columns."""
    right = np.zeros(len(permutation) + 1)
    right[0] = np.sum(y[folds >= 0] == np.argmax(np.bincount(y)))
    for k in range(1, len(permutation) + 1):
        for fold in range(4):
            rows, S = folds == fold, np.sort(permutation[:k])
            right[k] += np.sum(predict(X[~rows], y[~rows], X[rows], S) == y[rows])
    return right / np.sum(folds >= 0)


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_gaussian_naive_bayes_is_scikit_learns_with_the_variance_that_smooths_taken_from_all_columns(seed):
    X, y, folds, permutation = sample(seed)

    def predict(train, labels, rows, S):
        share = np.var(train, axis=0).max() / np.var(train[:, S], axis=0).max()
        return GaussianNB(var_smoothing=1e-9 * share).fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(NaiveBayesClassifier("gaussian"), X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_categorical_naive_bayes_is_scikit_learns_to_the_last_bit(seed):
    X, y, folds, permutation = sample(seed, kind="codes")

    def predict(train, labels, rows, S):
        return CategoricalNB(min_categories=3).fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(NaiveBayesClassifier("categorical", min_categories=3), X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_multinomial_naive_bayes_is_scikit_learns(seed):
    X, y, folds, permutation = sample(seed, kind="counts")

    def predict(train, labels, rows, S):
        model = MultinomialNB().fit(train[:, S], labels)
        # classes of equal counts tie for every row but for rounding, which is another one where terms are added up
        shares = np.sort(model.predict_proba(rows[:, S]), axis=1)
        assume(len(S) == 1 or (np.diff(shares)[rows[:, S].any(axis=1), -1] > 1e-9).all())
        return model.predict(rows[:, S])

    found = nested_payoff(NaiveBayesClassifier("multinomial"), X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_the_nearest_neighbour_is_scikit_learns_where_distances_differ(seed):
    X, y, folds, permutation = sample(seed)

    def predict(train, labels, rows, S):
        return KNeighborsClassifier(1).fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(NearestNeighbourClassifier(), X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


@pytest.mark.parametrize("kind", ["whole", "tenths"])
@settings(max_examples=8, deadline=None)
@given(seed=seeds, shift=st.sampled_from([0.0, 0.0, 1e6]))
def test_equally_near_rows_are_told_apart_by_their_place_alone(kind, seed, shift):
    X, y, folds, permutation = sample(seed, kind=kind)
    X = X + shift

    def predict(train, labels, rows, S):
        squares = np.zeros((len(rows), len(train)))
        for column in S:
            squares += (rows[:, [column]] - train[:, column]) ** 2
        return labels[np.argmin(squares, axis=1)]

    found = nested_payoff(NearestNeighbourClassifier(), X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


@settings(max_examples=30, deadline=None)
@given(seed=seeds, share=st.sampled_from([0.003, 0.01, 0.02]), base=st.integers(0, 90))
def test_neighbours_on_columns_of_few_ones_are_those_of_a_plain_prediction(seed, share, base):
    rng = np.random.default_rng(seed)
    n, added = rng.integers(20, 120), rng.integers(1, 30)
    X = (rng.random((n, base + added)) < share).astype(float) + rng.integers(-2, 3, size=base + added)
    # among the columns that all sets have are dense ones, too
    X[:, :base] += rng.random((n, base)) < np.where(X[:, :base] == X[:, :base].min(axis=0), rng.choice([0, 0.3]), 0)
    X[:, rng.random(base + added) < 0.1] = 5.0
    y, folds = rng.integers(0, 3, size=n), np.where(rng.random(n) < 0.1, -1, np.arange(n) % 4)
    y[:3], permutation = [0, 1, 2], np.append(rng.permutation(base), base + rng.permutation(added))

    def predict(train, labels, rows, S):
        differing = (rows[:, None, S] != train[:, S]).sum(axis=2)
        return labels[np.argmin(differing, axis=1)]

    lists = ListedNeighbours(X, np.unique(y, return_inverse=True)[1], folds)
    assume(lists.takes(permutation, base))
    expected = by_hand(X, y, folds, permutation, predict)[base + 1 :]
    payoff = nested_payoff(NearestNeighbourClassifier(), X, y, folds)
    assert payoff.accuracies(permutation, base + 1).tolist() == expected.tolist()
    assert (lists.count_right(permutation, base) / np.sum(folds >= 0)).tolist() == expected.tolist()


def test_lists_are_left_where_many_rows_differ_or_columns_are_not_of_two_numbers_one_apart():
    X = np.zeros((60, 4))
    X[7, [0, 2, 3]] = [1.0, 2.0, 1.0]
    X[:30, 1] = 1.0
    lists = ListedNeighbours(X, np.arange(60) % 2, np.arange(60) % 3)
    assert lists.takes(np.array([0, 3]), 0)
    assert lists.takes(np.array([1, 0, 3]), 1)  # a column that all sets have costs no search
    assert not lists.takes(np.array([0, 1, 3]), 0)
    assert not lists.takes(np.array([2, 0]), 1)


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (NearestNeighbourClassifier(), 8),
        (NaiveBayesClassifier("categorical"), 3),
        (NaiveBayesClassifier("multinomial", alpha=0.1), 3),
    ],
)
@pytest.mark.parametrize("seed", range(50))
def test_a_set_has_one_payoff_on_all_paths(model, values, seed):
    # rows of the one class are those of the other read from behind: so many sums are equal but for rounding
    rng = np.random.default_rng(seed)
    X, y, folds = rng.integers(0, values, size=(24, 8)) / 10.0, np.arange(24) % 2, np.arange(24) // 2 % 3
    X[y == 1] = X[y == 0][:, ::-1]
    payoff, plain = nested_payoff(model, X, y, folds), RefittedPayoff(model, X, y, folds).accuracies(np.arange(8), 8)
    assert {payoff.accuracies(rng.permutation(8), 8)[0] for _ in range(30)} == set(plain)


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(),
        C45Classifier(min_weight=1, pruned=False),
        C45Classifier(pruned=False, max_depth=2),
    ],
    ids=["pruned", "unpruned", "shallow"],
)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_trees_are_those_of_a_plain_fit_on_each_prefix(model, missing):
    X, y = mixed(7, 80, missing=missing, n_classes=3)
    folds, permutation = np.arange(80) % 3, np.random.default_rng(0).permutation(X.shape[1])
    found = nested_payoff(model, X, y, folds)
    assert isinstance(found, TreePayoff)
    plain = RefittedPayoff(model, X, y, folds)
    assert found.accuracies(permutation).tolist() == plain.accuracies(permutation).tolist()


@settings(max_examples=20, deadline=None)
@given(seed=seeds, m=st.sampled_from([1, 2]), depth=st.sampled_from([None, 3]))
def test_trees_from_bits_are_those_of_a_plain_fit(seed, m, depth):
    X, y, folds, permutation = sample(seed, kind="codes")
    model = C45Classifier(min_weight=m, pruned=False, max_depth=depth, nominal="all")
    found = nested_payoff(model, X, y, folds)
    assert isinstance(found, BitPayoff)
    assert found.accuracies(permutation).tolist() == RefittedPayoff(model, X, y, folds).accuracies(permutation).tolist()


@settings(max_examples=20, deadline=None)
@given(seed=seeds, m=st.sampled_from([1, 2, 5]), n=st.sampled_from([20, 64, 150]), share=st.sampled_from([0.05, 0.5]))
def test_trees_of_two_classes_on_columns_of_two_values_are_those_of_a_plain_fit(seed, m, n, share):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, 20)) < share).astype(float)
    X[:, 4], X[:, 11], X[:, 5] = X[:, 9], 1.0 - X[:, 9], 0.0  # ties, and a column of one value
    y = np.append([0, 1], np.where(rng.random(n - 2) < 0.2, rng.integers(0, 2, n - 2), X[2:, 9] != X[2:, 3])).astype(
        int
    )
    folds, permutation = np.where(rng.random(n) < 0.1, -1, np.arange(n) % 4), rng.permutation(20)
    model = C45Classifier(min_weight=m, pruned=False, nominal="all")
    found = nested_payoff(model, X, y, folds)
    assert isinstance(found, BitPayoff)
    plain = RefittedPayoff(model, X, y, folds).accuracies(permutation).tolist()
    assert found.accuracies(permutation).tolist() == plain
    assert found.accuracies(permutation, 7).tolist() == plain[7:]


def degenerate(seed: int, *, numeric: bool):
    """A constant column, copies of rows, and a class of one row."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(40, 5)).astype(float)
    X[:, 2] = 1.0
    X[:, 3:] += rng.normal(size=(40, 2)) * numeric
    y = np.append(2, rng.integers(0, 2, 39))
    return np.vstack([X, X[1:20]]), np.append(y, y[1:20]), rng.integers(0, 4, 59), rng.permutation(5)


@pytest.mark.parametrize(
    "model",
    [C45Classifier(), C45Classifier(min_weight=1, pruned=False, nominal="all"), NearestNeighbourClassifier()],
    ids=["trees", "bits", "neighbour"],
)
@settings(max_examples=10, deadline=None)
@given(seeds, st.booleans())
def test_degenerate_tables_are_worth_what_plain_fits_say(model, seed, missing):
    X, y, folds, order = degenerate(seed, numeric=getattr(model, "nominal", "auto") != "all")
    if missing and isinstance(model, C45Classifier):
        X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    found, plain = nested_payoff(model, X, y, folds), RefittedPayoff(model, X, y, folds)
    assert found.accuracies(order).tolist() == plain.accuracies(order).tolist()
    assert found.accuracies(order, 3).tolist() == plain.accuracies(order, 3).tolist()


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_gaussian_naive_bayes_of_degenerate_tables_is_that_of_its_formula(seed):
    X, y, folds, order = degenerate(seed, numeric=True)

    def predict(train, labels, rows, S):
        classes, smoothing = np.unique(labels), 1e-9 * np.var(train, axis=0).max()
        scores = []
        for label in classes:
            own = train[labels == label][:, S]
            variance = own.var(axis=0) + smoothing
            distances = (rows[:, S] - own.mean(axis=0)) ** 2 / variance
            scores.append(
                np.log(np.mean(labels == label)) - 0.5 * (np.log(2 * np.pi * variance) + distances).sum(axis=1)
            )
        return classes[np.argmax(scores, axis=0)]

    found = nested_payoff(NaiveBayesClassifier("gaussian"), X, y, folds).accuracies(order)
    assert found.tolist() == by_hand(X, y, folds, order, predict).tolist()


@settings(max_examples=40, deadline=None)
@given(
    seed=seeds,
    kind=st.sampled_from(["codes", "whole"]),
    m=st.sampled_from([0.5, 1, 2, 5]),
    confidence=st.sampled_from([0.05, 0.25, 0.5]),
    depth=st.sampled_from([None, 3]),
)
def test_pruned_trees_of_rows_side_by_side_are_those_of_a_plain_fit(seed, kind, m, confidence, depth):
    X, y, folds, permutation = sample(seed, kind=kind)
    model = C45Classifier(min_weight=m, confidence=confidence, max_depth=depth, nominal="all")
    found = nested_payoff(model, X, y, folds)
    assert isinstance(found, RowPayoff)
    assert found.accuracies(permutation).tolist() == RefittedPayoff(model, X, y, folds).accuracies(permutation).tolist()
    assert found.accuracies(permutation, start=len(permutation)).tolist() == [found.accuracies(permutation)[-1]]


@pytest.mark.parametrize("family", [make_parity, make_disjunction, make_gmonks])
def test_pruned_trees_with_hundreds_of_nodes_are_those_of_a_plain_fit(family):
    data = family(12, 12, n_samples=400, random_state=0)
    X, y = np.asarray(data.X, dtype=float), np.unique(np.asarray(data.y), return_inverse=True)[1]
    model, folds = C45Classifier(nominal="all"), np.random.default_rng(0).integers(0, 3, size=len(y))
    plain, columns = RefittedPayoff(model, X, y, folds), np.arange(X.shape[1])
    found = nested_payoff(model, X, y, folds)
    for dropped in (0, 7, 14):
        rest = columns[columns != dropped]
        assert found.accuracies(rest, start=len(rest)) == plain.accuracies(rest, start=len(rest))


def test_columns_with_so_many_values_that_counts_have_no_room_are_looked_at_one_by_one():
    rng = np.random.default_rng(0)
    X, y = rng.permuted(np.tile(np.arange(600.0), (30, 1)), axis=1).T, np.arange(600) % 2
    assert isinstance(nested_payoff(C45Classifier(nominal="all"), X, y, np.arange(600) % 3), TreePayoff)


def test_any_classifier_of_scikit_learn_is_fitted_on_each_prefix():
    X, y, folds, permutation = sample(3)
    model = DecisionTreeClassifier(random_state=0)

    def predict(train, labels, rows, S):
        return model.fit(train[:, S], labels).predict(rows[:, S])

    found = nested_payoff(model, X, y, folds).accuracies(permutation)
    assert found.tolist() == by_hand(X, y, folds, permutation, predict).tolist()


def test_another_score_is_the_mean_over_folds():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    folds = np.empty(60, dtype=int)
    for fold, (_, rows) in enumerate(StratifiedKFold(3).split(X, y)):
        folds[rows] = fold
    found = nested_payoff(NaiveBayesClassifier(), X, y, folds, scoring="roc_auc").accuracies(np.array([0, 1]))
    assert found[0] == 0.5
    assert 0.5 < found[1] < found[2] < 1.0


def test_a_failure_names_the_columns():
    X, y = np.array([[0.0, 1.0], [np.nan, 2.0], [3.0, 4.0], [4.0, 4.0]]), [0, 1, 0, 1]
    payoff = nested_payoff(LogisticRegression(), X, y, [0, 0, 1, 1])
    assert payoff.accuracies(np.array([1])).shape == (2,)
    with pytest.raises(InputError, match="fails on the columns 0, 1: Input X contains NaN"):
        payoff.accuracies(np.array([1, 0]))


@pytest.mark.parametrize(
    ("folds", "words"),
    [
        ([0, 1, 0], "one whole number for each of the 4 rows"),
        ([0.0, 1.0, 0.0, 1.0], "one whole number"),
        ([0, 1, -2, 1], "folds holds -2"),
        ([-1, -1, -1, -1], "no row is predicted"),
        ([2, 2, 2, 2], "all rows are in one fold"),
    ],
)
def test_folds_that_mean_nothing_are_refused(folds, words):
    with pytest.raises(InputError, match=words):
        nested_payoff(NaiveBayesClassifier(), np.eye(4), [0, 1, 0, 1], folds)


def test_what_does_not_predict_is_refused():
    with pytest.raises(InputError, match="has no predict"):
        nested_payoff(object(), np.eye(4), [0, 1, 0, 1], [0, 0, 1, 1])
