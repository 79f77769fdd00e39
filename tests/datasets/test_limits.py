"""Tables that are too large are refused before they fill the memory, however small their file is."""

from __future__ import annotations

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fselect.datasets.limits import Limits, check_columns, check_size, check_task_name
from fselect.errors import InputError

MEGABYTE = Limits(bytes=1_000_000)


def test_a_file_within_the_limit_passes_and_one_that_is_not_there_is_left_to_its_reader(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    check_size(tmp_path / "a.csv", MEGABYTE)
    check_size(tmp_path / "gone.csv", MEGABYTE)


def test_a_large_file_is_refused_and_the_way_out_is_named(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"1,2\n" * 300_000)
    with pytest.raises(InputError, match=r"a.csv has more than 1,000,000 bytes \(1,200,000\); .*limits.bytes"):
        check_size(tmp_path / "a.csv", MEGABYTE)


def test_a_small_file_that_unpacks_to_much_is_refused_without_unpacking_it_all(tmp_path):
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as file:
        for _ in range(50):
            file.write(b"0,0\n" * 250_000)
    assert (tmp_path / "bomb.csv.gz").stat().st_size < 200_000
    with pytest.raises(InputError, match="when unpacked") as told:
        check_size(tmp_path / "bomb.csv.gz", MEGABYTE)
    assert "50,000,000" not in str(told.value)  # it was not counted to its end


def test_a_workbook_and_a_parquet_file_say_themselves_how_large_they_are(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", b"0" * 2_000_000)
    pq.write_table(pa.table({"a": np.zeros(1_000_000)}), tmp_path / "bomb.parquet", compression="zstd")
    for name in ("bomb.xlsx", "bomb.parquet"):
        assert (tmp_path / name).stat().st_size < 100_000
        with pytest.raises(InputError, match="when unpacked"):
            check_size(tmp_path / name, MEGABYTE)


def test_a_broken_file_is_left_to_its_reader_who_says_more(tmp_path):
    whole = io.BytesIO()
    pd.DataFrame({"a": [1]}).to_parquet(whole)
    for name, content in {"a.csv.gz": b"no gzip", "a.parquet": whole.getvalue()[:20], "a.xlsx": b"PK\x03\x04"}.items():
        (tmp_path / name).write_bytes(content)
        check_size(tmp_path / name, MEGABYTE)


def test_too_many_columns_and_too_long_names_are_refused():
    limits = Limits(columns=3, name_length=10)
    check_columns(["a", "b" * 10, "c"], "a.csv", limits)
    with pytest.raises(InputError, match=r"a.csv has 4 columns, more than 3; .*limits.columns"):
        check_columns(list("abcd"), "a.csv", limits)
    with pytest.raises(InputError, match=r"the name of column 2, 'xxxxxxxxxx…', has 5000 characters; .*name_length"):
        check_columns(["a", "x" * 5000], "a.csv", limits)
    with pytest.raises(InputError, match="the name of a task"):
        check_task_name("t" * 11, limits)


def test_the_limits_of_the_study_file_hold_for_its_tables(tmp_path):
    from fselect.study.config import parse_config
    from fselect.study.project import Project
    from fselect.study.sources import build_tasks

    pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [1, 0, 1, 0], "y": [0, 1, 0, 1]}).to_csv(tmp_path / "t.csv", index=False)
    values = {
        "study": {"protocol": "single"},
        "tasks": {"source": "table", "table": "t.csv", "target": "y"},
        "limits": {"bytes": 20},
    }
    with pytest.raises(InputError, match="more than 20 bytes"):
        build_tasks(Project(tmp_path, parse_config(values)))
