"""Units: their keys depend on all that determines a result, and on nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.datasets import Dataset, load_dataset, noisy_tasks
from fselect.errors import InputError
from fselect.study.config import parse_config
from fselect.study.plan import make_plan, study_digest
from tests.studies import SINGLE, TRANSFER, changed


def keys(values, tasks, **where):
    return {unit.key for unit in make_plan(parse_config(values), tasks, **where)}


@pytest.fixture(scope="module")
def tasks():
    return noisy_tasks(load_dataset("wine"), 3, seed=3)


@pytest.fixture(scope="module")
def table():
    return [load_dataset("breast_cancer")]


def test_a_study_has_a_unit_a_repeat_of_every_point_one_trivial_strategy_and_a_set_a_point(tasks):
    units = make_plan(parse_config(TRANSFER), tasks)
    assert len(units) == 4 * (3 + 1) + 3
    assert len({unit.key for unit in units}) == len(units)
    assert {unit.label for unit in units} == {"strength 0", "strength 1", "strength 4", "first set"}


@pytest.mark.parametrize(
    "sections",
    [
        {"execution": {"workers": 7, "runner": "processes"}},
        {"tracking": {"uri": "http://127.0.0.1:1"}},
        {"promotion": {"name": "panel"}},
        {"study": {"name": "another"}},
        {"evaluation": {"level": 0.9}},
        {"operating_point": {"rule": "knee"}},
    ],
)
def test_what_changes_no_selection_changes_no_key(tasks, sections):
    assert keys(changed(TRANSFER, **sections), tasks) == keys(TRANSFER, tasks)


@pytest.mark.parametrize(
    "sections",
    [
        {"study": {"seed": 4}},
        {"selection": {"penalty": 2.0}},
        {"selection": {"step": 0.3}},
        {"selection": {"n_features": 2}},
        {"selection": {"final_penalty": 0.5}},
    ],
)
def test_what_changes_every_selection_changes_every_key(tasks, sections):
    assert not keys(changed(TRANSFER, **sections), tasks) & keys(TRANSFER, tasks)


def test_another_strength_adds_only_its_own_units(tasks):
    more = keys(changed(TRANSFER, selection={"strengths": [0, 1, 4, 8]}), tasks)
    assert keys(TRANSFER, tasks) < more
    assert len(more - keys(TRANSFER, tasks)) == 4 + 1


def test_more_bootstraps_leave_transfer_repeats_as_they_are(tasks):
    more = changed(TRANSFER, selection={"bootstraps": 9})
    assert len(keys(more, tasks) & keys(TRANSFER, tasks)) == 4 * 4


def test_one_changed_cell_changes_every_key(table):
    X = table[0].X.copy()
    X[3, 2] += 1e-9
    corrected = [Dataset(X, table[0].y, table[0].name, table[0].names)]
    assert not keys(SINGLE, corrected) & keys(SINGLE, table)
    config = parse_config(SINGLE)
    assert study_digest(config, corrected) != study_digest(config, table)


def test_an_edited_prior_is_another_prior(tmp_path, table):
    values = changed(SINGLE, selection={"prior": {"file": "prior.txt"}})
    (tmp_path / "prior.txt").write_text("mean radius  # known\n\nmean area\n")
    before = keys(values, table, root=tmp_path)
    (tmp_path / "prior.txt").write_text("# reworded\nmean radius\nmean area\n")
    assert keys(values, table, root=tmp_path) == before
    (tmp_path / "prior.txt").write_text("mean radius\n")
    changed_units = before - keys(values, table, root=tmp_path)
    assert len(changed_units) == 4 * 3 + 3  # the random set knows no prior


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "names no feature"),
        ("# nothing\n", "names no feature"),
        ("mean radios\n", "did you mean 'mean radius'"),
        ("MEAN RADIUS\n", "did you mean 'mean radius'"),
        ("BRCA1\n", r"there are 'mean radius', .* \(30 in all\)"),
        ("mean radius\nmean radius\n", "twice"),
    ],
)
def test_a_prior_that_cannot_be_used_is_refused(tmp_path, table, text, sentence):
    (tmp_path / "prior.txt").write_text(text)
    with pytest.raises(InputError, match=sentence):
        keys(changed(SINGLE, selection={"prior": {"file": "prior.txt"}}), table, root=tmp_path)


def test_as_many_features_as_columns_are_refused(table):
    with pytest.raises(InputError, match="30 columns"):
        keys(changed(SINGLE, selection={"n_features": 30}), table)


def test_the_digest_does_not_depend_on_where_it_runs(tasks):
    here = study_digest(parse_config(TRANSFER), tasks)
    assert study_digest(parse_config(changed(TRANSFER, execution={"workers": 9})), tasks) == here
    assert study_digest(parse_config(changed(TRANSFER, evaluation={"level": 0.9})), tasks) != here


def holey(name="holey"):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
    X[3, 1] = np.nan
    return Dataset(X, y, name, tuple("abcde"))


def test_methods_that_cannot_work_with_missing_values_are_not_given_any():
    values = changed(SINGLE, data={"missing": "keep"}, selection={"n_features": 2})
    with pytest.raises(InputError, match=r"column 'b' has missing values, with which method 'rfe' cannot work"):
        make_plan(parse_config(values), [holey()])
    whole = Dataset(np.nan_to_num(holey().X), holey().y, "whole", tuple("abcde"))
    assert make_plan(parse_config(values), [whole])


def test_only_methods_that_fit_the_protocol_are_named():
    single = changed(SINGLE, data={"missing": "keep"}, selection={"n_features": 2})
    transfer = changed(TRANSFER, data={"missing": "keep"}, selection={"n_features": 2})
    with pytest.raises(InputError, match=r"impute or category, or take one of counting, .*relieff"):
        make_plan(parse_config(single), [holey()])
    with pytest.raises(InputError, match=r"impute or category$"):
        make_plan(parse_config(transfer), [holey("one"), holey("two")])


def test_units_of_tables_with_missing_values_are_not_those_of_before_there_was_a_way_to_take_them():
    values = changed(
        SINGLE, data={"missing": "keep"}, selection={"n_features": 2, "method": "relieff", "shapes": [None]}
    )
    other = changed(values, data={"missing": "impute"})
    assert keys(values, [holey()]).isdisjoint(keys(other, [holey()]))
    whole = Dataset(np.nan_to_num(holey().X), holey().y, "whole", tuple("abcde"))
    assert keys(values, [whole]) == keys(other, [whole])
