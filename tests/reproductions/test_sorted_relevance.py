"""The reproduction of Boz: published numbers, tables, claims on made-up results, and a small run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fselect.evaluation.stability import stability
from fselect.reproductions.cells import Results
from fselect.reproductions.papers import get_paper
from fselect.reproductions.run import Plan, find_missing
from fselect.reproductions.sorted_relevance import claims as claims
from fselect.reproductions.sorted_relevance.cells import cells, compute
from fselect.reproductions.sorted_relevance.published import ALL, PUBLISHED
from fselect.reproductions.sorted_relevance.settings import SEARCHES, STUDIES, read_sample
from fselect.reproductions.sorted_relevance.stability import counting_stabilities, draw_all, stability_table
from fselect.reproductions.sorted_relevance.tables import results_table
from tests.cli.conftest import fselect

__all__ = ["fselect"]

PAPER = get_paper("sorted-relevance")
ROW = {
    "final_accuracy": 0.9,
    "own_accuracy": 0.88,
    "all_accuracy": 0.85,
    "final_tree_size": 13.0,
    "own_tree_size": 15.0,
    "all_tree_size": 25.0,
    "states": 20.0,
    "final_features": 4,
    "own_features": 4.2,
    "selected": [0, 1, 2, 3],
    "supports": [[0, 1, 2, 3], [0, 1, 2, 5]],
    "d": 6,
    "seconds": 1.0,
}


def results(study, repeats=5, **changed):
    """Made-up rows that differ a little from repetition to repetition; a search's numbers can be changed."""
    rows = []
    for split in range(repeats):
        for search in SEARCHES:
            row = ROW | changed.get(search.replace("-", "_"), {}) | {"column": search, "split": split}
            moved = {"final_accuracy", "own_accuracy", "all_accuracy"}
            rows.append({key: value + 0.001 * split if key in moved else value for key, value in row.items()})
    return {study: Results(study, tuple(rows), len(rows))}


def verdict(findings, claim, data):
    (found,) = [one.verdict for one in findings if one.claim == claim and one.data == data]
    return found


def test_published_numbers_are_as_the_paper_tells_of_them():
    states = {study: {name: row[0].states for name, row in one.items()} for study, one in PUBLISHED.items()}
    fewer = {rival: {s for s in STUDIES if states[s]["neighbour"] < states[s][rival]} for rival in claims.RIVALS}
    assert fewer["sfs-ta"] == fewer["sbe-ta"] == set(STUDIES)
    assert fewer["sbe-es"] == set(STUDIES) - {"soybean"}
    assert len(fewer["sfs-es"]) == 4
    assert all(PUBLISHED[s]["neighbour"][0].accuracy > ALL[s][0] for s in STUDIES)
    for study in STUDIES:  # a sorted search tests no more sets than there are features
        assert states[study]["sorted"] <= {"corral": 6, "parity5plus5": 10, "soybean": 35}.get(study, 16)


def test_counted_sets_are_paired_with_all_features():
    for accuracy, expected in ((0.9, "reproduced"), (0.84, "not reproduced")):
        made = results("pima", neighbour={"final_accuracy": accuracy})
        assert verdict(claims.beats_the_full_set(made), "1", "Pima") == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "reproduced"),
        ({"selected": [0, 1, 2, 5]}, "not reproduced"),
        ({"final_tree_size": 13.2}, "not reproduced"),
        ({"states": 20.5}, "not reproduced"),
    ],
)
def test_the_relevant_features_their_tree_and_the_states_are_all_asked_for(changed, expected):
    made = results("corral", neighbour={"states": 13.0} | changed)
    assert verdict(claims.finds_the_relevant(made), "2a", "CorrAL") == expected


def test_sets_at_which_others_stop_are_judged_up_to_the_likeness_of_bits():
    right = results("corral", sorted={"selected": [0, 1, 2, 3, 5]}, sfs_es={"selected": [0, 3, 5]})
    assert verdict(claims.others_stop_elsewhere(right), "3a", "CorrAL") == "reproduced"
    assert verdict(claims.others_stop_elsewhere(right), "3b", "CorrAL") == "reproduced"
    wrong = results("corral", sfs_es={"selected": [0, 1, 5]})
    assert verdict(claims.others_stop_elsewhere(wrong), "3a", "CorrAL") == "not reproduced"
    assert verdict(claims.others_stop_elsewhere(wrong), "3b", "CorrAL") == "not reproduced"


def test_states_must_differ_in_the_published_direction_against_each_rival():
    soybean = {"neighbour": {"states": 500.0}, "sfs_es": {"states": 300.0}, "sbe_es": {"states": 400.0}}
    whole = soybean | {"sfs_ta": {"states": 630.0}, "sbe_ta": {"states": 629.0}}
    assert verdict(claims.has_fewer_states(results("soybean", **whole)), "4", "Soybean") == "reproduced"
    assert verdict(claims.has_fewer_states(results("soybean", **soybean)), "4", "Soybean") == "not reproduced"


def test_accuracies_of_rivals_are_judged_by_table():
    ahead = {"neighbour": {"final_accuracy": 0.93}}
    for study, data, expected in (("glass", "Glass", "reproduced"), ("vote", "Vote", "not reproduced")):
        assert verdict(claims.beats_its_rivals(results(study, **ahead)), "5", data) == expected
    assert verdict(claims.beats_its_rivals(results("heart-c", **ahead)), "5", "Heart-C") == "reproduced"
    little = results("heart-c", neighbour={"final_accuracy": 0.91})
    assert verdict(claims.beats_its_rivals(little), "5", "Heart-C") == "not reproduced"


