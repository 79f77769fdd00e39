"""A table of a user becomes a dataset, or an error that names the place and the way out."""

import datetime
import decimal
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect.datasets import read_table
from fselect.errors import InputError

Y = ["u", "v", "u", "v"]


def table(**columns):
    return pd.DataFrame({**columns, "y": Y})


def refused(frame, sentence, target="y", **words):
    with pytest.raises(InputError, match=sentence) as caught:
        read_table(frame, target, **words)
    assert "\n" not in str(caught.value)


GOOD = [1.0, 2.0, 3.0, 5.0]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([True, False, False, True], [1, 0, 0, 1]),
        (pd.array([True, False, False, True], dtype="boolean"), [1, 0, 0, 1]),
        (["yes", "no", "no", "yes"], [1, 0, 0, 1]),
        (pd.Categorical([3, 1, 1, 3]), [1, 0, 0, 1]),
        (pd.Categorical(["10", "9", "9", "10"]), [1, 0, 0, 1]),
        ([b"yes", b"no", b"no", b"yes"], [1, 0, 0, 1]),
        (["only"] * 4, [0, 0, 0, 0]),
    ],
)
def test_two_values_become_zero_and_one_in_sorted_order(column, expected):
    data = read_table(table(a=GOOD, b=column), "y")
    assert data.X[:, 1].tolist() == expected
    assert data.kinds == ("numeric", "nominal")
    assert len(data.recipe["levels"]["b"]) == len(set(expected))


@pytest.mark.parametrize(
    "column",
    [
        ["1", "2.0", " 3e0 ", "5"],
        [decimal.Decimal(1), 2, 3.0, np.float32(5)],
        pd.array([1, 2, 3, 5], dtype="UInt8"),
        pd.array([1, 2, 3, 5], dtype="Float32"),
    ],
)
def test_numbers_in_any_dress_are_numbers(column):
    data = read_table(table(a=column), "y")
    assert data.X[:, 0].tolist() == GOOD
    assert data.kinds == ("numeric",)


def test_the_columns_keep_their_order_and_names_whatever_their_kinds():
    data = read_table(table(b=["p", "q", "p", "q"], a=GOOD, c=[True, False, True, True], **{"7": GOOD}), "y")
    assert data.names == ("b", "a", "c", "7")
    assert data.kinds == ("nominal", "numeric", "nominal", "numeric")


def test_names_that_are_numbers_become_text_and_may_not_clash():
    frame = pd.DataFrame({0: GOOD, "y": Y})
    assert read_table(frame, "y").names == ("0",)
    refused(pd.DataFrame({0: GOOD, "0": GOOD, "y": Y}), "share a name: '0'")


def test_a_target_in_the_index_is_found():
    assert read_table(table(a=GOOD).set_index("y"), "y").y.tolist() == Y


def test_row_names_are_left_out_and_recorded(tmp_path):
    table(a=GOOD).to_csv(tmp_path / "pandas.csv")
    data = read_table(tmp_path / "pandas.csv", "y")
    assert data.names == ("a",)
    assert data.recipe["unnamed_columns"] == 1
    (tmp_path / "r.csv").write_text('"a","y"\n"s1",1,"u"\n"s2",2,"v"\n"s3",3,"u"\n"s4",5,"v"\n')
    assert read_table(tmp_path / "r.csv", "y").content_hash == data.content_hash
    assert read_table(pd.read_csv(tmp_path / "pandas.csv"), "y").content_hash == data.content_hash


def test_a_nameless_column_that_is_no_row_names_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("a,,y\n1,7,u\n2,7,v\n3,8,u\n4,8,v\n")
    refused(tmp_path / "t.csv", "column number 2 has no name; give every column one")
    (tmp_path / "t.csv").write_text("a,y,\n1,u,\n2,v,\n3,u,\n4,v,\n")
    assert read_table(tmp_path / "t.csv", "y").names == ("a",)  # nothing but a delimiter at every line's end


