"""fselect: feature sets that are accurate and stable.

The public classes are imported on first use, so that ``import fselect`` costs next to nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers take it, without the time that typing takes to import
if TYPE_CHECKING:
    from typing import Any

    from fselect.selectors.contribution.selection import ContributionSelection
    from fselect.selectors.counting.estimator import CountingSelection
    from fselect.selectors.rfe import BiasedRFE
    from fselect.selectors.searches.exponential_estimators import ABB, BranchAndBound, ExhaustiveSearch, Focus
    from fselect.selectors.searches.las_vegas_estimators import LVF, LVI, LVW, QBB
    from fselect.selectors.searches.sequential_estimators import (
        BeamSearch,
        FloatingSearch,
        PlusMinusSearch,
        SequentialSearch,
    )
    from fselect.selectors.sorted_relevance.estimator import SortedRelevanceSearch
    from fselect.selectors.transfer import TransferRFE
    from fselect.selectors.weights.estimators import EntropyRanking, Relief, ReliefF

__version__ = "0.1.0"

__all__ = [
    "ABB",
    "LVF",
    "LVI",
    "LVW",
    "QBB",
    "BeamSearch",
    "BiasedRFE",
    "BranchAndBound",
    "ContributionSelection",
    "CountingSelection",
    "EntropyRanking",
    "ExhaustiveSearch",
    "FloatingSearch",
    "Focus",
    "PlusMinusSearch",
    "Relief",
    "ReliefF",
    "SequentialSearch",
    "SortedRelevanceSearch",
    "TransferRFE",
    "__version__",
]

_HOME = {  # public name: the module that defines it
    "ABB": "fselect.selectors.searches.exponential_estimators",
    "BeamSearch": "fselect.selectors.searches.sequential_estimators",
    "BiasedRFE": "fselect.selectors.rfe",
    "BranchAndBound": "fselect.selectors.searches.exponential_estimators",
    "ContributionSelection": "fselect.selectors.contribution.selection",
    "CountingSelection": "fselect.selectors.counting.estimator",
    "EntropyRanking": "fselect.selectors.weights.estimators",
    "ExhaustiveSearch": "fselect.selectors.searches.exponential_estimators",
    "FloatingSearch": "fselect.selectors.searches.sequential_estimators",
    "Focus": "fselect.selectors.searches.exponential_estimators",
    "LVF": "fselect.selectors.searches.las_vegas_estimators",
    "LVI": "fselect.selectors.searches.las_vegas_estimators",
    "LVW": "fselect.selectors.searches.las_vegas_estimators",
    "PlusMinusSearch": "fselect.selectors.searches.sequential_estimators",
    "QBB": "fselect.selectors.searches.las_vegas_estimators",
    "Relief": "fselect.selectors.weights.estimators",
    "ReliefF": "fselect.selectors.weights.estimators",
    "SequentialSearch": "fselect.selectors.searches.sequential_estimators",
    "SortedRelevanceSearch": "fselect.selectors.sorted_relevance.estimator",
    "TransferRFE": "fselect.selectors.transfer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
