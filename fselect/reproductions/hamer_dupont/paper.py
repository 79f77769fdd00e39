"""Hamer & Dupont (2019): stability and accuracy of a biased recursive feature elimination."""

from __future__ import annotations

from collections.abc import Mapping

from fselect.reproductions.evidence import Finding
from fselect.reproductions.hamer_dupont import claims
from fselect.reproductions.hamer_dupont.figures import draw_all
from fselect.reproductions.paper import Paper, Table
from fselect.study.results import Summary

__all__ = ["PAPER"]

_CHALLENGE = "NIPS 2003 feature selection challenge (Guyon, Gunn, Ben-Hur & Dror 2004), training and validation rows"


def _claims(summaries: Mapping[str, Summary]) -> list[Finding]:
    parts = (
        claims.trend,
        claims.price_of_stability,
        claims.prior_pays,
        claims.ellipses_grow,
        claims.ellipses_lean,
        claims.moderate_strength,
        claims.strong_strength,
        claims.beyond_the_trivial,
        claims.never_one,
    )
    return [finding for part in parts for finding in part(summaries)]


PAPER = Paper(
    name="hamer-dupont",
    citation=(
        "V. Hamer and P. Dupont, Explicit control of feature relevance and selection stability through Pareto "
        "optimality, 2019"
    ),
    tables=(
        Table(
            "prostate_singh_12600.parquet",
            "Prostate: gene expression, Singh et al. (2002), Cancer Cell 1:203-209, all 12,600 probe sets, raw values",
            102,
            12600,
        ),
        Table("arcene.parquet", f"Arcene: mass spectra, {_CHALLENGE}", 200, 10000),
        Table("madelon.parquet", f"Madelon: made data, {_CHALLENGE}", 2600, 500),
        Table("dexter.parquet", f"Dexter: word counts, {_CHALLENGE}", 600, 20000),
        Table("gisette.parquet", f"Gisette: digits 4 and 9, {_CHALLENGE}", 7000, 5000, openml=41026),
    ),
    studies=(
        "prostate",
        "prostate-prior",
        "transfer-noise-3",
        "transfer-noise-2",
        "transfer-noise-5",
        "transfer-noise-10",
        "arcene",
        "arcene-prior",
        "madelon",
        "madelon-prior",
        "dexter",
        "dexter-prior",
        "gisette",
        "gisette-prior",
    ),
    claims=_claims,
    draw=draw_all,
)
