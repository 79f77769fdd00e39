"""CSV and its like are read exactly, with the header as it stands in the file."""

import bz2
import gzip
import lzma

import numpy as np
import pytest

from fselect.datasets.delimited import read_delimited
from fselect.errors import InputError


def written(folder, text, name="t.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_the_header_is_full_of(tmp_path, delimiter):
    text = "a,b;c\n1,2;3\n".replace(",", "\0").replace(";", "\0").replace("\0", delimiter)
    frame = read_delimited(written(tmp_path, text))
    assert frame.to_numpy().tolist() == [[1, 2, 3]]


def test_quoted_names_may_hold_other_delimiters_and_line_ends(tmp_path):
    frame = read_delimited(written(tmp_path, '"a;;;;b",c,"d\ne"\n1,"x,y",3\n'))
    assert list(frame.columns) == ["a;;;;b", "c", "d\ne"]
    assert frame["c"].tolist() == ["x,y"]


def test_a_byte_order_mark_and_windows_line_ends_leave_no_trace(tmp_path):
    frame = read_delimited(written(tmp_path, b"\xef\xbb\xbfa,b\r\n1,2\r\n"))
    assert list(frame.columns) == ["a", "b"]


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_compressed_text_is_read_like_any_other(tmp_path, ending, pack):
    frame = read_delimited(written(tmp_path, pack(b"a,b\n1,2\n"), f"t.csv.{ending}"))
    assert frame.to_numpy().tolist() == [[1, 2]]


def test_repeated_names_stay_repeated_where_pandas_would_rename_them(tmp_path):
    assert list(read_delimited(written(tmp_path, "a,b,a\n1,2,3\n")).columns) == ["a", "b", "a"]


def test_a_header_that_is_one_name_short_leaves_the_first_column_without_a_name(tmp_path):
    frame = read_delimited(written(tmp_path, "a,b\nr1,1,2\nr2,3,4\n"))
    assert list(frame.columns) == ["", "a", "b"]
    assert frame["b"].tolist() == [2, 4]


def test_numbers_are_read_exactly(tmp_path):
    rng = np.random.default_rng(0)
    numbers = rng.random(2000) * 10.0 ** rng.integers(-300, 300, 2000)
    path = written(tmp_path, "a,b\n" + "".join(f"{x!r},0\n" for x in numbers.tolist()))
    assert np.array_equal(read_delimited(path)["a"].to_numpy(), numbers)


def test_the_usual_words_for_missing_count_but_none_is_a_word(tmp_path):
    frame = read_delimited(written(tmp_path, "a,b\nNA,None\n?,x\n,y\n"))
    assert frame["a"].isna().all()
    assert frame["b"].tolist() == ["None", "x", "y"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n3,4,5\n", "line 3 has 3 values, the header has 2 names"),
        ("a,b\n1,2\n3,4,5,6\n", "line 3 has 4 values"),
        ("a\n1\n2\n", "has one column only"),
        ("a b\n1 2\n", "separate columns by comma"),
        (" \n\n", "is empty"),
        (b"a,b\n1,2\n\xe9,3\n", r"not UTF-8 text \(line 3\)"),
        ("a,b\n1,2\n".encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_the_line(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_delimited(written(tmp_path, text))


def test_a_broken_compression_is_told(tmp_path):
    with pytest.raises(InputError, match=r"t.csv.gz cannot be read"):
        read_delimited(written(tmp_path, gzip.compress(b"a,b\n1,2\n" * 99)[:20], "t.csv.gz"))