def test_what_counting_brings_is_judged_by_search():
    made = results("vote", sorted={"own_accuracy": 0.95})
    assert verdict(claims.counting_helps(made), "6a", "Vote") == "reproduced"
    assert verdict(claims.counting_does_not_help_sorted(made), "6b", "Vote") == "reproduced"
    equal = results("parity5plus5", neighbour={"own_accuracy": 0.9})
    assert verdict(claims.counting_helps(equal), "6a", "Parity5+5") == "reproduced"


def test_what_was_not_run_or_too_rarely_is_not_tested():
    assert {one.verdict for one in claims.claims({})} == {"not tested"}
    few = claims.claims(results("corral", repeats=2))
    assert {one.verdict for one in few} == {"not tested"}
    unfinished = results("corral", repeats=4)["corral"]
    cut = Results("corral", unfinished.rows[: 2 * len(SEARCHES) + 3], unfinished.wanted)
    assert verdict(claims.finds_the_relevant({"corral": cut}), "2a", "CorrAL") == "not tested"


def test_the_table_has_thirteen_rows_with_the_published_numbers():
    text = results_table(results("corral")["corral"])
    lines = text.splitlines()[2:]
    assert len(lines) == 13
    assert "| NS-FS | 90.20 [" in text
    assert "*13.06*" in text
    assert "*24.70*" in lines[0]


def test_stabilities_are_over_repetitions():
    told = stability_table(results("corral"))  # the same sets in all repetitions
    assert "FS 1.00" in told
    assert "IS 1.00" in told


def test_stabilities_are_those_of_the_sets_and_the_difference_is_paired_by_repetition():
    rng = np.random.default_rng(0)
    rows = [
        {"d": 8, "selected": [0, 1, 2], "supports": [rng.choice(8, 3, replace=False).tolist() for _ in range(4)]}
        for _ in range(6)
    ]
    masks = [[np.isin(np.arange(8), row["supports"][fold]) for row in rows] for fold in range(4)]
    found = counting_stabilities(rows)
    assert found["FS"].value == found["FS"].low == 1
    assert found["IS"].value == pytest.approx(np.mean([stability(one) for one in masks]))
    assert found["FS − IS"].low == pytest.approx(1 - found["IS"].high)  # of FS nothing varies
    full = [row | {"selected": list(range(8))} for row in rows]
    assert np.isnan(counting_stabilities(full)["FS"].value)


def test_stabilities_are_drawn_where_there_are_enough_repetitions(tmp_path):
    assert draw_all(results("corral", repeats=2), tmp_path) == {}
    (drawn,) = draw_all(results("corral") | results("vote"), tmp_path).values()
    assert drawn.read_bytes()[:4] == b"\x89PNG"


def test_backward_states_leave_out_the_full_set():
    (cell,) = [one for one in cells("corral", 1) if one.column == "sbe-es"]
    found = compute(cell, Path(), Path(), 1)
    assert found["states"] == 15
    assert found["selected"] == [0, 1, 2, 3]
    assert found["final_tree_size"] == 13


def test_unknown_votes_are_a_third_value_and_other_gaps_stay_gaps(tmp_path):
    votes = pd.DataFrame({"bill": pd.Categorical(["y", "n", None, "y"]), "target": ["r", "d", "r", "d"]})
    labor = pd.DataFrame({"bill": votes["bill"], "pay": pd.array([3, None, 1, 2], "Int32"), "target": votes["target"]})
    votes.to_parquet(tmp_path / "vote.parquet")
    labor.to_parquet(tmp_path / "labor.parquet")
    assert read_sample("vote", tmp_path, 0).X.ravel().tolist() == [1, 0, 2, 1]
    sample = read_sample("labor", tmp_path, 0)
    np.testing.assert_array_equal(sample.X, [[1, 3], [0, np.nan], [np.nan, 1], [1, 2]])
    assert sample.nominal == (0,)


def test_made_tables_need_no_file_and_corral_is_drawn_anew(tmp_path):
    plan = Plan(PAPER, tmp_path, tmp_path / "out")
    assert set(find_missing(plan)) == set(STUDIES) - {"corral", "parity5plus5"}
    one, two = (read_sample("corral", tmp_path, repeat).X for repeat in (0, 1))
    assert (one[:, :5] == two[:, :5]).all()
    assert (one[:, 5] != two[:, 5]).any()


def test_the_command_runs_what_is_missing_only_and_writes_a_report(fselect, tmp_path):
    out = tmp_path / "out"
    common = ["reproduce", "sorted-relevance", "--data", tmp_path, "-o", out, "--only", "corral"]
    first = fselect(*common, "--repeats", "1", "--json")
    assert first.code == 0, first.err
    assert "corral: 1 splits, 6 cells to go" in first.err
    assert {one["claim"] for one in json.loads(first.out)["claims"]} >= {"1", "2a", "6b"}
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "| NS-FS | 100.00 *100.00* |" in report
    again = fselect(*common, "--repeats", "2")
    assert again.code == 0, again.err
    assert "corral: 2 splits, 6 cells to go" in again.err
