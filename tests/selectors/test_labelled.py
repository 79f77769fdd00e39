"""Priors and histories that carry names of columns go by the names, wherever they stand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fselect import BiasedRFE, TransferRFE
from fselect.errors import InputError

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(60, 4)), columns=["g0", "g1", "g2", "g3"])
y = (X["g2"] > 0).astype(int)


def test_a_labelled_shrinkage_goes_by_its_labels():
    beta = pd.Series({"g3": 1.0, "g2": 1.0, "g1": 1.0, "g0": 1e-4})
    labelled = BiasedRFE(2, penalty=100.0, shrinkage=beta).fit(X, y)
    assert labelled.get_support().tolist() == [True, False, True, False]
    plain = BiasedRFE(2, penalty=100.0, shrinkage=beta[list(X.columns)].tolist()).fit(X, y)
    assert (plain.ranking_ == labelled.ranking_).all()


def test_a_labelled_history_goes_by_its_labels():
    history = pd.DataFrame([[1, 1, 0, 0]], columns=["g3", "g2", "g1", "g0"])
    assert TransferRFE(2, history=history).fit(X, y).history_[0].tolist() == [False, False, True, True]


@pytest.mark.parametrize("labels", [["g0", "g1", "g2", "h"], ["g0", "g1", "g2", "g2"]])
def test_labels_that_are_not_the_columns_are_refused(labels):
    with pytest.raises(InputError, match="shrinkage is labelled, but not by the columns of X"):
        BiasedRFE(2, shrinkage=pd.Series([1.0, 2.0, 3.0, 4.0], index=labels)).fit(X, y)


def test_numbered_rows_and_tables_without_names_go_by_position():
    beta = pd.Series([1e-4, 1.0, 1.0, 1.0])
    by_name = BiasedRFE(2, penalty=100.0, shrinkage=beta).fit(X, y)
    without = BiasedRFE(2, penalty=100.0, shrinkage=beta.set_axis(list("dcba"))).fit(X.to_numpy(), y)
    assert (by_name.get_support() == without.get_support()).all()
