"""The cells that are published with the documentation are those that the code gives."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from fselect.reproductions.cells import CellRun
from fselect.reproductions.contribution.settings import COLUMNS
from fselect.reproductions.contribution.settings import STUDIES as CONTRIBUTION
from fselect.reproductions.papers import get_paper
from fselect.reproductions.survey.cells import compute
from fselect.reproductions.survey.settings import ALGORITHMS, STUDIES

CELLS = Path(__file__).parents[2] / "docs" / "reproductions" / "cells"
PUBLISHED = CELLS / "survey.parquet"
KEPT = ("stopped", "evaluations", "selections")


@pytest.fixture(scope="module")
def published():
    # read where they are: tens of thousands of files would be slow to write, and to delete
    found = {study: {} for study in STUDIES}
    for row in pq.read_table(PUBLISHED).to_pylist():
        found[row["study"]][row["key"]] = json.loads(row["cell"])
    return found


def wanted(study):
    return CellRun(get_paper("survey"), study, Path(), Path(), 10).keyed()


def test_all_cells_are_there_with_ten_runs(published):
    assert {study: set(found) for study, found in published.items()} == {study: set(wanted(study)) for study in STUDIES}
    assert sum(map(len, published.values())) == 34_800


def test_no_search_was_ended_but_one_of_qbb(published):
    rows = [row for found in published.values() for row in found.values()]
    assert [row["column"] for row in rows if row["stopped"] != "complete"] == ["qbb"]


@pytest.mark.parametrize(
    ("algorithm", "study"),
    [(name, "redundance-gmonks-12") for name in ALGORITHMS]
    + [(name, "irrelevance-parity-32") for name in ("relief", "c-sbg", "sffg", "qbb", "w-sfg")],
)
def test_computed_again_a_cell_is_the_published_one(published, algorithm, study):
    # the sixth ratio of the fourth run
    keyed = [(key, cell) for key, cell in wanted(study).items() if cell.column == algorithm and cell.split == 3]
    key, cell = keyed[5]
    found, kept = compute(cell, Path(), Path(), 1), published[study][key]
    assert {name: found[name] for name in KEPT} == {name: kept[name] for name in KEPT}


def test_of_the_contribution_study_all_splits_of_all_columns_are_there():
    rows = pq.read_table(CELLS / "contribution.parquet").to_pylist()
    found = sorted((row["study"], cell["column"], cell["split"]) for row in rows for cell in [json.loads(row["cell"])])
    splits = {study: 3 if settings.given else 10 for study, settings in CONTRIBUTION.items()}
    wanted = [(study, column, split) for study in splits for column in COLUMNS for split in range(splits[study])]
    assert found == sorted(wanted)
