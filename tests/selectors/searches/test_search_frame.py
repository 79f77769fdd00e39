"""What all searches share: limits, forced columns, seeds, the memo, and refusals."""

import importlib.util
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from fselect import (
    ABB,
    LVF,
    LVI,
    LVW,
    QBB,
    BeamSearch,
    BranchAndBound,
    ExhaustiveSearch,
    FloatingSearch,
    Focus,
    PlusMinusSearch,
    SequentialSearch,
)
from fselect.datasets import make_parity
from fselect.errors import InputError
from fselect.measures import Consistency, Function
from fselect.measures.measure import Evaluator
from fselect.measures.table import Table
from fselect.selectors.searches.frame import LimitReachedError, Limits, States

_spec = importlib.util.spec_from_file_location("references", Path(__file__).with_name("search_references.py"))
references = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(references)
noisy_nominal, numbers, separation = references.noisy_nominal, references.numbers, references.separation


LIMITED = [
    SequentialSearch("backward"),
    FloatingSearch(),
    PlusMinusSearch(),
    BeamSearch(),
    ExhaustiveSearch(),
    Focus(),
    ABB(),
    BranchAndBound(3),
    LVF(),
    LVI(),
    LVW(measure="information"),
    QBB(),
]
each = pytest.mark.parametrize("search", LIMITED, ids=lambda search: type(search).__name__)


@each
def test_a_limit_of_evaluations_is_kept_and_told(search):
    data = make_parity(8, 12, n_samples=200, random_state=0)
    from sklearn.base import clone

    with pytest.warns(UserWarning, match="ended by max_evaluations = 17 after 17 evaluations"):
        found = clone(search).set_params(max_evaluations=17, random_state=0).fit(data.X, data.y)
    assert found.stopped_ == "max_evaluations"
    assert found.evaluations_ == 17
    assert 1 <= found.support_.sum() <= 20


@each
def test_a_limit_of_seconds_is_kept_and_told(search):
    from sklearn.base import clone

    def slow(X, y):
        time.sleep(0.01)
        return float(X.shape[1])

    slow_measure = Function(slow)
    object.__setattr__(slow_measure, "monotone", True)
    X, y = noisy_nominal(0, d=15)
    limited = clone(search).set_params(max_seconds=0.03, measure=slow_measure, random_state=0)
    start = time.monotonic()
    if type(search).__name__ == "LVF":  # sizes rise here, so that all columns alone are enough
        limited.set_params(max_tries=100_000)
    with pytest.warns(UserWarning, match="ended by max_seconds"):
        found = limited.fit(X, y)
    assert time.monotonic() - start < 5
    assert found.stopped_ == "max_seconds"
    assert found.support_.any()


@each
def test_columns_that_must_be_in_are_and_those_that_must_be_out_are_not(search):
    import warnings

    import pandas as pd
    from sklearn.base import clone

    X, y = noisy_nominal(4)
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = (
            clone(search)
            .set_params(must_include=["g", 0], must_exclude=["b"], random_state=0, max_evaluations=150)
            .fit(frame, y)
        )
    names = found.get_feature_names_out().tolist()
    assert {"a", "g"} <= set(names)
    assert "b" not in names


@each
def test_the_same_seed_gives_the_same_answer_and_another_measure_is_taken(search):
    import warnings

    from sklearn.base import clone

    X, y = noisy_nominal(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, again = (clone(search).set_params(random_state=7, max_evaluations=120).fit(X, y) for _ in range(2))
    assert (one.support_ == again.support_).all()
    assert one.history_.equals(again.history_)
    assert 1 <= one.support_.sum() < 7


class _Whole:
    """A measure whose sets are always counted to the end."""

    monotone = True

    def prepare(self, table, rng):
        return _WholeEvaluator(Consistency().prepare(table, rng))


class _WholeEvaluator(Evaluator):
    def __init__(self, evaluator):
        self._evaluator = evaluator

    def value(self, columns):
        return self._evaluator.value(columns)


@pytest.mark.parametrize("limit", [None, 40, 400])
@pytest.mark.parametrize("search", [LVF(), LVF(gamma=0.1), LVI(), QBB()], ids=str)
@pytest.mark.filterwarnings("ignore:the search was ended")
def test_counting_no_further_than_needed_changes_neither_answers_nor_counts(search, limit):
    X, y = noisy_nominal(3, d=9)
    short = clone(search).set_params(random_state=0, max_tries=600, max_evaluations=limit).fit(X, y)
    whole = clone(short).set_params(measure=_Whole()).fit(X, y)
    assert short.history_.equals(whole.history_)
    assert (short.equals_ == whole.equals_).all()
    assert (short.evaluations_, short.value_, short.stopped_) == (whole.evaluations_, whole.value_, whole.stopped_)


def test_a_state_that_was_not_enough_is_counted_once_though_its_value_is_asked_for_later():
    table = Table(
        np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 0]), 2, np.ones(2, bool)
    )
    rng = np.random.default_rng(0)
    states = States(Consistency().prepare(table, rng), [0, 1], [], rng, Limits(max_evaluations=2))
    one = frozenset({0})
    assert states.first_enough([one], 1.0) is None
    assert states.knows(one)
    assert states.first_enough([one, states.all], 1.0) == 1
    assert (states.value(one), states.evaluations) == (0.5, 2)
    assert states.dropping(states.all, [1]).tolist() == [0.5]
    with pytest.raises(LimitReachedError):
        states.value(frozenset({1}))


def test_states_are_evaluated_once():
    calls = []

    def counted(X, y):
        calls.append(1)
        return separation(X, y)

    X, y = numbers(0)
    for search in (FloatingSearch(measure=counted), BeamSearch(measure=counted), LVW(measure=counted, random_state=0)):
        calls.clear()
        assert search.fit(X, y).evaluations_ == len(calls)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (SequentialSearch("sideways"), "direction"),
        (SequentialSearch(n_features=0), "n_features"),
        (SequentialSearch(patience=0), "patience"),
        (SequentialSearch(threshold="high"), "threshold"),
        (SequentialSearch(measure="nothing"), "no measure"),
        (SequentialSearch(must_include=["x"]), "no such column"),
        (SequentialSearch(must_include=[0], must_exclude=[0]), "in must_include and in must_exclude"),
        (SequentialSearch(must_exclude=range(7)), "leaves no column"),
        (SequentialSearch(max_evaluations=0), "max_evaluations"),
        (SequentialSearch(max_seconds=0), "max_seconds"),
        (SequentialSearch(n_bins=1), "n_bins"),
        (SequentialSearch(random_state=-1), "random_state"),
        (FloatingSearch("up"), "direction"),
        (PlusMinusSearch(0, 0), "both 0"),
        (BeamSearch(0), "width"),
        (BranchAndBound(2, measure="gain_ratio"), "monotone"),
        (LVF(max_tries=0), "max_tries"),
        (LVF(gamma=2), "gamma"),
        (LVI(share=0), "share"),
        (LVW(max_failures=0, measure="information"), "max_failures"),
        (QBB(max_states=0), "max_states"),
    ],
)
def test_parameters_that_mean_nothing_are_refused_by_name(search, message):
    with pytest.raises(InputError, match=message):
        search.fit(*noisy_nominal(0))


@pytest.mark.parametrize("search", [ABB(), Focus(), ExhaustiveSearch(), BranchAndBound(3)])
def test_searches_that_nobody_could_wait_for_are_refused(search):
    X = np.random.default_rng(0).integers(2, size=(30, 40))
    with pytest.raises(InputError, match="40 columns"):
        search.fit(X, np.arange(30) % 2)
