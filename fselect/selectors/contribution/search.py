"""A whole contribution search on a weighted sample: folds, classifier, rounds, last phase."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fselect.classifiers.column_parameters import column_parameters
from fselect.classifiers.failures import called
from fselect.errors import InputError
from fselect.selectors.contribution.checkpoints import RoundFiles, search_digest
from fselect.selectors.contribution.classifiers import choose_classifier, make_classifier
from fselect.selectors.contribution.identity import identity
from fselect.selectors.contribution.payoff import columns_payoff, make_folds
from fselect.selectors.contribution.rounds import Round, is_constant, is_flat, is_undefined, run_rounds, sets_after
from fselect.selectors.contribution.settings import ALGORITHM_VERSION, Settings, Sought

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
    failed : InputError or None
        Why the last phase could not be done; what is selected then is the set after the last round.
    """

    selected: list[int]
    rounds: list[Round]
    sets: list[list[int]]
    estimator: Any
    final_estimator: Any
    failed: InputError | None = None


def search(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    sought: Sought,
    *,
    seed: int,
    n_jobs: int | None = 1,
    names: Sequence[str] | None = None,
    texts: np.ndarray | None = None,
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
    texts : ndarray of shape (d,), bool, optional
        Columns that hold codes of texts; they are nominal.
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
        If a classifier or the score cannot be used, or the classifier fails on a subset.

    Warns
    -----
    UserWarning
        If nothing is selected or the payoff says little, if permutations are raised or shortened, or rounds cannot
        be kept.
    """
    final = None if sought.final_estimator is None else _final(sought.final_estimator, seed, X.shape[1], names, texts)
    rows = np.repeat(np.arange(len(codes)), counts)
    table, labels = X[rows], codes[rows] if classes is None else classes[codes[rows]]
    columns = np.flatnonzero((table != table[0]).any(axis=0)).tolist()
    if not columns:
        raise InputError("all columns are constant; a selection needs a column that varies")
    folds = make_folds(codes, counts, sought.cv, seed)[rows]
    options: dict[str, Any] = {"scoring": sought.scoring, "names": names, "texts": texts}
    auto = isinstance(sought.estimator, str) and sought.estimator == "auto"
    inner = choose_classifier(table, labels, folds, columns, **options) if auto else sought.estimator
    estimator = make_classifier(inner, seed)
    payoff = columns_payoff(estimator, table, labels, folds, **options)
    settled = column_parameters(estimator, X.shape[1], names, texts).whole()
    seen = None if payoff.compiled else classes
    keeping = None if folder is None else _keeping(folder, sought, settled, seed, seen, X, codes, counts)
    rounds = run_rounds(payoff, columns, sought.settings, seed=seed, n_jobs=n_jobs, keeping=keeping, on_round=on_round)
    final = estimator if final is None else final
    sets = list(sets_after(rounds, sought.settings))
    selected, failed = sets[-1], None
    if sought.final_phase:
        try:
            selected = _best(sets, columns_payoff(final, table, labels, folds, **options))
        except InputError as error:
            failed = error
    _warn(selected, sets, rounds, sought.settings)
    return Found(selected, rounds, sets, estimator, final, failed)


def _final(estimator: Any, seed: int, *table: Any) -> Any:
    """Make the final classifier before the search, so that what cannot be used costs none."""
    made = make_classifier(estimator, seed, "final_estimator")
    column_parameters(made, *table)
    return made


def _keeping(
    folder: Path, sought: Sought, estimator: Any, seed: int, classes: np.ndarray | None, *arrays: np.ndarray
) -> RoundFiles | None:
    """Where the rounds of this very search are kept, or None where it cannot be told from another."""
    facts: dict[str, Any] = {
        **asdict(sought.settings),
        "estimator": _told_classifier(estimator),
        "cv": sought.cv,
        "scoring": repr(sought.scoring) if isinstance(sought.scoring, str) else identity(sought.scoring),
        "seed": seed,
        "version": ALGORITHM_VERSION,
    }
    if classes is not None:
        facts["classes"] = repr(classes.tolist())
    for name, value in (("estimator", estimator), ("scoring", sought.scoring)):
        if facts[name] is None:
            why = f"{name} {called(value)} uses something that cannot be told from another of the same kind"
            warnings.warn(f"no round is kept in folder, or taken from it: {why}", UserWarning, stacklevel=4)
            return None
    return RoundFiles(folder / search_digest(facts, *arrays))


def _told_classifier(estimator: Any) -> Any:
    """A classifier as text; those of this package by their parameters, which is what earlier versions did."""
    parameters = estimator.get_params()
    plain = all(isinstance(value, str | int | float | None) for value in parameters.values())
    if type(estimator).__module__.startswith("fselect.") and plain:
        return [type(estimator).__name__, {key: repr(value) for key, value in parameters.items()}]
    return identity(estimator)


def _best(sets: Sequence[list[int]], payoff: Any) -> list[int]:
    """The set of highest payoff among those at the rounds' ends, of equals the smallest."""
    different = list({len(one): one for one in sets}.values())
    payoffs = np.array([payoff.value(one) for one in different])
    if not np.isfinite(payoffs).any():
        why = "the payoff of the final classifier is no number for any of the sets"
        warnings.warn(f"final_phase takes the smallest set: {why}", UserWarning, stacklevel=4)
    return different[int(np.argmax(np.where(np.isfinite(payoffs), payoffs, -np.inf)))]


_CONSTANT = "the payoff is constant: it is the same for every set of features that was tried, as without any"


def _warn(selected: list[int], sets: Sequence[list[int]], rounds: Sequence[Round], settings: Settings) -> None:
    """Say where the selected set means little or nothing."""
    if selected and all(is_flat(one) for one in rounds):
        told = f"{_CONSTANT}; what is selected is so only because threshold is {settings.threshold:g}"
    elif selected and not np.isfinite(rounds[-1].payoff):
        told = f"the payoff of the last set, of {len(sets[-1])} features, is no number: nothing says that it is good"
    elif selected:
        return
    else:
        told = f"nothing is selected: {_why_nothing(rounds[0], settings)}; the largest class is predicted"
    warnings.warn(told, UserWarning, stacklevel=4)


def _why_nothing(first: Round, settings: Settings) -> str:
    if is_constant(first):
        return _CONSTANT
    if is_undefined(first):
        return "the payoff is no number for any set of features that was tried"
    return f"no feature contributes more than {settings.threshold:g}"
