"""The survey's experiment: sizes, slices, cells that are kept and marked, claims on made-up scores, and costs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.measures import Consistency
from fselect.measures.table import Table
from fselect.reproductions.cells import Cell, CellRun, Results
from fselect.reproductions.papers import get_paper
from fselect.reproductions.survey import claims as survey_claims
from fselect.reproductions.survey import settings as survey_settings
from fselect.reproductions.survey.allowance import Allowed
from fselect.reproductions.survey.cells import cells, compute
from fselect.reproductions.survey.figures import draw_all
from fselect.reproductions.survey.problem_claims import problem_claims
from fselect.reproductions.survey.scores import complete_problems, score_table
from fselect.reproductions.survey.settings import ALGORITHMS, FAMILIES, GROUPS, STUDIES, WEIGHTINGS, make_data
from fselect.reproductions.survey.slices import narrow
from fselect.reproductions.survey.tables import cost_table, runs_table, sections
from fselect.selectors.searches.frame import LimitReachedError
from tests.cli.conftest import fselect

__all__ = ["fselect"]

PAPER = get_paper("survey")


def computed(study, algorithm, ratio, run=0):
    (cell,) = [
        cell
        for cell in cells(study, run + 1)
        if cell.column == algorithm and cell.split == run and json.loads(cell.parameters)["ratio"] == ratio
    ]
    return compute(cell, Path(), Path(), 1)


def test_there_are_twelve_problems_in_three_groups_and_ten_algorithms():
    assert len(STUDIES) == 36
    assert len(ALGORITHMS) == 10
    assert {family: len(sizes) for family, sizes in FAMILIES.items()} == dict.fromkeys(FAMILIES, 4)
    assert sum(len(cells(study, 10)) for study in STUDIES) == 12 * (11 + 11 + 7) * 10 * 10


@pytest.mark.parametrize("study", STUDIES)
def test_sizes_are_those_of_the_paper(study):
    problem = STUDIES[study]
    for point in problem.points():
        columns = problem.n_relevant + point.n_irrelevant + point.n_redundant
        if problem.group == "sample-size":
            assert point.n_irrelevant == point.n_redundant == problem.n_relevant // 2
            assert point.n_samples == 20 * point.ratio * columns * 2
            continue
        varied, other = point.n_irrelevant, point.n_redundant
        if problem.group == "redundance":
            varied, other = other, varied
        assert other == 0
        assert abs(varied - point.ratio * problem.n_relevant) <= 0.5 + 1e-9
        assert point.n_samples == 40 * columns


def test_samples_differ_by_run_and_point_and_are_the_same_for_all_algorithms():
    one, other = STUDIES["irrelevance-parity-4"].points()[2:4]
    same = [make_data(one, 0).X for _ in range(2)]
    np.testing.assert_array_equal(*same)
    assert not np.array_equal(make_data(one, 1).X, same[0])
    assert not np.array_equal(make_data(other, 0).X[: len(same[0]), :4], same[0][:, :4])
    assert make_data(one, 0).truth.irrelevant != make_data(one, 1).truth.irrelevant


@pytest.mark.parametrize("algorithm", [one for one in ALGORITHMS if not one.startswith("w-")])
def test_every_filter_gives_a_scored_selection_again_and_again(algorithm):
    first, again = (computed("sample-size-disjunction-5", algorithm, 0.25) for _ in range(2))
    assert first["selections"] == again["selections"]
    assert set(first["selections"]) == ({"product", "half_mean"} if algorithm in WEIGHTINGS else {""})
    for scores in first["selections"].values():
        assert 0 <= scores["3:2:1"] <= 1
        assert scores["selected"] == sorted(set(scores["selected"]))


def test_wrappers_may_find_that_nothing_is_better_than_the_majority():
    # no feature of parity says anything alone, so a forward search that wants a rise stops at once or at chance
    found = [computed("irrelevance-parity-4", "w-sfg", 0.0, run)["selections"][""] for run in range(3)]
    assert any(one["selected"] == [] for one in found)
    assert all(one["R"] == len(one["selected"]) / 4 for one in found)


def test_consistency_finds_the_whole_of_small_parity_whatever_is_irrelevant():
    scores = computed("irrelevance-parity-4", "c-sbg", 2.0)["selections"][""]
    assert scores["3:2:1"] == scores["6:2:1"] == 1.0


def test_a_search_that_runs_out_is_marked_and_scored_with_its_answer_so_far(monkeypatch):
    monkeypatch.setattr(survey_settings, "ALLOWANCE", 1e-9)
    row = computed("irrelevance-parity-4", "sffg", 1.0)
    assert row["stopped"] == "max_seconds"
    # nothing was measured, so the answer is still all columns: R = 1, I = 0, S = 3·4 / (3·4 + 2·4)
    assert row["selections"][""]["3:2:1"] == pytest.approx(0.6)
    results = {row["study"]: Results(row["study"], ({"column": "sffg", "split": 0, "seconds": 1.0} | row,), 1100)}
    assert "0 + 1 cells (1 s)" in runs_table(score_table(results))


def test_the_allowance_is_part_of_a_searchs_cell_and_of_no_weightings(monkeypatch):
    before = set(cells("irrelevance-parity-4", 1))
    monkeypatch.setattr(survey_settings, "ALLOWANCE", 1.0)
    kept = {cell.column for cell in before & set(cells("irrelevance-parity-4", 1))}
    assert kept == set(WEIGHTINGS)


def test_waiting_takes_nothing_of_the_allowance():
    table = Table(np.array([[0.0], [1.0]] * 3), np.array([0, 1] * 3), 2, np.array([True]))
    allowed = Allowed(Consistency(), 0.05)
    evaluator = allowed.prepare(table, np.random.default_rng(0))
    time.sleep(0.1)
    assert evaluator.value(np.array([0])) == 1.0
    end = time.thread_time() + 0.06
    while time.thread_time() < end:
        pass
    with pytest.raises(LimitReachedError, match="max_seconds"):
        evaluator.value(np.array([0]))


def test_more_runs_only_add_cells():
    assert set(cells("redundance-gmonks-6", 2)) < set(cells("redundance-gmonks-6", 10))


def test_a_slice_takes_what_it_names():
    wanted = narrow(["families=parity n_relevant=4,8", "algorithms=lvf,relief", "runs=3", "ratios=0.4"])
    found = [cell for study in STUDIES for cell in cells(study, 10) if wanted(cell)]
    assert {cell.study for cell in found} == {f"{g}-parity-{n}" for g in ("irrelevance", "redundance") for n in (4, 8)}
    assert {cell.column for cell in found} == {"lvf", "relief"}
    assert len(found) == 4 * 2 * 3


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["colour=red"], "a slice is KEY=VALUE,VALUE with a key of groups, families"),
        (["families"], "not 'families'"),
        (["families=party"], "there is no 'party' among the families; there are parity"),
        (["n_relevant=7"], "there is no '7' among the n_relevant"),
        (["families=parity", "n_relevant=5"], "no problem is in this slice; n_relevant are, parity: 4, 8, 16, 32"),
        (["runs=0"], "runs in a slice must be one whole number of at least 1"),
        (["runs=1,2"], "runs in a slice must be one whole number of at least 1"),
        (["families=parity families=gmonks"], "families is given twice"),
    ],
)
def test_a_slice_that_means_nothing_is_refused_in_a_sentence(fselect, asked, sentence):
    with pytest.raises(InputError, match=sentence.replace("?", r"\?")):
        narrow(asked)
    outcome = fselect("reproduce", "survey", *[word for one in asked for word in ("--slice", one)])
    assert outcome.code == 2
    assert len(outcome.err.strip().splitlines()) == 1


def test_slices_and_tables_are_asked_for_where_they_mean_something(fselect, tmp_path):
    for paper, sentence in (
        ("contribution", "contribution has no slices; choose its studies with --only"),
        ("hamer-dupont", "hamer-dupont has no slices"),
    ):
        refused = fselect("reproduce", paper, "--data", tmp_path, "--slice", "families=parity")
        assert (refused.code, sentence in refused.err) == (2, True), refused.err
        without = fselect("reproduce", paper)
        assert "reads tables; name the folder that holds them with --data" in without.err
    none = fselect("reproduce", "survey", "--only", "irrelevance-parity-4", "--slice", "families=gmonks")
    assert "no cell is in the slice families=gmonks" in none.err


def test_a_slice_runs_in_processes_is_kept_and_goes_on_where_it_was(fselect, tmp_path):
    common = ["reproduce", "survey", "-o", tmp_path / "out", "--slice", "families=parity n_relevant=4"]
    common += ["--slice", "algorithms=c-sbg,relief", "--slice", "groups=irrelevance", "--runner", "processes"]
    first = fselect(*common, "--runs", "3", "--json")
    assert first.code == 0, first.err
    assert "irrelevance-parity-4: 66 cells to go" in first.err
    verdicts = {(one["claim"], one["data"]): one["verdict"] for one in json.loads(first.out)["claims"]}
    assert verdicts["1a", "weights 3:2:1"] == "reproduced"
    assert verdicts["2a", "all twelve problems"] == "not tested"
    kept = sorted((tmp_path / "out" / ".fselect" / "cells" / "irrelevance-parity-4").glob("*.json"))
    assert len(kept) == 66
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "figure-3a.png" in report
    assert "| irrelevance-parity-4 | – | 3 | 3 |" in report
    one_of_run_0 = next(path for path in kept if json.loads(path.read_text())["split"] == 0)
    one_of_run_0.unlink()
    again = fselect(*common, "--slice", "runs=1")  # what else is there is judged, too
    assert "irrelevance-parity-4: 1 cells to go" in again.err
    assert "| irrelevance-parity-4 | – | 3 | 3 |" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert one_of_run_0.is_file()


def test_what_a_killed_run_had_finished_is_not_run_again(tmp_path):
    asked = ("algorithms=e-sfg,c-sbg", "runs=1", "ratios=0,1,2")
    run = CellRun(PAPER, "irrelevance-parity-4", Path(), tmp_path, 10, asked)

    def stops(cell):
        if cell.column == "c-sbg":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.run({"workers": 1}, stops)
    left = len(run.pending())
    assert 0 < left < 6
    done = []
    assert len(run.run({"workers": 1}, done.append).rows) == 6
    assert len(done) <= left
    assert all(isinstance(cell, Cell) for cell in done)


def made_up(group, mean, *, runs=4, studies=None, seed=0):
    """Results of a group with a chosen mean score by (algorithm, place of the ratio), the runs scattered a little."""
    rng = np.random.default_rng(seed)
    found = {}
    for study in studies or [name for name, problem in STUDIES.items() if problem.group == group]:
        rows = []
        for run in range(runs):
            for name in ALGORITHMS:
                for place, ratio in enumerate(GROUPS[group]):
                    S = mean(name, place) + rng.normal(0, 0.002)
                    scores = {"selected": [], "R": S, "I": S, "R'": S, "3:2:1": S, "6:2:1": S}
                    row = {"column": name, "split": run, "seconds": 1.0, "study": study, "ratio": ratio}
                    row |= {"stopped": "complete", "processor_seconds": 1.0, "selections": {"": scores}}
                    rows.append(row)
        found[study] = Results(study, tuple(rows), len(rows))
    return found


def verdict(findings, claim):
    return next(one.verdict for one in findings if one.claim == claim and one.in_paper)


BY_GROUP = {
    "irrelevance": ({"sffg": 0.8, "w-sfg": 0.78}, {"2b": "reproduced", "2c": "reproduced", "2a": "not reproduced"}),
    "redundance": (
        {"lvf": 0.9, "lvi": 0.9, "c-sbg": 0.9, "sffg": 0.88, "sfbg": 0.88, "qbb": 0.88},
        {"3a": "reproduced", "3b": "reproduced", "3c": "reproduced"},
    ),
    "sample-size": (
        {"e-sfg": 0.5, "sffg": 0.8, "c-sbg": 0.8, "w-sfg": 0.85},
        {"4b": "reproduced", "4d": "reproduced", "4e": "reproduced", "4f": "reproduced", "4g": "not reproduced"},
    ),
}


@pytest.mark.parametrize("group", BY_GROUP)
def test_claims_on_all_problems_are_judged_by_their_rules(group):
    means, expected = BY_GROUP[group]
    findings = survey_claims.claims(made_up(group, lambda name, place: means.get(name, 0.7)))
    assert {claim: verdict(findings, claim) for claim in expected} == expected


def test_relief_that_leads_at_the_end_only_and_samples_that_help_are_seen():
    ends = made_up("irrelevance", lambda name, place: 0.9 if (name, place) == ("relief", 10) else 0.7)
    assert verdict(survey_claims.claims(ends), "2a") == "reproduced"
    helped = made_up("sample-size", lambda name, place: 0.5 + 0.05 * place + 0.1 * name.startswith("w-"))
    found = survey_claims.claims(helped)
    assert [verdict(found, claim) for claim in ("4b", "4g")] == ["reproduced", "reproduced"]


def test_claims_on_twelve_problems_are_not_tested_by_fewer_but_these_stand_beside():
    some = ["redundance-parity-4", "redundance-gmonks-6"]
    means = BY_GROUP["redundance"][0]
    results = made_up("redundance", lambda name, place: means.get(name, 0.7), studies=some)
    findings = [one for one in survey_claims.claims(results) if one.claim == "3a"]
    assert verdict(findings, "3a") == "not tested"
    beside = [one for one in findings if not one.in_paper]
    assert {one.verdict for one in beside} == {"reproduced"}
    assert beside[0].data.startswith("2 of the twelve problems: parity 4; gmonks 6, weights 3:2:1, cut product")
    few = made_up("redundance", lambda name, place: 0.7, studies=some, runs=2)
    assert complete_problems(score_table(few), "redundance") == []


def test_falls_of_one_algorithm_on_one_problem_are_judged():
    studies = [f"irrelevance-parity-{size}" for size in FAMILIES["parity"]]
    falling = made_up("irrelevance", lambda name, place: 0.8 if place == 0 else 0.4, studies=studies[1:])
    found = list(problem_claims(score_table(falling)))
    told = {(one.claim, one.data): one.verdict for one in found}
    assert told["1b", "Parity of 16, weights 3:2:1"] == told["1c", "Parity of 16, weights 3:2:1"] == "reproduced"
    assert told["1a", "weights 3:2:1"] == "not tested"
    flat = made_up("irrelevance", lambda name, place: 0.8, studies=studies[1:])
    assert verdict(list(problem_claims(score_table(flat))), "1b") == "not reproduced"


def test_what_did_not_run_is_extrapolated_by_a_power_law_up_to_the_allowance():
    known = made_up("irrelevance", lambda name, place: 0.7, studies=["irrelevance-parity-4", "irrelevance-parity-8"])
    for row in known["irrelevance-parity-8"].rows:
        row["processor_seconds"] = 8.0  # eight times as long for twice the features: 64 s and 512 s for the others
    (line,) = [one for one in cost_table(score_table(known)).splitlines() if one.startswith("| C-SBG")]
    assert line.startswith("| C-SBG | 1 | 8 | – | – |")
    (relief,) = [one for one in cost_table(score_table(known)).splitlines() if one.startswith("| Relief")]
    hours = {"C-SBG": 1 + 8 + 60 + 60, "Relief": 1 + 8 + 64 + 512}
    for name, told in (("C-SBG", line), ("Relief", relief)):
        assert f"at least {hours[name] * 110 / 3600:.2f}" in told


def test_the_report_and_its_figures_are_made_of_whatever_there_is(tmp_path):
    results = made_up("sample-size", lambda name, place: 0.7, studies=["sample-size-parity-4"])
    text = "\n".join(sections(results))
    assert "### sample-size: 1 of the twelve problems: parity 4" in text
    assert "| sample-size-parity-4 | 4 | 4 |" in text
    drawn = draw_all(results, tmp_path)
    assert {path.name for path in drawn.values()} == {"figure-3b.png", "figure-4-3-2-1.png", "figure-4-6-2-1.png"}
    assert all(path.stat().st_size > 5000 for path in drawn.values())
    assert draw_all({}, tmp_path) == {}
    assert sections({})
