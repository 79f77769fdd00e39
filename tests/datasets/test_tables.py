"""A table as a whole, from a frame."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import read_table
from fselect.errors import InputError


def test_whole_numbers_that_would_lose_digits_are_refused_by_column():
    frame = pd.DataFrame({"id": 2**60 + np.arange(6), "a": np.arange(6.0), "target": list("ababab")})
    with pytest.raises(InputError, match=r"'id' holds whole numbers beyond 2\^53"):
        read_table(frame)
    assert read_table(frame, drop=["id"]).names == ("a",)
