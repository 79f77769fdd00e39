"""What a set of columns is worth: measures that searches maximise, and the numbers behind them.

Names are looked up on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fselect.measures.accuracy import Accuracy
    from fselect.measures.consistency import Consistency, inconsistency_rate
    from fselect.measures.dependence import Correlation
    from fselect.measures.discretizer import Discretizer
    from fselect.measures.distance import InterclassDistance, interclass_distance
    from fselect.measures.divergence import Divergence
    from fselect.measures.function import Function
    from fselect.measures.held_out import HeldOut
    from fselect.measures.information import GainRatio, Information, entropy, gain_ratio, mutual_information
    from fselect.measures.named import get_measure, measure_names

__all__ = [
    "Accuracy",
    "Consistency",
    "Correlation",
    "Discretizer",
    "Divergence",
    "Function",
    "GainRatio",
    "HeldOut",
    "Information",
    "InterclassDistance",
    "entropy",
    "gain_ratio",
    "get_measure",
    "inconsistency_rate",
    "interclass_distance",
    "measure_names",
    "mutual_information",
]

_HOMES = {
    "accuracy": ("Accuracy",),
    "consistency": ("Consistency", "inconsistency_rate"),
    "dependence": ("Correlation",),
    "discretizer": ("Discretizer",),
    "distance": ("InterclassDistance", "interclass_distance"),
    "divergence": ("Divergence",),
    "function": ("Function",),
    "held_out": ("HeldOut",),
    "information": ("GainRatio", "Information", "entropy", "gain_ratio", "mutual_information"),
    "named": ("get_measure", "measure_names"),
}
_HOME = {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
