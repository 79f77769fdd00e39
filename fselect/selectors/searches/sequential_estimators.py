"""Sequential, floating, plus-minus and beam search as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fselect.selectors.searches.beam import Beam
from fselect.selectors.searches.estimator import SubsetSelector
from fselect.selectors.searches.floating import Floating
from fselect.selectors.searches.plus_minus import PlusMinus
from fselect.selectors.searches.sequential import Sequential

__all__ = ["BeamSearch", "FloatingSearch", "PlusMinusSearch", "SequentialSearch"]


@dataclass(eq=False, repr=False, kw_only=True)
class SequentialSearch(SubsetSelector, Sequential):
    """Sequential search: add the best feature, or drop the least useful one, until a rule says stop.

    ``SequentialSearch("backward", measure="consistency")`` is the survey's C-SBG; with ``measure="c45"`` and either
    direction it is W-SFG or W-SBG (Molina, Belanche and Nebot 2002, section 3).

    Parameters
    ----------
    direction : {"forward", "backward"}
        From no feature, or from all.
    n_features : int, optional
        Stop at so many; from the number of columns on all are kept, with a warning.
    patience : int, optional
        Stop after so many steps without a better value, or an equal one with fewer features; the best set that was
        seen is the answer.
    threshold : float, optional
        Forward: stop when the value reaches it. Backward: stop before the value falls below it.
        If none of the three is given, the threshold is the value of all features for a monotone measure (consistency,
        information, distance), and patience is 1 for others.
    at_once : int, default=1
        Features that are added or dropped together: the best combination of so many.
    min_features : int, default=1
        Fewest features of an answer. 0 lets a forward search find that nothing is better than no feature.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> SequentialSearch("backward").fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class FloatingSearch(SubsetSelector, Floating):
    """Floating search: after each step, earlier ones are undone as long as that gives a better set of its size.

    A step is undone only if the set is strictly better than the best of its size so far, so that the search does not
    go round in circles, and never the step just made (Pudil, Novovičová and Kittler 1994, "Floating search methods in
    feature selection": SFFS and SFBS; SFFG and SFBG in Molina, Belanche and Nebot 2002).

    Parameters
    ----------
    direction : {"forward", "backward"}
        From no feature, or from all.
    n_features : int, optional
        Stop at so many. By default all sizes are gone through, and the answer is the best value, of equals the fewest
        features.
    min_features : int, default=1
        Fewest features of an answer.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> search = FloatingSearch().fit(data.X, data.y)
    >>> search.get_support(indices=True), search.by_size_[3]
    (array([0, 1, 2]), (1.0, (0, 1, 2)))
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class PlusMinusSearch(SubsetSelector, PlusMinus):
    """Plus l, minus r: so many features forward and so many back in turn, until a rule says stop.

    With more forward than backward it starts from no feature, with fewer from all. With equal numbers it starts from a
    random set (of ``n_features``, or half of all) and exchanges, until an exchange is undone or brings no more
    (Molina, Belanche and Nebot 2002, section 3: generalised compound steps).

    Parameters
    ----------
    forward, backward : int, default 2 and 1
        Features that are added, and dropped, one at a time.
    n_features, patience, threshold, min_features
        When to stop, as in `SequentialSearch`; steps are compound ones here.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_parity
    >>> data = make_parity(3, 2, permute=False, random_state=0)
    >>> PlusMinusSearch(1, 2).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2])
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class BeamSearch(SubsetSelector, Beam):
    """Beam search: the best sets so far are kept in a short list, and expanded in the order of their worth.

    The best set of the list that was not expanded yet is expanded, and its successors are put into the list, until all
    sets of the list are expanded. With a list of one it is a hill climb. With ``n_features`` the best sets of each
    size are kept, up or down to that size.

    Parameters
    ----------
    width : int, default=5
        Length of the list.
    direction : {"forward", "backward"}
        Whether successors have a feature more, or one less.
    n_features : int, optional
        Size of the answer. By default the answer is the best value, of equals the fewest features.
    patience : int, optional
        Stop after so many expansions that brought nothing better.
    min_features : int, default=1
        Fewest features of an answer.
    measure, discretize, n_bins, nominal, must_include, must_exclude, max_evaluations, max_seconds, random_state
        See `fselect.selectors.searches.estimator.SubsetSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_corral
    >>> data = make_corral(random_state=0)
    >>> BeamSearch(3, "backward", random_state=0).fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2, 3])
    """

    random_state: Any = None
