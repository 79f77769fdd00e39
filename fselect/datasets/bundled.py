"""Real datasets: those that ship with scikit-learn, and OpenML's for the connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fselect.datasets.dataset import Dataset, check_dataset
from fselect.datasets.wording import did_you_mean
from fselect.errors import InputError

__all__ = ["CatalogueEntry", "dataset_catalogue", "load_dataset"]


@dataclass(frozen=True)
class CatalogueEntry:
    """One line of the list of datasets.

    Parameters
    ----------
    name : str
        What `load_dataset` takes.
    rows, columns, classes : int
        Size of the table; the target is not counted as a column.
    publication : str
        Where the data was first published.

    Examples
    --------
    >>> [entry.name for entry in dataset_catalogue()]
    ['breast_cancer', 'digits', 'iris', 'wine']
    """

    name: str
    rows: int
    columns: int
    classes: int
    publication: str


_CATALOGUE = (
    CatalogueEntry(
        "breast_cancer",
        569,
        30,
        2,
        "Street WN, Wolberg WH, Mangasarian OL (1993) Nuclear feature extraction for breast tumor diagnosis. "
        "IS&T/SPIE Symposium on Electronic Imaging 1905:861-870",
    ),
    CatalogueEntry(
        "digits",
        1797,
        64,
        10,
        "Kaynak C (1995) Methods of combining multiple classifiers and their applications to handwritten "
        "digit recognition. MSc thesis, Bogazici University (UCI's optical digits, the test part)",
    ),
    CatalogueEntry(
        "iris",
        150,
        4,
        3,
        "Fisher RA (1936) The use of multiple measurements in taxonomic problems. Annals of Eugenics 7:179-188",
    ),
    CatalogueEntry(
        "wine",
        178,
        13,
        3,
        "Forina M et al. (1988) PARVUS, an extendible package for data exploration, classification and "
        "correlation. Institute of Pharmaceutical and Food Analysis and Technologies, Genoa",
    ),
)


def dataset_catalogue() -> list[CatalogueEntry]:
    """List the datasets that ship with a dependency, by name.

    Returns
    -------
    list of CatalogueEntry
        Loads nothing.

    Examples
    --------
    >>> dataset_catalogue()[0].rows
    569
    """
    return list(_CATALOGUE)


def load_dataset(name: str) -> Dataset:
    """Load a dataset by name.

    Parameters
    ----------
    name : str
        One of `dataset_catalogue`, or ``openml:ID`` with a number from openml.org (fetched once, then
        kept in scikit-learn's data folder; text columns with two values become 0/1, those with more
        become one column a value, and rows with missing values are left out).

    Returns
    -------
    Dataset
        With the labels as text where the classes have names.

    Raises
    ------
    InputError
        No such dataset, or OpenML cannot be reached.

    Examples
    --------
    >>> load_dataset("breast_cancer")
    Dataset('breast_cancer', 569 × 30, 2 classes)
    """
    word = str(name).strip()
    if word.lower().startswith("openml:"):
        from fselect.datasets.openml import load_openml

        return load_openml(word.split(":", 1)[1])
    known = [entry.name for entry in _CATALOGUE]
    if word not in known:
        hint = "; to read a file use read_table" if "." in word or "/" in word else ""
        raise InputError(f"there is no dataset {word!r}{did_you_mean(word, known)}{hint}")
    return _from_sklearn(word)


def _from_sklearn(name: str) -> Dataset:
    import sklearn.datasets

    bunch: Any = getattr(sklearn.datasets, f"load_{name}")()
    y = np.asarray(bunch.target_names)[bunch.target]
    recipe = {"source": f"scikit-learn: {name}", "target": "target"}
    return check_dataset(Dataset(bunch.data, y, name, tuple(bunch.feature_names), recipe=recipe))
