"""Labels of any type become plain arrays."""

import numpy as np
import pandas as pd
import pytest

from fselect.datasets.labels import as_labels, missing_labels

TEXT, WHOLE, TRUTH = "U", "i", "b"


@pytest.mark.parametrize(
    ("labels", "kind", "expected"),
    [
        (np.array([0, 1, 1], dtype=np.int8), WHOLE, [0, 1, 1]),
        (np.array([0, 1, 1], dtype=np.uint16), WHOLE, [0, 1, 1]),
        ([0.0, 1.0, 1.0], WHOLE, [0, 1, 1]),
        (pd.Series([0, 1, 1], dtype="Int64"), WHOLE, [0, 1, 1]),
        (pd.Series([0, 1, 1], dtype="int64[pyarrow]"), WHOLE, [0, 1, 1]),
        (pd.Series([0, 1, 1], dtype="category"), WHOLE, [0, 1, 1]),
        (np.array([1, 2], dtype=object), WHOLE, [1, 2]),
        ([True, False], TRUTH, [True, False]),
        (pd.Series([True, False], dtype="boolean"), TRUTH, [True, False]),
        ([0.5, 1.5], "f", [0.5, 1.5]),
        (["yes", "no"], TEXT, ["yes", "no"]),
        ([b"yes", b"no"], TEXT, ["yes", "no"]),
        (np.array([b"yes", b"no"]), TEXT, ["yes", "no"]),
        (pd.Series(["yes", "no"], dtype="string"), TEXT, ["yes", "no"]),
        (pd.Series(["yes", "no"], dtype="category"), TEXT, ["yes", "no"]),
        ([1, "a"], TEXT, ["1", "a"]),
        (pd.DataFrame({"y": ["a", "b"]}), TEXT, ["a", "b"]),
        (np.array([["a"], ["b"]]), TEXT, ["a", "b"]),
    ],
)
def test_labels_keep_their_meaning_and_are_never_objects(labels, kind, expected):
    array = as_labels(labels)
    assert array.dtype.kind == kind
    assert array.tolist() == expected


@pytest.mark.parametrize(
    "labels",
    [
        ["a", None, "b"],
        ["a", float("nan"), "b"],
        ["a", "", "b"],
        pd.Series(["a", pd.NA, "b"], dtype="string"),
        pd.Series([1, pd.NA, 2], dtype="Int64"),
        pd.Series(["a", None, "b"], dtype="category"),
        np.array([0.0, np.nan, 1.0]),
        pd.Series(pd.to_datetime(["2020-01-01", None, "2020-01-02"])),
    ],
)
def test_a_missing_label_is_found_in_whatever_form(labels):
    assert missing_labels(labels).tolist() == [False, True, False]


def test_the_labels_given_are_not_changed_by_what_is_done_to_the_result():
    given = np.array([0, 1, 2])
    as_labels(given)[0] = 9
    assert given[0] == 0
