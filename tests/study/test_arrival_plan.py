"""The units of a task that arrives: the same bootstraps for all, biased by sets that are part of their keys."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.datasets import load_dataset
from fselect.errors import InputError
from fselect.selectors.rfe import BiasedRFE
from fselect.study.config import parse_config
from fselect.study.plan import make_arrival_plan
from fselect.study.unit_rows import run_unit
from tests.studies import TRANSFER

TASK = load_dataset("wine")
SETS = [["alcohol", "hue", "ash"], ["alcohol", "hue", "magnesium"]]
CONFIG = parse_config(TRANSFER)


def plan(history=SETS, champion=SETS[-1]):
    return make_arrival_plan(CONFIG, TASK, history, champion)


def keys(units, label):
    return {unit.key for unit in units if unit.label == label}


def test_there_is_a_point_a_strength_and_one_of_the_champions_set():
    assert [unit.label for unit in plan() if unit.repeat == 0] == [
        "strength 0",
        "strength 1",
        "strength 4",
        "champion's set",
    ]
    assert [unit.label for unit in plan() if unit.protocol == "set"] == ["strength 0", "strength 1", "strength 4"]


def test_without_history_and_champion_there_is_the_unbiased_selection_alone():
    assert {unit.label for unit in plan([], ())} == {"unbiased"}


def test_another_history_makes_other_units_of_the_biased_points_only():
    one, other = plan(), plan(SETS[:1])
    assert not keys(one, "strength 1") & keys(other, "strength 1")
    assert keys(one, "strength 0") == keys(other, "strength 0")
    assert keys(one, "champion's set") == keys(other, "champion's set")


def test_the_order_of_names_in_a_set_does_not_matter():
    assert [unit.key for unit in plan([list(reversed(names)) for names in SETS])] == [unit.key for unit in plan()]


def test_a_feature_that_the_table_has_not_is_refused():
    with pytest.raises(InputError, match="'gene', which table 'wine' has not"):
        plan([["gene"]])


def test_a_set_that_is_kept_is_the_same_on_every_bootstrap():
    unit = next(one for one in plan() if one.label == "champion's set")
    rows = run_unit(unit, [TASK])
    assert {tuple(names) for names in rows.column("selected").to_pylist()} == {
        tuple(name for name in TASK.names if name in SETS[-1])
    }
    assert len(set(rows.column("accuracy").to_pylist())) > 1


def test_the_set_of_a_point_is_that_of_the_estimator_under_the_shrinkages_of_the_history():
    unit = next(one for one in plan() if one.label == "strength 4" and one.protocol == "set")
    counts = np.array([sum(name in names for names in SETS) for name in TASK.names])
    from fselect.selectors.shrinkage import transfer_log_shrinkage

    history = np.array([[name in names for name in TASK.names] for names in SETS])
    beta = np.exp(transfer_log_shrinkage(history, 4.0))
    assert beta[counts == 2].max() < beta[counts == 1].min() < beta[counts == 0].min()
    own = CONFIG.selection
    model = BiasedRFE(own.n_features, step=own.step, penalty=own.penalty, shrinkage=beta).fit(TASK.X, TASK.y)
    expected = [name for name, kept in zip(TASK.names, model.support_, strict=True) if kept]
    assert run_unit(unit, [TASK]).column("selected").to_pylist()[0] == expected
