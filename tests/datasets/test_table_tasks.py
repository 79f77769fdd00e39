"""Real tasks: a table each, or one table cut by a column; columns and classes must agree."""

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import tasks_from_column, tasks_from_tables
from fselect.errors import InputError

Y = ["u", "v", "u", "v"]
MAY = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, 0.25, 1.5, 2], "y": Y})
JUNE = pd.DataFrame({"y": Y, "b": [9, 8, 7, 6], "a": [4, 3, 2, 1]})


def written(folder, **frames):
    paths = []
    for name, frame in frames.items():
        paths.append(folder / f"{name}.csv")
        frame.to_csv(paths[-1], index=False)
    return paths


def test_tables_become_tasks_in_the_order_given_with_the_columns_of_the_first(tmp_path):
    tasks = tasks_from_tables(written(tmp_path, may=MAY, june=JUNE), "y")
    assert [task.name for task in tasks] == ["may", "june"]
    assert all(task.names == ("a", "b") for task in tasks)
    assert tasks[1].X.tolist() == [[4, 9], [3, 8], [2, 7], [1, 6]]
    assert tasks[1].recipe["source"] == "june.csv"
    assert tasks[1].recipe["reordered"] is True


def test_text_levels_mean_the_same_in_every_task():
    one = MAY.assign(s=["f", "f", "f", "f"])
    two = MAY.assign(s=["m", "f", "m", "f"])
    tasks = tasks_from_tables([one, two], "y")
    assert [task.X[:, 2].tolist() for task in tasks] == [[0, 0, 0, 0], [1, 0, 1, 0]]
    three = MAY.assign(s=["x", "f", "x", "f"])
    with pytest.raises(InputError, match=r"the tables: column 's' holds 3 different texts"):
        tasks_from_tables([two, three], "y")
    hot = tasks_from_tables([two, three], "y", nominal="onehot")
    assert hot[0].names == hot[1].names == ("a", "b", "s=f", "s=m", "s=x")


def test_a_column_without_values_in_one_table_takes_the_kind_it_has_in_the_others():
    one = MAY.assign(s=[np.nan] * 4)
    two = MAY.assign(s=["m", "f", "m", "f"])
    tasks = tasks_from_tables([one, two], "y", missing="keep")
    assert np.isnan(tasks[0].X[:, 2]).all()
    assert tasks[0].kinds == tasks[1].kinds == ("numeric", "numeric", "nominal")


def test_each_task_is_imputed_from_itself_alone():
    one, two = MAY.assign(a=[1, np.nan, 3, 5]), MAY.assign(a=[100, np.nan, 300, 500])
    tasks = tasks_from_tables([one, two], "y", missing="impute")
    assert [task.X[1, 0] for task in tasks] == [3, 300]


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (MAY.drop(columns="b"), "columns of june.csv differ from those of may.csv: june.csv lacks 'b'"),
        (MAY.assign(c=1), "june.csv has 'c' besides"),
        (MAY.rename(columns={"b": "c"}), "june.csv lacks 'b' and has 'c' besides"),
        (MAY.assign(y=["u", "w", "u", "w"]), "june.csv has the classes 'u', 'w', but may.csv has 'u', 'v'"),
        (MAY.assign(y=[0, 1, 0, 1]), "june.csv has the classes 0, 1, but may.csv has 'u', 'v'"),
        (MAY.assign(b=["p", "q", "p", "q"]), "'b' holds text in june.csv but numbers in may.csv"),
        (MAY.rename(columns={"y": "z"}), "june.csv has no target column 'y'"),
        (MAY.assign(b=["1", "2", "x", "4"]), "june.csv: numeric column 'b' holds the text 'x' in row 3"),
        (MAY.iloc[:2], "june.csv has 2 rows"),
    ],
)
def test_tables_that_do_not_fit_are_refused_by_name(tmp_path, second, sentence):
    with pytest.raises(InputError, match=sentence):
        tasks_from_tables(written(tmp_path, may=MAY, june=second), "y")


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("x", "z"):
        (tmp_path / folder).mkdir()
        MAY.to_csv(tmp_path / folder / "t.csv", index=False)
    tasks = tasks_from_tables([tmp_path / "x" / "t.csv", tmp_path / "z" / "t.csv"], "y")
    assert [task.name for task in tasks] == ["x-t", "z-t"]
    with pytest.raises(InputError, match=r"as many different names.*; rename a file"):
        tasks_from_tables([tmp_path / "x" / "t.csv", tmp_path / "x" / "t.csv"], "y")


