"""Files appear whole or not at all."""

from __future__ import annotations

import os

import pytest

from fselect.errors import InputError
from fselect.files import write_atomically


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing_behind(tmp_path, monkeypatch):
    path = write_atomically(tmp_path / "a.json", b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device; free some space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_under_a_file_is_refused_by_name(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write .*a file is where a folder should be: move it"):
        write_atomically(tmp_path / "file" / "a.json", b"x")
