"""A server that goes away delays the runs; it neither loses nor doubles them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mlflow.exceptions import MlflowException

import fselect.tracking.outbox as outbox
import fselect.tracking.runs as runs
from fselect.tracking import TrackingWarning, list_runs, log_study, open_store, waiting
from fselect.tracking.describe import describe_study
from fselect.tracking.record import RunRecord
from fselect.tracking.sending import send
from tests.factories import make_project, make_summary

ORDER = ["transfer strength 0", "transfer strength 1", "transfer strength 4", "transfer first set"]
ORDER += ["transfer front", "trivial front"]


@pytest.fixture(autouse=True)
def _plain(plain_plots):
    pass


@pytest.fixture
def project(fresh):
    return fresh()


def failing(after, error):
    """`send` that works so many times and then never again."""
    calls = []

    def sender(store, record):
        calls.append(record.name)
        if len(calls) > after:
            raise error
        return send(store, record)

    return sender, calls


def names(project):
    return list_runs(project)["name"].tolist()[::-1]


def test_runs_wait_from_the_first_failure_on_and_are_sent_in_order_at_the_next_opening(project, monkeypatch):
    sender, calls = failing(2, MlflowException("connection reset"))
    with monkeypatch.context() as patch:
        patch.setattr(runs, "send", sender)
        with pytest.warns(TrackingWarning, match="connection reset; 4 runs wait in .*outbox"):
            ids = log_study(project, make_summary())
    assert len(ids) == 2
    assert len(calls) == 3  # the rest is not tried, each try would cost a timeout
    assert [RunRecord.from_bytes(path.read_bytes()).name for path in waiting(project.state_dir)] == ORDER[2:]
    open_store(project)
    assert names(project) == ORDER
    assert waiting(project.state_dir) == []


def test_a_server_that_died_before_the_end_costs_nothing_but_a_warning(tmp_path, fresh):
    away = make_project(tmp_path, uri="http://127.0.0.1:9")
    with pytest.warns(TrackingWarning, match="no MLflow server answers"):
        assert log_study(away, make_summary()) == []
    assert len(waiting(away.state_dir)) == 6
    here = fresh()
    open_store(here)
    assert names(here) == ORDER


def test_what_waits_is_not_put_twice(tmp_path):
    away = make_project(tmp_path, uri="http://127.0.0.1:9")
    for _ in range(2):
        with pytest.warns(TrackingWarning):
            log_study(away, make_summary())
    assert len(waiting(away.state_dir)) == 6


def test_flushing_stops_at_a_failure_and_goes_on_where_it_stopped(project, monkeypatch):
    outbox.spool(project.state_dir, describe_study(project, make_summary(), {}))
    sender, calls = failing(3, OSError("no route to host"))
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "send", sender)
        with pytest.warns(TrackingWarning, match="3 runs still wait in .*, for MLflow does not take them: no route"):
            open_store(project)
    assert calls == ORDER[:4]
    assert len(waiting(project.state_dir)) == 3
    open_store(project)
    assert names(project) == ORDER


def test_a_run_that_was_sent_before_its_file_could_go_is_not_doubled(project):
    record = describe_study(project, make_summary(), {})[1]
    send(open_store(project), record)
    outbox.spool(project.state_dir, [record])
    open_store(project)
    assert names(project) == ["transfer strength 1"]


def test_a_run_that_is_refused_is_set_aside_and_blocks_nobody(project):
    good, bad = describe_study(project, make_summary(), {})[1:3]
    outbox.spool(project.state_dir, [replace(bad, params={"a[0]": "1"}), good])
    (project.state_dir / "outbox" / "00000009-broken.zip").write_bytes(b"half a fi")
    with pytest.warns(TrackingWarning) as warned:
        open_store(project)
    assert len(warned) == 2
    assert names(project)[-1:] == ["transfer strength 1"]
    assert waiting(project.state_dir) == []
    assert len(list((project.state_dir / "outbox" / "refused").iterdir())) == 2


def test_a_record_survives_the_way_through_a_file(project):
    for record in describe_study(project, make_summary(), {"git_commit": "abc"}):
        again = RunRecord.from_bytes(record.to_bytes())
        assert again == record
        assert again.files() == record.files()
        assert again.to_bytes() == record.to_bytes()
