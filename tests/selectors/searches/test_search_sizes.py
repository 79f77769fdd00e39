"""Searches that would not end, or have no size to end at, say so."""

from __future__ import annotations

import numpy as np
import pytest

from fselect import BranchAndBound, ExhaustiveSearch
from fselect.errors import InputError
from fselect.measures import interclass_distance

rng = np.random.default_rng(0)


@pytest.mark.parametrize(("d", "number"), [(30, r"1\.1e\+09"), (1100, r"some 2\^1100")])
def test_all_subsets_of_many_columns_are_refused_with_their_number(d, number):
    with pytest.raises(InputError, match=f"would take {number} evaluations; set max_features"):
        ExhaustiveSearch().fit(rng.normal(size=(10, d)), [0, 1] * 5)


@pytest.mark.parametrize("n_features", [None, 0, 1.5])
def test_branch_and_bound_needs_a_size(n_features):
    with pytest.raises(InputError, match="n_features must be a whole number of at least 1"):
        BranchAndBound(n_features).fit(rng.normal(size=(10, 4)), [0, 1] * 5)


@pytest.mark.parametrize("y", [[0, 1, 0], [0], list(range(2000))])
def test_distances_need_one_label_a_row(y):
    with pytest.raises(InputError, match="and X has 2 rows; give one label a row"):
        interclass_distance([[1.0], [2.0]], y)
