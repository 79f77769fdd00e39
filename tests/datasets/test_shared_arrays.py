"""Shared datasets are mapped, not copied, and any number of processes may share them at once."""

import multiprocessing
import pickle

import numpy as np
import pytest

from fselect.datasets import Dataset, open_shared, share
from fselect.errors import InputError

DATA = Dataset(
    np.random.default_rng(0).normal(size=(40, 300)), ["a", "b"] * 20, "d", kinds=["nominal"] * 300, recipe={"k": 1}
)


def test_what_is_opened_is_equal_and_mapped_read_only(tmp_path):
    again = open_shared(share(DATA, tmp_path))
    assert np.array_equal(again.X, DATA.X)
    assert (again.y.tolist(), again.name, again.names) == (DATA.y.tolist(), "d", DATA.names)
    assert (again.kinds, again.recipe, again.content_hash) == (DATA.kinds, DATA.recipe, DATA.content_hash)
    assert isinstance(again.X.base, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        again.X[0, 0] = 1


def test_many_columns_that_are_opened_share_one_text_of_their_kind(tmp_path):
    again = open_shared(share(DATA, tmp_path))
    assert len({id(kind) for kind in again.kinds}) == 1


def test_the_values_lie_in_one_file_named_by_the_hash_whatever_the_name(tmp_path):
    share(DATA, tmp_path)
    renamed = share(Dataset(DATA.X, DATA.y, "other"), tmp_path)
    arrays = [path.name for path in tmp_path.glob("*.npy")]
    assert arrays == [f"{DATA.content_hash}.npy"]
    assert open_shared(renamed).name == "other"


def test_the_second_time_nothing_is_written(tmp_path):
    share(DATA, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    share(DATA, tmp_path)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


def test_a_damaged_array_is_written_anew(tmp_path):
    share(DATA, tmp_path)
    (tmp_path / f"{DATA.content_hash}.npy").write_bytes(b"half")
    assert np.array_equal(open_shared(share(DATA, tmp_path)).X, DATA.X)


@pytest.mark.parametrize("labels", [[0, 1, 1], [True, False, False], [0.5, 1.5, 1.5], ["x", "y", "y"]])
def test_labels_of_every_kind_come_back(tmp_path, labels):
    data = Dataset(np.eye(3), labels)
    assert open_shared(share(data, tmp_path)).y.dtype.kind == data.y.dtype.kind


def _share_often(folder, barrier):
    barrier.wait()
    for _ in range(5):
        assert np.array_equal(open_shared(share(DATA, folder)).X, DATA.X)


def test_two_processes_may_share_the_same_dataset_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(2)
    workers = [context.Process(target=_share_often, args=(tmp_path, barrier)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(list(tmp_path.iterdir())) == 2  # no temporary file is left


def test_a_mapped_dataset_can_be_pickled(tmp_path):
    mapped = open_shared(share(DATA, tmp_path))
    assert pickle.loads(pickle.dumps(mapped)).content_hash == DATA.content_hash


def test_files_that_are_gone_or_broken_are_told(tmp_path):
    path = share(DATA, tmp_path)
    (tmp_path / f"{DATA.content_hash}.npy").unlink()
    with pytest.raises(InputError, match=r"cannot be opened .*; share it again"):
        open_shared(path)
    path.write_text("{}")
    with pytest.raises(InputError, match="share it again"):
        open_shared(path)
