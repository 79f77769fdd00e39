"""The papers that can be reproduced: each folder here with a ``paper.py`` that makes a ``PAPER`` is one."""

from __future__ import annotations

import importlib
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
    files = sorted(FOLDER.glob("*/paper.py"))
    return [file.parent.name.replace("_", "-") for file in files if _MAKES_ONE.search(file.read_bytes())]


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
    found: Paper | CellPaper = importlib.import_module(f"fselect.reproductions.{name.replace('-', '_')}.paper").PAPER
    return found
