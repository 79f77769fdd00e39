"""The summary is a function of the archive: recomputed here from its rows, and written and read whole."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from fselect.evaluation.pareto import dominance_area
from fselect.evaluation.stability import stability
from fselect.stages import evaluate, make_tasks, open_study, run_study, select
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.study.results import Summary
from tests.studies import TRANSFER, changed


def test_a_point_is_the_mean_over_repeats_of_its_archived_rows(transfer_project):
    summary = run_study(transfer_project)
    names = open_study(transfer_project).tasks[0].names
    frame = pd.read_parquet(transfer_project.archive_path)
    rows = frame[(frame["protocol"] == "transfer") & (frame["strength"] == 4) & (frame["method"] == "rfe")]
    accuracies = rows.groupby("repeat")["accuracy"].mean()
    stabilities = [
        stability([[name in set(chosen) for name in names] for chosen in group["selected"]])
        for _, group in rows.groupby("repeat")
    ]
    point = next(point for point in summary.points if point.label == "strength 4")
    assert point.accuracy == pytest.approx(accuracies.mean(), abs=1e-11)
    assert point.stability == pytest.approx(np.mean(stabilities), abs=1e-11)
    assert point.accuracy_se == pytest.approx(accuracies.std() / 2, abs=1e-11)


def test_the_first_set_is_fully_stable_and_never_chosen(transfer_project):
    summary = run_study(transfer_project)
    first = next(point for point in summary.points if point.label == "first set")
    assert first.stability == 1
    assert first.kind == "trivial"
    assert first.selected == ()
    assert summary.chosen.kind != "trivial"


def test_the_random_set_belongs_to_the_front_and_the_area_without_it_stands_beside(single_project):
    summary = run_study(single_project)
    labels = [summary.points[place].label for place in summary.fronts[0].members]
    assert "random set" in labels
    others = [point for point in summary.points if point.label != "random set"]
    means = [(point.accuracy, point.stability) for point in others]
    assert summary.fronts[1].area == pytest.approx(dominance_area(means))
    assert summary.fronts[0].area >= summary.fronts[1].area


def test_a_strong_bias_is_more_stable_than_none(single_project):
    points = {point.label: point for point in run_study(single_project).points}
    assert points["shape 0.2"].stability > points["unbiased"].stability


def test_intervals_hold_the_area_and_ellipses_the_mean(transfer_project):
    summary = run_study(transfer_project)
    for front in summary.fronts:
        assert front.area_low <= front.area <= front.area_high
        assert front.bootstrap_low <= front.area <= front.bootstrap_high + 1e-12
    for point in summary.points:
        assert point.ellipse.center == pytest.approx([point.accuracy, point.stability])


def test_a_summary_reads_back_as_it_was_written(transfer_project, tmp_path):
    summary = run_study(transfer_project)
    again = Summary.read(transfer_project.summary_path)
    again.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == transfer_project.summary_path.read_bytes()
    assert again.chosen.selected == summary.chosen.selected
    np.testing.assert_array_equal(again.heat.values, summary.heat.values)


def test_one_repeat_has_no_errors_and_no_interval(tmp_path):
    project = Project(tmp_path, parse_config(changed(TRANSFER, selection={"repeats": 1})))
    summary = run_study(project)
    assert math.isnan(summary.chosen.accuracy_se)
    assert summary.chosen.ellipse is None
    assert math.isnan(summary.fronts[0].area_low)
    assert any("fewer than three repeats" in note for note in summary.notes)
    assert math.isnan(Summary.read(project.summary_path).chosen.accuracy_se)


def test_the_set_of_a_point_comes_from_all_rows_with_frequencies_of_fresh_bootstraps(transfer_project):
    summary = run_study(transfer_project)
    frame = pd.read_parquet(transfer_project.archive_path)
    for point in summary.points:
        if point.label == "first set":
            continue
        rows = frame[(frame["strength"] == point.strength) & frame["repeat"].isna()]
        last = rows[(rows["protocol"] == "set") & (rows["sample"] == 2)]
        assert list(last["selected"].iloc[0]) == list(point.selected)
        assert sum(point.frequencies.values()) == pytest.approx(3)
        assert set(point.weights) == set(point.selected)


def test_noisy_tasks_say_that_they_share_their_rows(transfer_project):
    assert any("share their rows" in note for note in run_study(transfer_project).notes)


def test_an_archive_of_another_study_is_not_summarised(transfer_project):
    make_tasks(transfer_project)
    select(transfer_project)
    more = changed(TRANSFER, selection={"strengths": [0, 1, 2]})
    other = Project(transfer_project.root, parse_config(more))
    with pytest.raises(ValueError, match="not finished"):
        evaluate(other)


def test_what_reusing_the_first_set_gives_is_told_beside_the_choice(transfer_project, single_project):
    summary = run_study(transfer_project)
    first = next(point for point in summary.points if point.label == "first set")
    assert f"({first.accuracy:.3f})" in summary.reason
    assert ("not worth it" in summary.reason) == (first.accuracy >= summary.chosen.accuracy)
    assert "first task" not in run_study(single_project).reason
