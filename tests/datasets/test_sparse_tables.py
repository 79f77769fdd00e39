"""Sparse tables in datasets, shared files and task files."""

from __future__ import annotations

import json
import mmap
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from fselect.datasets import Dataset, check_dataset, noisy_tasks, open_shared, read_tasks, share, write_tasks
from fselect.datasets.arrow_layouts import layout_of
from fselect.datasets.checks import is_constant
from fselect.datasets.shared_arrays import find_shared
from fselect.errors import InputError

VALUES = arrays(np.float64, (6, 5), elements=st.sampled_from([0.0, 0.0, 0.0, 1.5, -2.0]))


@pytest.fixture
def words():
    return Dataset(sparse.csr_array(sparse.random(20, 60, density=0.1, random_state=1)), ["no", "yes"] * 10, "words")


@settings(max_examples=50, deadline=None)
@given(values=VALUES, form=st.sampled_from([sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.lil_array]))
def test_every_form_of_a_table_has_one_content_hash(values, form):
    data = Dataset(form(values), [0, 1] * 3)
    assert data.content_hash == Dataset(sparse.csr_array(values), [0, 1] * 3).content_hash
    assert np.array_equal(data.dense_X, values)
    assert np.array_equal(is_constant(data.X), is_constant(values))


@settings(max_examples=50, deadline=None)
@given(values=VALUES, row=st.integers(0, 5), column=st.integers(0, 4))
def test_another_value_has_another_hash(values, row, column):
    other = values.copy()
    other[row, column] += 1.0
    labels = [0, 1] * 3
    assert (
        Dataset(sparse.csr_array(values), labels).content_hash != Dataset(sparse.csr_array(other), labels).content_hash
    )


def test_values_cannot_be_changed_and_the_callers_matrix_stays_its_own(words):
    X = sparse.csr_array(np.eye(4))
    data = Dataset(X, [0, 1, 0, 1])
    X.data[0] = 9.0
    assert data.dense_X[0, 0] == 1.0
    for found in (data, pickle.loads(pickle.dumps(data))):
        with pytest.raises(ValueError, match="read-only"):
            found.X.data[0] = 2.0


def test_shared_files_are_mapped_and_the_same(words, tmp_path):
    found = open_shared(share(words, tmp_path))
    assert found.content_hash == words.content_hash
    for array in (found.X.data, found.X.indices, found.X.indptr):
        while isinstance(array.base, np.ndarray):
            array = array.base
        assert isinstance(array.base, mmap.mmap)
    again = find_shared(tmp_path, words.content_hash, "words")
    assert again is not None
    assert (again.X != words.X).nnz == 0


def test_a_damaged_shared_file_is_not_believed(words, tmp_path):
    share(words, tmp_path)
    path = next(tmp_path.glob("*-data.npy"))
    np.save(path, np.load(path) + 1.0)
    assert find_shared(tmp_path, words.content_hash, "words") is None


@pytest.mark.parametrize("layout", ["sparse", "rows"])
def test_task_files_hold_lists_where_columns_are_many_or_mostly_zeros(words, tmp_path, layout):
    wide = Dataset(np.random.default_rng(0).normal(size=(4, 50_001)), [0, 1, 1, 0], "wide")
    task = words if layout == "sparse" else wide
    assert layout_of(task) == layout
    first = write_tasks([task], tmp_path).with_name(f"{task.name}.parquet").read_bytes()
    assert write_tasks([task], tmp_path).with_name(f"{task.name}.parquet").read_bytes() == first
    for found in (*read_tasks(tmp_path), *read_tasks(tmp_path, arrays=tmp_path / "arrays")):
        assert (found.content_hash, found.names, found.kinds) == (task.content_hash, task.names, task.kinds)


def test_a_task_file_that_was_changed_is_refused(words, tmp_path):
    index = write_tasks([words], tmp_path)
    entry = json.loads(index.read_text())
    entry["tasks"][0]["layout"] = "columns"
    index.write_text(json.dumps(entry))
    with pytest.raises(InputError, match="was changed after it was written"):
        read_tasks(tmp_path)


def test_checks_name_the_cell_of_a_sparse_table():
    X = sparse.lil_array((6, 9))
    X[:, 2], X[4, 7] = np.arange(6.0), np.nan
    with pytest.raises(InputError, match="column 'x7' has no value in row 5"):
        check_dataset(Dataset(X, [0, 1] * 3))
    with pytest.raises(InputError, match="every column is constant"):
        check_dataset(Dataset(sparse.csr_array((6, 9)), [0, 1] * 3))


def test_noise_makes_a_sparse_table_dense(words):
    dense = Dataset(words.dense_X, words.y, "words")
    first, second = noisy_tasks(words, 1)[0], noisy_tasks(dense, 1)[0]
    assert np.array_equal(first.X, second.X)


def test_a_dense_table_that_is_nearly_empty_is_used_as_a_sparse_one():
    X = np.zeros((20, 300))
    X[np.arange(20), np.arange(20)] = 1.0
    assert sparse.issparse(Dataset(X, [0, 1] * 10).lean_X)
    assert not sparse.issparse(Dataset(X + 1.0, [0, 1] * 10).lean_X)
    assert not sparse.issparse(Dataset(X.T, [0, 1] * 150).lean_X)
