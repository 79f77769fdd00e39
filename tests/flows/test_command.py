"""`python -m flows.pipeline`: what it refuses, and what an interruption leaves."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from flows.pipeline import main
from fselect.study.lock import project_lock
from fselect.study.project import open_project
from fselect.study.store import UnitStore
from tests.flows.projects import ROOT, TINY, dvc, make_project, run, run_again, write_params


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("fresh"))


@pytest.fixture
def project(fresh, tmp_path):
    return shutil.copytree(fresh, tmp_path / "project")


def refusal(root, capsys):
    """The one sentence with which the command refuses."""
    assert main(["--root", str(root)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_a_folder_without_git_is_refused(project, capsys):
    shutil.rmtree(project / ".git")
    assert "git init" in refusal(project, capsys)
    assert not (project / ".fselect").exists()


def test_a_folder_without_dvc_is_refused(project, capsys):
    shutil.rmtree(project / ".dvc")
    assert "fselect run" in refusal(project, capsys)


def test_a_folder_without_stages_is_refused(project, capsys):
    (project / "dvc.yaml").unlink()
    assert "no dvc.yaml" in refusal(project, capsys)


def test_a_section_that_dvc_tracks_and_params_lacks_is_named(project, capsys):
    write_params(project, {name: values for name, values in TINY.items() if name != "evaluation"})
    assert "evaluation: {}" in refusal(project, capsys)


def test_an_unknown_key_is_named(project, capsys):
    write_params(project, TINY | {"selection": {"strenghts": [0, 1]}})
    assert "selection.strenghts" in refusal(project, capsys)


def test_no_study_file_is_refused(project, capsys):
    (project / "params.yaml").unlink()
    assert "params.yaml" in refusal(project, capsys)


def test_a_folder_in_which_a_study_runs_is_refused(project, capsys):
    with project_lock(project / ".fselect"):
        assert "another study is running" in refusal(project, capsys)


def test_a_tracking_server_that_does_not_answer_is_refused_before_anything_starts(project, capsys):
    write_params(project, TINY | {"tracking": {"uri": "http://127.0.0.1:9"}})
    assert "http://127.0.0.1:9" in refusal(project, capsys)
    assert not (project / ".fselect").exists()


@pytest.mark.slow
def test_a_prefect_server_that_does_not_answer_is_named(project):
    environment = {**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"}
    done = subprocess.run([*COMMAND, project], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no Prefect server answers at http://127.0.0.1:9/api" in done.stderr
    assert "Traceback" not in done.stderr


COMMAND = [sys.executable, "-m", "flows.pipeline", "--root"]
LONG = TINY | {"selection": TINY["selection"] | {"repeats": 2000, "strengths": [0, 0.5, 1, 2, 4]}}


def started(root, **how):
    """The command, as it runs units."""
    process = subprocess.Popen(
        [*COMMAND, str(root)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how
    )
    store = UnitStore(open_project(root).store_dir)
    deadline = time.monotonic() + 120
    while len(store.keys()) < 20:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, "no unit was finished in two minutes"
        time.sleep(0.05)
    return process, store


def servers(root):
    """The temporary Prefect servers of a project."""
    home = str(root / ".fselect" / "prefect")
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if "prefect.server.api.server:create_app" in (process.info["cmdline"] or []):
            found += [process.pid] if process.environ().get("PREFECT_HOME") == home else []
    return found


@pytest.mark.slow
def test_ctrl_c_says_what_is_kept_and_ends_with_130(project):
    write_params(project, LONG)
    process, store = started(project)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert str(store.folder) in said
    assert "Traceback" not in said
    assert servers(project) == []


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_which_reaches_every_process_of_the_command_ends_it_in_the_same_way(project):
    write_params(project, LONG)
    process, store = started(project, process_group=0)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert str(store.folder) in said
    assert "Traceback" not in said
    assert servers(project) == []


@pytest.mark.slow
def test_a_killed_flow_goes_on_from_its_units_to_the_result_of_an_undisturbed_one(project, fresh, tmp_path):
    values = TINY | {"selection": TINY["selection"] | {"repeats": 400}}
    undisturbed = shutil.copytree(fresh, tmp_path / "undisturbed")
    for root in (project, undisturbed):
        write_params(root, values)
    process, store = started(project)
    process.kill()
    process.wait()  # not communicate: the server that is left holds the other end
    finished = store.keys()
    kept = {key: store.path(key).stat().st_mtime_ns for key in finished}
    assert len(servers(project)) == 1  # Prefect's server outlives a killed flow
    said = run(ROOT, *COMMAND, str(project))
    assert "finished already" in said
    assert {key: store.path(key).stat().st_mtime_ns for key in finished} == kept
    assert servers(project) == []
    run(undisturbed, "fselect", "run", "--no-track")
    for name in ("archive.parquet", "summary.json"):
        of_both = [(root / "data/results/tiny" / name).read_bytes() for root in (project, undisturbed)]
        assert of_both[0] == of_both[1], name
    assert run_again(dvc(project, "repro")) == []


@pytest.mark.slow
def test_the_command_prints_front_set_report_and_the_way_to_the_ui(project):
    said = run(ROOT, *COMMAND, str(project))
    assert "strength 1" in said
    assert "reports/tiny.html" in said
    assert "fselect ui" in said
    assert "Traceback" not in said
    assert os.path.exists(project / "reports" / "tiny.html")
