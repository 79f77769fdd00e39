"""Where a study's tables are looked for, and where DVC sees them change."""

from __future__ import annotations

import pytest

from fselect.errors import InputError
from fselect.stages import make_tables
from fselect.study.config import parse_config
from fselect.study.project import Project
from tests.studies import SINGLE, TRANSFER, changed


def project_with(tmp_path, values, **sections):
    return Project(tmp_path, parse_config(changed(values, **sections)))


def test_a_bundled_table_is_put_into_the_folder_that_is_versioned(tmp_path):
    paths = make_tables(project_with(tmp_path, TRANSFER), versioned=True)
    assert paths == [tmp_path / "data" / "tables" / "wine.parquet"]
    assert paths[0].is_file()


def test_its_bytes_are_the_same_each_time(tmp_path):
    first = make_tables(project_with(tmp_path / "a", TRANSFER))[0].read_bytes()
    assert make_tables(project_with(tmp_path / "b", TRANSFER))[0].read_bytes() == first


def test_a_table_outside_that_folder_is_refused_where_versions_are_kept(tmp_path):
    (tmp_path / "mine.csv").write_text("a,target\n1,x\n")
    project = project_with(tmp_path, TRANSFER, tasks={"table": "mine.csv"})
    assert make_tables(project) == [tmp_path / "mine.csv"]
    with pytest.raises(InputError, match=r"mine\.csv lies outside"):
        make_tables(project, versioned=True)


def test_a_prior_outside_that_folder_is_refused_too(tmp_path):
    project = project_with(tmp_path, SINGLE, selection={"prior": {"file": "known.txt"}})
    with pytest.raises(InputError, match=r"known\.txt lies outside"):
        make_tables(project, versioned=True)


def test_a_folder_and_a_link_that_leads_nowhere_are_told_as_such(tmp_path):
    (tmp_path / "there.csv").mkdir()
    with pytest.raises(InputError, match=r"there\.csv is a folder; name a table"):
        make_tables(project_with(tmp_path, TRANSFER, tasks={"table": "there.csv"}))
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    with pytest.raises(InputError, match=r"gone\.csv leads to nowhere\.csv, which is not there"):
        make_tables(project_with(tmp_path, TRANSFER, tasks={"table": "gone.csv"}))


def test_a_missing_table_is_told_with_the_places_and_the_bundled_names(tmp_path):
    project = project_with(tmp_path, TRANSFER, tasks={"table": "none.csv"})
    with pytest.raises(InputError, match=r"no table 'none\.csv'.*breast_cancer"):
        make_tables(project)