def test_dropped_columns_are_gone_and_recorded():
    data = read_table(table(id=["s1", "s2", "s3", "s4"], a=GOOD), "y", drop="id")
    assert data.names == ("a",)
    assert data.recipe["options"]["drop"] == ["id"]


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (table(a=["1", "2", "3,5", "4"]), "'a' holds the text '3,5' in row 3; write numbers with a decimal point"),
        (table(a=["1", "2", "1,234.5", "4"]), "'1,234.5' in row 3; .*without thousands separators"),
        (table(a=["1,5", "2,5", "3,5", "4,0"]), "'1,5' in row 1; write numbers with a decimal point"),
        (table(a=["1 234", "2", "3", "4"]), "'1 234' in row 1"),
        (table(a=["1", "2", "<0.1", "4"]), "numeric column 'a' holds the text '<0.1' in row 3; correct the cell"),
        (table(a=[1.0, "x", 3, 4]), "'x' in row 2"),
        (table(a=["1", "2", "1_000", "4"]), "'1_000' in row 3"),
        (table(a=[1, 2, np.nan, 4]), r"'a' has no value in row 3; fill it in, or choose missing"),
        (table(a=["1", "2", "NA", "4"]), "'a' has no value in row 3"),
        (table(a=pd.array([1, 2, pd.NA, 4], dtype="Int64")), "'a' has no value in row 3"),
        (table(a=GOOD, b=["p", None, "q", "p"]), "'b' has no value in row 2"),
        (table(a=[1, np.nan, 3, np.nan], b=GOOD), r"row 2 \(and 1 more cell in 1 column\)"),
        (table(a=[1, np.inf, 3, 4]), r"'a' is infinite in row 2 \(inf\)"),
        (table(a=["1", "-inf", "3", "4"]), r"'a' is infinite in row 2 \(-inf\)"),
        (table(a=GOOD, b=["p", "q", "r", "p"]), r"'b' holds 3 different texts \('p', 'q', 'r'\); choose nominal"),
        (table(a=GOOD, b=["p", "q", "r", "s"]), "'b' .*looks like an identifier: drop it"),
        (table(a=pd.to_datetime(["2020-01-01"] * 4)), "'a' holds dates or times"),
        (table(a=[datetime.date(2020, 1, 1)] * 4), "'a' holds a date in row 1"),
        (table(a=[[1], [2], [3], [4]]), "'a' holds a list in row 1"),
        (table(a=[1j, 2, 3, 4]), "complex"),
        (table(a=[1, 1, 1, 1]), "every column is constant"),
        (table(a=GOOD).iloc[:2], "has 2 rows; a selection needs 3"),
        (table(), "has no column to select from"),
        (pd.DataFrame({"a": GOOD, "y": ["u"] * 4}), "one class only"),
        (pd.DataFrame({"a": GOOD, "y": ["u", "v", "u", "u"]}), r"class 'v' has a single row \(row 2\)"),
        (pd.DataFrame({"a": GOOD, "y": ["u", None, "u", "v"]}), "target 'y' has no label in row 2; fill it in"),
        (pd.DataFrame({"a": GOOD, "y": [0.1, 0.2, 0.3, 0.4]}), "looks like a measurement"),
        (pd.DataFrame([[1, 2, "u"]] * 4, columns=["a", "a", "y"]), r"share a name: 'a' \(columns 1, 2\); rename"),
        (pd.DataFrame([[1, "u", "u"]] * 4, columns=["a", "y", "y"]), r"share a name: 'y'"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "several levels"),
    ],
)
def test_a_bad_table_is_refused_with_the_place_and_the_way_out(frame, sentence):
    refused(frame, sentence)


def test_duplicate_names_in_a_csv_file_are_seen_although_pandas_hides_them(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,a,y\n1,2,3,u\n" * 4)
    refused(tmp_path / "t.csv", r"t.csv: two columns or more share a name: 'a' \(columns 1, 3\)")


def test_a_target_or_column_that_is_not_there_suggests_close_names():
    refused(table(a=GOOD), "has no target column 'Y'; did you mean 'y'", target="Y")
    refused(table(gene_1=GOOD), "no such column 'gene1'; did you mean 'gene_1'", drop="gene1")
    refused(table(a=GOOD), "no target column 'class'; there are 'a', 'y'", target="class")
    refused(table(a=GOOD), "the target 'y' cannot be dropped", drop="y")


def test_rows_are_counted_as_in_the_file_also_after_rows_were_left_out():
    frame = pd.DataFrame({"a": [np.nan, 1, 2, -3, 4], "y": ["u", "u", "v", "u", "v"]})
    refused(frame, r"'a' holds -3 in row 4, which has no logarithm", missing="drop", log=10)


def test_the_recipe_says_all_that_was_done_in_words_json_can_hold():
    import json

    frame = table(a=[1, 5, np.nan, 20000], b=["p", "q", None, "p"], id=range(4))
    data = read_table(frame, "y", missing="impute", clip=(2, 100), log=10, drop=["id"])
    recipe = json.loads(json.dumps(data.recipe))
    assert recipe["target"] == "y"
    assert recipe["options"] == {
        "missing": "impute",
        "nominal": "error",
        "clip": [2.0, 100.0],
        "log": 10.0,
        "drop": ["id"],
        "sheet": None,
    }
    assert recipe["imputed"] == {"a": 1, "b": 1}
    assert recipe["missing_cells"] == 2
    assert recipe["clipped_cells"] == 2
    assert recipe["levels"] == {"b": ["p", "q"]}
    assert recipe == json.loads(json.dumps(read_table(frame, "y", **recipe["options"]).recipe))


def test_a_table_of_thirty_thousand_columns_takes_seconds(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    values = np.random.default_rng(0).random((6, 30_000), dtype=np.float32)
    arrays = [pa.array(values[:, j]) for j in range(values.shape[1])]
    names = [f"g{j}" for j in range(values.shape[1])]
    columns = pa.Table.from_arrays([*arrays, pa.array(["u", "v"] * 3)], names=[*names, "y"])
    pq.write_table(columns, tmp_path / "wide.parquet", write_statistics=False, use_dictionary=False)
    start = time.process_time()
    data = read_table(tmp_path / "wide.parquet", "y")
    assert time.process_time() - start < 10  # a loop over columns in pandas takes minutes
    assert np.array_equal(data.X, values.astype(np.float64))


CELLS = st.sampled_from(
    ["1", "2.5", "-3", "", "NA", "x", "y", "True", "1,5", "inf", " 7", "2020-01-01", "é", "1_0", "0"]
)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(CELLS, CELLS, st.sampled_from("uv")), min_size=3, max_size=9),
    missing=st.sampled_from(["error", "drop", "impute", "category", "keep"]),
    nominal=st.sampled_from(["error", "onehot"]),
    log=st.sampled_from([None, 10]),
)
def test_any_table_is_either_read_or_refused_in_one_sentence(tmp_path_factory, rows, **words):
    path = tmp_path_factory.mktemp("any") / "t.csv"
    path.write_text("a;b;y\n" + "".join(";".join(row) + "\n" for row in rows))
    told = ""
    try:
        data = read_table(path, "y", **words)
    except InputError as error:
        told = str(error)
    if told:
        assert told.startswith("t.csv")
        assert "\n" not in told
    else:
        assert words["missing"] == "keep" or np.isfinite(data.X).all()
        assert len(data.names) == data.n_features == len(data.kinds)
        assert np.unique(data.codes).size >= 2
