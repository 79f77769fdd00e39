"""The studies of Boz (2002): tables, folds and searches (its table I, and the heads of tables II to IX)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fselect.datasets import make_corral, make_parity5plus5
from fselect.selectors.sorted_relevance.estimator import SortedRelevanceSearch
from fselect.selectors.sorted_relevance.goodness_estimators import RelevanceStepwiseSearch
from fselect.selectors.sorted_relevance.goodness_selector import GoodnessSelector

__all__ = ["SEARCHES", "STUDIES", "Sample", "Study", "make_search", "read_sample"]

SEARCHES = {
    "sorted": "SS",
    "neighbour": "NS",
    "sfs-es": "SFS-ES",
    "sfs-ta": "SFS-TA",
    "sbe-es": "SBE-ES",
    "sbe-ta": "SBE-TA",
}
"""The searches that are compared, and what the paper calls them."""

REPEATS = 10
"""Of the whole cross-validation, as in the paper."""


@dataclass(frozen=True)
class Study:
    """A table of the paper with its folds.

    Parameters
    ----------
    title : str
        What the table is called.
    file : str
        In the data folder; empty where the table is made.
    parts, test, validation : int
        Parts in all, to compare on, and to assess on.
    unknown : bool
        Whether a missing value is a value of its own (vote: neither yes nor no).
    """

    title: str
    file: str = ""
    parts: int = 10
    test: int = 1
    validation: int = 1
    unknown: bool = False


STUDIES = {
    "corral": Study("CorrAL", test=2, validation=2),
    "parity5plus5": Study("Parity5+5"),
    "vote": Study("Vote", "vote.parquet", unknown=True),
    "labor": Study("Labor", "labor.parquet"),
    "glass": Study("Glass", "glass.parquet"),
    "heart-c": Study("Heart-C", "heart_c.parquet"),
    "pima": Study("Pima", "pima_diabetes.parquet"),
    "soybean": Study("Soybean", "soybean.parquet"),
}
"""By name, those that take longest last."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A table as numbers, its labels, and the positions of its nominal columns."""

    X: np.ndarray
    y: np.ndarray
    nominal: tuple[int, ...]


def read_sample(study: str, data: Path, repeat: int) -> Sample:
    """Read or make the table of a study.

    CorrAL's column f5 is drawn anew in each repetition (decided here). Nominal columns become codes; a missing value
    stays one, but in the votes it is a third value.

    Parameters
    ----------
    study : str
        A name of `STUDIES`.
    data : Path
        The folder with the tables.
    repeat : int
        Number of the repetition, from 0.

    Returns
    -------
    Sample

    Examples
    --------
    >>> read_sample("corral", Path(), 0).X.shape
    (256, 6)
    """
    settings = STUDIES[study]
    if not settings.file:
        made = make_corral(random_state=repeat) if study == "corral" else make_parity5plus5()
        return Sample(made.X.astype(np.float64), np.asarray(made.y), tuple(range(made.X.shape[1])))
    frame = pd.read_parquet(data / settings.file)
    y = frame.pop("target").astype(str).to_numpy()
    kinds = [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
    columns = [
        _coded(frame[name], unknown=settings.unknown) if nominal else frame[name].to_numpy(np.float64, na_value=np.nan)
        for name, nominal in zip(frame.columns, kinds, strict=True)
    ]
    return Sample(np.column_stack(columns), y, tuple(int(column) for column in np.flatnonzero(kinds)))


def _coded(series: pd.Series, *, unknown: bool) -> np.ndarray:
    codes = series.cat.codes.to_numpy(np.float64)
    return np.where(codes < 0, len(series.cat.categories) if unknown else np.nan, codes)


def make_search(name: str, nominal: tuple[int, ...]) -> GoodnessSelector:
    """Make a search: C4.5 unpruned with m = 1 on the test part, goodness by accuracy, then size, then relevance.

    Parameters
    ----------
    name : str
        A name of `SEARCHES`.
    nominal : tuple of int
        Positions of the nominal columns.

    Returns
    -------
    estimator

    Examples
    --------
    >>> make_search("sbe-ta", (0, 1)).direction
    'backward'
    """
    options: dict[str, Any] = {"nominal": list(nominal)}
    if name in ("sorted", "neighbour"):
        return SortedRelevanceSearch(neighbours=name == "neighbour", **options)
    direction = "forward" if name.startswith("sfs") else "backward"
    return RelevanceStepwiseSearch(direction=direction, test_all=name.endswith("ta"), **options)
