"""Columns that are put together from bytes are those that pyarrow makes."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect.study.arrow_columns import column

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
VALUES = {
    pa.string(): TEXT,
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float64(): st.floats(allow_nan=False),
    pa.list_(pa.string()): st.lists(TEXT, max_size=3),
}


@pytest.mark.parametrize("kind", VALUES, ids=str)
@settings(deadline=None)
@given(data=st.data())
def test_a_column_is_the_one_that_pyarrow_makes(kind, data):
    values = data.draw(st.lists(st.none() | VALUES[kind], max_size=20))
    found = column(values, kind)
    found.validate(full=True)
    assert found.equals(pa.array(values, kind))


def test_a_missing_number_is_null_and_not_a_number_stays_that():
    found = column([None, float("nan"), 1.0], pa.float64())
    assert found.null_count == 1
    assert str(found[1]) == "nan"
