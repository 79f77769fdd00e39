"""Dates, times and durations are refused by name, whatever kind of frame holds them."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fselect import BiasedRFE, ReliefF
from fselect.errors import InputError

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
y = (X[:, 0] > 0).astype(int)
DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(int(1e4 * value)) for value in X[:, 0]]


def frame(values):
    return pl.DataFrame({"a": X[:, 1], "b": X[:, 2], "z": values})


@pytest.mark.parametrize(
    "values",
    [
        DAYS,
        [datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=n) for n in range(40)],
        [datetime.timedelta(n) for n in range(40)],
        [datetime.time(n % 24) for n in range(40)],
        ["u", "v"] * 20,
    ],
)
@pytest.mark.parametrize("selector", [BiasedRFE(2), ReliefF()])
def test_the_column_is_named(selector, values):
    with pytest.raises(InputError, match="column 'z' holds something that is not a number"):
        selector.fit(frame(values), y)


def test_so_it_is_where_no_column_is_a_number():
    days = pd.to_datetime(pd.Series(DAYS))
    with pytest.raises(InputError, match="column 'z' holds something that is not a number"):
        BiasedRFE(1).fit(pd.DataFrame({"z": days, "other": days}), y)
    with pytest.raises(InputError, match="X holds dates or times"):
        BiasedRFE(1).fit(np.array([days, days]).T.astype("M8[ns]"), y)
