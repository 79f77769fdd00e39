"""Each option does what it says, in the fixed order, to the columns it is for."""

import math

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import read_table
from fselect.errors import InputError

Y = ["u", "v", "u", "v", "u"]
NAN = float("nan")


def table(**columns):
    return pd.DataFrame({**columns, "y": Y})


HOLEY = table(a=[1.0, NAN, 3.0, 4.0, 8.0], sex=["m", "f", None, "f", "f"])


def test_drop_leaves_out_rows_with_a_missing_value_and_counts_them():
    frame = table(a=[1.0, NAN, 3.0, 4.0, 8.0, 9.0][:5], b=[1, 2, 3, 4, 5])
    frame = pd.concat([frame, pd.DataFrame({"a": [6.0, 7.0], "b": [1, 2], "y": ["v", None]})])
    data = read_table(frame, "y", missing="drop")
    assert data.X[:, 0].tolist() == [1, 3, 4, 8, 6]
    assert data.y.tolist() == ["u", "u", "v", "u", "v"]
    assert (data.recipe["rows_dropped"], data.recipe["unlabelled_rows"]) == (1, 1)


def test_impute_puts_in_the_median_and_the_most_frequent_text():
    data = read_table(HOLEY, "y", missing="impute")
    assert data.X[:, 0].tolist() == [1, 3.5, 3, 4, 8]
    assert data.X[:, 1].tolist() == [1, 0, 0, 0, 0]


def test_of_equally_frequent_texts_the_first_in_sorted_order_is_put_in():
    data = read_table(table(a=range(5), b=["q", "p", None, "q", "p"]), "y", missing="impute")
    assert data.X[2, 1] == 0


def test_category_makes_missing_a_level_of_a_text_column():
    frame = HOLEY.assign(a=range(5))
    with pytest.raises(InputError, match=r"3 different texts \('f', 'm', 'missing'\)"):
        read_table(frame, "y", missing="category")
    data = read_table(frame, "y", missing="category", nominal="onehot")
    assert data.names == ("a", "sex=f", "sex=m", "sex=missing")
    assert data.X[:, 3].tolist() == [0, 0, 1, 0, 0]


def test_category_cannot_help_a_column_of_numbers():
    with pytest.raises(InputError, match=r"'a' has no value in row 2; .* impute"):
        read_table(HOLEY, "y", missing="category", nominal="onehot")


def test_keep_leaves_holes_in_numbers_and_in_zero_one_columns():
    data = read_table(HOLEY, "y", missing="keep")
    assert np.isnan(data.X).tolist() == [[False] * 2, [True, False], [False, True], [False] * 2, [False] * 2]


def test_onehot_makes_a_column_a_value_and_keeps_two_valued_ones_single():
    data = read_table(table(c=["r", "g", "b", "r", "g"], s=["m", "f", "m", "f", "m"]), "y", nominal="onehot")
    assert data.names == ("c=b", "c=g", "c=r", "s")
    assert data.X[:, :3].tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert set(data.kinds) == {"nominal"}


def test_onehot_names_that_clash_with_a_column_are_refused():
    frame = table(c=["r", "g", "b", "r", "g"], **{"c=r": [1, 2, 3, 4, 5]})
    with pytest.raises(InputError, match="share a name: 'c=r'"):
        read_table(frame, "y", nominal="onehot")


def test_the_text_of_a_missing_cell_makes_its_whole_row_of_indicators_missing():
    data = read_table(table(c=["r", None, "b", "r", "g"]), "y", nominal="onehot", missing="keep")
    assert np.isnan(data.X[1]).all()
    assert not np.isnan(data.X[[0, 2, 3, 4]]).any()


def test_clipping_goes_before_the_logarithm_and_both_leave_nominal_columns_alone():
    frame = table(a=[-5.0, 10.0, 100.0, 1000.0, 1e9], s=["m", "f", "m", "f", "m"])
    data = read_table(frame, "y", clip=(10, 10000), log=10)
    assert data.X[:, 0].tolist() == [1, 1, 2, 3, 4]
    assert data.X[:, 1].tolist() == [1, 0, 1, 0, 1]
    assert data.recipe["clipped_cells"] == 2


@pytest.mark.parametrize(("base", "function"), [(2, np.log2), ("e", np.log), (10, np.log10)])
def test_the_usual_logarithms_are_those_of_numpy_exactly(base, function):
    values = np.array([0.001, 1, 8, 1000, 12345.678])
    assert np.array_equal(read_table(table(a=values), "y", log=base).X[:, 0], function(values))


def test_any_other_base_is_the_quotient():
    data = read_table(table(a=[1, 3, 9, 27, 81]), "y", log=3)
    assert data.X[:, 0] == pytest.approx([0, 1, 2, 3, 4])
    assert math.isclose(data.X[4, 0], 4)


@pytest.mark.parametrize(("cell", "shown"), [(0.0, "0"), (-2.5, "-2.5")])
def test_the_logarithm_of_what_has_none_names_column_and_row(cell, shown):
    with pytest.raises(InputError, match=rf"'b' holds {shown} in row 4, which has no logarithm.*clip first"):
        read_table(table(a=[1, 2, 3, 4, 5], b=[1, 2, 3, cell, 5]), "y", log=10)


def test_an_infinite_value_is_not_clipped_away():
    with pytest.raises(InputError, match="'a' is infinite in row 5"):
        read_table(table(a=[1, 2, 3, 4, math.inf]), "y", clip=(0, 3))


def test_an_error_after_an_option_says_what_the_option_did():
    with pytest.raises(InputError, match=r"\(after clip to \[10, 20\]\): every column is constant"):
        read_table(table(a=[1, 2, 3, 4, 5]), "y", clip=(10, 20))
    frame = table(a=[1, NAN, 3, NAN, 5])
    with pytest.raises(InputError, match=r"\(after missing: drop took 2 rows\): the target holds one class only"):
        read_table(frame, "y", missing="drop")


def test_dropping_nearly_all_rows_names_the_column_that_is_to_blame():
    frame = table(a=[1, 2, NAN, 4, 5], b=[1, NAN, NAN, NAN, NAN])
    with pytest.raises(InputError, match="leaves 1 row of 5; column 'b' alone has 4 missing values"):
        read_table(frame, "y", missing="drop")


@pytest.mark.parametrize("column", [[NAN] * 5, [None] * 5])
def test_a_column_without_any_value_cannot_be_imputed(column):
    with pytest.raises(InputError, match="'b' holds no value at all; drop it"):
        read_table(table(a=range(5), b=column), "y", missing="impute")
