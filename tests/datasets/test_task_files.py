"""Tasks survive the way through files bit for bit, and the files are the same for the same tasks."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fselect.datasets import Dataset, Truth, make_microarray, noisy_tasks, read_tasks, write_tasks
from fselect.errors import InputError

WINE = noisy_tasks(make_microarray(30, 40, n_relevant=2, random_state=0), 3)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_tasks_give_the_same_bytes(tmp_path):
    write_tasks(WINE, tmp_path / "one")
    write_tasks(WINE, tmp_path / "two")
    first = contents(tmp_path / "one")
    write_tasks(WINE, tmp_path / "one")
    assert first == contents(tmp_path / "two") == contents(tmp_path / "one")
    assert sorted(first) == ["index.json", "microarray-1.parquet", "microarray-2.parquet", "microarray-3.parquet"]


def test_everything_about_a_task_comes_back(tmp_path):
    data = Dataset(
        [[1.0, 0.1 + 0.2], [np.nan, -0.0], [5e-324, 1e308]],
        ["ü", "b", "b"],
        "näme/with: odd 文字",
        ("target", "a,b"),
        ("numeric", "nominal"),
        Truth((0,), (1,), (), {0: (0,)}),
        {"x": [1, 2]},
    )
    write_tasks([data], tmp_path)
    again = read_tasks(tmp_path)[0]
    assert again.X.tobytes() == data.X.tobytes()
    assert again.content_hash == data.content_hash
    assert (again.name, again.names, again.kinds) == (data.name, data.names, data.kinds)
    assert (again.truth, again.recipe) == (data.truth, data.recipe)


@settings(max_examples=25, deadline=None)
@given(
    X=hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 4)), elements=st.floats()),
    labels=st.sampled_from([[0, 1], [True, False], ["a", "β"], [0.5, -1.5]]),
)
def test_any_values_and_any_labels_come_back(tmp_path_factory, X, labels):
    folder = tmp_path_factory.mktemp("tasks")
    data = Dataset(X, np.resize(labels, len(X)))
    write_tasks([data], folder)
    again = read_tasks(folder)[0]
    assert again.X.tobytes() == data.X.tobytes()
    assert again.y.dtype.kind == data.y.dtype.kind
    assert again.content_hash == data.content_hash


def test_a_feature_called_like_the_target_keeps_its_name(tmp_path):
    data = Dataset(np.eye(3), ["a", "b", "a"], names=("y", "y_", "z"))
    write_tasks([data], tmp_path, target="y")
    assert read_tasks(tmp_path)[0].names == ("y", "y_", "z")
    assert list(pd.read_parquet(tmp_path / "data.parquet").columns) == ["y", "y_", "z", "y__"]


def test_the_files_are_plain_tables_for_any_reader(tmp_path):
    write_tasks(WINE, tmp_path, target="class")
    frame = pd.read_parquet(tmp_path / "microarray-2.parquet")
    pd.testing.assert_frame_equal(frame, WINE[1].frame("class"), check_dtype=False)


def test_names_that_make_the_same_file_name_get_numbers(tmp_path):
    tasks = [Dataset(np.eye(3), ["a", "b", "a"], name) for name in ("a/b", "a:b", "A_b")]
    write_tasks(tasks, tmp_path)
    assert [task.name for task in read_tasks(tmp_path)] == ["a/b", "a:b", "A_b"]


def test_files_of_an_earlier_call_go_but_those_of_others_stay(tmp_path):
    (tmp_path / "mine.parquet").write_bytes(b"mine")
    write_tasks(WINE, tmp_path)
    write_tasks(WINE[:1], tmp_path)
    assert sorted(contents(tmp_path)) == ["index.json", "microarray-1.parquet", "mine.parquet"]


def test_a_table_that_was_changed_is_not_taken_for_the_task(tmp_path):
    write_tasks(WINE, tmp_path)
    other = WINE[1].frame()
    other.iloc[0, 0] += 1e-9
    other.to_parquet(tmp_path / "microarray-2.parquet", index=False)
    with pytest.raises(InputError, match=r"microarray-2.parquet was changed after it was written; make"):
        read_tasks(tmp_path)


@pytest.mark.parametrize("damage", ["{", "[]", '{"format": 99, "tasks": []}', '{"format": 1}'])
def test_a_broken_index_is_told_and_can_be_written_over(tmp_path, damage):
    (tmp_path / "index.json").write_text(damage)
    with pytest.raises(InputError, match="make the tasks again"):
        read_tasks(tmp_path)
    write_tasks(WINE, tmp_path)
    assert len(read_tasks(tmp_path)) == 3


def test_a_lost_table_is_told(tmp_path):
    write_tasks(WINE, tmp_path)
    (tmp_path / "microarray-1.parquet").unlink()
    with pytest.raises(InputError, match=r"microarray-1.parquet cannot be read"):
        read_tasks(tmp_path)


def test_no_task_and_two_tasks_of_one_name_are_refused(tmp_path):
    with pytest.raises(InputError, match="no task to write"):
        write_tasks([], tmp_path)
    with pytest.raises(InputError, match="called 'microarray-1'; give each a name"):
        write_tasks([WINE[0], WINE[0]], tmp_path)


def test_a_place_that_cannot_be_written_to_is_told_and_left_as_it_is(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot write"):
        write_tasks(WINE, tmp_path / "file" / "tasks")
    assert contents(tmp_path) == {"file": b"x"}


def test_the_index_is_sorted_json_with_the_hashes(tmp_path):
    index = json.loads(write_tasks(WINE, tmp_path).read_text())
    assert [entry["content_hash"] for entry in index["tasks"]] == [task.content_hash for task in WINE]
    assert [entry["recipe"]["noisy_task"]["task"] for entry in index["tasks"]] == [1, 2, 3]


def test_mapped_tasks_are_the_same_and_are_read_from_parquet_once(tmp_path, monkeypatch):
    import numpy as np

    from fselect.datasets import task_files

    tasks = [*WINE, make_microarray(20, 40, n_relevant=2, random_state=0)]
    write_tasks(tasks, tmp_path / "tasks")
    first = read_tasks(tmp_path / "tasks", arrays=tmp_path / "arrays")
    monkeypatch.setattr(task_files, "_read_task", None)
    again = read_tasks(tmp_path / "tasks", arrays=tmp_path / "arrays")
    for task, one, two in zip(tasks, first, again, strict=True):
        assert isinstance(two.X.base, np.memmap) or isinstance(two.X, np.memmap)
        assert task.content_hash == one.content_hash == two.content_hash
        assert (task.name, task.kinds, task.truth) == (two.name, two.kinds, two.truth)


def test_a_damaged_array_is_read_again_from_the_tasks(tmp_path):
    write_tasks(WINE, tmp_path / "tasks")
    read_tasks(tmp_path / "tasks", arrays=tmp_path / "arrays")
    values = tmp_path / "arrays" / f"{WINE[0].content_hash}.npy"
    damaged = bytearray(values.read_bytes())
    damaged[-3] ^= 1
    values.write_bytes(damaged)
    again = read_tasks(tmp_path / "tasks", arrays=tmp_path / "arrays")
    assert (again[0].X == WINE[0].X).all()
