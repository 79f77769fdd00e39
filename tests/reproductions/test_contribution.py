"""The reproduction of Cohen, Ruppin & Dror: filters, splits, claims on made-up results, and a small run."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import mutual_info_classif

from fselect.datasets import make_microarray
from fselect.errors import InputError
from fselect.reproductions.cells import Cell, CellRun, Results
from fselect.reproductions.contribution import baselines as contribution_baselines
from fselect.reproductions.contribution import claims as claims
from fselect.reproductions.contribution.baselines import (
    choose_number,
    information_scores,
    numbers_tried,
    pearson_scores,
)
from fselect.reproductions.contribution.cells import cells
from fselect.reproductions.contribution.power_law import power_law
from fselect.reproductions.contribution.settings import COLUMNS, STUDIES, read_split
from fselect.reproductions.contribution.tables import accuracy_table
from fselect.reproductions.evidence import shown
from fselect.reproductions.papers import get_paper
from tests.cli.conftest import fselect

__all__ = ["fselect"]

PAPER = get_paper("contribution")


def test_correlations_are_those_of_numpy_and_of_several_classes_the_largest():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(50, 4)), rng.integers(0, 3, 50)
    expected = [max(abs(np.corrcoef(x, codes == code)[0, 1]) for code in range(3)) for x in X.T]
    np.testing.assert_allclose(pearson_scores(X, codes, 0), expected)


def test_information_is_that_of_scikit_learn_on_the_same_bins():
    rng = np.random.default_rng(1)
    X, codes = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    binned = np.column_stack([pd.qcut(x, 10, labels=False) for x in X.T])
    expected = mutual_info_classif(binned, codes, discrete_features=True)
    np.testing.assert_allclose(information_scores(X, codes, 0), expected, atol=1e-12)


def test_columns_with_few_values_need_no_ten_bins():
    x = np.array([0.0] * 90 + [1.0] * 10)[:, None]
    codes = (x[:, 0] > 0).astype(int)
    entropy = -(0.9 * np.log(0.9) + 0.1 * np.log(0.1))
    assert information_scores(x, codes, 0)[0] == pytest.approx(entropy)


def test_numbers_tried_grow_by_half_to_all_columns():
    assert numbers_tried(7) == [1, 2, 5, 7]
    assert numbers_tried(400) == [1, 2, 5, 10, 15, 20, 30, 40, 60, 100, 150, 225, 338, 400]


def test_a_filter_takes_as_many_features_as_its_classifier_wants():
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(2)
    codes = np.arange(120) % 2
    X = rng.normal(size=(120, 30))
    X[:, :2] += 1.8 * codes[:, None]
    number = choose_number(pearson_scores, KNeighborsClassifier(5), X, codes, np.arange(120) // 2 % 10, 0)
    assert number == 2


def test_the_parameters_are_those_of_the_papers_table_2():
    expected = {  # inducer, s, p, l, t
        "arrhythmia": ("c45", 1, 50, 20, 500),
        "internet-ads-binary": ("nearest_neighbour", 1, 100, 20, 1500),
        "dexter": ("c45", 50, 50, 12, 3500),
        "arcene": ("c45", 100, 100, 5, 10000),
        "i2000": ("c45", 100, 100, 3, 2000),
    }
    for study, numbers in expected.items():
        one = STUDIES[study]
        assert (one.inner, one.add, one.drop, one.size, one.permutations) == numbers
    assert {study for study, one in STUDIES.items() if one.final == "linear_svm"} == {"dexter", "arcene"}
    assert {study for study, one in STUDIES.items() if one.printed} == {"i2000"}


def test_another_number_of_splits_only_adds_cells():
    assert set(cells("dexter", 1)) < set(cells("dexter", 3))
    assert len(cells("arrhythmia", 10)) == 10 * len(COLUMNS)


def test_arrhythmia_loses_one_column_and_incomplete_rows_and_splits_are_stratified(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(90, 3)), columns=["age", "J", "T"])
    frame.loc[:80, "J"], frame.loc[::10, "T"] = np.nan, np.nan
    frame["target"] = np.where(np.arange(90) % 3 == 0, "1", "10")
    frame.to_parquet(tmp_path / "arrhythmia.parquet", index=False)
    split = read_split("arrhythmia", tmp_path, 0)
    assert list(split.X.columns) == ["age", "T"]
    assert len(split.y) + len(split.y_test) == 81
    assert len(split.y) == 54
    assert abs(np.mean(split.y == "normal") - np.mean(split.y_test == "normal")) < 0.03
    other = read_split("arrhythmia", tmp_path, 1)
    assert set(other.X.index) != set(split.X.index)
    assert not set(split.X.index) & set(split.X_test.index)


def test_the_first_split_of_the_challenge_tables_is_the_papers(tmp_path):
    frame = pd.DataFrame({"a": np.arange(200.0), "target": ["x", "y"] * 100})
    frame.to_parquet(tmp_path / "arcene.parquet", index=False)
    assert read_split("arcene", tmp_path, 0).X.index.tolist() == list(range(100))
    assert read_split("arcene", tmp_path, 1).X.index.tolist() != list(range(100))


def row(column, split, accuracy, **more):
    rounds = {"contribution": [0.2, 0.1, 0.05, 0.01, 0.01], "validation": [0.9]}
    searched = {"rounds": rounds, "contributions": [0.1], "zero_contributions": 0, "steps": [], "notes": []}
    ranking = {"ranking": list(range(100))}
    base = {"column": column, "split": split, "accuracy": accuracy, "n_features": 5, "seconds": 1.0, "selected": []}
    return base | searched | ranking | more


def results(study, accuracies, splits=5, **more):
    """Results with these mean accuracies; splits differ by the same for all columns, and a little alone."""
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 0.03, splits)
    rows = [
        row(column, split, mean + shared[split] + rng.normal(0, 0.001), **more.get(column, {}))
        for column, mean in accuracies.items()
        for split in range(splits)
    ]
    return {study: Results(study, tuple(rows), len(rows))}


def verdict(findings, claim, data):
    (found,) = [one for one in findings if one.claim == claim and data in one.data]
    return found.verdict


LEVEL = dict.fromkeys(COLUMNS, 0.8)


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ({"backward": 0.85}, "reproduced"),
        ({"backward": 0.85, "forest": 0.851}, "reproduced"),  # second, and not clearly
        ({"backward": 0.85, "forest": 0.9}, "not reproduced"),
        ({"backward": 0.79}, "not reproduced"),
    ],
)
def test_backward_is_best_or_second(means, expected):
    assert verdict(claims.backward_is_best(results("i2000", LEVEL | means)), "1", "I2000") == expected


def test_what_was_not_run_or_too_rarely_is_not_tested():
    few = results("i2000", LEVEL, splits=2)
    findings = claims.claims(few)
    assert {one.verdict for one in findings if "I2000" not in one.data} == {"not tested"}
    assert verdict(findings, "2", "I2000") == "not tested"


def test_pairs_are_compared_split_by_split():
    for means, expected in (({"backward": 0.82}, "reproduced"), ({"forward": 0.82}, "not reproduced")):
        assert verdict(claims.forward_needs_rows(results("i2000", LEVEL | means)), "2", "I2000") == expected
    better = results("arrhythmia", LEVEL | {"forward": 0.83})
    assert claims.forward_beats_the_wrapper.__doc__
    assert verdict(claims.forward_beats_the_wrapper(better), "3", "Arrhythmia") == "reproduced"


def test_courses_of_contributions_are_judged():
    falling = {"rounds": {"contribution": [0.3, 0.2, 0.2, 0.02, 0.02, 0.01], "validation": [0.9]}}
    flat = {"rounds": {"contribution": [0.03, 0.02, 0.02, 0.02, 0.02, 0.02], "validation": [0.9]}}
    rising = {"rounds": {"contribution": [-0.02, -0.01, 0.0, 0.01, 0.02, float("nan")], "validation": [0.8]}}
    for course, expected in ((falling, "reproduced"), (flat, "not reproduced")):
        made = results("arrhythmia", LEVEL, forward=course, backward=rising)
        assert verdict(claims.forward_falls(made), "5a", "Arrhythmia") == expected
    assert verdict(claims.backward_rises(made), "5b", "Arrhythmia") == "reproduced"
    assert verdict(claims.backward_generalises(made), "6", "Arrhythmia") == "reproduced"


def test_a_rise_that_is_no_chance_is_told_from_one_that_may_be_and_from_rounding():
    def steps(rise, error):
        one = {"contribution": 0.1 + rise, "standard_error": error, "before": 0.1, "before_error": error}
        return {"steps": [one] * 4}

    for rise, error, expected in (
        (0.1, 0.01, "reproduced"),
        (0.02, 0.01, "not reproduced"),
        (0.01, 0.0, "reproduced"),
        (0.0, 0.0, "not reproduced"),
        (1e-15, 0.0, "not reproduced"),
    ):
        made = results("arrhythmia", LEVEL, forward=steps(rise, error))
        assert verdict(claims.contributions_rise(made), "7", "Arrhythmia") == expected


def test_early_features_are_compared_with_the_filters_first():
    for selected, expected in (([0, 1, 2, 500, 600, 700], "reproduced"), ([500, 1, 600, 2, 3, 4], "not reproduced")):
        made = results("arrhythmia", LEVEL, forward={"selected": selected})
        assert verdict(claims.first_features_agree(made), "8", "Arrhythmia") == expected


def test_spans_and_winners_are_judged():
    ads = results("internet-ads-binary", LEVEL | {"wrapper": 0.5})
    assert verdict(claims.about_equal_on_ads(ads), "9", "binary") == "reproduced"
    wide = results("internet-ads-binary", LEVEL | {"none": 0.7})
    assert verdict(claims.about_equal_on_ads(wide), "9", "binary") == "not reproduced"
    dexter = results("dexter", LEVEL | {"mutual-information": 0.9})
    assert verdict(claims.information_is_best_on_dexter(dexter), "10", "Dexter") == "reproduced"


def test_a_power_law_is_recovered_and_a_bell_is_none():
    rng = np.random.default_rng(0)
    drawn = 10 ** (-5 + 3 * -np.log10(1 - rng.random(20000) * (1 - 10**-1.0)))  # density of the logarithm falls
    law = power_law(drawn)
    assert law.slope < 0
    assert law.explained > 0.9
    bell = power_law(10 ** rng.normal(-3, 0.3, 5000))
    assert bell.explained < 0.5
    assert np.isnan(power_law([0.0, 0.01]).slope)


def test_zeros_but_for_rounding_are_zeros_to_a_power_law():
    sizes = 10.0 ** -np.repeat([4, 3, 2], [100, 10, 1])
    law = power_law([*sizes, 0.0, 1e-17, -3e-16])
    assert law.zeros == 3
    assert law.sizes.min() > -5
    assert law.slope == power_law(sizes).slope


def test_the_table_shows_ours_above_the_published_numbers():
    text = accuracy_table(results("i2000", LEVEL | {"backward": 0.85}))
    assert "*90.9 (1100)*" in text
    assert "not run" not in text
    assert "[" in text.splitlines()[2]


def test_the_table_gives_no_interval_of_two_splits_and_tells_their_number():
    whole = results("i2000", LEVEL)
    rows = tuple(row for row in whole["i2000"].rows if row["column"] != "backward" or row["split"] < 2)
    cell = accuracy_table({"i2000": Results("i2000", rows, 80)}).splitlines()[2].split("|")[-2]
    assert cell.strip().endswith("splits: 2")
    assert "[" not in cell


@pytest.mark.parametrize(("splits", "expected"), [(2, "not tested"), (3, "reproduced")])
def test_a_power_law_is_judged_from_three_splits_on(splits, expected):
    sizes = [*10.0 ** -np.repeat([4, 3, 2], [100, 10, 1])]
    rows = tuple(
        {"column": "backward", "split": split, "contributions": sizes, "zero_contributions": 5, "seconds": 1.0}
        for split in range(splits)
    )
    found = [one for one in claims.power_laws({"dexter": Results("dexter", rows, 24)}) if one.data == "Dexter"]
    assert [one.verdict for one in found] == [expected]


def test_claims_are_listed_by_their_numbers():
    listed = [one.claim for one in shown(claims.claims({}))]
    assert listed.index("10") > listed.index("8") > listed.index("2")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A small table under the name of I2000."""
    folder = tmp_path_factory.mktemp("tables")
    made = make_microarray(36, 24, n_relevant=4, block_size=3, random_state=1)
    made.frame("target").to_parquet(folder / "colon_alon_2000.parquet", index=False)
    return folder


