"""fselect: feature sets that are accurate and stable.

The public classes are imported on first use, so that ``import fselect`` costs next to nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers take it, without the time that typing takes to import
if TYPE_CHECKING:
    from typing import Any

    from fselect.selectors.contribution_selection import ContributionSelection
    from fselect.selectors.counting import CountingSelection
    from fselect.selectors.exponential_estimators import ABB, BranchAndBound, ExhaustiveSearch, Focus
    from fselect.selectors.las_vegas_estimators import LVF, LVI, LVW, QBB
    from fselect.selectors.rfe import BiasedRFE
    from fselect.selectors.sequential_estimators import BeamSearch, FloatingSearch, PlusMinusSearch, SequentialSearch
    from fselect.selectors.sorted_relevance import SortedRelevanceSearch
    from fselect.selectors.transfer import TransferRFE
    from fselect.selectors.weight_estimators import EntropyRanking, Relief, ReliefF

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
    "ABB": "fselect.selectors.exponential_estimators",
    "BeamSearch": "fselect.selectors.sequential_estimators",
    "BiasedRFE": "fselect.selectors.rfe",
    "BranchAndBound": "fselect.selectors.exponential_estimators",
    "ContributionSelection": "fselect.selectors.contribution_selection",
    "CountingSelection": "fselect.selectors.counting",
    "EntropyRanking": "fselect.selectors.weight_estimators",
    "ExhaustiveSearch": "fselect.selectors.exponential_estimators",
    "FloatingSearch": "fselect.selectors.sequential_estimators",
    "Focus": "fselect.selectors.exponential_estimators",
    "LVF": "fselect.selectors.las_vegas_estimators",
    "LVI": "fselect.selectors.las_vegas_estimators",
    "LVW": "fselect.selectors.las_vegas_estimators",
    "PlusMinusSearch": "fselect.selectors.sequential_estimators",
    "QBB": "fselect.selectors.las_vegas_estimators",
    "Relief": "fselect.selectors.weight_estimators",
    "ReliefF": "fselect.selectors.weight_estimators",
    "SequentialSearch": "fselect.selectors.sequential_estimators",
    "SortedRelevanceSearch": "fselect.selectors.sorted_relevance",
    "TransferRFE": "fselect.selectors.transfer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
