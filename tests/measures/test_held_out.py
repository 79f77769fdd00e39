"""Accuracy on rows that are held out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fselect import SequentialSearch
from fselect.classifiers import C45Classifier, NaiveBayesClassifier, NearestNeighbourClassifier
from fselect.errors import InputError
from fselect.measures import HeldOut
from fselect.measures.held_out import narrowed
from fselect.measures.table import Table

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(90, 3))
NAMES = RNG.integers(0, 3, size=(90, 2)).astype(float)
X = np.column_stack([NUMBERS, NAMES])
CODES = ((NUMBERS[:, 0] + NAMES[:, 0] + RNG.normal(size=90)) > 1).astype(np.int64)
NOMINAL = np.array([False, False, False, True, True])
TABLE = Table(X, CODES, 2, NOMINAL)
TEST = np.arange(0, 90, 4)
TRAINING = np.setdiff1d(np.arange(90), TEST)


def plain(model, columns):
    fitted = model.fit(X[np.ix_(TRAINING, columns)], CODES[TRAINING])
    return np.mean(fitted.predict(X[np.ix_(TEST, columns)]) == CODES[TEST])


@pytest.mark.parametrize("columns", [[0], [3], [0, 3], [1, 2, 4], [0, 1, 2, 3, 4]])
@pytest.mark.parametrize("name", ["c45", "naive_bayes", "nearest_neighbour", "logistic"])
def test_the_value_is_the_accuracy_of_a_plain_fit(name, columns):
    positions = np.flatnonzero(NOMINAL[columns])
    models = {
        "c45": C45Classifier(min_weight=1, pruned=False, nominal=positions),
        "naive_bayes": NaiveBayesClassifier(nominal=positions),
        "nearest_neighbour": NearestNeighbourClassifier(),
        "logistic": LogisticRegression(),
    }
    measure = HeldOut(LogisticRegression() if name == "logistic" else name, rows=TEST)
    value = measure.prepare(TABLE, np.random.default_rng(0)).value(np.array(columns))
    assert value == pytest.approx(plain(models[name], columns))


def test_neighbours_have_the_values_of_single_sets_on_any_number_of_threads():
    for jobs in (1, 3):
        evaluator = HeldOut(rows=TEST, n_jobs=jobs).prepare(TABLE, np.random.default_rng(0))
        columns = np.array([0, 3])
        assert evaluator.adding(columns, np.array([1, 2, 4])).tolist() == [
            evaluator.value(np.array(one)) for one in ([0, 1, 3], [0, 2, 3], [0, 3, 4])
        ]
        assert evaluator.dropping(columns, columns).tolist() == [
            evaluator.value(np.array([3])),
            evaluator.value(np.array([0])),
        ]


@pytest.mark.parametrize("jobs", [-1, None])
def test_all_processors_and_none_are_numbers_of_threads_as_in_scikit_learn(jobs):
    one, other = (HeldOut(rows=TEST, n_jobs=n).prepare(TABLE, np.random.default_rng(0)) for n in (1, jobs))
    nothing, each = np.empty(0, dtype=np.int64), np.arange(5)
    assert np.array_equal(other.adding(nothing, each), one.adding(nothing, each))


@pytest.mark.parametrize("jobs", [0, 1.5, True])
def test_a_number_of_threads_that_is_none_is_refused(jobs):
    with pytest.raises(InputError, match="n_jobs must be None or an integer other than 0"):
        HeldOut(rows=TEST, n_jobs=jobs).prepare(TABLE, np.random.default_rng(0))


def test_rows_are_drawn_by_class_in_the_share_asked_for():
    evaluator = HeldOut(share=0.25).prepare(TABLE, np.random.default_rng(0))
    test = ~evaluator.training
    assert abs(test.mean() - 0.25) < 0.02
    assert abs(CODES[test].mean() - CODES.mean()) < 0.05


def test_no_columns_are_worth_the_largest_class():
    value = HeldOut(LogisticRegression(), rows=TEST).prepare(TABLE, np.random.default_rng(0)).value(np.array([], int))
    assert value == np.mean(CODES[TEST] == np.bincount(CODES[TRAINING]).argmax())


def test_other_searches_take_the_measure_too():
    search = SequentialSearch("forward", measure=HeldOut(rows=TEST), nominal=[3, 4], random_state=0).fit(X, CODES)
    chosen = search.get_support(indices=True)
    tree = C45Classifier(min_weight=1, pruned=False, nominal=np.flatnonzero(NOMINAL[chosen]))
    assert search.value_ == pytest.approx(plain(tree, chosen))


def test_nominal_positions_move_with_the_columns():
    assert narrowed(C45Classifier(nominal=[1, 4]), np.array([0, 4])).nominal.tolist() == [1]
    assert narrowed(C45Classifier(nominal=NOMINAL), np.array([2, 3, 4])).nominal.tolist() == [1, 2]
    assert narrowed(C45Classifier(nominal="all"), np.array([0])).nominal == "all"


def test_a_part_without_a_second_class_to_train_on_is_refused():
    with pytest.raises(InputError, match="hold one class only"):
        HeldOut(rows=np.flatnonzero(CODES == 1)).prepare(TABLE, np.random.default_rng(0))