def test_the_command_runs_what_is_missing_only_and_writes_a_report(fselect, tables, tmp_path, monkeypatch):
    monkeypatch.setattr(contribution_baselines, "TREES", 10)
    common = [
        "reproduce",
        "contribution",
        "--data",
        tables,
        "-o",
        tmp_path / "out",
        "--only",
        "i2000",
        "--repeats",
        "1",
    ]
    first = fselect(*common, "--json")
    assert first.code == 0, first.err
    assert "i2000: 1 splits, 8 cells to go" in first.err
    answer = json.loads(first.out)
    assert {one["claim"] for one in answer["claims"]} >= {"1", "5a", "10"}
    kept = sorted((tmp_path / "out" / ".fselect" / "cells" / "i2000").glob("*.json"))
    assert len(kept) == 8
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "| I2000 (colon) |" in report
    assert "figure-2.png" in report
    kept[0].unlink()
    again = fselect(*common)
    assert "1 cells to go" in again.err
    assert again.code == 0
    rows = [json.loads(path.read_text()) for path in kept]
    assert all(0 <= one["accuracy"] <= 1 and one["n_features"] >= 0 for one in rows)


def test_a_killed_search_goes_on_from_its_rounds(tables, tmp_path):
    def dies(cell, data, scratch, workers):
        PAPER.compute(cell, data, scratch, workers)
        raise KeyboardInterrupt

    only = replace(PAPER, cells=lambda study, splits: [c for c in cells(study, splits) if c.column == "forward"])
    run = CellRun(replace(only, compute=dies), "i2000", tables, tmp_path, 1)
    with pytest.raises(KeyboardInterrupt):
        run.run({"workers": 1})
    rounds = list((tmp_path / ".fselect" / "scratch").glob("*/*/round-*.npz"))
    assert rounds
    found = CellRun(only, "i2000", tables, tmp_path, 1).run({"workers": 1})
    assert len(found.rows) == 1
    assert not list((tmp_path / ".fselect" / "scratch").glob("*/*"))


def test_another_table_is_another_cell(tables, tmp_path):
    one = CellRun(PAPER, "i2000", tables, tmp_path, 1)
    frame = pd.read_parquet(tables / "colon_alon_2000.parquet")
    frame.iloc[0, 0] += 1
    (tmp_path / "other").mkdir()
    frame.to_parquet(tmp_path / "other" / "colon_alon_2000.parquet", index=False)
    other = CellRun(PAPER, "i2000", tmp_path / "other", tmp_path, 1)
    assert not set(one.pending()) & set(other.pending())
    assert all(isinstance(cell, Cell) for cell in one.pending().values())


def test_a_cluster_and_unknown_studies_are_refused(tables, tmp_path):
    with pytest.raises(InputError, match="runs on threads or processes"):
        CellRun(PAPER, "i2000", tables, tmp_path, 1).run({"runner": "dask", "address": "tcp://127.0.0.1:1"})
    with pytest.raises(InputError, match="has no study 'colon'; it has i2000"):
        PAPER.table_file("colon")
