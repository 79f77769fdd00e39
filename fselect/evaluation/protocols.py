"""The two protocols that measure a selection procedure: repeated bootstraps of one task, and ordered tasks.

Both follow Hamer & Dupont (2019): a selection is made on a bootstrap sample, a plain L2 logistic model is fitted on the
selected features of that very sample, and measured on the rows that the sample left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from fselect.classifiers.logistic import decision, fit_logistic, predict_codes
from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.datasets.sparse_tables import dense_columns
from fselect.errors import InputError
from fselect.evaluation.complete import complete
from fselect.evaluation.metrics import accuracy, balanced_accuracy, roc_auc
from fselect.selectors.shrinkage import transfer_log_shrinkage

__all__ = [
    "Sample",
    "Selection",
    "SupportRule",
    "draw_bootstrap",
    "final_importances",
    "kept_set",
    "random_set",
    "repeat_sample",
    "reused_set",
    "single_task",
    "table_for",
    "transfer",
    "unbiased",
]

_TOGETHER = 64
"""Bootstraps whose samples are drawn together, and whose final models are fitted together.

Between two eliminations, which go through all caches, the code of the rest would be read from memory each time: it
takes four times as long then.
"""

MAX_REDRAWS = 10_000
"""Bootstraps drawn in vain before a table is given up; far above what any class of two members needs."""


class SupportRule(Protocol):
    """What a protocol asks of a selection method."""

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Select on the rows with their multiplicities, under log shrinkages `bias`; a mask of shape (d,)."""
        ...


@dataclass(frozen=True, eq=False)
class Sample:
    """A bootstrap sample: how often each row was drawn, and how many draws before it were unusable."""

    counts: np.ndarray
    redraws: int


@dataclass(frozen=True, eq=False)
class Selection:
    """One selection and its out-of-bag estimates; balanced accuracy and AUC are nan where a class is absent."""

    sample: int
    support: np.ndarray
    redraws: int
    accuracy: float
    balanced_accuracy: float
    roc_auc: float


def unbiased(n_features: int) -> np.ndarray:
    """Log shrinkages that favour no feature: all zero."""
    return np.zeros(n_features)


def draw_bootstrap(dataset: Dataset, rng: np.random.Generator) -> Sample:
    """Draw n rows with replacement.

    A sample that lacks a class, or that leaves no row out, is drawn again and counted.

    Parameters
    ----------
    dataset : Dataset
        The task.
    rng : numpy.random.Generator
        The sample's own stream.

    Returns
    -------
    Sample

    Raises
    ------
    InputError
        If no usable sample turns up.

    Examples
    --------
    >>> from fselect.datasets import load_dataset
    >>> sample = draw_bootstrap(load_dataset("wine"), np.random.default_rng(0))
    >>> int(sample.counts.sum()), sample.redraws
    (178, 0)
    """
    n, n_classes = dataset.n_samples, len(dataset.classes)
    for redraws in range(MAX_REDRAWS):
        counts = np.bincount(rng.integers(n, size=n), minlength=n)
        present = np.bincount(dataset.codes, weights=counts, minlength=n_classes)
        if present.all() and not counts.all():
            return Sample(counts, redraws)
    raise InputError(
        f"table {dataset.name!r}: {MAX_REDRAWS} bootstrap samples in a row lacked a class; give its classes more rows"
    )


def table_for(rule: SupportRule, dataset: Dataset) -> np.ndarray:
    """Give a method the values of a table: sparse ones only if it says that it takes them (``takes_sparse``)."""
    return dataset.lean_X if getattr(rule, "takes_sparse", False) else dataset.dense_X


def repeat_sample(dataset: Dataset, seed: int, repeat: int, number: int) -> Sample:
    """Draw the bootstrap of this number in a repeat: the same for every bias and method.

    Parameters
    ----------
    dataset : Dataset
        The task.
    seed, repeat, number : int
        Of the study, the repeat, and the bootstrap in it (for ordered tasks, the task's place).

    Returns
    -------
    Sample
    """
    return draw_bootstrap(dataset, generator(seed, Stream.BOOTSTRAP, dataset.name, repeat, number))


def final_importances(dataset: Dataset, drawn: Sample, columns: np.ndarray, penalty: float) -> np.ndarray:
    """Return what the final model of a selection makes of its features.

    Parameters
    ----------
    dataset : Dataset
        The task.
    drawn : Sample
        On which they were selected.
    columns : ndarray of shape (k,), int
        The selected features, in the order of the table.
    penalty : float
        Of the final model.

    Returns
    -------
    ndarray of shape (k,)
        |w| of standardised columns; for several classes the root mean square over them.
    """
    n_classes = len(dataset.classes)
    values = complete(dense_columns(dataset.X, columns), drawn.counts)
    return fit_logistic(values, dataset.codes, drawn.counts, penalty, n_classes=n_classes).importance


def _measured(dataset: Dataset, drawn: Sample, support: np.ndarray, penalty: float, number: int) -> Selection:
    """Fit the final model on the sample's selected features and score it out of bag."""
    n_classes = len(dataset.classes)
    columns = np.flatnonzero(support)
    out = drawn.counts == 0
    values = complete(dense_columns(dataset.X, columns), drawn.counts)
    fitted = fit_logistic(values, dataset.codes, drawn.counts, penalty, n_classes=n_classes)
    scores = decision(np.ascontiguousarray(values[out]), fitted.coef, fitted.intercept)
    truth, predicted = dataset.codes[out], predict_codes(scores)
    return Selection(
        number,
        support,
        drawn.redraws,
        accuracy(truth, predicted),
        balanced_accuracy(truth, predicted, n_classes),
        roc_auc(truth, scores),
    )


