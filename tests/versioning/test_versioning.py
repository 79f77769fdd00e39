"""Content hashes, git, and the dvc command in a repository made for the test."""

import hashlib
import subprocess
import sys
import time
from importlib.util import find_spec
from threading import Thread

import pytest

from fselect.errors import InputError, MissingExtra
from fselect.versioning import command, content_hash, dvc_add, dvc_commit, dvc_hash, dvc_root, git_commit, run_dvc


def git(folder, *words):
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "--quiet")
    run_dvc(["init", "--quiet"], root)
    run_dvc(["config", "core.analytics", "false"], root)
    (root / "data" / "tables").mkdir(parents=True)
    (root / "data" / "tables" / "a.csv").write_text("a,b\n1,2\n")
    (root / "alone.csv").write_text("x,y\n1,2\n")
    dvc_add(["alone.csv", root / "data" / "tables"], root)
    stage = "stages:\n  copy:\n    cmd: echo made > out.txt\n    deps: [alone.csv]\n    outs: [out.txt]\n"
    (root / "dvc.yaml").write_text(stage)
    return root


def md5(path):
    return hashlib.md5(path.read_bytes()).hexdigest()


def test_the_hash_of_a_file_is_that_of_its_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert content_hash(tmp_path / "a") == hashlib.blake2b(b"x" * 3_000_000, digest_size=16).hexdigest()


def test_the_hash_of_a_folder_changes_with_names_and_contents_only(tmp_path):
    def folder(name, files):
        for path, text in files.items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return content_hash(tmp_path / name)

    base = folder("one", {"a": "1", "s/b": "2"})
    assert folder("two", {"s/b": "2", "a": "1"}) == base
    others = [{"a": "1", "s/c": "2"}, {"a": "1", "s/b": "3"}, {"a": "1"}, {"a": "12", "s/b": ""}]
    assert len({base, *(folder(f"n{i}", files) for i, files in enumerate(others))}) == 5


def test_the_hash_of_nothing_is_an_error(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        content_hash(tmp_path / "gone")


def test_the_commit_is_that_of_git_and_dirty_after_a_change(tmp_path):
    assert git_commit(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert git_commit(tmp_path) is None  # before the first commit
    (tmp_path / "a").write_text("1")
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert git_commit(tmp_path) == head.stdout.strip()
    (tmp_path / "new").write_text("untracked")
    assert git_commit(tmp_path) == head.stdout.strip()
    (tmp_path / "a").write_text("2")
    assert git_commit(tmp_path) == head.stdout.strip() + "-dirty"


def test_without_git_there_is_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_commit(tmp_path) is None


def test_the_root_is_the_nearest_parent_with_dvc(repository, tmp_path):
    assert dvc_root(repository / "data" / "tables") == repository
    assert dvc_root(tmp_path) is None


def test_an_added_file_has_the_md5_of_its_bytes(repository):
    assert dvc_hash("alone.csv", repository) == md5(repository / "alone.csv")
    assert dvc_hash(repository / "alone.csv", repository / "data") == md5(repository / "alone.csv")


def test_a_file_inside_a_tracked_folder_has_the_folders_hash(repository):
    folder = dvc_hash("data/tables", repository)
    assert folder.endswith(".dir")
    assert dvc_hash("data/tables/a.csv", repository) == folder


def test_what_dvc_does_not_track_has_no_hash(repository, tmp_path):
    assert dvc_hash("dvc.yaml", repository) is None
    assert dvc_hash("data", repository) is None
    assert dvc_hash("a.csv", tmp_path) is None


def test_outputs_made_outside_dvc_are_recorded_by_a_commit(repository):
    (repository / "out.txt").write_text("made\n")
    assert dvc_hash("out.txt", repository) is None
    dvc_commit(["copy"], repository)
    assert dvc_hash("out.txt", repository) == md5(repository / "out.txt")
    assert "up to date" in run_dvc(["status"], repository).stdout


def test_a_failure_is_one_sentence_with_dvcs_own_reason(repository, tmp_path):
    with pytest.raises(InputError, match=r"dvc add --no-relink gone.csv failed: .*gone.csv.* does not exist") as caught:
        dvc_add(["gone.csv"], repository)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="not inside of a DVC repository"):
        dvc_add(["a"], tmp_path)


def test_without_dvc_the_sentence_says_which_extra_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "dvc" else find_spec(name))
    with pytest.raises(MissingExtra, match=r"fselect-pipeline\[pipeline\]"):
        run_dvc(["status"], tmp_path)


def fake_dvc(folder, monkeypatch, script):
    """Put a module called dvc where ``python -m dvc`` finds it first."""
    (folder / "dvc.py").write_text(script)
    monkeypatch.setenv("PYTHONPATH", str(folder))


BUSY = """
import pathlib, sys
if pathlib.Path("free").exists():
    print("done")
else:
    pathlib.Path("tried").touch()
    sys.exit("ERROR: Unable to acquire lock. Most likely another DVC process is running or was terminated abruptly.")
"""


def test_a_busy_dvc_is_waited_for(tmp_path, monkeypatch):
    fake_dvc(tmp_path, monkeypatch, BUSY)

    def release():
        while not (tmp_path / "tried").exists():
            time.sleep(0.01)
        (tmp_path / "free").touch()

    Thread(target=release).start()
    assert run_dvc(["repro"], tmp_path).stdout == "done\n"


def test_patience_with_a_busy_dvc_ends(tmp_path, monkeypatch):
    fake_dvc(tmp_path, monkeypatch, BUSY)
    with pytest.raises(InputError, match="dvc repro failed: Unable to acquire lock"):
        run_dvc(["repro"], tmp_path, patience=0.0)


def test_dvc_is_run_without_its_analytics_by_this_python(tmp_path, monkeypatch):
    fake_dvc(
        tmp_path, monkeypatch, "import os, sys; print(os.environ['DVC_NO_ANALYTICS'], sys.executable, sys.argv[1:])"
    )
    assert run_dvc(["a", "b"], tmp_path).stdout == f"true {sys.executable} ['a', 'b']\n"


def test_a_broken_lock_file_is_told(tmp_path):
    (tmp_path / ".dvc").mkdir()
    (tmp_path / "dvc.lock").write_text("stages: [")
    with pytest.raises(InputError, match=r"dvc.lock cannot be read; restore it from git"):
        dvc_hash("a.csv", tmp_path)


def test_fselect_does_not_import_dvc():
    code = "import fselect.versioning, sys; sys.exit('dvc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
