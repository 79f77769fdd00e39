"""Feature sets of any tool are read, and every bad line is named."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.evaluation.set_files import read_sets


def write(tmp_path, text, name="sets.txt"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_table_of_zeros_and_ones_keeps_its_rows(tmp_path):
    Z = read_sets(write(tmp_path, "a,b,c\n1,0,1\n0,0,1\n"))
    np.testing.assert_array_equal(Z, [[1, 0, 1], [0, 0, 1]])


def test_numbers_count_from_one(tmp_path):
    Z = read_sets(write(tmp_path, "1 3\n2,3\n"), "4")
    np.testing.assert_array_equal(Z, [[1, 0, 1, 0], [0, 1, 1, 0]])


def test_names_come_from_a_file(tmp_path):
    names = write(tmp_path, "x\ny\nz\n", "names.txt")
    Z = read_sets(write(tmp_path, "x\tz\ny\n"), str(names))
    np.testing.assert_array_equal(Z, [[1, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    ("text", "features", "sentence"),
    [
        ("a,b\n1,2\n0,1\n", None, "line 2: '2' is neither 0 nor 1"),
        ("a,b\n1,0\n0\n", None, "line 3: 1 values under 2 names"),
        ("1,0\n0,1\n", None, "no header"),
        ("a,b\n", None, "fewer than two lines"),
        ("a,b,a\n1,0,0\n0,1,1\n", None, "the feature name 'a' occurs more than once"),
        ("1 2 1\n3\n", "4", "line 1: '1' stands there twice"),
        ("1 2\n5\n", "4", "line 2: '5' is no feature number from 1 to 4"),
        ("1 2\n3\n", "0", "--features 0"),
        ("1 2\n3\n", "nowhere.txt", "neither a number nor a readable file"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, text, features, sentence):
    with pytest.raises(InputError, match=sentence):
        read_sets(write(tmp_path, text), features)


def test_an_unknown_name_gets_a_suggestion(tmp_path):
    names = write(tmp_path, "alpha\nbeta\n", "names.txt")
    with pytest.raises(InputError, match="line 2: 'alpah' is none of the 2 features; did you mean 'alpha'"):
        read_sets(write(tmp_path, "beta\nalpah\n"), str(names))


def test_a_name_in_other_letters_is_suggested_as_it_is_written(tmp_path):
    names = write(tmp_path, "BRCA1\nTP53\n", "names.txt")
    with pytest.raises(InputError, match="line 2: 'tp53' is none of the 2 features; did you mean 'TP53'"):
        read_sets(write(tmp_path, "BRCA1\ntp53\n"), str(names))