def single_task(
    dataset: Dataset,
    rule: SupportRule,
    bias: np.ndarray | None,
    *,
    seed: int,
    repeat: int,
    bootstraps: int,
    penalty: float,
) -> Iterator[Selection]:
    """Select on repeated bootstraps of one task under one bias.

    Parameters
    ----------
    dataset : Dataset
        The task.
    rule : SupportRule
        The selection method.
    bias : ndarray of shape (d,) or None
        Log shrinkages, one draw for the whole repeat.
    seed, repeat : int
        Name the bootstraps: the same ones for every bias and method, so that differences are paired.
    bootstraps : int
        How many; 30 in the paper.
    penalty : float
        Of the final model.

    Yields
    ------
    Selection
    """
    for first in range(0, bootstraps, _TOGETHER):
        numbers = range(first, min(first + _TOGETHER, bootstraps))
        drawn = [repeat_sample(dataset, seed, repeat, number) for number in numbers]
        rngs = [generator(seed, Stream.SELECTOR, dataset.name, repeat, number) for number in numbers]
        table, codes = table_for(rule, dataset), dataset.codes
        supports = [
            rule.support(table, codes, sample.counts, bias, rng) for sample, rng in zip(drawn, rngs, strict=True)
        ]
        for number, sample, support in zip(numbers, drawn, supports, strict=True):
            yield _measured(dataset, sample, support, penalty, number)


def random_set(
    dataset: Dataset, n_features: int, *, seed: int, repeat: int, bootstraps: int, penalty: float
) -> Iterator[Selection]:
    """Take one random set of features on all bootstraps of a repeat: the trivial strategy with stability 1."""
    rng = generator(seed, Stream.RANDOM_SET, dataset.name, repeat)
    support = np.zeros(dataset.n_features, dtype=bool)
    support[rng.choice(dataset.n_features, min(n_features, dataset.n_features), replace=False)] = True
    return single_task(dataset, _Fixed(support), None, seed=seed, repeat=repeat, bootstraps=bootstraps, penalty=penalty)


def kept_set(
    dataset: Dataset, support: np.ndarray, *, seed: int, repeat: int, bootstraps: int, penalty: float
) -> Iterator[Selection]:
    """Take a given set, a mask of shape (d,), on all bootstraps of a repeat: what an earlier selection is worth now."""
    return single_task(dataset, _Fixed(support), None, seed=seed, repeat=repeat, bootstraps=bootstraps, penalty=penalty)


@dataclass(frozen=True, eq=False)
class _Fixed:
    """The rule that always selects the same features."""

    mask: np.ndarray
    takes_sparse: ClassVar[bool] = True

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        return self.mask


Choice = Callable[[int, Dataset, Sample, list[np.ndarray]], np.ndarray]


def _ordered(
    tasks: Sequence[Dataset], choose: Choice, *, seed: int, repeat: int, penalty: float
) -> Iterator[Selection]:
    """One bootstrap a task, in order; `choose` selects, knowing the sets of the earlier tasks."""
    history: list[np.ndarray] = []
    drawn = [repeat_sample(task, seed, repeat, place) for place, task in enumerate(tasks)]
    for place, task in enumerate(tasks):
        history.append(choose(place, task, drawn[place], history))
    for place, task in enumerate(tasks):
        yield _measured(task, drawn[place], history[place], penalty, place)


def transfer(
    tasks: Sequence[Dataset], rule: SupportRule, strength: float, *, seed: int, repeat: int, penalty: float
) -> Iterator[Selection]:
    """Select on one bootstrap of each task in order, biased towards what earlier tasks selected.

    Parameters
    ----------
    tasks : sequence of Dataset
        In their order, with the same columns.
    rule : SupportRule
        The selection method.
    strength : float
        Transfer strength; 0 ignores the earlier tasks.
    seed, repeat : int
        Name the bootstraps, the same ones for every strength and method.
    penalty : float
        Of the final model.

    Yields
    ------
    Selection
        One a task; `sample` is the task's place.
    """

    def choose(place: int, task: Dataset, drawn: Sample, history: list[np.ndarray]) -> np.ndarray:
        bias = transfer_log_shrinkage(_stacked(history, task.n_features), strength)
        rng = generator(seed, Stream.SELECTOR, task.name, repeat, place)
        return rule.support(table_for(rule, task), task.codes, drawn.counts, bias, rng)

    return _ordered(tasks, choose, seed=seed, repeat=repeat, penalty=penalty)


def reused_set(
    tasks: Sequence[Dataset], rule: SupportRule, *, seed: int, repeat: int, penalty: float
) -> Iterator[Selection]:
    """Select on the first task without bias, and reuse that set for all: the trivial strategy with stability 1."""

    def choose(place: int, task: Dataset, drawn: Sample, history: list[np.ndarray]) -> np.ndarray:
        if history:
            return history[0]
        rng = generator(seed, Stream.SELECTOR, task.name, repeat, place)
        return rule.support(table_for(rule, task), task.codes, drawn.counts, unbiased(task.n_features), rng)

    return _ordered(tasks, choose, seed=seed, repeat=repeat, penalty=penalty)


def _stacked(history: list[np.ndarray], n_features: int) -> np.ndarray:
    return np.array(history, dtype=bool).reshape(len(history), n_features)
