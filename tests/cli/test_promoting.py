"""Promotion, rollback, history and difference from the command line, on a project where a task has arrived."""

from __future__ import annotations

import json
import shutil

import pytest

from fselect import arrivals, stages
from fselect.registry import promote
from fselect.study.project import open_project
from fselect.tracking import open_store
from tests.flows.arrivals import STUDY, cohort
from tests.flows.projects import write_params

RULES = {"not_dominated": False, "margin": None, "min_stability": None, "n_features": 4}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Version 1 is champion; version 2, of a new task, is a challenger that the gate refused."""
    root = tmp_path_factory.mktemp("made")
    (root / "data" / "tables").mkdir(parents=True)
    for seed, name in enumerate(("january", "february")):
        cohort(seed).to_csv(root / "data" / "tables" / f"{name}.csv", index=False)
    write_params(root, STUDY | {"promotion": {"name": "panel", "gate": RULES}})
    project = open_project(root)
    summary = stages.run_study(project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fselect.tracking.describe._plots", lambda summary: {"front.png": b"png"})
        stages.track(project)
        promote(project, summary.chosen.key, "panel")
        cohort(3).to_csv(root / "march.csv", index=False)
        _arrive(project, root / "march.csv")
    return root


def _arrive(project, path):
    store = open_store(project)
    ledger = arrivals.open_ledger(project, store)
    (table,) = arrivals.read(project, path, ledger)
    found = arrivals.recognise(table, ledger)
    study = arrivals.prepare(project, found, store)
    study.run(study.pending())
    worked = arrivals.measure(study, found)
    run = arrivals.log(project, found, worked, store, path)
    version = arrivals.register(project, found, worked, store, run)
    assert arrivals.judge(project, found, store, version).outcome == "refused"


@pytest.fixture
def project(made, tmp_path, fselect):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return fselect


def ok(outcome):
    assert outcome.code == 0, outcome.err
    return outcome.out


def test_a_dry_run_tells_each_rule_and_changes_nothing(project):
    told = json.loads(ok(project("promote", "panel@challenger", "--dry-run", "--json")))
    assert told["would_promote"] is False
    assert told["reasons"] == ["the set has 3 features, not 4"]
    assert "would be refused; nothing was changed" in ok(project("promote", "panel@challenger", "--dry-run"))
    aliases = {row["version"]: row["aliases"] for row in json.loads(ok(project("panels", "--json")))}
    assert aliases == {1: "champion", 2: "challenger"}


def test_the_gate_refuses_in_a_sentence_and_is_passed_by_force_or_by_other_rules(project, tmp_path):
    refused = project("promote", "panel@challenger")
    assert refused.code == 2
    assert "the gate refuses version 2 of panel: the set has 3 features, not 4; --force" in refused.err
    write_params(tmp_path, STUDY | {"promotion": {"name": "panel", "gate": RULES | {"n_features": 3}}})
    assert json.loads(ok(project("promote", "panel@challenger", "--dry-run", "--json")))["would_promote"] is True
    assert json.loads(ok(project("promote", "panel@challenger", "--json")))["replaced"] == 1


def test_what_is_forced_is_in_the_journal_and_a_rollback_takes_it_back(project):
    ok(project("promote", "panel@challenger", "--force"))
    back = json.loads(ok(project("rollback", "panel", "--why", "too early", "--json")))
    assert back == {"name": "panel", "version": 1, "rolled_back": 2, "previous": None}
    journal = json.loads(ok(project("history", "panel", "--json")))
    assert [row["action"] for row in journal] == [
        "rolled back",
        "promoted by hand",
        "refused by the gate",
        "registered as challenger",
        "promoted by hand",
    ]
    assert journal[0]["why"] == "too early"
    assert journal[1]["why"].startswith("forced; the gate: the set has 3")
    assert [row["task"] for row in journal] == ["february", "march", "march", "march", "february"]
    told = ok(project("history", "panel")).splitlines()
    assert "version 1 rolled back in place of version 2, by " in told[0]
    assert told[1].strip().startswith(f"from february v1, run {journal[0]['run_id'][:8]}, data ")
    assert told[2].strip() == "too early"
    again = project("rollback", "panel")
    assert again.code == 2
    assert "no previous champion" in again.err


def test_a_challenger_that_was_compared_with_another_champion_is_stale(project):
    run = json.loads(ok(project("runs", "--study", "cohorts", "--json")))
    point = next(row["run_id"] for row in run if row["kind"] == "point")
    ok(project("promote", "panel@challenger", "--force"))
    ok(project("promote", point, "--name", "panel"))
    told = project("promote", "panel@2")
    assert told.code == 2
    assert "was compared with version 1, and version 3 is champion now" in told.err


def test_a_dry_run_of_a_run_says_which_version_there_would_be(project):
    told = json.loads(ok(project("promote", "cohorts/strength 2", "--name", "panel", "--dry-run", "--json")))
    assert (told["version"], told["replaces"]) == (3, 1)
    assert len(told["selected"]) == 3
    assert len(json.loads(ok(project("panels", "--json")))) == 2


def test_the_reason_for_a_run_is_in_the_journal(project):
    ok(project("promote", "cohorts/strength 2", "--name", "panel", "--why", "the lab can measure it"))
    assert json.loads(ok(project("history", "panel", "--json")))[0]["why"] == "the lab can measure it"


def test_promoting_the_champion_again_says_that_nothing_was_changed_and_no_reason_noted(project):
    outcome = project("promote", "panel@champion", "--force", "--why", "second thoughts")
    assert "panel version 1 is champion already, nothing was changed" in ok(outcome)
    assert "replaces" not in outcome.out
    assert "the reason was not noted" in outcome.err
    assert json.loads(ok(project("history", "panel", "--json")))[0]["why"] != "second thoughts"


def test_the_table_that_is_read_is_not_written_over(project, tmp_path):
    before = (tmp_path / "march.csv").read_bytes()
    outcome = project("apply", "panel@champion", "march.csv", "-o", "./march.csv")
    assert outcome.code == 2
    assert "march.csv is the table that is read" in outcome.err
    assert (tmp_path / "march.csv").read_bytes() == before


def test_a_difference_names_what_came_and_went(project):
    rows = json.loads(ok(project("diff", "panel@1", "panel@2", "--json")))
    assert {row["change"] for row in rows} <= {"came", "went", "stayed"}
    assert sum(row["change"] != "went" for row in rows) == 3
    assert all(0 <= row["frequency_old"] <= 1 for row in rows)
    assert "old: panel@1, made for february v1" in ok(project("diff", "panel@1", "panel@2"))


def test_a_run_without_a_name_and_an_unknown_set_are_told(project):
    assert "add --name" in project("promote", "cohorts/strength 2").err
    assert "there is no promoted set 'other'" in project("history", "other").err
    assert "did you mean 'panel'" in project("rollback", "panle").err
