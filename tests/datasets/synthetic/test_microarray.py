"""The made-up microarray follows its documented model, by statistics."""

import numpy as np
import pytest

from fselect.datasets import check_dataset, make_microarray
from fselect.errors import InputError

BIG = {"n_samples": 4000, "n_features": 200, "n_relevant": 6, "block_size": 8, "correlation": 0.6, "effect": 0.8}


@pytest.fixture(scope="module")
def big():
    return make_microarray(**BIG, random_state=1)


def within_classes(data):
    """Values without their class means."""
    return np.vstack([data.X[data.codes == c] - data.X[data.codes == c].mean(axis=0) for c in (0, 1)])


def difference(data):
    """Case minus control."""
    return data.X[data.codes == 0].mean(axis=0) - data.X[data.codes == 1].mean(axis=0)


def test_genes_of_a_block_correlate_as_asked_and_those_of_two_blocks_do_not(big):
    R = np.corrcoef(within_classes(big).T)
    blocks = list(big.truth.groups.values())
    inside = [R[i, j] for block in blocks for i in block for j in block if i < j]
    across = [R[i, j] for i in blocks[0] for j in blocks[1]]
    # The standard error of one correlation is 0.010 (0.016 at zero), of their mean less.
    assert np.mean(inside) == pytest.approx(0.6, abs=0.03)
    assert np.ptp(inside) < 0.15
    assert np.abs(across).max() < 0.08


def test_a_relevant_gene_differs_by_the_effect_and_its_stand_ins_by_its_share(big):
    effects = difference(big)
    # Standard error of a difference: 2/√4000 = 0.032.
    for gene, block in big.truth.groups.items():
        others = [other for other in block if other != gene]
        assert abs(effects[gene]) == pytest.approx(0.8, abs=0.13)
        assert effects[others] * np.sign(effects[gene]) == pytest.approx(np.full(len(others), 0.48), abs=0.13)
    assert np.abs(effects[list(big.truth.irrelevant)]).max() < 0.15


def test_some_genes_go_up_and_some_go_down():
    data = make_microarray(2000, 200, n_relevant=20, random_state=3)
    signs = np.sign(difference(data)[list(data.truth.relevant)])
    assert {-1.0, 1.0} == set(signs.tolist())


def test_given_the_relevant_gene_its_stand_ins_say_nothing_more(big):
    centred = 0.6
    for gene, block in big.truth.groups.items():
        residual = big.X[:, [other for other in block if other != gene]] - centred * big.X[:, [gene]]
        case, control = residual[big.codes == 0], residual[big.codes == 1]
        assert np.abs(case.mean(axis=0) - control.mean(axis=0)).max() < 0.11
        assert np.abs(np.corrcoef(np.column_stack([big.X[:, gene], residual]).T)[0, 1:]).max() < 0.07


def test_every_gene_has_unit_variance_within_a_class(big):
    assert within_classes(big).std(axis=0) == pytest.approx(np.ones(200), abs=0.06)


def test_the_truth_parts_the_columns(big):
    truth = big.truth
    parts = [set(truth.relevant), set(truth.redundant), set(truth.irrelevant)]
    assert [len(part) for part in parts] == [6, 42, 152]
    assert set.union(*parts) == set(range(200))
    assert all(gene in block for gene, block in truth.groups.items())
    assert tuple(truth.groups) == truth.relevant


def test_position_tells_nothing(big):
    assert max(big.truth.relevant) > 100
    assert big.names[0] == "gene_001"


def test_half_the_samples_are_cases_in_random_order():
    data = make_microarray(31, 10, n_relevant=1, random_state=0)
    assert dict(zip(*np.unique(data.y, return_counts=True), strict=True)) == {"case": 15, "control": 16}
    assert data.y.tolist() != sorted(data.y.tolist())
    check_dataset(data)


def test_a_seed_gives_the_same_table_and_no_seed_another_one():
    again = [make_microarray(20, 50, n_relevant=2, random_state=7).content_hash for _ in range(2)]
    free = [make_microarray(20, 50, n_relevant=2).content_hash for _ in range(2)]
    assert again[0] == again[1]
    assert len({*again, *free}) == 3
    rng = np.random.default_rng(0)
    drawn = {make_microarray(20, 50, n_relevant=2, random_state=rng).content_hash for _ in range(2)}
    assert len(drawn) == 2


def test_the_last_block_takes_what_is_left():
    data = make_microarray(20, 25, n_relevant=3, block_size=10, random_state=0)
    assert sorted(len(block) for block in data.truth.groups.values()) == [5, 10, 10]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"n_samples": 3}, "n_samples must be a whole number of at least 4"),
        ({"n_features": 0}, "n_features must be"),
        ({"block_size": 0}, "block_size must be"),
        ({"n_relevant": -1}, "n_relevant must be"),
        ({"n_features": 50, "n_relevant": 6}, "n_relevant = 6 needs as many blocks, but .* make 5"),
        ({"correlation": 1.0}, "correlation must be at least 0 and below 1"),
        ({"correlation": float("nan")}, "correlation must be"),
        ({"effect": -1}, "effect must be"),
        ({"random_state": -1}, "seed must be"),
    ],
)
def test_a_parameter_out_of_range_is_named(words, sentence):
    with pytest.raises(InputError, match=sentence):
        make_microarray(**words)
