"""Relief, ReliefF, the entropy ranking, and where weights are cut."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_classif

from fselect import EntropyRanking, Relief, ReliefF
from fselect.datasets import make_disjunction, make_gmonks
from fselect.errors import InputError
from fselect.selectors.weight_cut import cut_weights
from fselect.selectors.weights.relief import relief

_path = Path(__file__).parents[2] / "oracles" / "relief_oracle.py"
_spec = importlib.util.spec_from_file_location("relief_oracle", _path)
oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oracle)


def weights(X, y, k, nominal=False, **parameters):
    mask = np.full(X.shape[1], nominal) if isinstance(nominal, bool) else np.asarray(nominal)
    return relief(X, y, k=k, nominal=mask, rng=np.random.default_rng(0), **parameters)


def plain(X, y, k, nominal):
    """ReliefF written down plainly; rows tied for the last place share it."""
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    Z = np.where(nominal, X, (X - low) / np.where(span > 0, span, 1))
    shares = np.bincount(y) / len(y)
    total = np.zeros(X.shape[1])
    for i in range(len(y)):
        diff = np.where(nominal, Z[i] != Z, np.abs(Z - Z[i]))
        far = diff.sum(axis=1)
        for c in range(len(shares)):
            rows = [j for j in range(len(y)) if y[j] == c and j != i]
            number = min(k, len(rows))
            last = np.sort(far[rows])[number - 1]
            nearer = [j for j in rows if far[j] < last - 1e-9]
            tied = [j for j in rows if abs(far[j] - last) <= 1e-9]
            mean = diff[nearer].sum(axis=0) + (number - len(nearer)) * diff[tied].mean(axis=0)
            factor = -1 if c == y[i] else shares[c] / (1 - shares[y[i]])
            total += factor * mean / number / len(y)
    return total


@pytest.mark.parametrize("case", list(oracle.SKREBATE), ids=str)
def test_relieff_is_that_of_skrebate(case):
    X, y = oracle.tables()[case[0]]
    assert weights(X, y, case[1]) == pytest.approx(oracle.SKREBATE[case], abs=1e-12)


@pytest.mark.parametrize("case", list(oracle.FAST_SELECT), ids=str)
def test_relieff_is_that_of_fast_select(case):
    X, y = oracle.tables()[case[0]]
    assert weights(X, y, case[1]) == pytest.approx(oracle.FAST_SELECT[case], abs=1e-6)


@pytest.mark.parametrize("k", [1, 4, 50])
@pytest.mark.parametrize("d", [3, 6, 9])
def test_ties_and_mixed_columns_are_weighed_as_plainly_written(k, d):
    rng = np.random.default_rng(d)
    X = rng.integers(3, size=(40, d)).astype(float)
    X[:, 0] = rng.normal(size=40).round(1)
    nominal = np.arange(d) % 2 == 1
    y = rng.integers(3, size=40)
    assert weights(X, y, k, nominal) == pytest.approx(plain(X, y, k, nominal), abs=1e-12)


def test_relief_by_hand():
    # nearest hits differ in the second column only, nearest misses in the first only
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]])
    fitted = Relief(nominal="all").fit(X, [0, 0, 1, 1])
    assert fitted.weights_.tolist() == [1, -1]
    # numbers: ranges 2 and 10; row 0: hit (.25, .1), miss (1, .1) …
    X = np.array([[0, 0], [0.5, 1], [2, 1], [1.5, 10.0]])
    expected = plain(X, np.array([0, 0, 1, 1]), 1, np.array([False, False]))
    assert Relief(nominal="none").fit(X, [0, 0, 1, 1]).weights_ == pytest.approx(expected)


def test_order_of_rows_and_columns_does_not_matter_even_with_ties():
    data = make_gmonks(6, 4, random_state=0)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(data.n_samples), rng.permutation(data.n_features)
    wanted = ReliefF().fit(data.X, data.y).weights_
    assert ReliefF().fit(data.X[rows][:, columns], data.y[rows]).weights_ == pytest.approx(wanted[columns], abs=1e-12)


def test_a_missing_value_is_a_random_one_of_its_class():
    # column 0: class 0 has 1, 1, 2 and an unknown one, class 1 has 2, 2, 3, 3
    X = np.array([[1, 0], [1, 1], [2, 0], [np.nan, 1], [2, 0], [2, 1], [3, 0], [3, 1]])
    y = np.repeat([0, 1], 4)
    rest = np.delete(X, 3, axis=0)
    differ = {(0, 1): 1 - 2 / 3, (0, 2): 1 - 1 / 3, (1, 2): 1 - 1 / 3, (1, 3): 1.0}
    from fselect.selectors.weights.relief_kernel import _difference, make_differences

    made = make_differences(X, y, 2, np.array([True, True]))
    for j, other in ((0, (0, 1)), (2, (0, 2)), (4, (1, 2)), (6, (1, 3))):
        assert _difference(made, 0, 3, j) == pytest.approx(differ[other])
        assert _difference(made, 0, j, 3) == pytest.approx(differ[other])
    # of two unknown values of one class: 1 − ((2/3)² + (1/3)²)
    assert made.both_missing[0, 0, 0] == pytest.approx(4 / 9)
    complete = weights(rest, np.delete(y, 3), 2, True)
    assert weights(X, y, 2, True)[0] == pytest.approx(complete[0], abs=0.25)


def test_a_table_with_missing_values_is_ranked_as_the_whole_one():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 5))
    y = (X[:, 2] > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    fitted = ReliefF().fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [2]
    with pytest.raises(InputError, match="holds NaN"):
        Relief().fit(X, y)


def test_rows_can_be_sampled():
    X, y = oracle.tables()["two"]
    few = [ReliefF(m=20, random_state=seed).fit(X, y).weights_ for seed in (0, 0, 1)]
    assert (few[0] == few[1]).all()
    assert (few[0] != few[2]).any()
    assert (ReliefF(m=60).fit(X, y).weights_ == ReliefF().fit(X, y).weights_).all()


def test_relief_takes_two_classes():
    with pytest.raises(InputError, match="take ReliefF"):
        Relief().fit(*oracle.tables()["three"])


def test_entropy_weights_are_information_in_bits():
    data = make_disjunction(5, 3, random_state=0)
    wanted = mutual_info_classif(data.X, data.y, discrete_features=True) / np.log(2)
    fitted = EntropyRanking().fit(data.X, data.y)
    assert fitted.weights_ == pytest.approx(wanted)
    assert (fitted.ranking_ == 1 + (wanted[None, :] > wanted[:, None] + 1e-12).sum(axis=1)).all()


def test_half_of_the_mean_finds_the_right_number():
    # weights 1 ± .05 of relevant and 0 ± .05 of irrelevant columns
    rng = np.random.default_rng(0)
    right = []
    for _ in range(1000):
        relevant = int(rng.choice([4, 8, 16, 32]))
        irrelevant = int(rng.uniform(0, 2) * relevant)
        drawn = np.concatenate([rng.normal(1, 0.05, relevant), rng.normal(0, 0.05, irrelevant)])
        right.append(np.flatnonzero(cut_weights(drawn)).tolist() == list(range(relevant)))
    assert np.mean(right) >= 0.95


def test_cuts_by_hand():
    falling = np.array([4.0, 3.5, 1.0, 0.5, 0.0])
    # half of the mean .9; σ (n − j) = 16, 22.5, 17, 9, 0; drops .5, 2.5, .5, .5, 0
    assert [int(cut_weights(falling, cut).sum()) for cut in ("half_mean", "product", "drop", 4, 0.2)] == [3, 2, 2, 4, 4]
    assert cut_weights(np.zeros(3), "product").all()
    assert cut_weights(-np.ones(3), "half_mean").sum() == 1
    assert cut_weights(np.array([0.1, 0.2]), 5.0).tolist() == [False, True]
    assert cut_weights(np.array([0.1, 0.2]), 7).all()


def test_equal_weights_at_the_cut_are_drawn_by_lot():
    kept = [cut_weights(np.ones(4), 1, np.random.default_rng(seed)).argmax() for seed in range(40)]
    assert set(kept) == {0, 1, 2, 3}


@pytest.mark.parametrize("cut", ["best", True, None, 0, float("nan")])
def test_other_cuts_are_refused(cut):
    with pytest.raises(InputError, match="cut"):
        ReliefF(cut=cut).fit(*oracle.tables()["two"])


@pytest.mark.parametrize(
    ("selector", "message"), [(ReliefF(k=0), "k must"), (ReliefF(m=0), "m must"), (Relief(nominal="some"), "nominal")]
)
def test_parameters_that_mean_nothing_are_refused(selector, message):
    with pytest.raises(InputError, match=message):
        selector.fit(*oracle.tables()["two"])
