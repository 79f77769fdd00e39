"""Applying a promoted set gives the study's own columns, from tables of any order and type."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fselect.errors import InputError
from fselect.registry import apply, load_panel, promote
from tests.registry.conftest import SET, copied


@pytest.fixture(scope="module")
def promoted(original, tmp_path_factory):
    """Promote three times, once for all tests of this file."""
    study = copied(original, tmp_path_factory.mktemp("promoted") / "project")
    for run, name in ((0, "mixed"), (1, "numbers"), (0, "numbers")):
        promote(study.project, study.ids[run], name)
    return study


def test_it_gives_the_columns_that_the_study_saw(promoted, table):
    shuffled = table.sample(frac=1, random_state=0)[list(table.columns[::-1])]
    result = apply(promoted.project, "mixed@champion", shuffled)
    assert tuple(result.columns) == SET
    assert result.index.tolist() == shuffled.index.tolist()
    # The study clipped at 100, which is for the model's pipeline; below, the values are the study's own.
    columns = [promoted.data.names.index(name) for name in SET]
    expected = promoted.data.X[:, columns][shuffled.index]
    np.testing.assert_array_equal(np.minimum(result.to_numpy(), 100), expected)
    assert result["gene 7"].max() == 121


def test_frames_of_polars_and_files_give_the_same(promoted, table, tmp_path):
    expected = apply(promoted.project, "mixed", table)
    pd.testing.assert_frame_equal(apply(promoted.project, "mixed", pl.from_pandas(table)), expected)
    table.to_csv(tmp_path / "t.csv", index=False)
    pd.testing.assert_frame_equal(apply(promoted.project, "mixed", tmp_path / "t.csv"), expected)


def test_other_columns_come_first_and_as_they_are_where_they_are_to_be_kept(promoted, table):
    named = table.assign(patient=[f"P{i:03}" for i in range(len(table))], visit=pd.NA)
    kept = apply(promoted.project, "mixed", named, keep=["visit", "patient", "visit"])
    pd.testing.assert_frame_equal(kept[["visit", "patient"]], named[["visit", "patient"]])
    pd.testing.assert_frame_equal(kept.drop(columns=["visit", "patient"]), apply(promoted.project, "mixed", table))
    assert list(kept.columns[:2]) == ["visit", "patient"]


@pytest.mark.parametrize(
    ("keep", "sentence"),
    [
        ("Patient", "table has no column 'Patient' to keep; did you mean 'patient'?"),
        ("age", "column 'age' is one of mixed already; do not ask to keep it"),
    ],
)
def test_a_column_that_is_not_there_or_of_the_set_is_not_kept(promoted, table, keep, sentence):
    with pytest.raises(InputError, match=re.escape(sentence)):
        apply(promoted.project, "mixed", table.assign(patient="P"), keep=[keep])


def test_types_that_mean_the_same_give_the_same(promoted, table):
    expected = apply(promoted.project, "mixed", table)
    other = table.astype({"age": "Int64", "sex": "category", "stage": "category", "gene 7": str})
    other["smoker"] = other["smoker"].map({True: "True", False: "False"})
    pd.testing.assert_frame_equal(apply(promoted.project, "mixed", other), expected)


def test_versions_are_chosen_by_alias_by_number_and_by_default_the_latest(promoted):
    assert load_panel(promoted.project, "numbers@1").evidence["label"] == "strength 2"
    for reference in ("numbers", "numbers@latest", "numbers@2", "numbers@champion", "models:/numbers@champion"):
        assert load_panel(promoted.project, reference).version == 2
    assert load_panel(promoted.project, "numbers@previous").version == 1


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("number", "there is no promoted set 'number'; did you mean 'numbers'"),
        ("numbers@3", "promoted set 'numbers' has no version or alias '3'; it has 'champion', 'previous', '1', '2'"),
        ("numbers@champ", "no version or alias 'champ'"),
        ("a/b@champion", "is no name for a promoted set"),
    ],
)
def test_an_unknown_set_is_refused(promoted, table, reference, sentence):
    with pytest.raises(InputError, match=sentence):
        apply(promoted.project, reference, table)


def test_missing_columns_are_refused_by_name_all_of_them(promoted, table):
    with pytest.raises(InputError, match="lacks 2 columns of mixed, version 1: 'stage', 'gene 7'"):
        apply(promoted.project, "mixed", table.drop(columns=["gene 7", "stage"]))


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("stage", "V", "column 'stage' holds 'V' in row 3, which the set's study never saw; it knows 'I', 'II'"),
        ("sex", None, "column 'sex' is empty in row 3"),
        ("smoker", "maybe", "column 'smoker' holds 'maybe' in row 3"),
        ("age", float("inf"), r"column 'age' is infinite in row 3 \(inf\)"),
        ("age", "old", "numeric column 'age' holds the text 'old' in row 3"),
    ],
)
def test_values_that_cannot_be_are_refused_by_column_and_row(promoted, table, column, value, sentence):
    broken = table.astype({column: object})
    broken.loc[2, column] = value
    with pytest.raises(InputError, match=sentence):
        apply(promoted.project, "mixed", broken)


def test_the_sentence_names_the_file_and_advises_what_can_be_done_to_a_column_of_the_set(promoted, table, tmp_path):
    broken = table.astype({"age": object})
    broken.loc[2, "age"] = "old"
    broken.to_csv(tmp_path / "cohort.csv", index=False)
    sentence = "cohort.csv: numeric column 'age' holds the text 'old' in row 3; correct the cell, or leave it empty"
    with pytest.raises(InputError) as told:
        apply(promoted.project, "mixed", tmp_path / "cohort.csv")
    assert str(told.value) == sentence
    broken.to_csv(tmp_path / "cohort.csv", index=False, columns=["age", "sex"])
    with pytest.raises(InputError, match=r"cohort\.csv lacks 3 columns of mixed, version 1"):
        apply(promoted.project, "mixed", tmp_path / "cohort.csv")


def test_a_sheet_is_read_by_its_name(promoted, table, tmp_path):
    expected = apply(promoted.project, "mixed", table)
    with pd.ExcelWriter(tmp_path / "cohorts.xlsx") as book:
        table[["age"]].to_excel(book, sheet_name="ages", index=False)
        table.to_excel(book, sheet_name="may", index=False)
    pd.testing.assert_frame_equal(apply(promoted.project, "mixed", tmp_path / "cohorts.xlsx", sheet="may"), expected)
    loaded = load_panel(promoted.project, "mixed")
    pd.testing.assert_frame_equal(loaded.transform(tmp_path / "cohorts.xlsx", sheet=1), expected)


def test_two_columns_of_one_name_are_refused(promoted, table):
    with pytest.raises(InputError, match="'age'"):
        apply(promoted.project, "mixed", pd.concat([table, table[["age"]]], axis=1))


def test_missing_numbers_stay_missing(promoted, table):
    broken = table.astype({"age": float})
    broken.loc[2, "age"] = np.nan
    assert np.flatnonzero(apply(promoted.project, "mixed", broken)["age"].isna()).tolist() == [2]


def test_a_registered_model_of_someone_else_is_refused(promoted, table, tmp_path):
    (tmp_path / "MLmodel").write_text("flavors: {}")
    promoted.client.create_registered_model("theirs")
    promoted.client.create_model_version("theirs", tmp_path.as_uri())
    with pytest.raises(InputError, match="'theirs' is a registered model but no set that fselect promoted"):
        apply(promoted.project, "theirs", table)
