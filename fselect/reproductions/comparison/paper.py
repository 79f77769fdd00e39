"""All methods on the same bootstraps of the same real tables: accuracy against stability."""

from __future__ import annotations

from fselect.reproductions.cells import CellPaper
from fselect.reproductions.comparison.cells import cells, compute
from fselect.reproductions.comparison.claims import claims
from fselect.reproductions.comparison.figures import draw_all
from fselect.reproductions.comparison.settings import STUDIES
from fselect.reproductions.comparison.tables import sections
from fselect.reproductions.paper import Table

__all__ = ["PAPER"]

PAPER = CellPaper(
    name="comparison",
    citation="Accuracy against stability: the methods of four papers on the same bootstraps of the same tables",
    tables=(
        Table("labor.parquet", "Labor: Bergadano et al. (1988), UCI repository", 57, 16),
        Table("vote.parquet", "Vote: Schlimmer (1987), UCI repository", 435, 16),
        Table("glass.parquet", "Glass: Evett & Spiehler (1987), UCI repository", 214, 9),
        Table("heart_c.parquet", "Heart-C: Detrano et al. (1989), UCI repository, two classes", 303, 13),
        Table("pima_diabetes.parquet", "Pima: Smith et al. (1988), UCI repository", 768, 8),
        Table("colon_alon_2000.parquet", "Colon: gene expression, Alon et al. (1999), raw values", 62, 2000),
        Table("soybean.parquet", "Soybean: Michalski & Chilausky (1980), UCI repository", 683, 35),
    ),
    files={study: settings.file for study, settings in STUDIES.items()},
    splits={study: settings.bootstraps for study, settings in STUDIES.items()},
    cells=cells,
    compute=compute,
    claims=claims,
    sections=sections,
    draw=draw_all,
)
