"""The inconsistency rate: worked values, its bounds and monotony, and what it refuses."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fselect.errors import InputError
from fselect.measures import Consistency, inconsistency_rate
from fselect.measures.measure import Evaluator
from fselect.measures.patterns import agreements, pack, pattern_table
from fselect.measures.table import Table

small_tables = st.integers(1, 40).flatmap(
    lambda n: st.tuples(arrays(int, (n, 5), elements=st.integers(0, 2)), arrays(int, n, elements=st.integers(0, 2)))
)


def plain_rate(X, y):
    """Σ over patterns of count − largest class, by dictionaries."""
    patterns = {}
    for row, label in zip(np.asarray(X).tolist(), np.asarray(y).tolist(), strict=True):
        counts = patterns.setdefault(tuple(row), {})
        counts[label] = counts.get(label, 0) + 1
    return sum(sum(c.values()) - max(c.values()) for c in patterns.values()) / len(y)


def nominal_table(X, y):
    return Table(X.astype(float), y, int(y.max()) + 1, np.ones(X.shape[1], dtype=bool))


def test_worked_values():
    # one pattern with 3 a and 1 b, one with 1 a and 2 c: (1 + 1) / 7
    X, y = [[0, 0]] * 4 + [[1, 0]] * 3, list("aaabacc")
    assert inconsistency_rate(X, y) == pytest.approx(2 / 7)
    assert inconsistency_rate(np.zeros((4, 0)), [0, 0, 1, 2]) == 0.5
    assert inconsistency_rate([[1], [2], [3]], [0, 1, 0]) == 0.0


@given(small_tables)
@settings(deadline=None)
def test_it_is_that_of_plain_counting_and_never_rises_with_a_column(table):
    X, y = table
    rates = [inconsistency_rate(X[:, :k], y) for k in range(6)]
    assert rates == pytest.approx([plain_rate(X[:, :k], y) for k in range(6)], abs=1e-15)
    assert all(more <= less for less, more in pairwise(rates))


@pytest.mark.parametrize(("d", "levels"), [(8, 2), (70, 3), (40, 300)])
def test_neighbours_are_counted_as_the_sets_they_are(d, levels):
    # one word, several words, and columns of many values
    rng = np.random.default_rng(d)
    X, y = rng.integers(levels, size=(300, d)), rng.integers(3, size=300)
    packed = pack(X, y, 3)
    some = np.sort(rng.permutation(d)[:3])
    changed = np.arange(d)
    wanted = [plain_rate(X[:, sorted(set(some) ^ {j})], y) for j in changed]
    assert (1 - agreements(packed, some, changed) / 300).tolist() == pytest.approx(wanted)
    cells, counts = pattern_table(packed, some)
    assert counts.sum() == 300
    assert len(counts) == len(np.unique(X[:, some], axis=0))
    assert (np.bincount(cells) == counts.sum(axis=1)).all()


@pytest.mark.parametrize(("d", "levels", "n_classes"), [(6, 2, 2), (9, 3, 3), (80, 2, 2)])
def test_counting_that_stops_early_says_the_same_of_what_is_enough(d, levels, n_classes):
    rng = np.random.default_rng(0)
    table = nominal_table(rng.integers(levels, size=(90, d)), rng.integers(n_classes, size=90))
    evaluator = Consistency().prepare(table, rng)
    sets = [np.sort(rng.permutation(d)[:size]) for size in (0, 1, 2, 3, 2, d)]
    columns, ends = np.concatenate(sets), np.cumsum([len(each) for each in sets])
    exact = [evaluator.value(each) for each in sets]
    for least in {value + more for value in exact for more in (-1 / 90, 0, 1e-13, 0.5 / 90, 1 / 90)} | {0.0, 1.5}:
        enough = [place for place, value in enumerate(exact) if value >= least - 1e-12]
        wanted = (enough[0], exact[enough[0]]) if enough else (len(sets), 0.0)
        assert evaluator.first_enough(columns, ends, least) == wanted
        assert Evaluator.first_enough(evaluator, columns, ends, least) == wanted


def test_what_fsinr_expects_of_the_empty_and_the_full_set():
    # its tests of IEConsistency: the majority's share without columns, 1 for one class, 1 if all columns tell the class
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]]), [0, 1, 1, 0, 0]
    assert 1 - inconsistency_rate(np.zeros((5, 0)), y) == 3 / 5
    assert inconsistency_rate(np.zeros((5, 0)), [7] * 5) == 0
    assert inconsistency_rate(X, y) == 0


def test_different_patterns_are_told_apart_even_when_their_hashes_fall_together():
    # columns of 64 bits in two words: hashes of two words may collide, the words themselves are compared
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(4000, 128))
    y = rng.integers(2, size=4000)
    assert agreements(pack(X, y, 2), np.arange(128), np.array([-1]))[0] == 4000
    twice, labels = np.vstack([X, X]), np.concatenate([y, 1 - y])
    assert agreements(pack(twice, labels, 2), np.arange(128), np.array([-1]))[0] == 4000


def test_the_measure_is_one_minus_the_rate():
    rng = np.random.default_rng(1)
    X, y = rng.integers(3, size=(50, 6)), rng.integers(2, size=50)
    consistency = Consistency().prepare(nominal_table(X, y), rng)
    for size in range(7):
        columns = np.sort(rng.permutation(6)[:size])
        assert consistency.value(columns) == pytest.approx(1 - plain_rate(X[:, columns], y))


@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.tolist(),
        lambda X: X.astype(str),
        lambda X: X.astype(float),
        lambda X: pd.DataFrame(X).astype("category"),
        lambda X: pd.DataFrame(X).convert_dtypes(),
        lambda X: pl.DataFrame(X),
        lambda X: X.astype(bool) if X.max() < 2 else X,
    ],
    ids=["list", "text", "float", "category", "nullable", "polars", "bool"],
)
def test_any_form_of_a_nominal_table_gives_the_same_rate(convert):
    rng = np.random.default_rng(2)
    X, y = rng.integers(2, size=(60, 4)), rng.integers(2, size=60)
    assert inconsistency_rate(convert(X), np.where(y, "yes", "no")) == pytest.approx(plain_rate(X, y))


def test_order_of_rows_and_columns_and_read_only_memory_do_not_matter():
    rng = np.random.default_rng(3)
    X, y = rng.integers(3, size=(80, 5)), rng.integers(2, size=80)
    X.setflags(write=False)
    before, rows = X.copy(), rng.permutation(80)
    assert inconsistency_rate(X[rows][:, ::-1], y[rows]) == inconsistency_rate(X, y)
    assert before.tolist() == X.tolist()


def test_fractions_are_refused_unless_it_is_said_how_they_are_cut():
    X, y = np.array([[0.1], [0.2], [0.8], [0.9]]), [0, 0, 1, 1]
    with pytest.raises(InputError, match=r"column 0 holds fractions.*discretize"):
        inconsistency_rate(X, y)
    assert inconsistency_rate(X, y, discretize="equal_frequency", n_bins=2) == 0.0


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[np.nan], [1.0]], [0, 1], "missing"),
        ([[np.inf], [1.0]], [0, 1], "inf"),
        ([[1], [2]], [0], "1 labels"),
        ([[1], [2]], [None, 1], "row 0"),
        (np.zeros((0, 2)), [], "no rows"),
    ],
)
def test_what_has_no_rate_is_refused(X, y, message):
    with pytest.raises(InputError, match=message):
        inconsistency_rate(X, y)
