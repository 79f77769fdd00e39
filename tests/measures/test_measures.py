"""Information, distance, divergence, dependence, accuracy and functions as measures, against other ways to them."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

from fselect.errors import InputError
from fselect.measures import (
    Accuracy,
    Correlation,
    Divergence,
    Function,
    InterclassDistance,
    entropy,
    gain_ratio,
    get_measure,
    inconsistency_rate,
    interclass_distance,
    measure_names,
    mutual_information,
)
from fselect.measures.accuracy import as_classifier, stratified_folds
from fselect.measures.information import information_gains
from fselect.measures.table import Table


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [30, 20, 10])
    X = rng.normal(size=(60, 4)) + np.outer(y, [1.0, 0.3, 0.0, -0.5])
    return Table(X, y, 3, np.zeros(4, dtype=bool), "equal_frequency", 3)


@pytest.fixture(scope="module")
def names():
    rng = np.random.default_rng(1)
    X = rng.integers(3, size=(90, 4)).astype(float)
    return Table(X, ((X[:, 0] + X[:, 1]) % 2).astype(int), 2, np.ones(4, dtype=bool))


def prepared(measure, table, seed=0):
    return measure.prepare(table, np.random.default_rng(seed))


def joint(table, columns):
    return np.unique(table.levels[:, columns], axis=0, return_inverse=True)[1].ravel()


def test_entropy_and_information_in_bits():
    assert entropy([0, 0, 0, 1]) == pytest.approx(2 - 0.75 * np.log2(3))
    # play-tennis (Quinlan 1986): outlook gains 0.247 bits, and its gain ratio is 0.156
    outlook = list("sssssoooorrrrr")
    play = list("nnnyyyyyyyyynn")
    assert mutual_information(outlook, play) == pytest.approx(0.247, abs=5e-4)
    assert gain_ratio(outlook, play) == pytest.approx(0.156, abs=7e-4)


@pytest.mark.parametrize("columns", [[0], [2], [0, 1], [0, 1, 2, 3]])
def test_information_is_that_of_scikit_learn(names, numbers, columns):
    for table in (names, numbers):
        wanted = mutual_info_score(joint(table, columns), table.codes) / np.log(2)
        assert prepared(get_measure("information"), table).value(np.array(columns)) == pytest.approx(wanted)
        ratio = wanted / entropy(joint(table, columns))
        assert prepared(get_measure("gain_ratio"), table).value(np.array(columns)) == pytest.approx(ratio)
        assert information_gains(table)[0] == pytest.approx(mutual_information(table.levels[:, 0], table.codes))


@pytest.mark.parametrize("columns", [[1], [0, 2], [0, 1, 2, 3]])
def test_interclass_distance_is_the_weighted_mean_of_all_pairs(numbers, names, columns):
    scaled = (numbers.X - numbers.X.min(axis=0)) / np.ptp(numbers.X, axis=0)
    parts = [scaled[numbers.codes == c][:, columns] for c in range(3)]
    shares = [0.5, 1 / 3, 1 / 6]
    wanted = sum(shares[i] * shares[j] * cdist(parts[i], parts[j]).mean() for i, j in combinations(range(3), 2))
    assert prepared(InterclassDistance(), numbers).value(np.array(columns)) == pytest.approx(wanted)
    assert interclass_distance(scaled[:, columns], numbers.codes) == pytest.approx(wanted)
    nominal = [names.X[names.codes == c][:, columns] for c in (0, 1)]
    apart = np.sqrt(cdist(*nominal, "hamming") * len(columns)).mean()
    p = names.codes.mean()
    assert prepared(InterclassDistance(), names).value(np.array(columns)) == pytest.approx(p * (1 - p) * apart)


def test_divergences_of_normal_laws_are_those_of_integration():
    rng = np.random.default_rng(2)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 1)) * (1 + y[:, None]) + 0.7 * y[:, None]
    table = Table(X, y, 2, np.array([False]))
    laws = [multivariate_normal(X[y == c].mean(), X[y == c].var()) for c in (0, 1)]
    grid = np.linspace(-40, 40, 400_001)
    p, q = (law.pdf(grid) for law in laws)
    step = grid[1] - grid[0]
    logs = laws[0].logpdf(grid) - laws[1].logpdf(grid)
    jeffreys, overlap = ((p - q) * logs).sum() * step, np.sqrt(p * q).sum() * step
    column = np.array([0])
    assert prepared(Divergence(law="gaussian"), table).value(column) == pytest.approx(jeffreys / 4, rel=1e-4)
    wanted = -np.log(overlap) / 4
    assert prepared(Divergence("bhattacharyya", "gaussian"), table).value(column) == pytest.approx(wanted, rel=1e-4)


def test_divergences_of_histograms_by_hand():
    # class 0: 3 zeros, 1 one; class 1: 1 zero, 3 ones
    X, y = np.array([0, 0, 0, 1, 1, 1, 1, 0.0])[:, None], np.repeat([0, 1], 4)
    table = Table(X, y, 2, np.array([True]))
    column = np.array([0])
    overlap = -np.log(2 * np.sqrt(3 / 4 * 1 / 4))
    assert prepared(Divergence("bhattacharyya"), table).value(column) == pytest.approx(overlap / 4)
    p, q = 3.5 / 5, 1.5 / 5
    assert prepared(Divergence(), table).value(column) == pytest.approx(2 * (p - q) * np.log(p / q) / 4)
    assert prepared(Divergence("bhattacharyya"), table).value(np.array([], dtype=int)) == 0


def test_correlation_is_the_merit_of_hall(numbers):
    binary = Table(numbers.X[:50], numbers.codes[:50], 2, numbers.nominal)
    R = np.abs(np.corrcoef(np.column_stack([binary.X, binary.codes]).T))
    rcf, rff = R[[0, 1, 3], 4].mean(), np.mean([R[0, 1], R[0, 3], R[1, 3]])
    wanted = 3 * rcf / np.sqrt(3 + 6 * rff)
    assert prepared(Correlation(), binary).value(np.array([0, 1, 3])) == pytest.approx(wanted)


def test_a_constant_column_is_worth_nothing_to_any_measure_of_one_column():
    X = np.column_stack([np.full(40, 3.7), np.arange(40) % 2])
    table = Table(X, np.arange(40) % 2, 2, np.array([False, True]), "equal_frequency")
    for name in ("information", "gain_ratio", "distance", "divergence", "bhattacharyya", "correlation"):
        evaluator = prepared(get_measure(name), table)
        assert evaluator.value(np.array([0])) == pytest.approx(0, abs=1e-12)
        assert evaluator.value(np.array([1])) > 0


def test_accuracy_is_that_of_scikit_learn_on_the_same_folds(numbers):
    accuracy = prepared(Accuracy(GaussianNB(), cv=4), numbers)
    folds = accuracy._folds
    assert [np.bincount(folds[numbers.codes == c]).tolist() for c in range(3)] == [[8, 8, 7, 7], [5] * 4, [2, 2, 3, 3]]
    wanted = cross_val_score(GaussianNB(), numbers.X[:, [0, 3]], numbers.codes, cv=PredefinedSplit(folds))
    assert accuracy.value(np.array([0, 3])) == pytest.approx(np.average(wanted, weights=np.bincount(folds)))
    assert accuracy.value(np.array([], dtype=int)) == 0.5


@pytest.mark.parametrize("name", ["c45", "naive_bayes", "nearest_neighbour"])
def test_named_classifiers_are_worth_what_plain_fits_of_them_are(name, names, numbers):
    for table in (names, numbers):
        evaluator = prepared(get_measure(name), table)
        model = as_classifier(name, table)
        folds = stratified_folds(table.codes, 5, np.random.default_rng(0))
        kinds = [np.flatnonzero(table.nominal[columns]) for columns in ([0, 1], [0, 1, 3])]
        for columns, nominal in zip(([0, 1], [0, 1, 3]), kinds, strict=True):
            one = model if name == "nearest_neighbour" else clone(model).set_params(nominal=nominal)
            X = table.X[:, columns]
            right = sum(
                (
                    clone(one).fit(X[folds != f], table.codes[folds != f]).predict(X[folds == f])
                    == table.codes[folds == f]
                ).sum()
                for f in range(5)
            )
            assert evaluator.value(np.array(columns)) == pytest.approx(right / len(table.codes))
        assert evaluator.value(np.array([], dtype=int)) == table.class_shares.max()


def test_a_scorer_of_a_loss_is_better_when_the_loss_is_less(numbers):
    evaluator = prepared(Accuracy(GaussianNB(), scoring="neg_log_loss"), numbers)
    informative, noise = evaluator.value(np.array([0])), evaluator.value(np.array([2]))
    assert noise < informative < 0
    assert evaluator.value(np.array([], dtype=int)) < informative


def test_a_function_that_is_a_loss_is_turned_round(names):
    loss = prepared(get_measure(inconsistency_rate), names)
    assert loss.value(np.array([0, 1])) == 0 > loss.value(np.array([2]))
    gain = prepared(Function(lambda X, y: X.shape[1]), names)
    cost = prepared(Function(lambda X, y: X.shape[1], greater_is_better=False), names)
    assert gain.value(np.array([0, 1])) == -cost.value(np.array([0, 1])) == 2


@pytest.mark.parametrize("name", ["consistency", "information", "distance"])
def test_measures_that_say_they_are_monotone_are(name, names, numbers):
    assert get_measure(name).monotone
    rng = np.random.default_rng(5)
    for table in (names, numbers):
        evaluator = prepared(get_measure(name), table)
        for _ in range(20):
            order = rng.permutation(4)
            values = [evaluator.value(np.sort(order[:k])) for k in range(5)]
            assert (np.diff(values) >= -1e-12).all()


def test_wrong_measures_are_refused_with_the_right_ones(numbers):
    with pytest.raises(InputError, match="no measure 'nothing'; there are consistency"):
        get_measure("nothing")
    with pytest.raises(InputError, match="measure must be"):
        get_measure(3)
    with pytest.raises(InputError, match="no classifier 'tree'"):
        prepared(Accuracy("tree"), numbers)
    with pytest.raises(InputError, match="cv must be"):
        prepared(Accuracy(GaussianNB(), cv=1), numbers)
    with pytest.raises(InputError, match="kind of divergence"):
        prepared(Divergence("other"), numbers)
    assert "accuracy" in measure_names()
