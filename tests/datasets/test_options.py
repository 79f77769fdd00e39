"""The choices about a table are explicit and checked by name."""

import math

import pytest
from pydantic import ValidationError

from fselect.datasets.options import DataOptions, data_options
from fselect.errors import InputError


def test_nothing_is_done_to_a_table_unless_it_is_asked_for():
    expected = {"missing": "error", "nominal": "error", "clip": None, "log": None, "drop": (), "sheet": None}
    assert DataOptions().model_dump() == expected


@pytest.mark.parametrize(("base", "value"), [("e", math.e), (10, 10.0), (2, 2.0), ("2", 2.0), (None, None)])
def test_the_base_of_the_logarithm_may_be_a_number_or_e(base, value):
    assert DataOptions(log=base).log == value


def test_one_column_to_drop_may_be_given_as_a_word():
    assert DataOptions(drop="id").drop == ("id",)
    assert DataOptions(drop=["id", "age"]).drop == ("id", "age")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"clip": (5, 5)}, "'clip': the low end must be below the high end"),
        ({"clip": (9, 5)}, r"not \[9.0, 5.0\]"),
        ({"clip": (0, math.inf)}, "both finite"),
        ({"clip": (1,)}, "'clip'"),
        ({"log": 1}, "'log': the base of the logarithm must be above 1"),
        ({"log": 0.5}, "above 1"),
        ({"log": "ten"}, "'log'"),
        ({"missing": "ignore"}, "'missing': input should be 'error', 'drop'"),
        ({"nominal": "ordinal"}, "'nominal'"),
        ({"cilp": (1, 2)}, "no data option 'cilp'; did you mean 'clip'"),
    ],
)
def test_an_option_that_is_not_allowed_is_named(words, sentence):
    with pytest.raises(InputError, match=sentence):
        data_options(**words)


def test_keywords_win_over_the_options_they_are_given_with():
    both = data_options(DataOptions(missing="drop", log=2), log=10)
    assert (both.missing, both.log) == ("drop", 10.0)


def test_the_model_refuses_unknown_fields_for_those_who_validate_a_file_with_it():
    with pytest.raises(ValidationError):
        DataOptions(mising="drop")
