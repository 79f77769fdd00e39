"""Measures by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fselect.errors import InputError
from fselect.measures.accuracy import Accuracy
from fselect.measures.consistency import Consistency
from fselect.measures.dependence import Correlation
from fselect.measures.distance import InterclassDistance
from fselect.measures.divergence import Divergence
from fselect.measures.function import Function
from fselect.measures.held_out import HeldOut
from fselect.measures.information import GainRatio, Information
from fselect.measures.measure import Measure

__all__ = ["get_measure", "measure_names"]

_MEASURES: dict[str, Callable[[], Measure]] = {
    "consistency": Consistency,
    "information": Information,
    "gain_ratio": GainRatio,
    "distance": InterclassDistance,
    "divergence": Divergence,
    "bhattacharyya": lambda: Divergence("bhattacharyya"),
    "correlation": Correlation,
    "accuracy": Accuracy,
    "held_out": HeldOut,
    "c45": lambda: Accuracy("c45"),
    "naive_bayes": lambda: Accuracy("naive_bayes"),
    "nearest_neighbour": lambda: Accuracy("nearest_neighbour"),
}


def measure_names() -> list[str]:
    """List the names that `get_measure` knows.

    Returns
    -------
    list of str

    Examples
    --------
    >>> measure_names()[:3]
    ['consistency', 'information', 'gain_ratio']
    """
    return list(_MEASURES)


def get_measure(measure: Any) -> Measure:
    """Make a measure of its name.

    Parameters
    ----------
    measure : str, Measure, estimator or callable
        A name; a measure itself; a classifier, whose cross-validated accuracy is meant; or a function of columns and
        classes (see `fselect.measures.function.Function`).

    Returns
    -------
    Measure

    Raises
    ------
    InputError
        There is no such measure.

    Examples
    --------
    >>> get_measure("consistency"), get_measure("naive_bayes")
    (Consistency(), Accuracy(classifier='naive_bayes', cv=5, scoring='accuracy'))
    """
    if isinstance(measure, str):
        if measure not in _MEASURES:
            raise InputError(f"there is no measure {measure!r}; there are {', '.join(_MEASURES)}")
        return _MEASURES[measure]()
    if hasattr(measure, "prepare"):
        made: Measure = measure
        return made
    if hasattr(measure, "fit") and hasattr(measure, "predict"):
        return Accuracy(measure)
    if callable(measure):
        return Function(measure)
    raise InputError(f"measure must be a name, a measure, a classifier or a function, not {measure!r}")
