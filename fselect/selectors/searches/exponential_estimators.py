"""Exhaustive search, FOCUS, ABB, and branch and bound as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fselect.selectors.searches.branch_and_bound import AutomaticBranchAndBound
from fselect.selectors.searches.estimator import SubsetSelector
from fselect.selectors.searches.exponential import BestOfSize, Breadth, Exhaustive

__all__ = ["ABB", "BranchAndBound", "ExhaustiveSearch", "Focus"]


@dataclass(eq=False, repr=False, kw_only=True)
class ExhaustiveSearch(SubsetSelector, Exhaustive):
    """Exhaustive search: the best of all feature sets up to a size, of equals the smallest.

    All sets of that size which are as good are in ``equals_``, of which a random one is the answer.

    Parameters
    ----------
    max_features : int, optional
        Largest size. More than 2^20 sets are refused, unless max_evaluations or max_seconds is given.
    min_features : int, default=1
        Smallest size.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> ExhaustiveSearch(random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2, 3])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class Focus(SubsetSelector, Breadth):
    """FOCUS: the smallest feature set that is as consistent as all features, size by size.

    Any measure can be given; a set is large enough when it is worth as much as all features (Almuallim and Dietterich
    1991, "Learning with many irrelevant features"). All sets of the size found are in ``equals_``, of which a random
    one is the answer.

    Parameters
    ----------
    max_features : int, optional
        Largest size that is looked at; where none suffices, the answer is all features. More than 2^20 sets are
        refused, unless max_evaluations or max_seconds is given.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_monks
    >>> data = make_monks(1)
    >>> Focus().fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 4])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class ABB(SubsetSelector, AutomaticBranchAndBound):
    """ABB: the smallest feature set that is as consistent as all features, dropping one a level and cutting off.

    Breadth first from all features; a set that is less consistent is cut off with all its parts, and each set is met
    once (Liu, Motoda and Dash 1998, "A monotonic measure for optimal feature selection"). All smallest sets are in
    ``equals_``, of which a random one is the answer. The measure has to be monotone for the answer to be the smallest.

    Parameters
    ----------
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes. More than 20 columns are
        refused unless one of the limits is given: there can be 2^d sets.

    Examples
    --------
    >>> from fselect.datasets import make_parity5plus5
    >>> data = make_parity5plus5()
    >>> search = ABB().fit(data.X, data.y)
    >>> search.get_support(indices=True), search.evaluations_
    (array([0, 1, 2, 3, 4]), 37)
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class BranchAndBound(SubsetSelector, BestOfSize):
    """Branch and bound: the best feature set of a size, under a measure that never rises when a feature goes.

    A branch whose value is no better than that of the best set found so far is cut off, since none of its parts can be
    (Narendra and Fukunaga 1977, "A branch and bound algorithm for feature subset selection").

    Parameters
    ----------
    n_features : int, default=1
        Size of the answer; from the number of columns on all are kept, with a warning.
    measure : str or measure, default="consistency"
        A monotone one: ``"consistency"``, ``"information"`` or ``"distance"``.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes. More than 20 columns are
        refused unless one of the limits is given.

    Examples
    --------
    >>> from fselect.datasets import make_monks
    >>> data = make_monks(3)
    >>> BranchAndBound(3).fit(data.X, data.y).get_support(indices=True)
    array([1, 3, 4])
    """

    random_state: Any = None
