"""Values that cannot be correlated are named, whatever they are correlated for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fselect.errors import InputError
from fselect.evaluation.shared_information import rank_correlation
from fselect.evaluation.stand_ins import stand_ins


@pytest.mark.parametrize("correlate", [stand_ins, rank_correlation])
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([[1.0, 2.0], [3.0, np.nan]], "row 1, column 1 .* is nan; fill or drop it first"),
        ([[1.0, -np.inf], [3.0, 2.0]], "row 0, column 1 .* is -inf"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), "must be numbers"),
        ([1, 2, 3], r"not shape \(3,\)"),
        (np.zeros((3, 0)), r"not shape \(3, 0\)"),
        ([[1.0, 2.0]], "at least 2 are needed, there are 1"),
    ],
)
def test_values_that_cannot_be_correlated_are_refused_by_name(correlate, values, sentence):
    with pytest.raises(InputError, match=sentence):
        correlate(values)


def test_numbers_of_any_kind_are_taken():
    table = pd.DataFrame({"a": [1, 2, 4], "b": [True, False, False], "c": pd.array([1, 5, 2], dtype="Int64")})
    assert rank_correlation(table)[0, 1] == pytest.approx(-(3**0.5) / 2)
