"""The sorted-relevance search as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fselect.selectors.sorted_relevance.goodness_selector import GoodnessSelector
from fselect.selectors.sorted_relevance.search import SortedRelevance

__all__ = ["SortedRelevanceSearch"]


@dataclass(eq=False, repr=False, kw_only=True)
class SortedRelevanceSearch(GoodnessSelector, SortedRelevance):
    """Search from the best prefix of the features sorted by relevance, then among its neighbours.

    The sorted phase evaluates the most relevant feature, the two most relevant, and so on, and stops at a perfect
    set. The neighbour phase starts from the best of these, evaluates all sets that differ by one feature, and goes to
    the best of them as long as that beats the best so far. No set is evaluated twice, the empty set never
    (decided here, because no classifier can be trained on it).

    Parameters
    ----------
    neighbours : bool, default=True
        False ends after the sorted phase, which evaluates as many sets as there are features at most.
    measure : str, measure, classifier or callable, default="held_out"
        What a set is worth. ``"held_out"``: accuracy on a fifth of the rows of an unpruned C4.5 tree trained on
        the others; `fselect.measures.HeldOut` takes any classifier and names the rows. All else as in other searches.
    goodness : {"accuracy", "tolerant", "smallest"}, default="accuracy"
        What is better; see `fselect.selectors.sorted_relevance.goodness.Goodness`.
    beta : float, default=0
        What of the measure the latter two give up for fewer features: 0.05 is five points of accuracy.
    relevance : str, callable or array-like, default="auto"
        How features are sorted; see `fselect.selectors.sorted_relevance.relevance.relevance_order`. Gain ratio
        for C4.5, from the rows that are trained on.
    n_jobs : int or None, default=1
        Threads among which neighbours are divided, as in scikit-learn: -1 is all processors; the answer is the same.
    discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the other attributes.

    Attributes
    ----------
    relevance_order_ : ndarray of int64
        Positions of the features that may be chosen, the most relevant first.
    evaluations_ : int
        States tested: distinct sets, of both phases together.
    equals_ : ndarray of shape (m, n_features), bool
        The answer, and the sets that differ from it in relevance only.

    References
    ----------
    O. Boz (2002), "Feature subset selection by using sorted feature relevance", section V.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> search = SortedRelevanceSearch(random_state=0).fit(data.X, data.y)
    >>> search.relevance_order_, search.get_support(indices=True), search.evaluations_
    (array([5, 0, 3, 1, 2, 4]), array([0, 1, 2, 3]), 13)
    """

    random_state: Any = None
