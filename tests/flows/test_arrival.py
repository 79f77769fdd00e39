"""A real flow takes in the tables of a watched folder: versioned, compared, registered, decided, and shown."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from flows.markdown import plain
from fselect import stages
from fselect.errors import InputError
from fselect.registry import panels, promote
from fselect.study.project import open_project
from fselect.tracking import list_runs
from fselect.versioning import dvc_hash
from tests.flows.arrivals import STUDY, cohort, make_cohorts, put
from tests.flows.projects import dvc, run, write_params

SCRIPT = "<script>alert(1)</script>"
HOSTILE = "<b>'march'\n\"$(x)\"<.csv"
"""A file name of markup, quotes, a line end and a shell's substitution."""


def flow(root, **words):
    from flows.arrival import arrival

    return arrival(str(root), **words)


def shown(key, of=""):
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        return [one.data for one in client.read_artifacts() if one.key == key and of in one.description]


@pytest.fixture(scope="module")
def arrived(tmp_path_factory, prefect_server):
    """A project where a table has arrived, whose column and file are called like markup and paths; and a DVC remote."""
    root = tmp_path_factory.mktemp("arrived")
    rename = {"g7": SCRIPT, "g6": "../../x"}
    make_cohorts(root, STUDY | {"promotion": {"name": "panel", "gate": {"min_stability": None}}})
    for path in (root / "data" / "tables").glob("*.csv"):
        path.write_text(path.read_text().replace("g7", SCRIPT, 1).replace("g6", "../../x", 1))
    dvc(root, "remote", "add", "-d", "store", str(tmp_path_factory.mktemp("remote")))
    project = open_project(root)
    summary = stages.run_study(project)
    stages.track(project)
    promote(project, summary.chosen.key, "panel")
    put(root, HOSTILE, cohort(3).rename(columns=rename))
    told = flow(root)
    return SimpleNamespace(root=root, project=project, told=told, rename=rename)


@pytest.fixture
def service(arrived):
    return arrived


def test_the_table_is_under_dvc_and_in_its_remote(service):
    (file,) = (service.root / "data" / "arrivals").glob("*/1.csv")
    assert file.read_text() == (service.root / "data" / "inbox" / HOSTILE).read_text()
    assert dvc_hash(file, service.root)
    before = file.read_bytes()
    file.unlink()
    run(service.root, "rm", "-rf", ".dvc/cache")
    dvc(service.root, "pull", str(file.with_name("1.csv.dvc")))
    assert file.read_bytes() == before


def test_the_flow_run_tells_task_and_data_and_has_front_report_and_decision(service):
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        names = [found.name for found in client.read_flow_runs()]
    (told,) = service.told
    version = panels(service.project).set_index("version").loc[told.verdict.version]
    assert any("march" in name and "v1" in name and version["data_hash"][:8] in name for name in names)
    (front,) = shown("arrival-front", of="march")
    assert "strength 2" in front
    (page,) = (service.root / "reports").glob("*.html")
    assert any(f"`{page.resolve()}`" in text for text in shown("arrival-report"))
    (decision,) = shown("arrival-decision", of="march")
    assert told.verdict.outcome in decision
    assert "| champion |" in decision
    assert told.verdict.decision.checks
    assert all(plain(check.sentence) in decision for check in told.verdict.decision.checks)


def test_a_name_that_is_markup_or_a_path_is_neither_anywhere(service):
    from html.parser import HTMLParser

    from prefect.client.orchestration import get_client

    class Scripts(HTMLParser):
        found = 0
        bold = 0

        def handle_starttag(self, tag, attrs):
            self.found += tag == "script"
            self.bold += tag == "b"

    pages = list((service.root / "reports").glob("*.html"))
    assert len(pages) == 1
    page = pages[0].read_text(encoding="utf-8")
    parser = Scripts()
    parser.feed(page)
    assert parser.bold == 0
    assert SCRIPT not in page
    for key in ("arrival-front", "arrival-decision", "arrivals"):
        for text in shown(key):
            assert "<script" not in text
            assert "<b>" not in text
    with get_client(sync_client=True) as client:
        assert not [one.name for one in client.read_flow_runs() if "<" in one.name]
        assert not [one.name for one in client.read_task_runs() if "<" in one.name]
    inside = service.root.resolve()
    for path in inside.rglob("*"):
        if "inbox" not in path.parts and ".git" not in path.parts:
            assert "<" not in path.name
            assert ".." not in path.name.replace("...", "")
    assert not list(inside.parent.parent.glob("x*"))


