"""The page on notebooks gives what it says, block after block, in an empty folder."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "notebook.md"


def test_the_blocks_give_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 50, "the examples were not found"
    assert found.failed == 0, capsys.readouterr().out


def test_a_second_run_in_the_same_folder_computes_no_unit_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stamps = []
    for _ in range(2):
        assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
        stamps.append({file: file.stat().st_mtime_ns for file in Path("relapse/store").rglob("*") if file.is_file()})
    assert len(stamps[0]) > 0
    assert stamps[1] == stamps[0]
