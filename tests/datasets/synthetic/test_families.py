"""Parity, Disjunction, GMonks, CorrAL, Parity5+5 and the MONK's: classes by their rules, and the truth."""

from itertools import product

import numpy as np
import pytest

from fselect.datasets import (
    make_corral,
    make_disjunction,
    make_gmonks,
    make_monks,
    make_parity,
    make_parity5plus5,
)
from fselect.datasets.synthetic.gmonks import gmonks_class
from fselect.errors import InputError

FAMILIES = {"parity": (make_parity, 4), "disjunction": (make_disjunction, 5), "gmonks": (make_gmonks, 6)}
each_family = pytest.mark.parametrize(("make", "n_relevant"), FAMILIES.values(), ids=FAMILIES)


@each_family
def test_a_table_has_40_rows_a_column_and_knows_all_its_columns(make, n_relevant):
    data = make(n_relevant, 3, 4, random_state=0)
    assert data.X.shape == (40 * (n_relevant + 7), n_relevant + 7)
    truth = data.truth
    assert sorted([*truth.relevant, *truth.irrelevant, *truth.redundant]) == list(range(n_relevant + 7))
    assert (len(truth.relevant), len(truth.irrelevant), len(truth.redundant)) == (n_relevant, 3, 4)
    assert sorted(c for group in truth.groups.values() for c in group) == sorted([*truth.relevant, *truth.redundant])


@each_family
def test_copies_are_exact_and_belong_to_their_group(make, n_relevant):
    data = make(n_relevant, 2, 9, random_state=1)
    for column, group in data.truth.groups.items():
        assert (data.X[:, list(group)] == data.X[:, [column]]).all()
    assert sum(len(group) - 1 for group in data.truth.groups.values()) == 9


@each_family
def test_columns_are_in_random_order_unless_told(make, n_relevant):
    orders = {make(n_relevant, 4, 2, random_state=seed).truth.relevant for seed in range(8)}
    assert len(orders) > 4
    plain = make(n_relevant, 4, 2, permute=False, random_state=0).truth
    assert plain.relevant == tuple(range(n_relevant))
    assert plain.redundant == (n_relevant + 4, n_relevant + 5)


@each_family
def test_a_seed_gives_the_same_table_and_another_seed_another(make, n_relevant):
    first, again, other = (make(n_relevant, 2, n_samples=100, random_state=seed) for seed in (3, 3, 4))
    assert first.content_hash == again.content_hash != other.content_hash


@each_family
def test_irrelevant_columns_say_nothing_about_the_class(make, n_relevant):
    data = make(n_relevant, 6, n_samples=20_000, random_state=0)
    for column in data.truth.irrelevant:
        values = np.unique(data.X[:, column])
        shares = [data.y[data.X[:, column] == value].mean() for value in values]
        assert np.ptp(shares) < 0.05  # four standard errors of a difference between classes of 5000 rows


def test_parity_is_odd_and_balanced():
    data = make_parity(16, n_samples=10_000, permute=False, random_state=0)
    assert (data.X.sum(axis=1) % 2 == data.y).all()
    assert data.y.mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("n", "half"), [(5, 3), (10, 5), (15, 8), (20, 10)])
def test_disjunction_follows_its_rule(n, half):
    data = make_disjunction(n, permute=False, random_state=0)
    assert ((data.X[:, :half].all(axis=1) | data.X[:, half:].all(axis=1)) == data.y).all()


def test_a_small_disjunction_has_uniform_bits_and_a_large_one_balanced_classes():
    small = make_disjunction(5, n_samples=40_000, random_state=0)
    assert small.y.mean() == pytest.approx(1 - (7 / 8) * (3 / 4), abs=0.01)
    assert make_disjunction(20, n_samples=10_000, random_state=0).y.mean() == pytest.approx(0.5, abs=0.02)


def test_bits_of_a_large_disjunction_are_uniform_within_each_class():
    data = make_disjunction(10, n_samples=60_000, permute=False, random_state=0)
    table = np.array(list(product([0, 1], repeat=10)))
    ones = table[:, :5].all(axis=1) | table[:, 5:].all(axis=1)
    for label in (0, 1):
        codes = data.X[data.y == label].astype(int) @ 2 ** np.arange(9, -1, -1)
        counts = np.bincount(codes, minlength=1024)[ones == label]
        assert counts.min() > 0
        expected = counts.sum() / counts.size
        chi2 = ((counts - expected) ** 2 / expected).sum()
        assert abs(chi2 - counts.size) < 5 * np.sqrt(2 * counts.size)


