"""The rivals of the sorted-relevance search as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fselect.selectors.sorted_relevance.goodness_rivals import RelevanceBeam, RelevanceExchange, RelevanceStepwise
from fselect.selectors.sorted_relevance.goodness_selector import GoodnessSelector

__all__ = ["RelevanceBeamSearch", "RelevanceExchangeSearch", "RelevanceStepwiseSearch"]


@dataclass(eq=False, repr=False, kw_only=True)
class RelevanceStepwiseSearch(GoodnessSelector, RelevanceStepwise):
    """Forward or backward search that compares by a measure of goodness: SFS and SBE, ES and TA (Boz 2002).

    Parameters
    ----------
    direction : {"forward", "backward"}
        SFS from no feature, SBE from all; the full set is evaluated, and counts among ``evaluations_``.
    test_all : bool, default=False
        Go on to the end of the lattice (TA) instead of stopping early (ES), and take the best set that was seen.
    measure, goodness, beta, relevance, n_jobs
        See `fselect.SortedRelevanceSearch`.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> search = RelevanceStepwiseSearch(direction="backward", random_state=0).fit(data.X, data.y)
    >>> search.get_support(indices=True), search.evaluations_
    (array([0, 1, 2, 3]), 16)
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class RelevanceExchangeSearch(GoodnessSelector, RelevanceExchange):
    """(p, q) search that compares by a measure of goodness (Boz 2002, section III).

    Parameters
    ----------
    p, q : int, default 2 and 1
        Features that are added one at a time, and dropped, in a round; a round that gives no better set is the last.
        With p > q it starts from no feature, else from all and drops first.
    random_start : bool, default=False
        Start from a random set.
    measure, goodness, beta, relevance, n_jobs
        See `fselect.SortedRelevanceSearch`.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> RelevanceExchangeSearch(p=1, q=2, random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2, 3])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class RelevanceBeamSearch(GoodnessSelector, RelevanceBeam):
    """Beam search that compares by a measure of goodness (Boz 2002, section III).

    Parameters
    ----------
    width : int, default=5
        Sets that are kept.
    direction : {"forward", "backward"}
        Whether successors have a feature more, or one less.
    measure, goodness, beta, relevance, n_jobs
        See `fselect.SortedRelevanceSearch`.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> RelevanceBeamSearch(direction="backward", random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2, 3])
    """

    random_state: Any = None
