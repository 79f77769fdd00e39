"""Finished units survive; damaged ones are run again."""

from __future__ import annotations

import pyarrow as pa
import pytest

from fselect.errors import InputError
from fselect.study.archive import SCHEMA, read_archive, rows_to_table, write_archive
from fselect.study.store import UnitStore

KEY = "ab" + "0" * 30


def rows(key=KEY, samples=(1, 0)):
    return rows_to_table(
        {"unit": key, "protocol": "single", "sample": sample, "selected": ["x", "y"], "measures": {"score": 0.5}}
        for sample in samples
    )


def test_a_unit_reads_back_as_it_was_written(tmp_path):
    store = UnitStore(tmp_path)
    store.write(KEY, rows(), {"seconds": 1.5})
    table, facts = store.read(KEY)
    assert table.equals(rows())
    assert facts == {"seconds": 1.5}
    assert store.keys() == {KEY}


@pytest.mark.parametrize("kept", [0, 10, 300])
def test_a_truncated_unit_counts_as_not_finished(tmp_path, kept):
    store = UnitStore(tmp_path)
    store.write(KEY, rows(), {})
    path = store.path(KEY)
    path.write_bytes(path.read_bytes()[:kept])
    assert store.read(KEY) is None
    assert store.keys() == set()


def test_a_unit_that_cannot_be_read_now_stays_where_it_is(tmp_path, monkeypatch):
    store = UnitStore(tmp_path)
    store.write(KEY, rows(), {})
    with monkeypatch.context() as patch:
        patch.setattr(pa, "OSFile", lambda *_: (_ for _ in ()).throw(OSError(24, "Too many open files")))
        with pytest.raises(InputError, match=r"cannot read the finished unit .*Too many open files"):
            store.read(KEY)
    assert store.read(KEY) is not None
    assert store.read("cd" + KEY[2:]) is None


def test_temporary_files_of_a_killed_writer_are_no_units_and_are_removed(tmp_path):
    store = UnitStore(tmp_path)
    store.write(KEY, rows(), {})
    leftover = store.path(KEY).with_name(f".{KEY}.arrow.x1")
    leftover.write_bytes(b"half")
    assert store.keys() == {KEY}
    store.drop_leftovers()
    assert not leftover.exists()
    assert store.keys() == {KEY}


def test_an_archive_has_the_same_bytes_whatever_the_order_of_its_units(tmp_path):
    one, two = rows(), rows("cd" + "0" * 30)
    write_archive(tmp_path / "a.parquet", [one, two], "s")
    write_archive(tmp_path / "b.parquet", [two, one], "s")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_an_archive_is_sorted_and_names_its_study(tmp_path):
    table = write_archive(tmp_path / "a.parquet", [rows()], "my study")
    assert table.column("sample").to_pylist() == [0, 1]
    assert table.column("study").to_pylist() == ["my study"] * 2
    assert read_archive(tmp_path / "a.parquet").schema.equals(SCHEMA)


def test_an_archive_is_read_without_fselect(tmp_path):
    import pandas as pd

    write_archive(tmp_path / "a.parquet", [rows()], "s")
    frame = pd.read_parquet(tmp_path / "a.parquet")
    assert list(frame["selected"].iloc[0]) == ["x", "y"]
    assert pd.isna(frame["shape"]).all()


def test_a_foreign_file_is_refused_as_an_archive(tmp_path):
    path = tmp_path / "archive.parquet"
    pa.parquet.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(InputError, match="is not an archive"):
        read_archive(path)
    with pytest.raises(InputError, match="run the study first"):
        read_archive(tmp_path / "none.parquet")
