"""The papers that can be reproduced: each file of this folder that makes a ``PAPER`` is one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

from fselect.errors import InputError
from fselect.reproductions.cells import CellPaper
from fselect.reproductions.paper import Paper

__all__ = ["get_paper", "paper_names"]

FOLDER = Path(__file__).parent
_MAKES_ONE = re.compile(rb"^PAPER = (Cell)?Paper\(", re.MULTILINE)


def paper_names() -> list[str]:
    """Names of the papers.

    Examples
    --------
    >>> paper_names()
    ['comparison', 'contribution', 'hamer-dupont', 'sorted-relevance', 'survey']
    """
    modules = [module.name for module in pkgutil.iter_modules([str(FOLDER)])]
    return [name.replace("_", "-") for name in modules if _MAKES_ONE.search((FOLDER / f"{name}.py").read_bytes())]


def get_paper(name: str) -> Paper | CellPaper:
    """Find a paper by its name.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> get_paper("hamer-dupont").studies[0]
    'prostate'
    """
    if name not in paper_names():
        raise InputError(f"there is no reproduction {name!r}; there are {', '.join(paper_names())}")
    found: Paper | CellPaper = importlib.import_module(f"fselect.reproductions.{name.replace('-', '_')}").PAPER
    return found
