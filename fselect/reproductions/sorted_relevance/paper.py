"""Boz (2002): feature subset selection by using sorted feature relevance."""

from __future__ import annotations

from fselect.reproductions.cells import CellPaper
from fselect.reproductions.paper import Table
from fselect.reproductions.sorted_relevance.cells import cells, compute
from fselect.reproductions.sorted_relevance.claims import claims
from fselect.reproductions.sorted_relevance.settings import REPEATS, STUDIES
from fselect.reproductions.sorted_relevance.stability import draw_all
from fselect.reproductions.sorted_relevance.tables import sections

__all__ = ["PAPER"]

PAPER = CellPaper(
    name="sorted-relevance",
    citation="O. Boz, Feature subset selection by using sorted feature relevance, 2002",
    tables=(
        Table("vote.parquet", "Vote: Schlimmer (1987), UCI repository", 435, 16),
        Table("labor.parquet", "Labor: Bergadano et al. (1988), UCI repository", 57, 16),
        Table("soybean.parquet", "Soybean: Michalski & Chilausky (1980), UCI repository", 683, 35),
        Table("glass.parquet", "Glass: Evett & Spiehler (1987), UCI repository", 214, 9),
        Table("pima_diabetes.parquet", "Pima: Smith et al. (1988), UCI repository", 768, 8),
        Table("heart_c.parquet", "Heart-C: Detrano et al. (1989), UCI repository, two classes", 303, 13),
    ),
    files={study: settings.file for study, settings in STUDIES.items()},
    splits=dict.fromkeys(STUDIES, REPEATS),
    cells=cells,
    compute=compute,
    claims=claims,
    sections=sections,
    draw=draw_all,
)
