"""Noisy tasks are the dataset plus Gaussian noise whose size is drawn once a task and column."""

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import Dataset, load_dataset, noisy_tasks, read_table
from fselect.datasets.seeds import Stream, generator
from fselect.errors import InputError

CANCER = load_dataset("breast_cancer")


def test_a_task_is_the_documented_formula_on_the_documented_stream():
    task = noisy_tasks(CANCER, 3, noise=2.0, seed=5)[2]
    rng = generator(5, Stream.NOISE, "breast_cancer", 0, 2)
    scale = CANCER.X.std(axis=0) * rng.uniform(0, 2.0, CANCER.n_features)
    expected = CANCER.X + scale * rng.normal(size=CANCER.X.shape)
    np.testing.assert_allclose(task.X, expected, rtol=1e-12)


def test_tasks_are_called_in_order_and_share_labels_and_names():
    tasks = noisy_tasks(CANCER, 3)
    assert [task.name for task in tasks] == ["breast_cancer-1", "breast_cancer-2", "breast_cancer-3"]
    assert all(task.y.tolist() == CANCER.y.tolist() and task.names == CANCER.names for task in tasks)
    assert len({task.content_hash for task in tasks}) == 3


def test_more_tasks_leave_the_earlier_ones_as_they_are():
    few, many = noisy_tasks(CANCER, 2, seed=1), noisy_tasks(CANCER, 5, seed=1)
    assert [task.content_hash for task in few] == [task.content_hash for task in many[:2]]


def test_another_seed_or_name_gives_other_noise():
    renamed = Dataset(CANCER.X, CANCER.y, "other", CANCER.names)
    hashes = {noisy_tasks(data, 1, seed=seed)[0].content_hash for data in (CANCER, renamed) for seed in (0, 1)}
    assert len(hashes) == 4


def test_levels_of_noise_are_the_same_draws_scaled():
    small, large = (noisy_tasks(CANCER, 1, noise=noise)[0].X - CANCER.X for noise in (1.0, 4.0))
    np.testing.assert_allclose(large, 4 * small, atol=1e-9 * CANCER.X.max())
    assert noisy_tasks(CANCER, 1, noise=0)[0].content_hash == CANCER.content_hash


def test_the_size_of_the_noise_is_uniform_over_the_columns():
    data = Dataset(np.random.default_rng(0).normal(size=(400, 1000)), ["a", "b"] * 200)
    added = noisy_tasks(data, 1, noise=3.0)[0].X - data.X
    relative = added.std(axis=0) / data.X.std(axis=0)
    # Mean 1.5 and standard deviation 3/√12 = 0.866; their standard errors are below 0.03.
    assert relative.mean() == pytest.approx(1.5, abs=0.1)
    assert relative.std() == pytest.approx(0.866, abs=0.07)
    assert relative.max() < 3.4


def test_nominal_columns_and_missing_cells_stay_as_they_are():
    frame = pd.DataFrame({"a": [1, np.nan, 3, 4.0], "s": list("mfmf"), "y": list("uvuv")})
    data = read_table(frame, "y", missing="keep")
    task = noisy_tasks(data, 1)[0]
    assert task.X[:, 1].tolist() == data.X[:, 1].tolist()
    assert np.isnan(task.X[:, 0]).tolist() == [False, True, False, False]
    assert (task.X[[0, 2, 3], 0] != data.X[[0, 2, 3], 0]).all()


def test_the_recipe_keeps_what_came_before_and_says_what_was_added():
    task = noisy_tasks(CANCER, 2, noise=2, seed=3)[1]
    assert task.recipe == {**CANCER.recipe, "noisy_task": {"noise": 2.0, "seed": 3, "task": 2}}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"n_tasks": 0}, "n_tasks must be a whole number of at least 1"),
        ({"n_tasks": 2.5}, "n_tasks"),
        ({"noise": -1}, "noise must be a number of at least 0"),
        ({"noise": float("inf")}, "noise"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 1.9}, r"seed must be a whole number of at least 0, not 1\.9"),
        ({"seed": "a"}, "seed must be a whole number"),
        ({"noise": "a"}, "noise must be a number of at least 0, not 'a'"),
    ],
)
def test_a_parameter_out_of_range_is_named(words, sentence):
    with pytest.raises(InputError, match=sentence):
        noisy_tasks(CANCER, **words)
