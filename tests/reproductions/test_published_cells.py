"""The cells that are published with the documentation are those that the code gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fselect.reproductions.cells import CellRun
from fselect.reproductions.packed import unpack
from fselect.reproductions.papers import get_paper
from fselect.reproductions.survey_cells import cells, compute
from fselect.reproductions.survey_settings import ALGORITHMS, STUDIES

PUBLISHED = Path(__file__).parents[2] / "docs" / "reproductions" / "cells" / "survey.parquet"
KEPT = ("stopped", "evaluations", "selections")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("published")
    unpack(PUBLISHED, folder)
    return folder


def results(folder, study):
    return CellRun(get_paper("survey"), study, Path(), folder, 10).results()


def test_all_cells_are_there_with_ten_runs(folder):
    found = {name: results(folder, name) for name in STUDIES}
    assert {name: len(one.rows) for name, one in found.items()} == {name: one.wanted for name, one in found.items()}
    assert sum(one.wanted for one in found.values()) == 34_800


def test_no_search_was_ended_but_one_of_qbb(folder):
    ended = [row["column"] for name in STUDIES for row in results(folder, name).rows if row["stopped"] != "complete"]
    assert ended == ["qbb"]


@pytest.mark.parametrize(
    ("algorithm", "study"),
    [(name, "redundance-gmonks-12") for name in ALGORITHMS]
    + [(name, "irrelevance-parity-32") for name in ("relief", "c-sbg", "sffg", "qbb", "w-sfg")],
)
def test_computed_again_a_cell_is_the_published_one(folder, algorithm, study):
    # the sixth ratio of the fourth run
    cell = [one for one in cells(study, 10) if one.column == algorithm and one.split == 3][5]
    ratio = json.loads(cell.parameters)["ratio"]
    rows = results(folder, study).of(algorithm)
    (published,) = [row for row in rows if row["split"] == 3 and row["ratio"] == ratio]
    found = compute(cell, Path(), Path(), 1)
    assert {name: found[name] for name in KEPT} == {name: published[name] for name in KEPT}
