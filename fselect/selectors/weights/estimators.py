"""Relief, ReliefF and the entropy ranking as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils import ClassifierTags, Tags

from fselect.selectors.searches.estimator import WeightSelector
from fselect.selectors.weights.entropy_ranking import SingleInformation
from fselect.selectors.weights.relief import Neighbourhoods, NeighbourhoodsOfTwo

__all__ = ["EntropyRanking", "Relief", "ReliefF"]


@dataclass(eq=False, repr=False, kw_only=True)
class Relief(WeightSelector, NeighbourhoodsOfTwo):
    """Relief: features that differ to the nearest row of the other class more than to the nearest of the same class.

    The weight of a feature is the mean of diff(row, nearest miss) − diff(row, nearest hit), where diff is 0 or 1 for
    names, and |Δ| / range for numbers; near is the least sum of these. Rows equally near are averaged (decided here, so
    that the order of rows does not matter). Two classes (Kira and Rendell 1992, "A practical approach to feature
    selection").

    Parameters
    ----------
    m : int, optional
        Rows that are looked at, drawn without replacement; by default all.
    nominal : "auto", "all", "none", or list of names or positions, default="auto"
        Columns whose numbers are codes of names, not amounts: by default whole numbers, at most 10 different ones.
    cut, random_state
        See `fselect.selectors.searches.estimator.WeightSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_disjunction
    >>> data = make_disjunction(5, 3, permute=False, random_state=0)
    >>> Relief().fit(data.X, data.y).get_support(indices=True)
    array([0, 1, 2, 3, 4])
    """

    random_state: Any = None

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)  # the tag that says: two classes
        return tags


@dataclass(eq=False, repr=False, kw_only=True)
class ReliefF(WeightSelector, Neighbourhoods):
    """ReliefF: Relief for noisy data, several classes and missing values, with k nearest rows of each class.

    Misses of a class are weighted by P(class) / (1 − P(class of the row)). A missing value counts as a random known
    one of its class (Kononenko 1994, "Estimating attributes: analysis and extensions of Relief").

    Parameters
    ----------
    k : int, default=10
        Nearest rows of each class; where a class has fewer, all of them.
    m : int, optional
        Rows that are looked at, drawn without replacement; by default all.
    nominal : "auto", "all", "none", or list of names or positions, default="auto"
        Columns whose numbers are codes of names, not amounts: by default whole numbers, at most 10 different ones.
    cut, random_state
        See `fselect.selectors.searches.estimator.WeightSelector`, also for the attributes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ReliefF(cut=2).fit(X, y).get_feature_names_out()
    array(['petal length (cm)', 'petal width (cm)'], dtype=object)
    """

    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class EntropyRanking(WeightSelector, SingleInformation):
    """Entropy ranking: features by how much of the class's entropy each explains by itself.

    The weight of a feature is H(class) − H(class | feature), in bits: E-SFG of Molina, Belanche and Nebot (2002),
    section 3.

    Parameters
    ----------
    discretize : {"equal_frequency", "equal_width", "mdl"} or None, default="equal_frequency"
        How columns that are not nominal are cut; None refuses such columns.
    n_bins : int, default=5
        Into how many parts.
    nominal : "auto", "all", "none", or list of names or positions, default="auto"
        Columns whose numbers are codes of names, not amounts: by default whole numbers, at most 10 different ones.
    cut, random_state
        See `fselect.selectors.searches.estimator.WeightSelector`, also for the attributes.

    Examples
    --------
    >>> from fselect.datasets import make_disjunction
    >>> data = make_disjunction(5, 3, permute=False, random_state=0)
    >>> EntropyRanking(cut=2).fit(data.X, data.y).get_support(indices=True)
    array([3, 4])
    """

    random_state: Any = None
