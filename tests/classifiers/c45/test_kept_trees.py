"""Trees that are put together out of kept nodes predict what trees that are grown alone do."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fselect.classifiers.c45 import kept_payoff as c45_kept_payoff
from fselect.classifiers.c45.payoff import TreePayoff
from fselect.classifiers.c45.tree import Rules


def make_payoffs(rng, n, d, *, classes, levels, min_weight=2.0, pruned=True, depth=10**6):
    """One that keeps nodes, and one that does not, of the same numeric and nominal columns."""
    codes = np.append(np.arange(classes), rng.integers(0, classes, n - classes))
    X = rng.integers(0, levels, (n, d)) + (rng.random((n, d)) < 0.3) * codes[:, None] * 1.5
    sizes = np.where(rng.random(d) < 0.3, levels, 0)
    X[:, sizes > 0] = rng.integers(0, levels, (n, np.count_nonzero(sizes)))
    rules = Rules(min_weight, depth, pruned, 0.25, 0.6744897501960817)
    folds = rng.integers(-1, 3, n)
    folds[:3] = 0, 1, 2
    made = TreePayoff(X, sizes, codes, folds, rules)
    alone = copy.copy(made)
    alone._kept = None
    return made, alone


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1), st.integers(2, 3), st.sampled_from([2, 4, 50]), st.booleans(), st.sampled_from([1, 2])
)
def test_payoffs_are_those_of_trees_grown_alone(seed, classes, levels, pruned, least):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(12, 160)), int(rng.integers(3, 14))
    depth = int(rng.choice([2, 10**6]))
    made, alone = make_payoffs(rng, n, d, classes=classes, levels=levels, min_weight=least, pruned=pruned, depth=depth)
    for _ in range(6):
        order = rng.permutation(d)[: rng.integers(1, d + 1)]
        start = int(rng.integers(0, len(order) + 1))
        assert made.accuracies(order, start).tolist() == alone.accuracies(order, start).tolist()


def test_scores_that_permutations_share_are_those_of_their_common_beginning_only():
    rng = np.random.default_rng(5)
    made, alone = make_payoffs(rng, 150, 16, classes=2, levels=60)
    for base in ([3, 1, 4], [3, 1, 4], [1, 3, 4], [1, 3], [], [3, 1, 4, 9, 2], [3, 1, 4]):
        for _ in range(3):
            order = np.array([*base, *rng.permutation(np.setdiff1d(np.arange(16), base))])
            start = len(base) + 1
            assert made.accuracies(order, start).tolist() == alone.accuracies(order, start).tolist()


@pytest.mark.parametrize(("name", "value"), [("_NODES", 40), ("_ROWS", 400), ("_TESTS", 16), ("_SCORES", 0)])
def test_little_room_changes_nothing(name, value, monkeypatch):
    monkeypatch.setattr(c45_kept_payoff, name, value)
    monkeypatch.setattr(c45_kept_payoff, "_TREES", 0)
    monkeypatch.setattr(c45_kept_payoff, "_FEWEST_SCORED", 2)
    rng = np.random.default_rng(7)
    made, alone = make_payoffs(rng, 100, 9, classes=3, levels=30)
    assert made._kept is not None
    for _ in range(10):
        order = rng.permutation(9)
        assert made.accuracies(order).tolist() == alone.accuracies(order).tolist()


def test_a_table_with_missing_values_or_very_many_rows_is_not_kept():
    codes, folds = np.arange(6) % 2, np.arange(6) % 2
    rules = Rules(2.0, 99, True, 0.25, 0.67)
    X = np.arange(12.0).reshape(6, 2)
    assert TreePayoff(X, np.zeros(2, int), codes, folds, rules)._kept is not None
    X[3, 1] = np.nan
    assert TreePayoff(X, np.zeros(2, int), codes, folds, rules)._kept is None
    many = np.zeros((20_000, 1))
    assert TreePayoff(many, np.zeros(1, int), np.arange(20_000) % 2, np.arange(20_000) % 2, rules)._kept is None


def test_no_columns_are_worth_the_majority():
    made, _ = make_payoffs(np.random.default_rng(1), 30, 3, classes=2, levels=5)
    assert made.accuracies(np.array([], dtype=int)).shape == (1,)


def test_a_payoff_is_sent_without_its_memory():
    rng = np.random.default_rng(2)
    made, _ = make_payoffs(rng, 60, 6, classes=2, levels=9)
    found = made.accuracies(np.arange(6))
    sent = pickle.dumps(made)
    assert len(sent) < 50_000
    assert pickle.loads(sent).accuracies(np.arange(6)).tolist() == found.tolist()
