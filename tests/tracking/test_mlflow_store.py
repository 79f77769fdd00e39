"""The store is made once, where it belongs, and a server that is away is found out in seconds."""

from __future__ import annotations

import http.server
import socket
import sys
import threading
import time

import pytest

from fselect.errors import InputError, MissingExtra
from fselect.tracking import StoreUnreachable, open_store
from fselect.tracking.connection import shown
from fselect.tracking.probe import probe
from tests.factories import make_project


def test_eight_processes_open_a_new_store_at_once(opened):
    failed, said, there = opened[1:]
    assert failed == 0, said
    assert there == [".fselect"]
    names = [one.name for one in open_store(opened.project).client.search_experiments()]
    assert sorted(names) == ["Default", "demo"]


def test_the_store_is_written_ahead_so_that_readers_do_not_wait(logged, query):
    assert query(logged.project, "pragma journal_mode") == [("wal",)]


def test_mlflows_own_variable_is_told_where_it_names_another_store(tmp_path, monkeypatch, recwarn):
    project = make_project(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", project.tracking_uri)
    open_store(project)
    assert not [warned for warned in recwarn if "MLFLOW_TRACKING_URI" in str(warned.message)]
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "sqlite:////elsewhere.db")
    with pytest.warns(
        UserWarning, match=r"MLFLOW_TRACKING_URI is sqlite:////elsewhere\.db, but runs go to .*mlflow\.db"
    ):
        assert open_store(project).uri == project.tracking_uri


def test_a_database_that_could_not_be_made_leaves_no_file(tmp_path, monkeypatch):
    import mlflow

    def full(self, *_, **__):
        raise mlflow.MlflowException("(sqlite3.OperationalError) database or disk is full [SQL: INSERT INTO x]")

    monkeypatch.setattr("mlflow.MlflowClient.search_experiments", full)
    with pytest.raises(StoreUnreachable, match=r"cannot be used: database or disk is full; free some space$"):
        open_store(make_project(tmp_path))
    assert not list(tmp_path.rglob("mlflow.db*"))


def test_a_database_whose_driver_is_not_installed_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    with socket.create_server(("127.0.0.1", 0)) as there:
        uri = f"postgresql+psycopg2://me:secret@127.0.0.1:{there.getsockname()[1]}/mlflow"
        with pytest.raises(InputError, match=r"needs the database driver psycopg2.*\[team\]") as refused:
            open_store(make_project(tmp_path, uri=uri))
    assert "secret" not in str(refused.value)


def test_nothing_is_left_in_the_current_folder(logged):
    assert logged.left_behind == []


def test_artifacts_lie_in_the_project(logged, store):
    project, _, ids = logged[:3]
    folder = project.state_dir / "artifacts" / ids[1] / "artifacts"
    assert sorted(path.name for path in folder.iterdir()) == ["frequencies.json", "set.json"]
    assert store.client.get_run(ids[1]).info.artifact_uri == folder.as_uri()


@pytest.mark.parametrize("uri", ["http://127.0.0.1:9", "postgresql://me:secret@127.0.0.1:9/mlflow"])
def test_a_server_that_does_not_answer_is_refused_at_once(tmp_path, uri):
    start = time.monotonic()
    with pytest.raises(StoreUnreachable, match=r"no MLflow server answers at .*127\.0\.0\.1:9") as refused:
        open_store(make_project(tmp_path, uri=uri))
    assert time.monotonic() - start < 5
    assert "secret" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_accepts_and_says_nothing_is_refused_after_the_wait():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as silent:
        start = time.monotonic()  # it listens, but nobody serves
        with pytest.raises(StoreUnreachable, match="timed out"):
            probe(f"http://127.0.0.1:{silent.server_port}", seconds=0.3)
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    ("status", "body", "passes"), [(200, b"OK", True), (200, b"<html>", False), (404, b"", False), (401, b"", True)]
)
def test_what_answers_must_be_an_mlflow_server(status, body, passes):
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        uri = f"http://127.0.0.1:{server.server_port}"
        if passes:
            probe(uri)
        else:
            with pytest.raises(StoreUnreachable, match="is no MLflow server"):
                probe(uri)
        server.shutdown()


@pytest.mark.parametrize("uri", ["./mlruns", "file:///somewhere/mlruns"])
def test_a_folder_is_no_store(tmp_path, uri):
    with pytest.raises(InputError, match="is a folder, which MLflow no longer takes"):
        open_store(make_project(tmp_path, uri=uri))


def test_databricks_is_told_to_be_none_of_the_stores_that_are_supported(tmp_path):
    with pytest.raises(InputError, match="'databricks' is not supported; give"):
        open_store(make_project(tmp_path, uri="databricks"))


def test_a_broken_database_is_told_in_a_sentence(tmp_path):
    project = make_project(tmp_path)
    project.state_dir.mkdir()
    (project.state_dir / "mlflow.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreUnreachable, match=r"cannot be used: .*not a database"):
        open_store(project)


def test_without_mlflow_the_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingExtra, match=r"mlflow is not installed; .*fselect-pipeline\[pipeline\]"):
        open_store(make_project(tmp_path))


def test_passwords_are_not_shown():
    assert shown("postgresql://me:p%40ss@host:5432/db") == "postgresql://me:***@host:5432/db"
    assert shown("http://host:5000") == "http://host:5000"
