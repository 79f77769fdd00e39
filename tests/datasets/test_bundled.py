"""The real tables that ship with scikit-learn, by name."""

import numpy as np
import pytest
import sklearn.datasets

from fselect.datasets import check_dataset, dataset_catalogue, load_dataset
from fselect.errors import InputError


@pytest.mark.parametrize("entry", dataset_catalogue(), ids=lambda entry: entry.name)
def test_every_entry_of_the_catalogue_loads_as_described(entry):
    data = check_dataset(load_dataset(entry.name))
    assert (data.n_samples, data.n_features, len(data.classes)) == (entry.rows, entry.columns, entry.classes)
    assert data.name == entry.name
    assert any(str(year) in entry.publication for year in range(1900, 2030))


@pytest.mark.parametrize("name", ["breast_cancer", "digits", "iris", "wine"])
def test_values_labels_and_names_are_those_of_scikit_learn(name):
    theirs = getattr(sklearn.datasets, f"load_{name}")()
    data = load_dataset(name)
    assert np.array_equal(data.X, theirs.data)
    assert data.y.tolist() == [theirs.target_names[code] for code in theirs.target]
    assert data.names == tuple(theirs.feature_names)


def test_the_labels_of_digits_are_numbers_and_those_of_cancer_are_words():
    assert load_dataset("digits").y.dtype.kind == "i"
    assert load_dataset("breast_cancer").classes.tolist() == ["benign", "malignant"]


def test_an_unknown_name_suggests_a_close_one_and_a_path_the_reader():
    with pytest.raises(InputError, match="no dataset 'breast-cancer'; did you mean 'breast_cancer'"):
        load_dataset("breast-cancer")
    with pytest.raises(InputError, match="to read a file use read_table"):
        load_dataset("data/colon.csv")
