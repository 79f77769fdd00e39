"""Units on a Dask cluster: the same result, and a lost worker costs only what it had not finished."""

from __future__ import annotations

import time

import pytest

from fselect.errors import InputError
from fselect.stages import make_tasks, open_study, select
from fselect.study.config import parse_config
from fselect.study.project import Project
from fselect.study.runners import cluster as module
from fselect.study.store import UnitStore
from tests.studies import SINGLE, TRANSFER, changed
from tests.study.clusters import started_cluster

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory):
    with started_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def made_project(root, values, **execution):
    project = Project(root, parse_config(changed(values, execution=execution)))
    make_tasks(project)
    return project


def on_cluster(root, values, cluster):
    return made_project(root, values, runner="dask", address=cluster.address)


def alone(root, values):
    project = made_project(root, values, workers=1)
    select(project)
    return project.archive_path.read_bytes()


@pytest.mark.parametrize("values", [TRANSFER, SINGLE], ids=["transfer", "single"])
def test_a_cluster_gives_the_same_bytes_as_one_process(tmp_path, two_workers, values):
    project = on_cluster(tmp_path / "cluster", values, two_workers)
    ran = []
    select(project, on_plan=lambda study: ran.append)
    assert project.archive_path.read_bytes() == alone(tmp_path / "alone", values)
    assert sorted(unit.key for unit in ran) == sorted(unit.key for unit in open_study(project).units)


def test_workers_that_do_not_see_the_disk_get_the_tables_and_send_rows(tmp_path, two_workers, monkeypatch):
    monkeypatch.setattr(module, "write_atomically", lambda path, content: path)  # the token they look for
    writes = []
    original = UnitStore.write
    monkeypatch.setattr(UnitStore, "write", lambda self, key, *rest: (writes.append(key), original(self, key, *rest)))
    project = on_cluster(tmp_path / "cluster", TRANSFER, two_workers)
    select(project)
    assert len(writes) == len(open_study(project).units)  # by this process, and not by the workers
    assert project.archive_path.read_bytes() == alone(tmp_path / "alone", TRANSFER)


def test_nothing_is_left_on_the_cluster_or_beside_the_store(tmp_path, two_workers):
    from distributed import Client

    project = on_cluster(tmp_path, TRANSFER, two_workers)
    select(project)
    assert list(open_study(project).store.arrays.glob("seen-*")) == []
    with Client(two_workers.address, set_as_default=False) as client:
        assert client.list_datasets() == ()


@pytest.mark.slow
def test_a_killed_worker_costs_only_its_unfinished_units(tmp_path):
    values = changed(TRANSFER, selection={"repeats": 120})
    (tmp_path / "logs").mkdir()
    with started_cluster(tmp_path / "logs") as cluster:
        project = on_cluster(tmp_path / "cluster", values, cluster)
        kept = {}

        def kill_one(study):
            def on_done(unit):
                if not kept and len(study.store.keys()) > 100:
                    cluster.workers[0].kill()
                    kept.update({path: path.stat().st_mtime_ns for path in project.store_dir.glob("*/*.arrow")})

            return on_done

        select(project, on_plan=kill_one)
    assert 100 < len(kept) < 483
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert project.archive_path.read_bytes() == alone(tmp_path / "alone", values)


def test_a_scheduler_that_does_not_answer_is_told_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CONNECT_SECONDS", 1.0)
    project = made_project(tmp_path, TRANSFER, runner="dask", address="tcp://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 .*start one") as caught:
        select(project)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 15


def test_a_cluster_without_workers_is_told_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CONNECT_SECONDS", 2.0)
    (tmp_path / "logs").mkdir()
    with started_cluster(tmp_path / "logs", workers=0) as cluster:
        project = on_cluster(tmp_path / "cluster", TRANSFER, cluster)
        with pytest.raises(InputError, match="has no workers: start some with `dask worker tcp"):
            select(project)


def test_workers_without_fselect_are_named(tmp_path):
    broken = tmp_path / "path" / "fselect"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("")
    (tmp_path / "logs").mkdir()
    with started_cluster(tmp_path / "logs", workers=0) as cluster:
        cluster.add_worker(first_on_path=broken.parent)
        project = on_cluster(tmp_path / "cluster", TRANSFER, cluster)
        with pytest.raises(InputError, match=r"worker tcp://\S+ cannot load fselect \(.*No module named"):
            select(project)
