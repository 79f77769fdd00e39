"""Runs are listed newest first and found by id, by the start of the id, and by name."""

from __future__ import annotations

import math

import pytest

from fselect.errors import InputError
from fselect.registry import panels
from fselect.tracking import find_run, list_runs, log_study, open_store
from tests.factories import make_point, make_project, make_summary


def test_the_list_shows_what_a_choice_needs_newest_first(logged):
    project, _, ids = logged[:3]
    frame = list_runs(project)
    assert frame["run_id"].tolist() == ids[::-1]
    assert frame["started"].is_monotonic_decreasing
    assert str(frame["started"].dt.tz) == "UTC"
    front = frame[frame["kind"] == "front"].iloc[-1]
    assert (front["name"], front["dominance_area"]) == ("transfer front", 0.81)
    assert math.isnan(front["accuracy"])
    assert frame.loc[frame["operating_point"], "name"].tolist() == ["transfer strength 1"]
    assert frame["kind"].tolist() == ["front", "front", "trivial", "point", "point", "trivial"]


def test_a_store_without_runs_gives_an_empty_list_with_the_same_columns(fresh, logged, tmp_path):
    empty = list_runs(fresh())
    assert len(empty) == 0
    project = make_project(tmp_path / "another")
    assert len(list_runs(project)) == len(panels(project)) == 0
    assert not (project.state_dir / "mlflow.db").exists()  # who only looks makes no store
    assert empty.dtypes.to_dict() == list_runs(logged.project).dtypes.to_dict()


def test_a_run_is_found_by_id_by_its_beginning_and_by_name(logged, store):
    ids = logged.ids
    for reference in (
        ids[2],
        ids[2][:8],
        ids[2][:8].upper(),
        "demo/strength 4",
        "demo/transfer strength 4",
        "d0-strength-4",
    ):
        assert find_run(store, reference).info.run_id == ids[2]


def test_a_name_means_the_study_as_it_is_now_also_after_a_variant_was_given_up(fresh, plain_plots):
    project = fresh()
    first = log_study(project, make_summary())
    variant = log_study(project, make_summary(digest="d1"))
    assert find_run(open_store(project), "demo/strength 4").info.run_id == variant[2]
    log_study(project, make_summary())
    assert find_run(open_store(project), "demo/strength 4").info.run_id == first[2]


def test_a_name_never_means_a_state_that_the_study_has_left(fresh, plain_plots):
    project = fresh()
    first = log_study(project, make_summary())
    log_study(project, make_summary(digest="d1", points=[make_point("strength 1", 0.9, 0.8, digest="d1")]))
    with pytest.raises(
        InputError, match=f"'demo' as it was logged last has no run 'strength 4'.* {first[2][:8]}: give"
    ):
        find_run(open_store(project), "demo/strength 4")
    assert find_run(open_store(project), first[2][:8]).info.run_id == first[2]


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("ab", "too short for a run"),
        ("zzzzzzzz", "there is no run 'zzzzzzzz'; fselect runs lists them all"),
        ("transfer strength 4", r"there is no run .*; close are '\w{12} \(demo/strength 4\)'"),
        ("demo/strength 3", "study 'demo' has no run 'strength 3'; did you mean 'strength 4'"),
        ("demmo/strength 4", "there is no study 'demmo' in MLflow; did you mean 'demo'?"),
    ],
)
def test_an_unknown_run_is_refused_with_close_ones(logged, store, reference, sentence):
    with pytest.raises(InputError, match=sentence):
        find_run(store, reference)


def test_an_ambiguous_beginning_is_refused(logged, store, monkeypatch):
    monkeypatch.setattr("fselect.tracking.listing._SHORTEST", 0)
    with pytest.raises(InputError, match="6 runs begin with ''"):
        find_run(store, "")


def test_an_unknown_study_is_refused(logged):
    with pytest.raises(InputError, match="there is no study 'dem' in MLflow; did you mean 'demo'"):
        list_runs(logged.project, "dem")