@pytest.mark.parametrize(("segments", "share"), [(1, 0.255), (2, 0.444), (3, 0.586), (4, 0.270)])
def test_gmonks_has_the_exact_shares_of_class_1(segments, share):
    robots = np.array(list(product(*(range(1, k + 1) for k in (3, 3, 2, 3, 4, 2)))))
    p = gmonks_class(robots).mean()
    least = max(segments // 2, 1)
    from scipy.stats import binom

    assert binom.sf(least - 1, segments, p) == pytest.approx(share, abs=0.001)
    data = make_gmonks(6 * segments, n_samples=20_000, random_state=0)
    assert data.y.mean() == pytest.approx(share, abs=0.015)


def test_gmonks_by_hand():
    rows = np.array(
        [
            [1, 2, 1, 2, 2, 2],  # two ones, x1 ≠ x2 and x5 ≠ 1: counts
            [1, 1, 2, 2, 2, 2],  # two ones, P1 and P3 (x5 ≠ 3, x2 ≠ 2): does not
            [2, 2, 1, 2, 1, 2],  # two ones, P1, but x5 ≠ 3 and x2 = 2: not P3, so it counts
            [2, 2, 1, 1, 3, 2],  # two ones, P1, x5 = 3 and x4 = 1: P3, does not
            [2, 3, 1, 1, 3, 1],  # three ones: does not
        ]
    )
    assert gmonks_class(rows).tolist() == [1, 0, 1, 0, 0]
    assert gmonks_class(np.hstack([rows, rows[::-1]])).tolist() == [1, 0, 1, 0, 1]


def test_values_of_gmonks_have_the_levels_of_the_monks():
    data = make_gmonks(6, 6, permute=False, random_state=0)
    assert data.X.min(axis=0).tolist() == [1] * 12
    assert data.X.max(axis=0).tolist() == [3, 3, 2, 3, 4, 2] * 2


def test_corral_is_256_rows_with_a_tempting_column():
    data = make_corral(random_state=0)
    f0, f1, f2, f3 = data.X[:, :4].T.astype(bool)
    assert data.X.shape == (256, 6)
    assert ((f0 & f1) | (f2 & f3)).astype(int).tolist() == data.y.tolist()
    assert (np.unique(data.X[:, :5], axis=0, return_counts=True)[1] == 8).all()
    agreement = np.mean([(d.X[:, 5] == d.y).mean() for d in (make_corral(random_state=s) for s in range(40))])
    assert agreement == pytest.approx(0.78, abs=0.016)  # four standard errors of 10,240 draws
    assert (data.truth.relevant, data.truth.irrelevant) == ((0, 1, 2, 3), (4,))


def test_parity5plus5_is_the_whole_table_of_ten_bits():
    data = make_parity5plus5()
    assert len(np.unique(data.X, axis=0)) == len(data.X) == 1024
    assert (data.X[:, :5].sum(axis=1) % 2 == data.y).all()
    assert data.truth.relevant == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(("problem", "ones"), [(1, 216), (2, 142), (3, 228)])
def test_monks_have_the_published_test_sets_numbers_of_ones(problem, ones):
    # UCI's monks-1.test, monks-2.test and monks-3.test: 432 rows, 216, 142 and 228 of class 1
    data = make_monks(problem)
    assert (data.n_samples, int(data.y.sum())) == (432, ones)


def test_monks_can_be_sampled_with_noise():
    whole = make_monks(3)
    labels = {tuple(row): label for row, label in zip(whole.X.tolist(), whole.y, strict=True)}
    data = make_monks(3, n_samples=122, noise=0.05, random_state=0)
    wrong = sum(labels[tuple(row)] != label for row, label in zip(data.X.tolist(), data.y, strict=True))
    assert (len(np.unique(data.X, axis=0)), wrong) == (122, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_parity(0), "n_relevant must be a whole number of at least 1"),
        (lambda: make_parity(4, -1), "n_irrelevant"),
        (lambda: make_parity(4, 0, 1.5), "n_redundant"),
        (lambda: make_parity(4, n_samples=0), "n_samples"),
        (lambda: make_disjunction(1), "at least 2"),
        (lambda: make_gmonks(8), "multiple of 6"),
        (lambda: make_monks(4), "1, 2 or 3"),
        (lambda: make_monks(1, n_samples=500), "432"),
        (lambda: make_monks(1, noise=2), "noise"),
        (lambda: make_corral(agreement=1.5), "agreement"),
    ],
)
def test_sizes_that_make_no_table_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
