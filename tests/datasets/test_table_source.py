"""Tables come from files of six formats, frames of any library, and bundled datasets by name."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather

from fselect.datasets import read_frame, read_table
from fselect.datasets.table_source import source_name
from fselect.errors import InputError, MissingExtra

FRAME = pd.DataFrame(
    {
        "a": [1.5, 2.25, -3.0, 0.1],
        "b": [1, 2, 3, 5],
        "sex": ["f", "m", "m", "f"],
        "y": ["u", "v", "u", "v"],
    }
)


def as_arff(path):
    head = "@relation r\n@attribute a real\n@attribute b real\n@attribute sex {f,m}\n@attribute y {u,v}\n@data\n"
    path.write_text(head + FRAME.to_csv(index=False, header=False))


WRITERS = {
    "t.csv": lambda path: FRAME.to_csv(path, index=False),
    "t.csv.gz": lambda path: FRAME.to_csv(path, index=False),
    "t.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "t.txt": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "t.parquet": lambda path: FRAME.to_parquet(path),
    "t.feather": lambda path: feather.write_feather(FRAME, path),
    "t.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "t.arff": as_arff,
    "T.CSV": lambda path: FRAME.to_csv(path, index=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_dataset(tmp_path, name):
    WRITERS[name](tmp_path / name)
    data = read_table(tmp_path / name, "y")
    expected = read_table(FRAME, "y")
    assert data.content_hash == expected.content_hash
    assert data.kinds == ("numeric", "numeric", "nominal")
    assert data.name == name.split(".")[0]
    assert data.recipe["source"] == name


FRAMES = {
    "polars": pl.DataFrame(FRAME.to_dict("list")),
    "lazy polars": pl.DataFrame(FRAME.to_dict("list")).lazy(),
    "polars categorical": pl.DataFrame(FRAME.to_dict("list")).with_columns(pl.col("sex").cast(pl.Categorical)),
    "arrow": pa.Table.from_pandas(FRAME),
    "arrow-backed": FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "nullable": FRAME.convert_dtypes(),
    "categorical": FRAME.astype({"sex": "category", "y": "category"}),
    "objects": FRAME.astype(object),
    "float32 and small ints": FRAME.astype({"b": "int8"}),
    "another index": FRAME.set_index(np.array([7, 7, 9, 1])),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_gives_the_same_dataset(kind):
    assert read_table(FRAMES[kind], "y").content_hash == read_table(FRAME, "y").content_hash


def test_a_frame_is_not_changed_by_reading_it():
    before = FRAME.copy()
    data = read_table(FRAME, "y", clip=(1, 3), log=2)
    pd.testing.assert_frame_equal(FRAME, before)
    assert not np.shares_memory(data.X, FRAME[["a"]].to_numpy())


def test_a_bundled_dataset_is_a_table_too_but_a_file_of_that_name_goes_first(tmp_path, monkeypatch):
    assert read_table("iris").n_samples == 150
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris").write_text("a,b\n")
    with pytest.raises(InputError, match="iris: it has no ending that tells its format"):
        read_frame("iris")


def test_sheets_are_chosen_by_name_or_number(tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="first", index=False)
        FRAME.assign(a=0.0).to_excel(book, sheet_name="second", index=False)
    assert read_table(path, "y", sheet="second").X[:, 0].tolist() == [0, 0, 0, 0]
    assert read_table(path, "y", sheet=1).content_hash == read_table(path, "y", sheet="second").content_hash
    with pytest.raises(InputError, match=r"no sheet 'third'; there are 'first', 'second'"):
        read_frame(path, "third")


def test_repeated_names_in_an_excel_sheet_are_seen(tmp_path):
    pd.DataFrame([[1, 2, "u"]] * 3, columns=["a", "a", "y"]).to_excel(tmp_path / "t.xlsx", index=False)
    with pytest.raises(InputError, match=r"share a name: 'a' \(columns 1, 2\)"):
        read_table(tmp_path / "t.xlsx", "y")


def test_excel_without_openpyxl_says_which_extra_to_install(tmp_path, monkeypatch):
    FRAME.to_excel(tmp_path / "t.xlsx", index=False)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match=r"fselect-pipeline\[tables\]"):
        read_frame(tmp_path / "t.xlsx")


def test_a_missing_file_suggests_those_with_a_close_name(tmp_path):
    (tmp_path / "colon.csv").write_text("a,b\n")
    with pytest.raises(InputError, match=r"there is no file .*colom.csv; did you mean '.*colon.csv'"):
        read_frame(tmp_path / "colom.csv")
    with pytest.raises(InputError, match=r"did you mean '.*colon.csv'"):
        read_frame(tmp_path / "colon.parquet")
    with pytest.raises(InputError, match="there is no folder"):
        read_frame(tmp_path / "no" / "a.csv")
    with pytest.raises(InputError, match="'breast_cancer'"):
        read_frame("breast_cancr")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.json", b"{}", r"the ending '.json' is not known; known are"),
        ("t", b"a,b", "no ending that tells"),
        ("t.xls", b"x", "save it as .xlsx"),
        ("t.parquet.gz", b"x", "'.parquet.gz' is not known"),
        ("t.csv", b"", "t.csv is empty"),
        ("t.parquet", b"", "t.parquet is empty"),
        ("t.parquet", b"PAR1 but no more", "no readable Parquet file"),
        ("t.feather", b"no feather at all", "no readable Feather file"),
        ("t.xlsx", b"no zip", "no readable Excel file"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_a_sentence(tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=sentence) as caught:
        read_frame(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    (tmp_path / "t.rds").write_bytes(b"x")
    with pytest.raises(InputError, match=r"CSV and TSV .* Parquet, Feather, ARFF and Excel"):
        read_frame(tmp_path / "t.rds")


def test_a_truncated_parquet_file_is_refused(tmp_path):
    FRAME.to_parquet(tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="no readable Parquet file"):
        read_frame(tmp_path / "t.parquet")


def test_a_folder_is_refused_with_what_it_holds(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n")
    with pytest.raises(InputError, match=r"is a folder \(it holds 'a.csv'\); give one file"):
        read_frame(tmp_path)


def test_a_sheet_of_a_file_without_sheets_is_refused(tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError, match=r"t\.csv has no sheets"):
        read_table(tmp_path / "t.csv", "y", sheet="one")


def test_what_is_no_table_at_all_is_refused():
    with pytest.raises(InputError, match="cannot read a table from 'list'"):
        read_frame([1, 2])


@pytest.mark.parametrize(
    ("source", "name"), [("x/a.b.csv", "a.b"), ("a.csv.gz", "a"), ("iris", "iris"), (FRAME, "data")]
)
def test_a_dataset_is_called_like_its_file(source, name):
    assert source_name(source) == name
