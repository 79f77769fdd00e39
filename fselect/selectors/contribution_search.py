"""A whole contribution search on a weighted sample: folds, classifier, rounds, last phase."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fselect.errors import InputError
from fselect.selectors.contribution_checkpoints import RoundFiles, search_digest
from fselect.selectors.contribution_classifiers import choose_classifier, make_classifier
from fselect.selectors.contribution_payoff import columns_payoff, make_folds
from fselect.selectors.contribution_rounds import Round, is_constant, is_undefined, run_rounds, sets_after
from fselect.selectors.contribution_settings import ALGORITHM_VERSION, DEFAULT_SIZE, Settings, Sought

__all__ = ["Found", "search"]


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found.

    Attributes
    ----------
    selected : list of int
        The columns; of a forward search in the order in which they were added.
    rounds : list of Round
        All rounds.
    sets : list of list of int
        The set after each round.
    estimator, final_estimator : classifier
        Inside and outside, not fitted.
    """

    selected: list[int]
    rounds: list[Round]
    sets: list[list[int]]
    estimator: Any
    final_estimator: Any


def search(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    sought: Sought,
    *,
    seed: int,
    n_jobs: int | None = 1,
    names: Sequence[str] | None = None,
    classes: np.ndarray | None = None,
    folder: Path | None = None,
    on_round: Callable[[Round], object] | None = None,
) -> Found:
    """Select columns of a sample by their contributions.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        The table.
    codes : ndarray of shape (n,), int
        Classes.
    counts : ndarray of shape (n,), int
        How often each row is in the sample.
    sought : Sought
        Parameters.
    seed : int
        Of folds, permutations and classifiers.
    n_jobs : int or None
        Workers for a round's permutations; they do not change the result.
    names : sequence of str, optional
        What columns are called in messages, and in parameters of classifiers.
    classes : ndarray of shape (C,), optional
        The labels that codes stand for, as classifiers and scorers are to see them; by default the codes.
    folder : Path, optional
        Where finished rounds are kept; a search for the same goes on from there.
    on_round : callable, optional
        Told of each finished round.

    Returns
    -------
    Found

    Raises
    ------
    InputError
        If the permutation size is above the number of columns, or the classifier fails on a subset.

    Warns
    -----
    UserWarning
        If nothing is selected, or permutations were raised.
    """
    _check_size(sought.settings, X.shape[1])
    rows = np.repeat(np.arange(len(codes)), counts)
    table, labels = X[rows], codes[rows] if classes is None else classes[codes[rows]]
    columns = np.flatnonzero((table != table[0]).any(axis=0)).tolist()
    if not columns:
        raise InputError("all columns are constant; a selection needs a column that varies")
    folds = make_folds(codes, counts, sought.cv, seed)[rows]
    options: dict[str, Any] = {"scoring": sought.scoring, "names": names}
    auto = isinstance(sought.estimator, str) and sought.estimator == "auto"
    inner = choose_classifier(table, labels, folds, columns, **options) if auto else sought.estimator
    estimator = make_classifier(inner, seed)
    payoff = columns_payoff(estimator, table, labels, folds, **options)
    keeping = None if folder is None else RoundFiles(folder / _digest(sought, estimator, seed, X, codes, counts))
    rounds = run_rounds(payoff, columns, sought.settings, seed=seed, n_jobs=n_jobs, keeping=keeping, on_round=on_round)
    final = estimator if sought.final_estimator is None else make_classifier(sought.final_estimator, seed)
    sets = list(sets_after(rounds, sought.settings))
    selected = sets[-1]
    if sought.final_phase:
        selected = _best(sets, columns_payoff(final, table, labels, folds, **options))
    _warn_of_nothing(selected, rounds, sought.settings)
    return Found(selected, rounds, sets, estimator, final)


def _check_size(settings: Settings, d: int) -> None:
    """The default is lowered to a narrow table; whoever asks for more than there is, is told."""
    if settings.size > d and settings.size != DEFAULT_SIZE:
        raise InputError(f"size is {settings.size}, but X has n_features = {d}; permutations hold at most as many")


def _digest(sought: Sought, estimator: Any, seed: int, *arrays: np.ndarray) -> str:
    facts = {
        **asdict(sought.settings),
        "estimator": [type(estimator).__name__, {key: repr(value) for key, value in estimator.get_params().items()}],
        "cv": sought.cv,
        "scoring": repr(sought.scoring),
        "seed": seed,
        "version": ALGORITHM_VERSION,
    }
    return search_digest(facts, *arrays)


def _best(sets: Sequence[list[int]], payoff: Any) -> list[int]:
    """The set of highest payoff among those at the rounds' ends, of equals the smallest."""
    different = list({len(one): one for one in sets}.values())
    payoffs = np.array([payoff.value(one) for one in different])
    return different[int(np.argmax(np.where(np.isfinite(payoffs), payoffs, -np.inf)))]


def _warn_of_nothing(selected: list[int], rounds: Sequence[Round], settings: Settings) -> None:
    if selected:
        return
    if is_constant(rounds[0]):
        why = "the payoff is constant: it is the same for every set of features that was tried, as without any"
    elif is_undefined(rounds[0]):
        why = "the payoff is no number for any set of features that was tried"
    else:
        why = f"no feature contributes more than {settings.threshold:g}"
    warnings.warn(f"nothing is selected: {why}; the largest class is predicted", UserWarning, stacklevel=3)
