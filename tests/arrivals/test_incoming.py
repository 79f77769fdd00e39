"""A file is read when it is whole: not while it grows, not when it ends in the middle, and what is read is a copy."""

from __future__ import annotations

import os
import threading
import time

import pandas as pd
import pytest

from fselect.arrivals.files import find
from fselect.arrivals.incoming import UnsettledError, check_complete, look, snapshot
from fselect.arrivals.task import plain_name
from fselect.errors import InputError
from fselect.study.project import open_project
from tests.flows.arrivals import STUDY, cohort
from tests.flows.projects import write_params


def old(path, seconds=3600.0):
    moment = time.time() - seconds
    os.utime(path, (moment, moment))
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "may.csv"
    path.write_text("a,y\n1,0\n2,1\n")
    return path


def test_a_file_that_grows_is_left_for_later_and_taken_when_it_has_settled(table, tmp_path):
    stop = threading.Event()

    def grow():
        while not stop.wait(0.02):
            with table.open("a") as file:
                file.write("3,0\n")

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        assert look(tmp_path, 0.3).later == (table,)
    finally:
        stop.set()
        writer.join()
    assert look(tmp_path, 0.3).ready == (table,)


def test_an_old_file_is_not_waited_for(table, tmp_path):
    old(table)
    started = time.monotonic()
    assert look(tmp_path, 30).ready == (table,)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("seconds", [-86400 * 365, 86400 * 365], ids=["a year ahead", "a year ago"])
def test_a_clock_that_jumps_keeps_no_file_from_being_taken(table, tmp_path, seconds):
    old(table, seconds)
    assert look(tmp_path, 0.05).ready == (table,)


@pytest.mark.parametrize(
    "name", ["may.csv.part", ".may.csv", "may.csv.tmp", "may.pdf", "notes", "may.csv~"], ids=lambda name: name
)
def test_what_is_no_finished_table_is_passed_over(tmp_path, name):
    (tmp_path / name).write_text("a,y\n1,0\n")
    assert look(tmp_path, 0).ready == ()


def test_a_link_out_of_the_folder_is_not_followed(table, tmp_path):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "link.csv").symlink_to(table)
    assert look(inbox, 0).ready == ()


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"arrivals\.folder"):
        look(tmp_path / "gone", 0)


def test_the_copy_is_the_file_and_is_removed_after(table, tmp_path):
    with snapshot(table, tmp_path / "state") as copy:
        table.write_text("something else")
        assert copy.read_text() == "a,y\n1,0\n2,1\n"
        assert copy.name == "may.csv"
    assert not copy.exists()


def test_a_file_that_changes_while_it_is_copied_is_for_later(table, tmp_path, monkeypatch):
    import shutil

    original = shutil.copyfile

    def copy_and_append(source, place):
        made = original(source, place)
        with open(source, "a") as file:
            file.write("3,1\n")
        return made

    monkeypatch.setattr(shutil, "copyfile", copy_and_append)
    with pytest.raises(UnsettledError, match="changed while it was read"), snapshot(table, tmp_path / "s"):
        pass
    assert list((tmp_path / "s").iterdir()) == []


def test_text_that_ends_in_the_middle_of_a_line_may_be_half_copied(table):
    check_complete(table)
    table.write_text("a,y\n1,0\n2,")
    with pytest.raises(UnsettledError, match="half copied"):
        check_complete(table)


@pytest.fixture
def project(tmp_path):
    write_params(tmp_path, STUDY | {"arrivals": {"settle": 0, "grace": 600}})
    (tmp_path / "data" / "inbox").mkdir(parents=True)
    return open_project(tmp_path)


@pytest.mark.parametrize("cut", [0.3, 0.5, 0.9])
def test_a_half_copied_parquet_file_is_for_later_first_and_refused_when_it_stays_so(project, cut):
    whole = project.root / "whole.parquet"
    cohort(1).to_parquet(whole)
    half = project.root / "data" / "inbox" / "half.parquet"
    half.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * cut)])
    error = _reading(project)
    assert _found(project).failed(error)[0] == "later"
    old(half)
    outcome, sentence = _found(project).failed(_reading(project))
    assert outcome == "refused"
    assert "half.parquet" in sentence
    assert _found(project).told == ("known", "it was refused before and has not changed")
    half.write_bytes(whole.read_bytes())
    assert _found(project).told is None


def _found(project):
    (found,) = find(project, None, None)
    return found


def _reading(project):
    from fselect.arrivals.task import Ledger, read

    found = _found(project)
    with found.opened() as (file, _), pytest.raises(InputError) as told, found.reading():
        read(project, file, Ledger((), (), None, None))
    return told.value


def test_what_is_not_the_tables_fault_is_tried_again(project, monkeypatch):
    put = project.root / "data" / "inbox" / "may.csv"
    cohort(1).to_csv(put, index=False)
    old(put)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    found = _found(project)
    with pytest.raises(InputError, match="No space left") as told, found.opened():
        pass
    assert found.failed(told.value)[0] == "failed"
    assert _found(project).told is None


def test_too_large_a_file_is_refused_before_it_is_copied(project):
    from dataclasses import replace

    put = project.root / "data" / "inbox" / "may.csv"
    cohort(1).to_csv(put, index=False)
    old(put)
    limits = project.config.limits.model_copy(update={"bytes": 100})
    small = replace(project, config=project.config.model_copy(update={"limits": limits}))
    (found,) = find(small, None, None)
    with pytest.raises(InputError, match="more than 100 bytes") as told:
        found.check()
    assert found.failed(told.value)[0] == "refused"


def test_a_named_file_is_read_at_once_and_one_that_is_not_there_is_told(project):
    put = project.root / "x.csv"
    pd.DataFrame({"a": [1], "ill": ["y"]}).to_csv(put, index=False)
    (found,) = find(project, "x.csv", None)
    assert found.told is None
    with pytest.raises(InputError, match="there is no file"):
        find(project, "y.csv", None)


@pytest.mark.parametrize(
    "name",
    ["../../x", "<script>alert(1)</script>", "a/b", "a\\b", ".", "..", "", "ä ö", "x" * 500, "a\nb", "-rf", "con.csv"],
)
def test_no_name_becomes_a_path(name):
    made = plain_name(name)
    assert made == os.path.basename(made)
    assert made not in ("", ".", "..")
    assert made.isascii()
    assert made.replace("-", "").replace("_", "").isalnum()
    assert not made.startswith("-")
    assert len(made) <= 49


def test_names_that_look_alike_stay_apart():
    assert len({plain_name(name) for name in ("a/b", "a-b", "a b", "a\\b")}) == 4
