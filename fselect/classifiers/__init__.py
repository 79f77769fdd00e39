"""Classifiers that a selection trains again and again, fast and exact.

The public classes are imported on first use, so that one classifier does not load the others.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers take it, without the time that typing takes to import
if TYPE_CHECKING:
    from typing import Any

    from fselect.classifiers.c45.estimator import C45Classifier
    from fselect.classifiers.naive_bayes.estimator import NaiveBayesClassifier
    from fselect.classifiers.nearest_neighbour.estimator import NearestNeighbourClassifier
    from fselect.classifiers.nested_payoffs import NestedPayoff, nested_payoff

__all__ = ["C45Classifier", "NaiveBayesClassifier", "NearestNeighbourClassifier", "NestedPayoff", "nested_payoff"]

_HOME = {  # public name: the module that defines it
    "C45Classifier": "fselect.classifiers.c45.estimator",
    "NaiveBayesClassifier": "fselect.classifiers.naive_bayes.estimator",
    "NearestNeighbourClassifier": "fselect.classifiers.nearest_neighbour.estimator",
    "NestedPayoff": "fselect.classifiers.nested_payoffs",
    "nested_payoff": "fselect.classifiers.nested_payoffs",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
