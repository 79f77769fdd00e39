"""Cutting columns: by width, by frequency, by description length; and the transformer."""

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect.errors import InputError
from fselect.measures import Discretizer
from fselect.measures.discretise import apply_cuts, cut_points, is_nominal
from fselect.measures.table import nominal_mask


@parametrize_with_checks([Discretizer(), Discretizer("equal_width", nominal="none")])
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


def test_equal_widths_are_those_of_scikit_learn():
    x = np.random.default_rng(0).gamma(2.0, size=200)
    theirs = KBinsDiscretizer(4, encode="ordinal", strategy="uniform").fit(x[:, None])
    np.testing.assert_allclose(cut_points(x, x, "equal_width", 4), theirs.bin_edges_[0][1:-1])


@pytest.mark.parametrize("n_bins", [2, 3, 7])
def test_equal_frequencies_differ_by_one_row_at_most(n_bins):
    x = np.random.default_rng(1).normal(size=100)
    sizes = np.bincount(apply_cuts(x, cut_points(x, x, "equal_frequency", n_bins)))
    assert len(sizes) == n_bins
    assert np.ptp(sizes) <= 1


def test_equal_values_stay_together():
    x = np.repeat([0.5, 1.5, 2.5], [10, 1, 1])
    parts = apply_cuts(x, cut_points(x, x, "equal_frequency", 4))
    assert [len(np.unique(parts[x == value])) for value in (0.5, 1.5, 2.5)] == [1, 1, 1]


def test_description_length_cuts_where_classes_change_and_nowhere_else():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 3, size=600)
    y = ((x > 1) & (x < 2)).astype(int)
    cuts = cut_points(x, y, "mdl")
    assert len(cuts) == 2
    assert cuts == pytest.approx([1, 2], abs=0.02)
    assert cut_points(x, rng.integers(2, size=600), "mdl").size == 0
    assert cut_points(np.ones(9), np.arange(9) % 2, "mdl").size == 0


def test_description_length_by_hand():
    # Fayyad and Irani 1993: 3 rows of each class, split cleanly. Gain 1 bit; delta = log2(3² − 2) − (2·1 − 0 − 0)
    # = 0.807; cost = (log2(5) + 0.807) / 6 = 0.52 < 1: cut. Of 1 and 1 rows: (0 + .807) / 2 = .40 < 1: cut.
    assert cut_points(np.arange(6.0), np.repeat([0, 1], 3), "mdl").tolist() == [2.5]
    # 4 rows, classes 0 1 0 1: best gain is .311; cost = (log2(3) + log2(7) − (2 − 0 − 2·.918)) / 4 > 1: no cut
    assert cut_points(np.arange(4.0), np.array([0, 1, 0, 1]), "mdl").tolist() == []


def test_what_is_nominal():
    assert is_nominal(np.arange(10.0))
    assert not is_nominal(np.arange(11.0))
    assert not is_nominal(np.array([0.0, 0.5]))
    X = np.array([[0.5, 1.0], [1.5, 2.0]])
    assert nominal_mask([0], X, ["a", "b"]).tolist() == [True, False]
    assert nominal_mask("all", X, ["a", "b"]).tolist() == [True, True]
    with pytest.raises(InputError, match="'c', and there is no such column"):
        nominal_mask(["c"], X, ["a", "b"])
    with pytest.raises(InputError, match="nominal must be"):
        nominal_mask("some", X, ["a", "b"])


def test_the_transformer_cuts_new_rows_where_the_old_ones_were_and_keeps_names():
    frame = pd.DataFrame({"age": np.linspace(0.5, 9.5, 10), "sex": [1, 2] * 5})
    cutter = Discretizer(n_bins=2).set_output(transform="pandas").fit(frame)
    out = cutter.transform(pd.DataFrame({"age": [-5.0, 99.0], "sex": [1, 2]}))
    assert out["age"].tolist() == [0, 1]
    assert out["sex"].tolist() == [1, 2]
    assert frame["age"].iloc[0] == 0.5


@pytest.mark.parametrize(
    ("cutter", "message"),
    [
        (Discretizer("best"), "equal_frequency"),
        (Discretizer(n_bins=1), "n_bins"),
        (Discretizer("mdl"), "give it y"),
    ],
)
def test_wrong_parameters_are_refused(cutter, message):
    with pytest.raises(InputError, match=message):
        cutter.fit([[0.1], [0.2], [0.3]])
