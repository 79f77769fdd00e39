"""Cohen, Ruppin & Dror (2005): feature selection based on the Shapley value."""

from __future__ import annotations

from fselect.reproductions.cells import CellPaper
from fselect.reproductions.contribution.cells import cells, compute
from fselect.reproductions.contribution.claims import claims
from fselect.reproductions.contribution.figures import draw_all
from fselect.reproductions.contribution.settings import STUDIES
from fselect.reproductions.contribution.tables import sections
from fselect.reproductions.paper import Table

__all__ = ["PAPER"]

_CHALLENGE = "NIPS 2003 feature selection challenge (Guyon, Gunn, Ben-Hur & Dror 2004), training and validation rows"
_ADS = "Internet Advertisements, Kushmerick (1999), UCI repository"

PAPER = CellPaper(
    name="contribution",
    citation="S. Cohen, E. Ruppin and G. Dror, Feature selection based on the Shapley value, IJCAI 2005",
    tables=(
        Table(
            "colon_alon_2000.parquet", "I2000: colon cancer, gene expression, Alon et al. (1999), raw values", 62, 2000
        ),
        Table("arrhythmia.parquet", "Arrhythmia: Güvenir et al. (1997), UCI repository, all 16 classes", 452, 279),
        Table("internet_ads_binary_1966.parquet", f"Internet Ads, binary columns: {_ADS}", 1966, 1555),
        Table("internet_ads_first998.parquet", f"Internet Ads, first 998 rows: {_ADS}", 998, 1558),
        Table("arcene.parquet", f"Arcene: mass spectra, {_CHALLENGE}", 200, 10000),
        Table("dexter.parquet", f"Dexter: word counts, {_CHALLENGE}", 600, 20000),
    ),
    files={study: settings.file for study, settings in STUDIES.items()},
    splits={study: settings.splits for study, settings in STUDIES.items()},
    cells=cells,
    compute=compute,
    claims=claims,
    sections=sections,
    draw=draw_all,
)
