"""Mistakes that other packages make, held off for every search and weighting."""

import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import OrdinalEncoder

from fselect import (
    ABB,
    LVF,
    LVI,
    LVW,
    QBB,
    BeamSearch,
    BranchAndBound,
    EntropyRanking,
    ExhaustiveSearch,
    FloatingSearch,
    Focus,
    PlusMinusSearch,
    Relief,
    ReliefF,
    SequentialSearch,
)
from fselect.errors import InputError
from fselect.measures import Accuracy, inconsistency_rate

ALL = [
    SequentialSearch(),
    SequentialSearch("backward"),
    FloatingSearch(),
    FloatingSearch("backward"),
    PlusMinusSearch(),
    BeamSearch(),
    ExhaustiveSearch(),
    Focus(),
    ABB(),
    BranchAndBound(2),
    LVF(max_tries=300),
    LVI(max_tries=300),
    LVW(measure="information", max_failures=50),
    QBB(max_tries=300),
    Relief(),
    ReliefF(),
    EntropyRanking(),
]
each = pytest.mark.parametrize("selector", ALL, ids=lambda selector: str(selector).partition("(")[0])
WORKERS = 3


@pytest.fixture(scope="module")
def table():
    """Two columns decide the class together, one echoes it a little, five are noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8))
    return X, (X[:, 2] + X[:, 5] > 0).astype(int)


@each
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "inf")])
def test_a_column_that_holds_no_number_is_refused_and_never_selected(selector, value, word, table):
    X, y = table[0].copy(), table[1]
    X[3, 1] = value
    if isinstance(selector, ReliefF) and word == "NaN":
        X[:, 1] = np.nan
        assert not clone(selector).fit(X, y).support_[1]
        return
    with pytest.raises(InputError, match=f"column 1 holds {word}"):
        clone(selector).set_params(random_state=0).fit(X, y)


@each
def test_something_is_selected_and_not_everything(selector, table):
    support = clone(selector).set_params(random_state=0).fit(*table).support_
    assert 1 <= support.sum() < 8


@each
def test_a_constant_column_is_not_selected(selector, table):
    X, y = table[0].copy(), table[1]
    X[:, 0] = 3.25
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        support = clone(selector).set_params(random_state=0).fit(X, y).support_
    random_or_forward = isinstance(selector, LVW | LVI | BranchAndBound)
    assert not support[0] or random_or_forward


@each
def test_the_callers_data_stays_as_it_is_even_in_memory_that_cannot_be_written(selector, table):
    X, y = table[0].copy(), table[1].copy()
    X.setflags(write=False)
    y.setflags(write=False)
    clone(selector).set_params(random_state=0).fit(X, y)
    assert (table[0] == X).all()
    assert (table[1] == y).all()
    loose = table[0].copy()
    clone(selector).set_params(random_state=0).fit(loose, y)
    assert (loose == X).all()


@each
def test_several_workers_find_what_one_finds(selector, table):
    X, y = table[0].copy(), table[1]
    X.setflags(write=False)
    wanted = clone(selector).set_params(random_state=0).fit(X, y).support_
    with ThreadPoolExecutor(WORKERS) as pool:
        fits = [pool.submit(clone(selector).set_params(random_state=0).fit, X, y) for _ in range(WORKERS)]
        assert all((fit.result().support_ == wanted).all() for fit in fits)


def _fit(arguments):
    selector, X, y = arguments
    return selector.fit(X, y).support_


def test_processes_find_what_one_finds(table):
    selectors = [clone(selector).set_params(random_state=0) for selector in (ALL[0], ALL[10])]
    wanted = [_fit((clone(one), *table)) for one in selectors]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(_fit, [(one, *table) for one in selectors]))
    assert np.array_equal(found, wanted)


DETERMINISTIC = [
    SequentialSearch(n_features=3, measure="distance"),
    SequentialSearch("backward", n_features=3, measure="distance"),
    FloatingSearch(n_features=3, measure="distance"),
    PlusMinusSearch(n_features=3, measure="distance"),
    BeamSearch(n_features=3, measure="distance"),
    ExhaustiveSearch(measure="correlation"),
    BranchAndBound(3, measure="distance"),
    Relief(cut=3),
    ReliefF(cut=3),
]


@pytest.mark.parametrize("selector", DETERMINISTIC, ids=lambda selector: type(selector).__name__)
def test_without_ties_the_order_of_rows_and_columns_does_not_matter(selector, table):
    X, y = table
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(y)), rng.permutation(8)
    wanted = clone(selector).fit(X, y).support_
    assert (clone(selector).fit(X[rows][:, columns], y[rows]).support_ == wanted[columns]).all()


@pytest.mark.parametrize(
    "selector",
    [SequentialSearch("backward"), SequentialSearch(n_features=1), ABB(), Focus(), QBB(max_tries=60), FloatingSearch()],
    ids=str,
)
def test_among_copies_each_is_selected_equally_often(selector):
    # four copies of the one column that matters: none is favoured by its place
    x = np.arange(40.0) % 2
    X, y = np.column_stack([x] * 4), x.astype(int)
    found = [clone(selector).set_params(random_state=seed).fit(X, y).support_ for seed in range(80)]
    assert all(one.sum() == 1 for one in found)
    # 20 expected, standard deviation 3.9
    assert np.abs(np.sum(found, axis=0) - 20).max() < 18


@each
def test_tables_that_are_not_numbers_in_rows_are_refused_in_one_sentence(selector, table):
    X, y = table
    with pytest.raises(
        TypeError, match=r"Sparse data was passed for X, but dense data is required. Use '.toarray\(\)'"
    ):
        clone(selector).fit(csr_array(X), y)
    frame = pd.DataFrame(X, columns=list("abcdefgh")).assign(c=np.where(y == 1, "warm", "cold"))
    told = r"column 'c' holds something that is not a number; convert it \(words to codes, as OrdinalEncoder does\)"
    with pytest.raises(InputError, match=told):
        clone(selector).fit(frame, y)


@pytest.mark.parametrize("selector", [LVF(random_state=0), Relief(random_state=0)], ids=lambda one: type(one).__name__)
def test_words_are_coded_first_and_then_named_nominal(selector, table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcdefgh")).assign(c=np.where(y == 1, "warm", "cold"))
    with pytest.raises(InputError, match="OrdinalEncoder"):
        clone(selector).set_params(nominal=["c"]).fit(frame, y)
    coded = frame.assign(c=OrdinalEncoder().fit_transform(frame[["c"]]).ravel())
    assert "c" in clone(selector).set_params(nominal=["c"]).fit(coded, y).get_feature_names_out()


def test_labels_that_are_words_and_columns_with_names_are_kept(table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcdefgh")).convert_dtypes()
    search = SequentialSearch(measure="naive_bayes", n_features=2, random_state=0).set_output(transform="pandas")
    found = search.fit_transform(frame, np.where(y == 1, "warm", "cold"))
    assert list(found) == ["c", "f"]
    assert set(search.history_["columns"]) == {(), ("c",), ("f",)}


def test_a_measure_cannot_change_the_data_and_has_to_give_numbers(table):
    X, y = table[0].copy(), table[1].copy()

    def writes(columns, classes):
        columns[:] = 0
        return columns.shape[1] == 2

    assert SequentialSearch(measure=writes, patience=2).fit(X, y).support_.sum() == 2
    assert (table[0] == X).all()
    with pytest.raises(ValueError, match="read-only"):
        SequentialSearch(measure=lambda columns, classes: classes.fill(0)).fit(X, y)
    with pytest.raises(InputError, match=r"the measure gave None for the columns \[\], not a number"):
        SequentialSearch(measure=lambda columns, classes: None).fit(X, y)
    with pytest.raises(InputError, match="the measure is not a number for the columns"):
        SequentialSearch(measure=lambda columns, classes: np.nan).fit(X, y)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 0.0])
@pytest.mark.parametrize(
    "search",
    [one for one in ALL[:14] if not isinstance(one, BranchAndBound | LVI)],  # these take monotone measures only
    ids=lambda search: type(search).__name__,
)
def test_values_that_are_all_equal_or_infinite_end_every_search_with_something(search, value, table):
    found = clone(search).set_params(measure=lambda columns, classes: value, random_state=0).fit(*table)
    assert 1 <= found.support_.sum() <= 8
    assert found.value_ == value


def test_a_loss_is_made_small_and_not_large(table):
    X, y = table
    wanted = {2, 5}
    by_loss = SequentialSearch(measure=Accuracy(GaussianNB(), scoring="neg_log_loss"), n_features=2, random_state=0)
    assert set(by_loss.fit(X, y).get_support(indices=True)) == wanted
    bits = (X > 0).astype(float)
    by_rate = SequentialSearch(measure=inconsistency_rate, n_features=1, random_state=0).fit(
        bits, bits[:, 5].astype(int)
    )
    assert by_rate.get_support(indices=True).tolist() == [5]


def test_fractions_are_not_taken_for_names(table):
    X, y = table
    # taken as names, any one column of numbers without ties would be perfectly consistent
    assert LVF(max_tries=300, random_state=0).fit(X, y).support_.sum() > 1
    with pytest.raises(InputError, match=r"column 0 is not nominal.*discretize"):
        LVF(discretize=None).fit(X, y)
