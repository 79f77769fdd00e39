"""Record files that a killed DVC left half-written, in a repository made for the test."""

import subprocess

import pytest

from fselect.errors import InputError
from fselect.versioning import dvc_add, dvc_hash, run_dvc
from fselect.versioning.kept import keep_records, mend_records, read_record

BROKEN = ["", "outs:\n- md5: 12", "outs: [", "- a\n"]


@pytest.fixture
def repository(tmp_path):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    run_dvc(["init", "--quiet"], tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    return tmp_path


def test_a_half_written_record_of_a_file_is_made_again_when_the_file_is_added(repository):
    dvc_add(["a.csv"], repository)
    recorded = (repository / "a.csv.dvc").read_text()
    for half in ("", recorded[:20]):
        (repository / "a.csv.dvc").write_text(half)
        dvc_add(["a.csv"], repository)
        assert (repository / "a.csv.dvc").read_text() == recorded


@pytest.mark.parametrize("half", BROKEN)
def test_a_broken_record_is_read_and_restored_from_its_copy(repository, half):
    file = repository / "dvc.lock"
    file.write_text("schema: '2.0'\nstages: {}\n")
    keep_records([file])
    file.write_text(half)
    keep_records([file])  # a broken one does not take the place of a whole one
    assert read_record(file) == {"schema": "2.0", "stages": {}}
    assert mend_records([file])
    assert file.read_text() == "schema: '2.0'\nstages: {}\n"
    assert not mend_records([file])


def test_a_broken_lock_without_a_copy_is_told_and_kept(repository):
    (repository / "dvc.lock").write_text("")
    with pytest.raises(InputError, match=r"dvc.lock cannot be read; restore it from git"):
        dvc_hash("a.csv", repository)
    assert not mend_records([repository / "dvc.lock"])
    assert (repository / "dvc.lock").exists()


def test_outside_a_dvc_project_nothing_is_kept(tmp_path):
    (tmp_path / "dvc.lock").write_text("schema: '2.0'\n")
    keep_records([tmp_path / "dvc.lock"])
    assert [file.name for file in tmp_path.iterdir()] == ["dvc.lock"]