@pytest.mark.parametrize("sources", [[MAY], [], MAY, "may.csv"])
def test_one_table_makes_no_tasks(sources):
    with pytest.raises(InputError, match="tasks need two tables or more"):
        tasks_from_tables(sources, "y")


BATCHES = pd.DataFrame(
    {
        "batch": ["b2"] * 4 + ["b1"] * 4 + ["b3"] * 4,
        "a": range(12),
        "y": Y * 3,
    }
)


def test_a_column_cuts_a_table_in_order_of_first_appearance():
    tasks = tasks_from_column(BATCHES, "batch", "y", name="t")
    assert [task.name for task in tasks] == ["t-b2", "t-b1", "t-b3"]
    assert [task.X.ravel().tolist() for task in tasks] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert tasks[0].names == ("a",)
    assert tasks[0].recipe["task_column"] == "batch"


def test_rows_of_a_task_need_not_lie_together():
    mixed = BATCHES.assign(batch=["p", "p", "q", "q"] * 3)
    assert tasks_from_column(mixed, "batch", "y")[1].X.ravel().tolist() == [2, 3, 6, 7, 10, 11]


@pytest.mark.parametrize(
    ("values", "order", "names"),
    [
        ([1.0, 2.0], [2, 1], ["data-2", "data-1"]),
        ([2021, 2020], None, ["data-2021", "data-2020"]),
        (pd.to_datetime(["2021-05-01", "2020-05-01"]), None, ["data-2021-05-01", "data-2020-05-01"]),
        ([True, False], [False, True], ["data-False", "data-True"]),
    ],
)
def test_values_of_any_kind_name_the_tasks(values, order, names):
    frame = pd.DataFrame({"t": np.repeat(np.asarray(values), 4), "a": range(8), "y": Y * 2})
    assert [task.name for task in tasks_from_column(frame, "t", "y", order=order)] == names


@pytest.mark.parametrize(
    ("frame", "words", "sentence"),
    [
        (BATCHES, {"column": "bach"}, "has no task column 'bach'; did you mean 'batch'"),
        (BATCHES, {"column": "y"}, "both the task column and the target"),
        (BATCHES, {"order": ["b1", "b2"]}, r"leaves out 'b3'; name every value once"),
        (BATCHES, {"order": ["b1", "b2", "b3", "b4"]}, "has no value 'b4'; there are 'b2', 'b1', 'b3'"),
        (BATCHES, {"order": ["b1", "b2", "b3", "b1"]}, "names a value twice"),
        (BATCHES.assign(batch="b1"), {}, r"holds one value only \('b1'\)"),
        (BATCHES.assign(batch=[None] + ["b"] * 11), {}, "'batch' is empty in row 1"),
        (BATCHES.iloc[:-2], {}, "the table, batch b3 has 2 rows"),
        (BATCHES.assign(y=Y * 2 + ["u", "u", "u", "v"]), {}, r"batch b3: class 'v' has a single row \(row 12\)"),
        (BATCHES.assign(a=[*range(11), np.nan]), {}, "batch b3: column 'a' has no value in row 12"),
        (BATCHES.assign(y=Y * 2 + ["u"] * 4), {}, "batch b3: the target holds one class only"),
        (BATCHES, {"target": "Y"}, "has no target column 'Y'"),
    ],
)
def test_a_cut_that_cannot_be_made_is_refused_with_the_rows_of_the_whole_table(frame, words, sentence):
    with pytest.raises(InputError, match=sentence):
        tasks_from_column(frame, **{"column": "batch", "target": "y", **words})
