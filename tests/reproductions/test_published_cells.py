"""The cells that are published with the documentation are those that the code gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fselect.reproductions.cells import CellRun
from fselect.reproductions.packed import unpack
from fselect.reproductions.papers import get_paper
from fselect.reproductions.survey_cells import cells, compute
from fselect.reproductions.survey_settings import ALGORITHMS

PUBLISHED = Path(__file__).parents[2] / "docs" / "reproductions" / "cells" / "survey.parquet"
KEPT = ("stopped", "evaluations", "selections")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("published")
    unpack(PUBLISHED, folder)
    return folder


def results(folder, study):
    return CellRun(get_paper("survey"), study, Path(), folder, 10).results()


def test_all_cells_of_the_six_smaller_problems_are_there(folder):
    for group in ("irrelevance", "redundance", "sample-size"):
        for problem in ("parity-4", "parity-8", "disjunction-5", "disjunction-10", "gmonks-6", "gmonks-12"):
            found = results(folder, f"{group}-{problem}")
            assert len(found.rows) == found.wanted


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_computed_again_a_cell_is_the_published_one(folder, algorithm):
    # the sixth ratio of the fourth run, of a problem of the second size
    study = "redundance-gmonks-12"
    cell = [one for one in cells(study, 10) if one.column == algorithm and one.split == 3][5]
    ratio = json.loads(cell.parameters)["ratio"]
    rows = results(folder, study).of(algorithm)
    (published,) = [row for row in rows if row["split"] == 3 and row["ratio"] == ratio]
    found = compute(cell, Path(), Path(), 1)
    assert {name: found[name] for name in KEPT} == {name: published[name] for name in KEPT}
