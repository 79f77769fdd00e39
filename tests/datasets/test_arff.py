"""ARFF files, dense and sparse, against scipy's reader and the format's own rules."""

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff as scipy_arff

from fselect.datasets import read_table
from fselect.datasets.arff import read_arff
from fselect.errors import InputError

DENSE = """% a comment
@RELATION weather
@ATTRIBUTE 'air temperature' REAL
@attribute humidity numeric
@attribute "the \\"wind\\"" {strong, 'very weak'}
@attribute note string
@attribute play {yes,no}

@DATA
% another one
20.5, 80, strong, 'a, b', yes
1e1,?,'very weak',"it's",no

?,70 , strong , plain ,yes
"""


def written(folder, text, name="t.arff"):
    (folder / name).write_text(text)
    return folder / name


def test_a_dense_file_gives_numbers_categories_and_texts(tmp_path):
    frame = read_arff(written(tmp_path, DENSE))
    assert list(frame.columns) == ["air temperature", "humidity", 'the "wind"', "note", "play"]
    assert frame["air temperature"].tolist()[:2] == [20.5, 10.0]
    assert frame["air temperature"].isna().tolist() == [False, False, True]
    assert frame['the "wind"'].tolist() == ["strong", "very weak", "strong"]
    assert frame["note"].tolist() == ["a, b", "it's", "plain"]
    assert frame["play"].cat.categories.tolist() == ["yes", "no"]


def test_numbers_and_categories_agree_with_scipy(tmp_path):
    rng = np.random.default_rng(1)
    rows = [f"{a!r},{b!r},{c}" for a, b, c in zip(*rng.normal(size=(2, 50)).tolist(), "uv" * 25, strict=True)]
    head = "@relation r\n@attribute a real\n@attribute b numeric\n@attribute c {u,v}\n@data\n"
    path = written(tmp_path, head + "\n".join(rows))
    theirs = pd.DataFrame(scipy_arff.loadarff(path)[0])
    ours = read_arff(path)
    assert np.array_equal(ours[["a", "b"]], theirs[["a", "b"]])
    assert ours["c"].tolist() == [label.decode() for label in theirs["c"]]


def test_a_sparse_row_means_zero_and_the_first_level_where_it_is_silent(tmp_path):
    head = "@relation r\n@attribute a real\n@attribute b {none,'some thing'}\n@attribute c {x,y}\n@data\n"
    frame = read_arff(written(tmp_path, head + "{0 3.5, 2 y}\n{1 'some thing'}\n{ }\n"))
    assert frame["a"].tolist() == [3.5, 0.0, 0.0]
    assert frame["b"].tolist() == ["none", "some thing", "none"]
    assert frame["c"].tolist() == ["y", "x", "x"]


def test_a_table_comes_out_with_its_labels_as_text(tmp_path):
    rows = "".join(f"{i},{i * i},{'u' if i % 2 else 'v'}\n" for i in range(6))
    head = "@relation r\n@attribute a real\n@attribute b real\n@attribute class {u,v}\n@data\n"
    data = read_table(written(tmp_path, head + rows), "class")
    assert data.classes.tolist() == ["u", "v"]
    assert data.n_features == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@relation r\n@attribute a real\n1\n", "no @data line"),
        ("@attribute a real\n@attribute b real\n@data\n1,2\n1\n", "line 5 has 1 values for 2 attributes"),
        ("@attribute a real\n@data\n1\nx\n", "column 'a' holds 'x' in row 2 but is declared numeric"),
        ("@attribute a {u,v}\n@data\nu\nw\n", "column 'a' holds 'w' in row 2, which is not among"),
        ("@attribute a relational\n@data\n1\n", "'a' has the type 'relational', which is not supported"),
        ("@attribute a\n@data\n1\n", "cannot read the attribute line"),
        ("@attribute a real\n@data\n{7 1}\n", "line 3 cannot be read"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_arff(written(tmp_path, text))
