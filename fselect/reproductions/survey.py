"""Molina, Belanche & Nebot (2002): feature selection algorithms, a survey and experimental evaluation."""

from __future__ import annotations

from fselect.reproductions.cells import CellPaper
from fselect.reproductions.survey_cells import cells, compute
from fselect.reproductions.survey_claims import claims
from fselect.reproductions.survey_figures import draw_all
from fselect.reproductions.survey_settings import RUNS, STUDIES
from fselect.reproductions.survey_slices import narrow
from fselect.reproductions.survey_tables import sections

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
