"""Finished cells in one file."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fselect.errors import InputError
from fselect.reproductions.packed import pack, unpack
from tests.cli.conftest import fselect

__all__ = ["fselect"]

SLICE = ["--slice", "families=parity n_relevant=4 algorithms=c-sbg,relief ratios=0,1 runs=2"]


def write(file, rows):
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file


def test_packed_cells_are_gone_on_from_in_another_folder(fselect, tmp_path):
    first = fselect("reproduce", "survey", *SLICE, "-o", "one", "--pack", "cells.parquet")
    kept = {path.name: path.read_text() for path in (tmp_path / "one" / ".fselect" / "cells").rglob("*.json")}
    assert f"{len(kept)} cells packed into cells.parquet" in first.err
    again = fselect("reproduce", "survey", *SLICE, "-o", "two", "--from", "cells.parquet")
    assert f"{len(kept)} finished cells taken from cells.parquet" in again.err
    assert "0 cells to go" in again.err
    found = {path.name: path.read_text() for path in (tmp_path / "two" / ".fselect" / "cells").rglob("*.json")}
    assert found == kept
    assert (tmp_path / "two" / "report.md").read_text() == (tmp_path / "one" / "report.md").read_text()


def test_what_is_there_already_stays(tmp_path):
    cell = json.dumps({"column": "lvf", "split": 0, "seconds": 1.0})
    file = write(tmp_path / "cells.parquet", [{"study": "a", "key": "0f", "cell": cell}])
    assert unpack(file, tmp_path) == 1
    path = tmp_path / ".fselect" / "cells" / "a" / "0f.json"
    path.write_text("mine")
    assert unpack(file, tmp_path) == 0
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "row",
    [
        {"study": "../../x", "key": "0f", "cell": "{}"},
        {"study": "a", "key": "../x", "cell": "{}"},
        {"study": "a", "key": "0f", "cell": "{"},
        {"study": "a", "key": "0f", "cell": '{"column": "lvf"}'},
        {"study": "a", "key": "0f", "cell": None},
        {"study": "a", "key": "0f"},
    ],
)
def test_other_files_are_refused_and_lead_nowhere(tmp_path, row):
    file = write(tmp_path / "cells.parquet", [row])
    with pytest.raises(InputError, match="give a file that --pack wrote"):
        unpack(file, tmp_path / "inner")
    assert list(tmp_path.rglob("*.json")) == []


def test_a_file_that_is_none_or_a_folder_without_cells_is_told_in_a_sentence(tmp_path):
    (tmp_path / "text").write_text("no parquet")
    for file in (tmp_path / "text", tmp_path / "missing"):
        with pytest.raises(InputError, match="cannot be read as packed cells"):
            unpack(file, tmp_path)
    with pytest.raises(InputError, match="holds no finished cells to pack"):
        pack(tmp_path, tmp_path / "cells.parquet")


def test_a_paper_of_units_has_no_cells(fselect, tmp_path):
    answer = fselect("reproduce", "hamer-dupont", "--data", ".", "--pack", "x.parquet")
    assert answer.code == 2
    assert "hamer-dupont is made of units, not of cells; leave out --from and --pack" in answer.err
