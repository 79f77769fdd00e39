"""A new table is held against the schema of the earlier ones, and the sentence names all that differs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import read_table
from fselect.datasets.columns import Table
from fselect.datasets.options import DataOptions
from fselect.datasets.preparation import prepare
from fselect.datasets.schema import Schema, schema_of
from fselect.datasets.task_files import read_schema, write_tasks
from fselect.errors import InputError

ONEHOT = DataOptions(nominal="onehot")


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "age": [30.0, 40, 50, 60, 35, 45],
            "sex": list("fmfmfm"),
            "stage": ["I", "II", "III"] * 2,
            "ill": ["yes", "no"] * 3,
        }
    )


@pytest.fixture
def schema(frame):
    return schema_of(read_table(frame, "ill", options=ONEHOT))


def against(frame, schema, options=ONEHOT):
    return prepare([Table(frame, "june.csv", "june")], "ill", options, schema=schema)[0]


def test_the_schema_is_that_of_the_file_and_not_of_the_encoded_columns(schema):
    expected = Schema("ill", ("age", "sex", "stage"), {"sex": ("f", "m"), "stage": ("I", "II", "III")}, ("no", "yes"))
    assert schema == expected


def test_it_is_told_from_written_tasks_without_reading_their_values(frame, schema, tmp_path):
    write_tasks([read_table(frame, "ill", options=ONEHOT)], tmp_path)
    assert read_schema(tmp_path) == schema


def test_reordered_columns_and_fewer_levels_give_the_columns_of_before(frame, schema):
    before = read_table(frame, "ill", options=ONEHOT)
    fewer = frame.assign(stage=["I", "II"] * 3)[["ill", "stage", "sex", "age"]]
    task = against(fewer, schema)
    assert task.names == before.names
    assert np.array_equal(task.X[:, task.names.index("stage=III")], np.zeros(6))
    assert np.array_equal(task.X[:, task.names.index("stage=II")], [0, 1, 0, 1, 0, 1])


def test_one_sex_alone_keeps_its_number(frame, schema):
    assert against(frame.assign(sex="m"), schema).X[:, 1].tolist() == [1.0] * 6


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda f: f.drop(columns="age"), "it lacks column 'age'"),
        (lambda f: f.assign(bmi=1.0), "it has column 'bmi' besides"),
        (lambda f: f.rename(columns={"age": "Age"}), "it lacks column 'age', and has column 'Age' besides"),
        (lambda f: f.assign(age=list("abcdef")), "holds text in column 'age', where they hold numbers"),
        (lambda f: f.assign(stage=[1, 2, 3] * 2), "holds numbers in column 'stage', where they hold text"),
        (lambda f: f.assign(stage=["I", "V", "VI"] * 2), "holds 'V', 'VI' in column 'stage', which they never do"),
        (
            lambda f: f.assign(ill=["yes", "maybe"] * 3),
            "classes 'maybe', 'yes', but the earlier tasks have 'no', 'yes'",
        ),
        (lambda f: f.rename(columns={"ill": "sick"}), "no target column 'ill'"),
    ],
)
def test_what_differs_is_named(frame, schema, change, sentence):
    with pytest.raises(InputError) as told:
        against(change(frame), schema)
    assert sentence in str(told.value)
    assert "june.csv" in str(told.value)


def test_a_missing_text_does_not_become_a_level_that_nobody_knows(frame, schema):
    gaps = frame.assign(stage=["I", None, "III"] * 2)
    with pytest.raises(InputError, match="holds 'missing' in column 'stage', which they never do"):
        against(gaps, schema, DataOptions(nominal="onehot", missing="category"))


def test_thousands_of_missing_columns_stay_a_sentence(schema):
    wide = Schema("ill", tuple(f"g{i}" for i in range(12600)), {}, schema.classes)
    frame = pd.DataFrame({"g0": [1.0, 2, 3, 4], "ill": ["no", "yes"] * 2})
    with pytest.raises(InputError, match="12599 in all") as told:
        against(frame, wide)
    assert len(str(told.value)) < 300
