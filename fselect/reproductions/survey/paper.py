"""Molina, Belanche & Nebot (2002): feature selection algorithms, a survey and experimental evaluation."""

from __future__ import annotations

from fselect.reproductions.cells import CellPaper
from fselect.reproductions.survey.cells import cells, compute
from fselect.reproductions.survey.claims import claims
from fselect.reproductions.survey.figures import draw_all
from fselect.reproductions.survey.settings import RUNS, STUDIES
from fselect.reproductions.survey.slices import narrow
from fselect.reproductions.survey.tables import sections

__all__ = ["PAPER"]

PAPER = CellPaper(
    name="survey",
    citation=(
        "L. C. Molina, L. Belanche and À. Nebot, Feature selection algorithms: a survey and experimental evaluation, "
        "ICDM 2002"
    ),
    tables=(),
    files=dict.fromkeys(STUDIES, ""),
    splits=dict.fromkeys(STUDIES, RUNS),
    cells=cells,
    compute=compute,
    claims=claims,
    sections=sections,
    draw=draw_all,
    narrow=narrow,
)
