"""Ordered tasks made of one dataset by adding noise, as in the paper's transfer experiment."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.errors import InputError

__all__ = ["noisy_tasks"]


def noisy_tasks(dataset: Dataset, n_tasks: int = 8, *, noise: float = 3.0, seed: int = 0) -> list[Dataset]:
    """Make related tasks: the dataset with another helping of Gaussian noise each.

    Row by row x' = x + N(0, σ²_ft), with σ_ft = sd_f · U(0, noise) drawn once for feature f and task t:
    after Hamer & Dupont (2019), who do not print the upper end (3 is decided here, because the tasks then
    differ clearly and can still be learned). The tasks share their rows and labels.

    Parameters
    ----------
    dataset : Dataset
        Where the tasks come from. Missing values stay missing; nominal columns get no noise, because a
        0/1 column with noise is no longer one. The tasks of a sparse table are dense, since noise has no zeros.
    n_tasks : int, default=8
        How many; the paper's number. More tasks leave the first ones as they are.
    noise : float, default=3.0
        Upper end of σ in units of the column's standard deviation (that of the population); 0 copies.
    seed : int, default=0
        Seed of the study. All noise levels use the same draws, scaled.

    Returns
    -------
    list of Dataset
        In task order, called ``NAME-1``, ``NAME-2``, …

    Raises
    ------
    InputError
        Fewer than one task, a negative noise, or a seed that is no whole number of at least 0.

    Examples
    --------
    >>> from fselect.datasets import load_dataset
    >>> [task.name for task in noisy_tasks(load_dataset("iris"), 2)]
    ['iris-1', 'iris-2']
    """
    if isinstance(n_tasks, bool) or not isinstance(n_tasks, (int, np.integer)) or n_tasks < 1:
        raise InputError(f"n_tasks must be a whole number of at least 1, not {n_tasks!r}")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(f"seed must be a whole number of at least 0, not {seed!r}")
    if not (isinstance(noise, Real) and math.isfinite(noise) and noise >= 0):
        raise InputError(f"noise must be a number of at least 0, not {noise!r}")
    spread = _spread(dataset)
    return [_noisy_task(dataset, spread, float(noise), int(seed), task) for task in range(int(n_tasks))]


def _spread(dataset: Dataset) -> np.ndarray:
    X = dataset.dense_X
    count = np.maximum(np.isfinite(X).sum(axis=0), 1)
    centred = X - np.nansum(X, axis=0) / count
    spread = np.sqrt(np.nansum(centred**2, axis=0) / count)
    return np.where(np.array(dataset.kinds) == "nominal", 0.0, spread)


def _noisy_task(dataset: Dataset, spread: np.ndarray, noise: float, seed: int, task: int) -> Dataset:
    rng = generator(seed, Stream.NOISE, dataset.name, 0, task)
    scale = rng.random(dataset.n_features) * (noise * spread)
    X = rng.standard_normal(dataset.X.shape)
    X *= scale
    X += dataset.dense_X
    X.flags.writeable = False
    recipe = {**dataset.recipe, "noisy_task": {"noise": noise, "seed": seed, "task": task + 1}}
    name = f"{dataset.name}-{task + 1}"
    return Dataset(X, dataset.y, name, dataset.names, dataset.kinds, dataset.truth, recipe)
