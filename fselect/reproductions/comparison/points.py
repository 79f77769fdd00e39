"""Accuracy and stability of each method on a table, with their uncertainty, and how methods compare."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, studentized_range

from fselect.evaluation.pareto import pareto_front
from fselect.evaluation.stability import set_stabilities
from fselect.reproductions.cells import Results
from fselect.reproductions.comparison.settings import FINAL, METHODS
from fselect.reproductions.evidence import Measured, mean_interval

__all__ = ["Point", "Ranks", "ahead", "behind", "differences", "front", "mean_ranks", "points", "ranked_methods"]


@dataclass(frozen=True, eq=False)
class Point:
    """A method on a table.

    Parameters
    ----------
    method : str
        A name of `fselect.reproductions.comparison.settings.METHODS`.
    splits : ndarray of shape (M,), int
        Numbers of the bootstraps.
    values : mapping of str to ndarray of shape (M,)
        What each bootstrap says: of ``stability``, and of the accuracy by final classifier. Their means are the
        estimates, and their covariance over M is that of the estimates.
    size, share, seconds : float
        Mean number of features, and their share of all; median processor seconds of a selection.
    ended : int
        Bootstraps on which the search was ended by its allowance.
    """

    method: str
    splits: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]
    size: float
    share: float
    seconds: float
    ended: int

    def interval(self, name: str) -> Measured:
        """A mean with Student's interval over bootstraps."""
        return mean_interval(name, self.values[name])

    def pairs(self, final: str) -> NDArray[np.float64]:
        """(accuracy, stability) rows, one a bootstrap, from which the ellipse is made."""
        return np.column_stack([self.values[final], self.values["stability"]])


def points(one: Results) -> dict[str, Point]:
    """The points of a table: the methods that ran on two bootstraps or more.

    Parameters
    ----------
    one : Results
        What is there of it.

    Returns
    -------
    dict of str to Point
        By method, in the order of `fselect.reproductions.comparison.settings.METHODS`.
    """
    found = {method: one.of(method) for method in METHODS}
    return {method: _point(method, rows) for method, rows in found.items() if len(rows) > 1}


def _point(method: str, rows: Sequence[Mapping[str, Any]]) -> Point:
    sets, d = [row["sets"] for row in rows], int(rows[0]["d"])
    size = float(np.mean([len(one) for row in sets for one in row]))
    tables = {name: np.array([row[name] for row in rows], dtype=float) for name in FINAL}
    tables["stability"] = _stabilities(sets, d)
    return Point(
        method,
        np.array([row["split"] for row in rows], dtype=np.int64),
        {name: _crossed(table) for name, table in tables.items()},
        size,
        size / d,
        float(np.median([row["processor_seconds"] for row in rows])),
        sum(row["stopped"] != "complete" for row in rows),
    )


def _stabilities(sets: Sequence[Sequence[Sequence[int]]], d: int) -> NDArray[np.float64]:
    """What each bootstrap says of the stability under each draw, of shape (M, D)."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "stability is undefined", RuntimeWarning)  # all features: shown as none
        columns = [set_stabilities([np.isin(np.arange(d), one[draw]) for one in sets]) for draw in range(len(sets[0]))]
    return np.column_stack(columns)


def _crossed(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """One value a bootstrap from a table of bootstraps × draws, whose spread is that of both.

    The mean over both has two independent sources of chance, M bootstraps and D draws. The effect of bootstrap j and
    the effect of a draw are added up, draws being taken in turn; a factor √(M/D) makes up for another number of them.
    """
    m, d = table.shape
    if d == 1:
        return table[:, 0]
    used = table[:, : min(m, d)]
    mean = float(used.mean())
    drawn = np.resize(used.mean(axis=0) - mean, m) * sqrt(m / used.shape[1])
    values: NDArray[np.float64] = used.mean(axis=1) + drawn
    return values - values.mean() + mean


def differences(one: Point, other: Point, name: str) -> NDArray[np.float64]:
    """Differences of what two methods are worth, on the bootstraps that both ran on."""
    common, here, there = np.intersect1d(one.splits, other.splits, return_indices=True)
    if len(common) < 2:
        return np.array([nan])
    found: NDArray[np.float64] = one.values[name][here] - other.values[name][there]
    return found


def ahead(one: Point, other: Point, final: str) -> bool:
    """Whether a method is better than another in accuracy and in stability, each with the whole interval."""
    gaps = [mean_interval(name, differences(one, other, name)) for name in (final, "stability")]
    return all(gap.low > 0 for gap in gaps)


def behind(found: Mapping[str, Point], method: str, final: str) -> list[str]:
    """The methods that are ahead of one."""
    return [name for name, one in found.items() if ahead(one, found[method], final)]


def front(found: Mapping[str, Point], final: str) -> set[str]:
    """The methods whose means no other one dominates; all features, whose stability is undefined, are none of them."""
    names = list(found)
    means = np.array([found[name].pairs(final).mean(axis=0) for name in names]).reshape(-1, 2)
    return {names[place] for place in pareto_front(means)}


def ranked_methods() -> list[str]:
    """The methods that are ranked: all but the trivial ones."""
    return [name for name, method in METHODS.items() if method.family != "trivial"]


@dataclass(frozen=True)
class Ranks:
    """Mean ranks over tables, 1 being the best.

    Parameters
    ----------
    tables : tuple of str
        Tables on which every ranked method ran.
    means : mapping of str to mapping of str to float
        By what is ranked, then by method.
    critical : float
        Differences of mean ranks below this may be chance (Nemenyi's test at 5 %).
    """

    tables: tuple[str, ...]
    means: Mapping[str, Mapping[str, float]]
    critical: float


def mean_ranks(found: Mapping[str, Mapping[str, Point]]) -> Ranks:
    """Rank the methods on each table, and average.

    Parameters
    ----------
    found : mapping of str to mapping of str to Point
        Points by table.

    Returns
    -------
    Ranks

    References
    ----------
    J. Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", section 3.2.2.
    """
    names = ranked_methods()
    tables = tuple(study for study, one in found.items() if set(names) <= set(one))
    means = {}
    for what in (*FINAL, "stability"):
        values = np.array([[found[study][name].values[what].mean() for name in names] for study in tables])
        ranks = rankdata(-values.reshape(-1, len(names)), axis=1).mean(axis=0) if tables else np.full(len(names), nan)
        means[what] = dict(zip(names, ranks.tolist(), strict=True))
    return Ranks(tables, means, _critical(len(names), len(tables)))


def _critical(k: int, n: int) -> float:
    """Nemenyi's critical difference for k methods on n tables.

    Examples
    --------
    >>> round(_critical(5, 30), 2)  # 2.728 √(5 · 6 / (6 · 30)), by Demšar's table 5a
    1.11
    """
    if n < 2:
        return nan
    return float(studentized_range.ppf(0.95, k, np.inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * n)))
