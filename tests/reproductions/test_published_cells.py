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
def published(tmp_path_factory):
    folder = tmp_path_factory.mktemp("published")
    unpack(PUBLISHED, folder)
    return {study: CellRun(get_paper("survey"), study, Path(), folder, 10).results() for study in STUDIES}


def test_all_cells_are_there_with_ten_runs(published):
    there = {study: len(found.rows) for study, found in published.items()}
    assert there == {study: found.wanted for study, found in published.items()}
    assert sum(there.values()) == 34_800


def test_no_search_was_ended_but_one_of_qbb(published):
    rows = [row for found in published.values() for row in found.rows]
    assert [row["column"] for row in rows if row["stopped"] != "complete"] == ["qbb"]


@pytest.mark.parametrize(
    ("algorithm", "study"),
    [(name, "redundance-gmonks-12") for name in ALGORITHMS]
    + [(name, "irrelevance-parity-32") for name in ("relief", "c-sbg", "sffg", "qbb", "w-sfg")],
)
def test_computed_again_a_cell_is_the_published_one(published, algorithm, study):
    # the sixth ratio of the fourth run
    cell = [one for one in cells(study, 10) if one.column == algorithm and one.split == 3][5]
    ratio = json.loads(cell.parameters)["ratio"]
    rows = published[study].of(algorithm)
    (kept,) = [row for row in rows if row["split"] == 3 and row["ratio"] == ratio]
    found = compute(cell, Path(), Path(), 1)
    assert {name: found[name] for name in KEPT} == {name: kept[name] for name in KEPT}
