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


@pytest.mark.parametrize("first", [2**64, 10**20, -(10**20)])
def test_so_are_those_that_no_integer_type_holds(first, tmp_path):
    """pandas reads them as text, and text of digits would become numbers."""
    path = tmp_path / "long.csv"
    path.write_text("id,a,target\n" + "".join(f"{first + row % 2},{row},{'ab'[row % 2]}\n" for row in range(6)))
    with pytest.raises(InputError, match=r"'id' holds whole numbers beyond 2\^53"):
        read_table(path)
    path.write_text("id,a,target\n" + "".join(f" {2**53} ,{row},{'ab'[row % 2]}\n" for row in range(6)))
    assert read_table(path).X[0, 0] == 2.0**53
