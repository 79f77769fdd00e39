"""What the searches by a measure of goodness share as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Tags, get_tags

from fselect.errors import InputError
from fselect.measures.held_out import HeldOut
from fselect.measures.named import get_measure
from fselect.selectors.searches.estimator import SubsetSelector
from fselect.selectors.searches.frame import Found

__all__ = ["GoodnessSelector", "takes_missing"]


class GoodnessSelector(SubsetSelector):
    """What these searches have beside the others as estimators.

    Attributes of all of them
    -------------------------
    relevance_order_ : ndarray of int64
        The columns that may be chosen, the most relevant first.
    """

    @property
    def keeps_nan(self) -> bool:
        """Whether NaN may pass: where the classifier of the measure takes it."""
        mixed: Any = self  # a search as well, as every subclass is
        return takes_missing(mixed.measure)

    def _keep(self, found: Found) -> None:
        self.relevance_order_ = np.array(found.rows[0]["columns"], dtype=np.int64)
        super()._keep(found)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.keeps_nan
        return tags


def takes_missing(measure: Any) -> bool:
    """Tell whether a measure works on tables with NaN: an accuracy whose classifier does.

    Examples
    --------
    >>> takes_missing("held_out"), takes_missing("consistency"), takes_missing(HeldOut("naive_bayes"))
    (True, False, False)
    """
    try:
        made = get_measure(measure)
    except InputError:  # told when it is fitted
        return False
    if not isinstance(made, HeldOut):
        return False
    if isinstance(made.classifier, str):
        return made.classifier == "c45"
    return bool(get_tags(made.classifier).input_tags.allow_nan)
