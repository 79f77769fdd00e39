"""The protocols: paired bootstraps, out-of-bag scores against scikit-learn, and ordered tasks with their history."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from fselect.datasets import Dataset, load_dataset, noisy_tasks
from fselect.datasets.seeds import Stream, generator
from fselect.errors import InputError
from fselect.evaluation.protocols import draw_bootstrap, random_set, reused_set, single_task, transfer
from fselect.selectors.catalogue import get_method

ONCE = {"seed": 7, "repeat": 2, "penalty": 0.1}


@pytest.fixture(scope="module")
def table():
    return load_dataset("breast_cancer")


@pytest.fixture(scope="module")
def rule():
    return get_method("rfe", n_features=4, step=0.2, penalty=0.1)


def test_out_of_bag_accuracy_is_that_of_scikit_learn_fitted_on_the_very_sample(table, rule):
    for selection in single_task(table, rule, None, bootstraps=3, **ONCE):
        drawn = draw_bootstrap(table, generator(7, Stream.BOOTSTRAP, table.name, 2, selection.sample))
        rows = np.repeat(np.arange(table.n_samples), drawn.counts)
        X = table.X[:, selection.support]
        scaler = StandardScaler().fit(X[rows])
        model = LogisticRegression(C=1 / 0.2, tol=1e-10, max_iter=10_000)
        model.fit(scaler.transform(X[rows]), table.codes[rows])
        out = drawn.counts == 0
        assert selection.accuracy == model.score(scaler.transform(X[out]), table.codes[out])


class Recorder:
    """Selects the first columns, and keeps what it was given."""

    def __init__(self):
        self.seen = []

    def support(self, X, codes, counts, bias, rng):
        self.seen.append(counts)
        return np.arange(X.shape[1]) < 4


def test_every_bias_and_method_sees_the_same_bootstraps(table, rule):
    free, biased = Recorder(), Recorder()
    plain = list(single_task(table, free, None, bootstraps=3, **ONCE))
    under_bias = list(single_task(table, biased, np.linspace(-3, 3, 30), bootstraps=3, **ONCE))
    np.testing.assert_array_equal(free.seen, biased.seen)
    assert [one.accuracy for one in plain] == [one.accuracy for one in under_bias]
    assert (free.seen[0] != free.seen[1]).any()


def test_many_bootstraps_are_numbered_through_and_each_is_scored_on_its_own_sample(table):
    free = Recorder()
    found = list(single_task(table, free, None, bootstraps=70, **ONCE))
    assert [one.sample for one in found] == list(range(70))
    for number in (0, 63, 64, 69):
        drawn = draw_bootstrap(table, generator(7, Stream.BOOTSTRAP, table.name, 2, number))
        np.testing.assert_array_equal(free.seen[number], drawn.counts)
        n_out = int((drawn.counts == 0).sum())
        assert round(found[number].accuracy * n_out) / n_out == found[number].accuracy


def test_a_random_set_is_one_set_a_repeat_and_another_the_next(table):
    sets = [one.support for one in random_set(table, 5, bootstraps=3, **ONCE)]
    assert all((one == sets[0]).all() for one in sets)
    assert sets[0].sum() == 5
    other = next(iter(random_set(table, 5, bootstraps=3, **{**ONCE, "repeat": 3}))).support
    assert (other != sets[0]).any()


def test_a_strong_transfer_repeats_the_first_set_and_none_ignores_it(table, rule):
    tasks = noisy_tasks(table, 4, seed=1)
    strong = [one.support for one in transfer(tasks, rule, 60.0, **ONCE)]
    assert all((one == strong[0]).all() for one in strong)
    free = [one.support for one in transfer(tasks, rule, 0.0, **ONCE)]
    assert (free[0] == strong[0]).all()
    assert any((one != free[0]).any() for one in free)


def test_the_reused_set_is_the_first_tasks_own(table, rule):
    tasks = noisy_tasks(table, 3, seed=1)
    reused = [one.support for one in reused_set(tasks, rule, **ONCE)]
    first = next(iter(transfer(tasks, rule, 0.0, **ONCE))).support
    assert all((one == first).all() for one in reused)


def test_a_sample_that_lacks_a_class_is_drawn_again_and_counted():
    y = np.array(["a"] * 28 + ["b"] * 2)
    data = Dataset(np.random.default_rng(0).standard_normal((30, 2)), y)
    drawn = [draw_bootstrap(data, np.random.default_rng(seed)) for seed in range(400)]
    assert all(one.counts[28:].sum() > 0 for one in drawn)
    lacking = (28 / 30) ** 30
    expected = lacking / (1 - lacking)
    mean = np.mean([one.redraws for one in drawn])
    assert abs(mean - expected) < 4 * np.sqrt(lacking) / (1 - lacking) / 20


def test_a_table_on_which_no_sample_can_be_used_is_named():
    data = Dataset(np.zeros((1, 1)), np.array(["a"]), "lonely")
    with pytest.raises(InputError, match="lonely"):
        draw_bootstrap(data, np.random.default_rng(0))
