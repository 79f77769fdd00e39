"""The comparison of all methods: tables, methods, and what is decided for it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ALLOWANCE",
    "CLASSICS",
    "FINAL",
    "METHODS",
    "PENALTY",
    "SEED",
    "SHAPE",
    "STUDIES",
    "Method",
    "Study",
]

SEED = 0
"""Of bootstraps, draws and searches."""

SHAPE = 0.2
"""Of the biased elimination: a strong bias, not yet one that decides alone (Hamer and Dupont have 30 to 0.01)."""

PENALTY = 0.1
"""λ of the elimination and of the final logistic model, Hamer and Dupont's for a single task."""

ALLOWANCE = 60.0
"""Processor seconds of one search on one bootstrap, as in the survey; a search that needs more is ended and marked."""

FINAL = {"logistic": "logistic", "c45": "C4.5"}
"""The final classifiers, the first one drawn: the linear one of this project's comparisons, and the tree that most of
the searches here train inside."""


@dataclass(frozen=True)
class Study:
    """A table with what methods are told of it.

    Parameters
    ----------
    title : str
        What the table is called.
    file : str
        In the data folder.
    keep : int
        k, features of the methods that are told how many: the eliminations, the k best, and the random set.
    logarithm : bool
        Whether the values are replaced by their decimal logarithms.
    offered : int or None
        Searches are offered only so many columns, those of most information in the training rows.
    bootstraps : int
        How many: with 50 sets the interval of the stability covers nearly what it says (docs/coverage.md).
    draws : int
        Draws of the shrinkage, and of random sets, that every bootstrap sees: as many as bootstraps, so that neither
        of the two makes most of the uncertainty, unless that would take hours.
    """

    title: str
    file: str
    keep: int = 4
    logarithm: bool = False
    offered: int | None = None
    bootstraps: int = 50
    draws: int = 50


STUDIES = {
    "labor": Study("Labor", "labor.parquet"),
    "vote": Study("Vote", "vote.parquet"),
    "glass": Study("Glass", "glass.parquet"),
    "heart-c": Study("Heart-C", "heart_c.parquet"),
    "pima": Study("Pima", "pima_diabetes.parquet"),
    "colon": Study("Colon", "colon_alon_2000.parquet", keep=20, logarithm=True, offered=50),
    "soybean": Study("Soybean", "soybean.parquet", keep=15, bootstraps=30, draws=20),
}
"""By name, those that take longest last. Four features, and 15 of Soybean's, are about what Boz's counted sets have on
these tables; 20 are Hamer and Dupont's."""


@dataclass(frozen=True)
class Method:
    """A method of the comparison.

    Parameters
    ----------
    title : str
        What it is called.
    family : {"trivial", "elimination", "contribution", "filter", "wrapper", "sorted"}
        Its colour.
    draws : bool
        Whether it gives a set for each of a number of draws.
    searches : bool
        Whether it is a search, which a wide table offers only some of its columns.
    """

    title: str
    family: str
    draws: bool = False
    searches: bool = True


METHODS = {
    "all": Method("all features", "trivial", searches=False),
    "random": Method("random set", "trivial", draws=True, searches=False),
    "rfe": Method("RFE", "elimination", searches=False),
    "rfe-biased": Method("RFE biased", "elimination", draws=True, searches=False),
    "e-sfg": Method("E-SFG", "filter", searches=False),
    "relief": Method("Relief", "filter", searches=False),
    "e-sfg-k": Method("E-SFG, k best", "filter", searches=False),
    "relief-k": Method("Relief, k best", "filter", searches=False),
    "c-sbg": Method("C-SBG", "filter"),
    "sffg": Method("SFFG", "filter"),
    "sfbg": Method("SFBG", "filter"),
    "qbb": Method("QBB", "filter"),
    "lvf": Method("LVF", "filter"),
    "lvi": Method("LVI", "filter"),
    "w-sfg": Method("W-SFG", "wrapper"),
    "w-sbg": Method("W-SBG", "wrapper"),
    "csa-forward": Method("CSA forward", "contribution"),
    "csa-backward": Method("CSA backward", "contribution"),
    "sorted": Method("NS", "sorted"),
    "counting": Method("NS counted", "sorted"),
}
"""Simple strategies first, then cheap ones first."""

CLASSICS = ("e-sfg", "relief", "c-sbg", "sffg", "sfbg", "qbb", "lvf", "lvi", "w-sfg", "w-sbg")
"""The ten of Molina, Belanche and Nebot (2002)."""
