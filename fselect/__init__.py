"""fselect: feature sets that are accurate and stable.

The public classes are imported on first use, so that ``import fselect`` costs next to nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers take it, without the time that typing takes to import
if TYPE_CHECKING:
    from typing import Any

    from fselect.selectors.contribution_selection import ContributionSelection
    from fselect.selectors.rfe import BiasedRFE
    from fselect.selectors.transfer import TransferRFE

__version__ = "0.1.0"

__all__ = ["BiasedRFE", "ContributionSelection", "TransferRFE", "__version__"]

_HOME = {  # public name: the module that defines it
    "BiasedRFE": "fselect.selectors.rfe",
    "ContributionSelection": "fselect.selectors.contribution_selection",
    "TransferRFE": "fselect.selectors.transfer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