def test_looking_again_does_nothing_and_a_copy_is_known(service):
    assert [one.outcome for one in flow(service.root)] == ["known"]
    put(service.root, "copy.csv", cohort(3).rename(columns=service.rename))
    before = len(panels(service.project))
    assert [one.outcome for one in flow(service.root)] == ["known", "known"]
    assert len(panels(service.project)) == before
    (service.root / "data" / "inbox" / "copy.csv").unlink()


def test_a_table_that_does_not_fit_is_refused_once_in_a_sentence_and_the_flow_says_so(service):
    bad = put(service.root, "april.csv", cohort(4))
    with pytest.raises(InputError, match=r"april.csv differs from the earlier tasks: it lacks columns"):
        flow(service.root)
    assert "it was refused before" in [one.sentence for one in flow(service.root)][-1]
    assert not list((service.root / "data" / "arrivals").glob("april*"))
    bad.unlink()


def test_a_half_copied_table_waits_while_others_are_looked_at(service):
    values = copy.deepcopy(STUDY) | {"arrivals": {"settle": 0, "grace": 600}}
    write_params(service.root, values | {"promotion": {"name": "panel", "gate": {"min_stability": None}}})
    half = put(service.root, "half.csv", cohort(5).rename(columns=service.rename))
    half.write_text(half.read_text()[:-40])
    told = flow(service.root)
    assert [one.outcome for one in told if one.table == "half.csv"] == ["later"]
    half.unlink()


@pytest.mark.slow
def test_two_arrivals_at_the_same_moment_wait_for_each_other_and_both_are_taken(tmp_path, prefect_server):
    """Two processes of one Prefect server, as two workers start them."""
    from prefect.settings import PREFECT_API_URL

    environment = {**os.environ, "PREFECT_API_URL": str(PREFECT_API_URL.value())}
    root = make_cohorts(tmp_path)
    project = open_project(root)
    summary = stages.run_study(project)
    stages.track(project)
    promote(project, summary.chosen.key, "panel")
    tables = [put(root, f"{name}.csv", cohort(seed)) for name, seed in (("march", 3), ("april", 4))]
    ended = []

    def arrive(path):
        command = [sys.executable, "-m", "flows.arrive", str(path), "--root", str(root)]
        ended.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=False))

    threads = [threading.Thread(target=arrive, args=(path,)) for path in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.returncode for done in ended] == [0, 0], [done.stderr for done in ended]
    assert sorted(panels(project)["version"]) == [1, 2, 3]
    names = list_runs(project, "cohorts arrivals")["name"].tolist()
    assert len(names) == len(set(names)) == 2 * (3 + 2)  # two strengths and the champion's set, two fronts


@pytest.mark.slow
def test_new_values_of_a_task_column_are_tasks_and_the_old_ones_are_known(tmp_path, prefect_server):
    import pandas as pd

    values = copy.deepcopy(STUDY)
    values["tasks"] = {"source": "column", "table": "all.csv", "column": "month", "target": "ill"}
    values["promotion"] = {"name": "monthly", "gate": {"not_dominated": False, "margin": None, "min_stability": None}}
    root = make_cohorts(tmp_path, values)
    months = [cohort(seed).assign(month=seed) for seed in range(3)]
    pd.concat(months[:2]).to_csv(root / "data" / "tables" / "all.csv", index=False)
    project = open_project(root)
    summary = stages.run_study(project)
    stages.track(project)
    promote(project, summary.chosen.key, "monthly")
    put(root, "until march.csv", pd.concat(months))
    told = flow(root)
    assert [one.outcome for one in told] == ["known", "known", "arrived"]
    assert [path.parent.name for path in (root / "data" / "arrivals").glob("*/1.csv")] == ["all-2"]
    assert told[2].verdict.promoted
