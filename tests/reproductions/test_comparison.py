"""The comparison of all methods: bootstraps, cells against plain loops, intervals, expectations, report and flow."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from fselect import BiasedRFE, EntropyRanking, Relief, SequentialSearch
from fselect.datasets import make_microarray
from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator
from fselect.errors import InputError
from fselect.evaluation.stability import stability_interval
from fselect.reproductions.cells import CellRun, Results
from fselect.reproductions.comparison import settings as comparison_settings
from fselect.reproductions.comparison.cells import cells, compute, final_accuracies
from fselect.reproductions.comparison.claims import EXPECTATIONS, claims
from fselect.reproductions.comparison.points import _crossed, ahead, behind, front, mean_ranks, points, ranked_methods
from fselect.reproductions.comparison.samples import Resample, draw_resample, read_dataset
from fselect.reproductions.comparison.settings import CLASSICS, FINAL, METHODS, STUDIES
from fselect.reproductions.comparison.tables import points_table, ranks_table, sections
from fselect.reproductions.papers import get_paper
from fselect.reproductions.survey.settings import ALGORITHMS
from tests.cli.conftest import fselect

__all__ = ["fselect"]

PAPER = get_paper("comparison")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Small tables under the names of Glass and Colon; none of the others."""
    folder = tmp_path_factory.mktemp("tables")
    made = make_microarray(60, 8, n_relevant=3, block_size=2, random_state=1)
    made.frame("target").to_parquet(folder / "glass.parquet", index=False)
    wide = make_microarray(40, 90, n_relevant=5, block_size=3, random_state=2)
    frame = wide.frame("target")
    frame[list(wide.names)] = 10 ** frame[list(wide.names)]
    frame.to_parquet(folder / "colon_alon_2000.parquet", index=False)
    return folder


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Draws enough to tell them apart."""
    for study, settings in STUDIES.items():
        monkeypatch.setitem(STUDIES, study, replace(settings, draws=12))


def computed(study, method, data, number=0):
    (cell,) = [one for one in cells(study, number + 1) if one.column == method and one.split == number]
    return compute(cell, data, Path(), 1)


def test_the_ten_classics_and_the_methods_of_the_other_papers_are_there():
    assert set(CLASSICS) == set(ALGORITHMS)
    assert {"rfe", "rfe-biased", "csa-forward", "csa-backward", "sorted", "counting", "all", "random"} < set(METHODS)
    assert len(cells("vote", 30)) == 30 * len(METHODS)
    assert set(cells("vote", 2)) < set(cells("vote", 3))


def test_each_drawn_row_is_there_once_and_all_methods_see_the_same(tables):
    dataset = read_dataset("glass", tables)
    one, again, other = (draw_resample(dataset, number) for number in (0, 0, 1))
    assert (one.training == again.training).all()
    assert (one.training != other.training).any()
    assert 0.5 < one.training.mean() < 0.75  # 1 - 1/e of the rows


def test_rows_enough_of_each_class_are_in_every_bootstrap():
    rare = Dataset(np.arange(40.0)[:, None], ["a"] * 37 + ["b"] * 3, name="rare")
    assert all(draw_resample(rare, number).training[-3:].all() for number in range(10))


def test_gaps_become_medians_of_the_training_rows_or_a_value_of_their_own(tmp_path):
    numbers = np.arange(40.0)
    frame = pd.DataFrame({"pay": numbers, "bill": pd.Categorical(["y", "n"] * 20), "target": ["a", "b", "b", "a"] * 10})
    frame.loc[::4, "pay"], frame.loc[::5, "bill"] = np.nan, None
    frame.to_parquet(tmp_path / "labor.parquet", index=False)
    sample = draw_resample(read_dataset("labor", tmp_path), 3)
    known = sample.training & (np.arange(40) % 4 > 0)
    assert sample.X[0, 0] == np.median(numbers[known])
    assert sample.X[0, 0] != np.median(numbers[np.arange(40) % 4 > 0])
    assert sample.X[:, 1].tolist()[:6] == [2, 0, 1, 0, 1, 2]
    table, owners = sample.indicators
    assert owners.tolist() == [0, 1, 1, 1]
    assert (table[:, 1:].sum(axis=1) == 1).all()


def test_tables_that_cannot_be_used_are_refused_by_column(tmp_path):
    frame = pd.DataFrame({"ok": [1.0, 2.0], "gene": [3.0, 0.0], "target": ["a", "b"]})
    frame.to_parquet(tmp_path / "colon_alon_2000.parquet", index=False)
    with pytest.raises(InputError, match="column 'gene' has values of 0 or less"):
        read_dataset("colon", tmp_path)
    frame.rename(columns={"target": "class"}).to_parquet(tmp_path / "glass.parquet", index=False)
    with pytest.raises(InputError, match="no column 'target'"):
        read_dataset("glass", tmp_path)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_cell_of_elimination_is_that_of_a_plain_loop(tables, number):
    dataset = read_dataset("glass", tables)
    sample = draw_resample(dataset, number)
    X, y, out = sample.X[sample.training], sample.codes[sample.training], ~sample.training
    selected = BiasedRFE(STUDIES["glass"].keep, penalty=0.1).fit(X, y).get_support(indices=True)
    scaler = StandardScaler().fit(X[:, selected])
    model = LogisticRegression(C=1 / (2 * 0.1), tol=1e-8).fit(scaler.transform(X[:, selected]), y)
    expected = model.score(scaler.transform(sample.X[out][:, selected]), sample.codes[out])
    found = computed("glass", "rfe", tables, number)
    assert found["sets"] == [selected.tolist()]
    assert found["logistic"] == [pytest.approx(expected)]


def test_a_cell_of_a_search_is_that_of_its_estimator(tables):
    sample = draw_resample(read_dataset("glass", tables), 0)
    rng = generator(comparison_settings.SEED, Stream.SELECTOR, "glass", 0, 0)
    search = SequentialSearch("backward", measure="consistency", nominal="none", random_state=rng)
    selected = search.fit(sample.X[sample.training], sample.codes[sample.training]).get_support(indices=True)
    found = computed("glass", "c-sbg", tables)
    assert found["sets"] == [selected.tolist()]
    assert found["stopped"] == "complete"


def test_weightings_are_cut_by_their_rule_or_at_the_number_that_eliminations_keep(tables):
    sample = draw_resample(read_dataset("glass", tables), 0)
    X, codes = sample.X[sample.training], sample.codes[sample.training]
    best = EntropyRanking(cut=4, nominal="none").fit(X, codes).get_support(indices=True)
    assert computed("glass", "e-sfg-k", tables)["sets"] == [best.tolist()]
    near = Relief(nominal="none").fit(X, codes).get_support(indices=True)
    assert computed("glass", "relief", tables)["sets"] == [near.tolist()]
    assert len(computed("glass", "relief-k", tables)["sets"][0]) == 4


def test_methods_that_draw_give_a_set_a_draw_and_random_ones_stay_the_same(tables):
    one, other = (computed("glass", "random", tables, number)["sets"] for number in (0, 1))
    assert one == other
    assert len(one) == STUDIES["glass"].draws
    assert {len(found) for found in one} == {4}
    biased = computed("glass", "rfe-biased", tables)
    assert len(biased["sets"]) == len(biased["logistic"]) == len(biased["c45"]) == len(one)
    assert len({tuple(found) for found in biased["sets"]}) > 1


def test_searches_are_offered_the_most_informative_columns_of_the_training_rows(tables):
    sample = draw_resample(read_dataset("colon", tables), 0)
    offered = set(sample.informative(STUDIES["colon"].offered).tolist())
    assert len(offered) == 50
    assert set(computed("colon", "sfbg", tables)["sets"][0]) <= offered
    assert len(computed("colon", "all", tables)["sets"][0]) == 90
    assert set(computed("colon", "e-sfg", tables)["sets"][0]) - offered


def test_a_search_that_needs_more_than_its_allowance_is_ended_and_marked(tables, monkeypatch):
    before = {cell.parameters for cell in cells("glass", 1)}
    monkeypatch.setattr(comparison_settings, "ALLOWANCE", 0.0)
    assert computed("glass", "w-sbg", tables)["stopped"] == "max_seconds"
    assert len(before & {cell.parameters for cell in cells("glass", 1)}) < len(before)


def test_no_features_are_worth_the_largest_class_of_the_training_rows():
    codes = np.array([0, 0, 0, 1, 1, 0, 1, 1])
    training = np.array([True] * 4 + [False] * 4)
    sample = Resample(np.zeros((8, 1)), codes, training, np.array([False]))
    assert final_accuracies(sample, []) == dict.fromkeys(FINAL, 0.25)


def test_the_spread_over_bootstraps_and_draws_is_that_of_both():
    u, v = np.array([1.0, -1.0, 1.0, -1.0]), np.array([2.0, 2.0, -2.0, -2.0])  # orthogonal effects
    values = _crossed(5 + u[:, None] + v)
    assert values.mean() == 5
    assert values.var(ddof=1) / 4 == pytest.approx(u.var(ddof=1) / 4 + v.var(ddof=1) / 4)
    u = np.array([1.0, 1.0, -1.0, -1.0])
    half = _crossed(5 + u[:, None] + np.array([2.0, -2.0]))  # a mean of two draws is less sure than one of four
    assert half.var() / 4 == pytest.approx(u.var() / 4 + 4 / 2)
    assert (_crossed(np.array([[1.0], [3.0]])) == [1, 3]).all()


def results(study, bootstraps=8, **changed):
    """Made-up rows: every method the same sets but for chance, and its own accuracies."""
    rng = np.random.default_rng(0)
    rows = []
    for split in range(bootstraps):
        shared = rng.normal(0, 0.02)
        for method in METHODS:
            given = {"accuracy": 0.8, "swaps": 0.5} | changed.get(method.replace("-", "_"), {})
            sets = [[0, 1, 2 + int(rng.random() < given["swaps"])]]
            sets = [list(range(6))] if method == "all" else sets
            scores = {name: [given["accuracy"] + shared + rng.normal(0, 0.002)] for name in FINAL}
            facts = {"processor_seconds": 0.5, "stopped": "complete", "seconds": 1.0, "d": 6}
            rows.append({"column": method, "split": split, "sets": sets, **scores, **facts})
    return {study: Results(study, tuple(rows), len(rows))}


def test_intervals_are_of_the_bootstraps_and_the_stability_is_that_of_the_sets():
    made = results("vote", bootstraps=7)["vote"]
    found, rows = points(made)["lvf"], made.of("lvf")
    masks = [np.isin(np.arange(6), row["sets"][0]) for row in rows]
    expected = stability_interval(masks)
    told = found.interval("stability")
    assert told.value == pytest.approx(expected.value)
    assert told.high - told.low > expected.high - expected.low  # Student's law instead of the normal one
    assert found.interval("c45").value == pytest.approx(np.mean([row["c45"] for row in rows]))
    assert np.cov(found.pairs("c45").T).shape == (2, 2)


def test_all_features_have_no_stability_and_are_on_no_front():
    found = points(results("vote", all={"accuracy": 0.99})["vote"])
    assert np.isnan(found["all"].interval("stability").value)
    assert "all" not in front(found, "logistic")
    assert "undefined" in points_table(found)


def test_a_method_is_behind_where_another_is_better_in_both_with_the_whole_intervals():
    better = {"accuracy": 0.9, "swaps": 0.0}
    found = points(results("vote", bootstraps=20, qbb=better, lvf={"accuracy": 0.9})["vote"])
    assert ahead(found["qbb"], found["rfe"], "logistic")
    assert not ahead(found["lvf"], found["rfe"], "logistic")  # more accurate only
    assert behind(found, "rfe", "logistic") == ["qbb"]
    assert front(found, "logistic") <= {"qbb", "lvf"}
    assert "behind 1 (QBB)" in points_table(found)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"swaps": 0.0}, ("reproduced", "shown")),
        ({}, ("not reproduced", "not shown")),
    ],
)
def test_expectations_are_judged_by_paired_intervals(changed, expected):
    findings = claims(results("vote", bootstraps=20, rfe_biased=changed))
    (found,) = [one for one in findings if one.claim == "1a" and one.data == "Vote"]
    assert (found.verdict, found.reason) == expected


def test_an_expectation_that_is_found_the_other_way_round_is_said_to_be():
    findings = claims(results("vote", csa_forward={"accuracy": 0.9}, w_sfg={"accuracy": 0.9}))
    told = {one.claim: one.reason for one in findings if one.data == "Vote"}
    assert told["3"] == "the other way round"
    assert told["4a"] == "shown"


def test_what_was_not_run_or_too_rarely_is_not_tested():
    few = claims(results("vote", bootstraps=4))
    assert {one.verdict for one in few} == {"not tested"}
    assert len(few) == len(EXPECTATIONS) * len(STUDIES)


def test_ranks_are_means_over_tables_with_ties_shared():
    one = points(results("vote", lvf={"accuracy": 0.9})["vote"])
    two = points(results("pima", lvf={"accuracy": 0.9}, qbb={"accuracy": 0.95})["pima"])
    ranks = mean_ranks({"vote": one, "pima": two})
    assert ranks.tables == ("vote", "pima")
    assert ranks.means["logistic"]["lvf"] == 1.5
    k = len(ranked_methods())
    assert sum(ranks.means["stability"].values()) == pytest.approx(k * (k + 1) / 2)
    assert ranks.critical == pytest.approx(3.5 * np.sqrt(k * (k + 1) / 12), rel=0.05)  # q of 18 methods is about 3.5
    assert "| LVF | 1.5 | 1.5 | " in ranks_table({"vote": one, "pima": two})
    assert "One table says nothing" in ranks_table({"vote": one})
    assert "No table has all methods" in ranks_table({})


def test_the_report_names_all_methods_and_the_tables_that_did_not_run():
    text = "\n".join(sections(results("vote")))
    for method in METHODS.values():
        assert f"| {method.title} |" in text
    assert "Glass (glass.parquet)" in text


def test_the_command_runs_what_is_missing_only_and_tells_of_a_missing_table(fselect, tables, tmp_path):
    out = tmp_path / "out"
    common = ["reproduce", "comparison", "--data", tables, "-o", out, "--only", "glass", "--only", "vote"]
    first = fselect(*common, "--repeats", "3")
    assert first.code == 0, first.err
    assert "vote: not run, there is no vote.parquet" in first.err
    assert f"glass: 3 splits, {3 * len(METHODS)} cells to go" in first.err
    report = (out / "report.md").read_text(encoding="utf-8")
    for method in METHODS.values():
        assert f"| {method.title} |" in report
    assert "`vote.parquet`" in report
    assert (out / "report-images" / "comparison-logistic.png").is_file()
    kept = {path: path.stat().st_mtime_ns for path in out.glob(".fselect/cells/glass/*.json")}
    assert len(kept) == 3 * len(METHODS)
    again = fselect(*common, "--repeats", "3", "--json")
    assert "glass: 3 splits, 0 cells to go" in again.err
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert {one["claim"] for one in json.loads(again.out)["claims"]} == {one.claim for one in EXPECTATIONS}


def test_two_workers_give_what_one_gives(tables, tmp_path):
    def told(workers, folder):
        run = CellRun(PAPER, "glass", tables, tmp_path / folder, 1)
        rows = run.run({"workers": workers}).rows
        return {row["column"]: (row["sets"], row["logistic"], row["c45"]) for row in rows}

    assert told(1, "one") == told(2, "two")


def test_a_dataset_without_gaps_is_taken_as_it_is():
    made = Dataset(np.arange(24.0).reshape(12, 2), ["a", "b"] * 6, name="made")
    assert (draw_resample(made, 0).X == made.X).all()
