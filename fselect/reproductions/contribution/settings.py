"""The studies of Cohen, Ruppin & Dror (2005): tables, splits, classifiers and parameters (its tables 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

__all__ = ["COLUMNS", "STUDIES", "Split", "Study", "read_split"]

COLUMNS = {
    "none": "no selection",
    "svm": "linear SVM",
    "pearson": "Pearson",
    "mutual-information": "mutual information",
    "forest": "random forest",
    "wrapper": "wrapper",
    "forward": "CSA forward",
    "backward": "CSA backward",
}
"""The algorithms that are compared, cheapest first, and what they are called."""


@dataclass(frozen=True)
class Study:
    """A table of the paper with its parameters.

    Parameters
    ----------
    title : str
        What the table is called; a partial table says so.
    file : str
        In the data folder.
    inner : str
        The classifier inside the search.
    final : str or None
        The final one of every column, where it is another.
    add, drop : int
        s and p.
    size, permutations : int
        l and t.
    train, test : int
        Rows.
    splits : int
        How many splits are run.
    given : bool
        Whether the paper's split is known: the first rows of the table are its training rows.
    printed : bool
        Whether t stays as printed though it gives five draws or fewer a feature.
    in_paper : bool
        Whether the table is the paper's own; findings on others say little about it.
    """

    title: str
    file: str
    inner: str
    add: int
    drop: int
    size: int
    permutations: int
    train: int
    test: int
    splits: int = 10
    final: str | None = None
    given: bool = False
    printed: bool = False
    in_paper: bool = True


STUDIES = {
    "i2000": Study(
        "I2000 (colon)", "colon_alon_2000.parquet", "c45", 100, 100, 3, 2000, train=40, test=22, printed=True
    ),
    "arrhythmia": Study("Arrhythmia", "arrhythmia.parquet", "c45", 1, 50, 20, 500, train=280, test=140),
    "internet-ads-binary": Study(
        "Internet Ads, binary columns of 1966 rows",
        "internet_ads_binary_1966.parquet",
        "nearest_neighbour",
        1,
        100,
        20,
        1500,
        train=1442,
        test=524,
        in_paper=False,
    ),
    "internet-ads-first998": Study(
        "Internet Ads, complete ones of the first 998 rows",
        "internet_ads_first998.parquet",
        "nearest_neighbour",
        1,
        100,
        20,
        1500,
        train=553,
        test=201,
        in_paper=False,
    ),
    "arcene": Study(
        "Arcene",
        "arcene.parquet",
        "c45",
        100,
        100,
        5,
        10000,
        train=100,
        test=100,
        splits=3,
        final="linear_svm",
        given=True,
    ),
    "dexter": Study(
        "Dexter",
        "dexter.parquet",
        "c45",
        50,
        50,
        12,
        3500,
        train=300,
        test=300,
        splits=3,
        final="linear_svm",
        given=True,
    ),
}
"""By name, those that take longest last. The first split of Arcene and Dexter is the paper's, the others are drawn."""

NORMAL = "1"
"""Arrhythmia's class of normal hearts; the others are one class here."""


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows of a table, with the names of its columns."""

    X: pd.DataFrame
    y: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray


def read_split(study: str, data: Path, split: int) -> Split:
    """Read the table of a study, and divide it.

    Arrhythmia loses the column J, nearly all of which is missing, and then incomplete rows; that leaves the paper's
    278 features and 420 rows. Other tables lose incomplete rows. Splits that are drawn are stratified.

    Parameters
    ----------
    study : str
        A name of `STUDIES`.
    data : Path
        The folder with the tables.
    split : int
        Number of the split, from 0; also its seed.

    Returns
    -------
    Split
    """
    settings = STUDIES[study]
    frame = pd.read_parquet(data / settings.file)
    if study == "arrhythmia":
        frame = frame.drop(columns="J")
    frame = frame.dropna().reset_index(drop=True)
    labels = frame.pop("target").astype(str).to_numpy()
    y = np.where(labels == NORMAL, "normal", "other") if study == "arrhythmia" else labels
    X = frame.astype(np.float64)
    train, test = _rows(settings, y, split)
    return Split(X.iloc[train], y[train], X.iloc[test], y[test])


def _rows(settings: Study, y: np.ndarray, split: int) -> tuple[np.ndarray, np.ndarray]:
    everything = np.arange(len(y))
    if settings.given and split == 0:
        return everything[: settings.train], everything[settings.train :]
    share = settings.train / (settings.train + settings.test)
    train, test = train_test_split(
        everything, train_size=round(share * len(y)), stratify=y, random_state=split, shuffle=True
    )
    return np.sort(train), np.sort(test)
