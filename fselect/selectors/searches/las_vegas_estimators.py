"""LVF, LVI, LVW and QBB as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fselect.selectors.searches.estimator import SubsetSelector
from fselect.selectors.searches.las_vegas import (
    LasVegasFilter,
    LasVegasIncremental,
    LasVegasWrapper,
    QuickBranchAndBound,
)

__all__ = ["LVF", "LVI", "LVW", "QBB"]


@dataclass(eq=False, repr=False, kw_only=True)
class LVF(SubsetSelector, LasVegasFilter):
    """LVF: random feature sets, of which the smallest is kept that is as consistent as all features.

    A draw is a size, uniform from 1 to that of the smallest set so far, and then a uniform subset of that size (decided
    here, because the paper leaves it open). The answer is the set of its size that was found first; the others are in
    ``equals_`` (Liu and Setiono 1996, "A probabilistic approach to feature selection: a filter solution").

    Parameters
    ----------
    max_tries : int, default=10_000
        How many sets are drawn.
    gamma : float, optional
        Largest inconsistency rate of an answer; by default, and at least, that of all features.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> LVF(max_tries=200, random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class LVI(SubsetSelector, LasVegasIncremental):
    """LVI: LVF on a tenth of the rows, to which those are added that contradict the outcome.

    When the set found is not consistent enough on all rows, the rows outside the sample that look like a row of another
    class under it are added, and LVF starts anew; it ends when the set is, or no row is added (Liu and Setiono 1998,
    "Scalable feature selection for large sized databases").

    Parameters
    ----------
    max_tries : int, default=10_000
        How many sets each LVF draws.
    gamma : float, optional
        Largest inconsistency rate of an answer on all rows; by default, and at least, that of all features.
    share : float, default=0.1
        Share of the rows in the first sample.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> LVI(max_tries=200, random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class LVW(SubsetSelector, LasVegasWrapper):
    """LVW: random feature sets, of which the one is kept with the best cross-validated accuracy.

    It starts from all features; a set is taken if its accuracy is higher, or equal with fewer features (Liu and Setiono
    1996, "Feature selection and classification: a probabilistic wrapper approach").

    Parameters
    ----------
    max_failures : int, default=100
        Draws without success after which it stops.
    max_tries : int, default=10_000
        Draws in all.
    measure : str, measure, classifier or callable, default="accuracy"
        See `fselect.selectors.searches.estimator.SubsetSelector`; ``"accuracy"`` is that of C4.5.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See there, also for the attributes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> LVW(measure=GaussianNB(), max_failures=20, random_state=0).fit(X, y).get_support(indices=True)
    array([2, 3])
    """

    measure: Any = "accuracy"
    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class QBB(SubsetSelector, QuickBranchAndBound):
    """QBB: random feature sets, then ABB downward from the smallest of them.

    Half of the tries go to LVF; ABB then starts from each of the smallest consistent sets, and the smallest
    result wins (Dash and Liu 1998, "Hybrid search of feature subsets").

    Parameters
    ----------
    max_tries : int, default=10_000
        Half of them are drawn.
    max_states : int, default=100_000
        Sets that ABB may meet, in equal parts for each start: from a large set it would never end. When that ends it,
        the answer is the smallest set so far, with a warning.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 6, permute=False, random_state=0)
    >>> QBB(max_tries=100, random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    random_state: Any = None
