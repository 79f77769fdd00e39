"""Tables kept as one matrix, dense and sparse."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from fselect.datasets import Dataset, read_table, tasks_from_tables
from fselect.datasets.matrix_files import matrix_bytes
from fselect.errors import InputError


@pytest.fixture
def words():
    X = sparse.csr_array(sparse.random(12, 30, density=0.2, random_state=1))
    return Dataset(X, ["a", "b"] * 6, "words", tuple(f"w{j}" for j in range(30)))


def saved(path, **arrays):
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


@pytest.mark.parametrize("make_dense", [False, True])
def test_an_npz_file_gives_back_the_dataset(tmp_path, words, make_dense):
    data = Dataset(words.dense_X, words.y, "words", words.names) if make_dense else words
    (tmp_path / "words.npz").write_bytes(matrix_bytes(data))
    found = read_table(tmp_path / "words.npz")
    assert found.is_sparse != make_dense
    assert (found.content_hash, found.name, found.names) == (data.content_hash, "words", data.names)
    assert matrix_bytes(found) == matrix_bytes(data)


def test_what_scipy_saved_is_read_once_labels_are_beside_it(tmp_path, words):
    buffer = io.BytesIO()
    sparse.save_npz(buffer, words.X)
    buffer.seek(0)
    path = saved(tmp_path / "t.npz", **dict(np.load(buffer)), kind=words.y)
    found = read_table(path, "kind")
    assert (found.X != words.X).nnz == 0
    assert found.names[:2] == ("x0", "x1")


def test_a_file_of_svmlight_gives_its_values_and_labels(tmp_path, words):
    path = tmp_path / "words.svm"
    dump_svmlight_file(words.X, words.codes, str(path), zero_based=False)
    found = read_table(path)
    np.testing.assert_allclose(found.dense_X, words.dense_X, rtol=1e-15)
    assert found.y.tolist() == words.codes.tolist()
    assert found.names[0] == "x1"


def test_columns_can_be_dropped_and_nothing_else_can_be_done(tmp_path, words):
    path = tmp_path / "words.npz"
    path.write_bytes(matrix_bytes(words))
    assert read_table(path, drop=("w3",)).names[:4] == ("w0", "w1", "w2", "w4")
    with pytest.raises(InputError, match="for which there is no 'log'"):
        read_table(path, log=10)
    with pytest.raises(InputError, match="no such column 'w99'"):
        read_table(path, drop=("w99",))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"X": np.eye(4)}, "has no target 'target'"),
        ({"target": np.arange(4) % 2}, "holds neither X nor a CSR matrix"),
        ({"X": np.arange(4.0), "target": np.arange(4) % 2}, "a table of numbers"),
        ({"X": np.eye(4), "names": np.array(["a"]), "target": np.arange(4) % 2}, "1 names for 4 columns"),
        ({"X": np.full((4, 2), np.nan), "target": np.arange(4) % 2}, "column 'x0' has no value in row 1"),
        ({"X": np.array([["a"]]), "target": np.array([1])}, "a table of numbers"),
        ({"X": np.array([[None]]), "target": np.array([1])}, "no readable NPZ file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(tmp_path, arrays, sentence):
    with pytest.raises(InputError, match=sentence):
        read_table(saved(tmp_path / "t.npz", **arrays))


def test_damaged_files_are_refused(tmp_path):
    for name in ("t.npz", "t.svm"):
        (tmp_path / name).write_bytes(b"PK what is this: ?")
        with pytest.raises(InputError, match=f"{name} is no readable"):
            read_table(tmp_path / name)
    with pytest.raises(InputError, match="there is no file"):
        read_table(tmp_path / "gone.npz")


def test_tasks_can_be_matrices_with_the_same_columns(tmp_path, words):
    (tmp_path / "may.npz").write_bytes(matrix_bytes(words))
    (tmp_path / "june.npz").write_bytes(matrix_bytes(words))
    (tmp_path / "other.npz").write_bytes(matrix_bytes(Dataset(words.X, words.y)))
    tasks = tasks_from_tables([tmp_path / "may.npz", tmp_path / "june.npz"])
    assert [task.name for task in tasks] == ["may", "june"]
    with pytest.raises(InputError, match="columns of other differ from those of may"):
        tasks_from_tables([tmp_path / "may.npz", tmp_path / "other.npz"])
