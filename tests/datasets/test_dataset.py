"""A dataset holds its values unchangeably, and its hash is that of its content."""

import copy
import hashlib
import json
import pickle
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fselect.datasets import Dataset, Truth, check_dataset
from fselect.errors import InputError

X = np.arange(8.0).reshape(4, 2)
Y = np.array(["b", "a", "b", "a"])


def test_codes_are_places_among_the_sorted_classes():
    data = Dataset(X, Y)
    assert data.classes.tolist() == ["a", "b"]
    assert data.codes.tolist() == [1, 0, 1, 0]
    assert data.codes.dtype == np.int64


def test_the_values_given_can_be_changed_without_changing_the_dataset():
    mine = X.copy()
    data = Dataset(mine, Y)
    mine[0, 0] = 99
    assert data.X[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1


def test_an_array_that_is_read_only_already_is_not_copied():
    mine = X.copy()
    mine.flags.writeable = False
    assert np.shares_memory(Dataset(mine, Y).X, mine)


@pytest.mark.parametrize("through", [copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies_and_pickles_stay_read_only_and_equal(through):
    data = Dataset(X, Y, "d", ("p", "q"), ("numeric", "nominal"), Truth((0,), (1,)), {"a": 1})
    again = through(data)
    assert again.content_hash == data.content_hash
    assert not again.X.flags.writeable
    assert (again.name, again.kinds, again.truth, again.recipe) == (data.name, data.kinds, data.truth, data.recipe)


@pytest.mark.parametrize(
    "other",
    [
        Dataset(X + 1, Y),
        Dataset(X, Y[::-1]),
        Dataset(X, Y, names=("x0", "x2")),
        Dataset(X.reshape(2, 4), Y[:2]),
        Dataset(X, ["1", "2", "1", "2"]),
        Dataset(X, [1, 2, 1, 2]),
    ],
)
def test_the_hash_changes_with_values_labels_names_and_shape(other):
    assert other.content_hash != Dataset(X, Y).content_hash


def test_the_hash_tells_text_labels_from_numbers():
    assert Dataset(X, ["1", "2", "1", "2"]).content_hash != Dataset(X, [1, 2, 1, 2]).content_hash


@pytest.mark.parametrize("d", [1, 9_999, 10_000, 10_001, 20_000])
def test_the_hash_of_many_names_is_that_of_all_in_one_text(d):
    data = Dataset(np.arange(4.0 * d).reshape(4, d), Y, names=tuple(f'"é{j}, ' for j in range(d)))
    text = json.dumps([[4, d], "U", list(Y), list(data.names)])
    assert data.content_hash == hashlib.blake2b(text.encode() + b"\n" + data.X.tobytes(), digest_size=16).hexdigest()


def test_the_hash_of_many_names_takes_little_memory_beside_them():
    data = Dataset(np.zeros((4, 300_000)), Y)
    tracemalloc.start()
    try:
        assert data.content_hash
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000  # the text of all names would be as much already, and its parts ten times that


def test_the_hash_does_not_depend_on_memory_layout_name_kinds_or_recipe():
    first = Dataset(X, Y, "a")
    other = Dataset(np.asfortranarray(X), Y.astype("<U9"), "b", (), ("nominal", "numeric"), recipe={"z": 1})
    assert first.content_hash == other.content_hash
    assert first.content_hash == Dataset(X, Y).content_hash  # and again in another object
    assert len(first.content_hash) == 32


def test_a_frame_has_the_names_and_the_labels_last():
    frame = Dataset(X, Y, names=("p", "q")).frame("class")
    assert list(frame.columns) == ["p", "q", "class"]
    assert frame["class"].tolist() == Y.tolist()
    with pytest.raises(InputError, match="another name"):
        Dataset(X, Y, names=("p", "q")).frame("q")


def test_a_truth_is_read_by_attribute_and_by_key_and_survives_a_dictionary():
    truth = Truth((1,), (0,), (2,), {1: (1, 2)})
    assert truth["groups"] == truth.groups == {1: (1, 2)}
    through_json = {**truth.to_dict(), "groups": {"1": [1, 2]}}
    assert Truth.from_dict(through_json) == truth


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((X, Y[:3]), "y has shape .* but X has 4 rows"),
        ((X[0], Y), "a table of rows and columns"),
        ((X, ["a", None, "b", "a"]), "no label in row 2"),
        ((X, Y, "d", ("p",)), "1 names for 2 columns"),
        ((X, Y, "d", ("p", "p")), r"share a name: 'p' \(columns 1, 2\)"),
        ((X, Y, "d", (), ("numeric", "text")), "kinds must be"),
        (([["a", 1.0]], ["b"]), "X must hold numbers"),
    ],
)
def test_shapes_that_do_not_fit_are_refused_in_a_sentence(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        Dataset(*arguments)


def values(*cells):
    return np.array(cells, dtype=float).reshape(4, -1)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (Dataset(X[:2], Y[:2]), "has 2 rows; a selection needs 3"),
        (Dataset(X, ["a"] * 4), r"one class only \('a'\)"),
        (Dataset(X, ["a", "a", "b", "a"]), r"class 'b' has a single row \(row 3\)"),
        (Dataset(values(1, 2, 3, np.nan), Y), "column 'x0' has no value in row 4; .*--missing.: drop"),
        (Dataset(values(1, 2, np.inf, 4), Y), r"column 'x0' is infinite in row 3 \(inf\)"),
        (Dataset(values(1, -np.inf, np.nan, 4), Y), r"column 'x0' is infinite in row 2 \(-inf\)"),
        (Dataset(values(5, 5, 5, 5), Y), "every column is constant"),
        (Dataset(np.arange(80.0).reshape(40, 2), np.linspace(0, 1, 40)), "looks like a measurement"),
        (Dataset(np.arange(80.0).reshape(40, 2), np.arange(40)), "looks like a measurement"),
    ],
)
def test_a_dataset_without_a_selection_in_it_is_refused_with_the_place(data, sentence):
    with pytest.raises(InputError, match=sentence):
        check_dataset(data)


def test_missing_values_pass_where_they_are_allowed_but_infinite_ones_never():
    holey = Dataset(values(1, 2, 3, np.nan), Y)
    assert check_dataset(holey, allow_missing=True) is holey
    with pytest.raises(InputError, match="infinite"):
        Dataset(values(1, np.inf, 3, np.nan), Y).checked(allow_missing=True)


def test_a_column_that_is_constant_but_for_missing_values_counts_as_constant():
    with pytest.raises(InputError, match="constant"):
        check_dataset(Dataset(values(1, np.nan, 1, 1), Y), allow_missing=True)


def test_many_whole_number_classes_with_many_members_are_classes():
    y = np.repeat(np.arange(26), 20)
    check_dataset(Dataset(np.random.default_rng(0).random((520, 2)), y))


@given(st.lists(st.sampled_from("abc"), min_size=3, max_size=12), st.integers(0, 99))
def test_a_table_passes_exactly_if_it_has_two_classes_and_none_of_one_member(labels, seed):
    data = Dataset(np.random.default_rng(seed).random((len(labels), 2)), labels)
    counts = pd.Series(labels).value_counts()
    if len(counts) >= 2 and counts.min() >= 2:
        check_dataset(data)
    else:
        with pytest.raises(InputError):
            check_dataset(data)
