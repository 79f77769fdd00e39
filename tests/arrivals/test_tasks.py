"""Tables become tasks once each, lean towards the promoted sets of earlier tasks, and say when these are outdated."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fselect.arrivals import Known
from fselect.errors import InputError
from fselect.registry import history, panels, promote_version, rollback
from fselect.registry.journal import note
from fselect.registry.ledger import members
from fselect.registry.moves import standing
from tests.flows.arrivals import cohort

PASS = {"not_dominated": False, "margin": None, "min_stability": None}
REFUSE = PASS | {"n_features": 5}


def tags(service, version):
    return service.store.client.get_model_version("panel", str(version)).tags


def test_a_new_table_is_a_challenger_beside_the_champion_and_the_unbiased_selection(service):
    (march,) = service.take("march.csv", cohort(3), **REFUSE)
    aliases = service.store.client.get_registered_model("panel").aliases
    assert {name: int(version) for name, version in aliases.items()} == {"champion": 1, "challenger": 2}
    assert set(march.worked.comparison) == {"challenger", "champion", "unbiased"}
    unbiased = next(point for point in march.worked.summary.points if point.strength == 0)
    beside, ours = march.worked.comparison["unbiased"], march.worked.comparison["challenger"]
    assert beside["accuracy"] == pytest.approx(unbiased.accuracy)
    assert beside["difference"] == pytest.approx(ours["accuracy"] - beside["accuracy"])
    assert march.arrival.task_version == 1
    assert [member.version for member in march.arrival.history] == [1]
    run = service.store.client.get_run(march.run)
    assert run.info.run_name == "march v1 strength 2"
    assert run.data.tags["fselect.decision"] == "refused"
    assert run.data.tags["fselect.reasons"] == "the set has 3 features, not 5"
    assert run.data.metrics["champion_accuracy"] == pytest.approx(march.worked.comparison["champion"]["accuracy"])
    assert service.store.client.get_experiment(run.info.experiment_id).name == "cohorts arrivals"
    assert tags(service, 2)["fselect.decision"] == "refused"


def test_the_champions_accuracy_is_that_of_its_very_set_on_the_same_bootstraps(service):
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    from fselect.datasets.seeds import Stream, generator
    from fselect.evaluation.protocols import draw_bootstrap

    (march,) = service.take("march.csv", cohort(3), **REFUSE)
    data, kept = march.arrival.data, json.loads(tags(service, 1)["fselect.features"])
    columns = [data.names.index(name) for name in kept]
    expected = []
    for repeat in range(2):
        for number in range(4):
            counts = draw_bootstrap(data, generator(1, Stream.BOOTSTRAP, "march", repeat, number)).counts
            rows = np.repeat(np.arange(data.n_samples), counts)
            scaler = StandardScaler().fit(data.X[np.ix_(rows, columns)])
            model = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000)
            model.fit(scaler.transform(data.X[np.ix_(rows, columns)]), data.codes[rows])
            out = counts == 0
            right = model.predict(scaler.transform(data.X[np.ix_(out, columns)])) == data.codes[out]
            expected.append(right.mean())
    assert march.worked.comparison["champion"]["accuracy"] == pytest.approx(np.mean(expected), abs=0.03)


def test_the_same_table_twice_is_one_task_whatever_its_file_is_called(service):
    service.take("march.csv", cohort(3), **PASS)
    (again,) = service.take("copy of march.csv", cohort(3))
    assert again == Known("march", 1, 2)
    assert len(panels(service.project)) == 2


def test_a_table_of_the_first_study_is_known_too(service):
    (known,) = service.take("new name.csv", cohort(0))
    assert known == Known("january", 1, None)


def test_a_corrected_table_is_a_new_version_and_later_tasks_say_that_they_used_the_older(service):
    service.take("march.csv", cohort(3), **PASS)
    (april,) = service.take("april.csv", cohort(4), **PASS)
    assert [member.task for member in april.arrival.history] == ["february", "march"]
    corrected = cohort(3)
    corrected.loc[0, "g1"] += 1
    (march,) = service.take("march.csv", corrected, **PASS)
    assert (march.arrival.task, march.arrival.task_version) == ("march", 2)
    assert [member.task for member in march.arrival.history] == ["february"]  # not april, which came after it
    assert march.verdict.outdated == (3,)
    text = "made with march v1, of which there is v2"
    assert tags(service, 3)["fselect.outdated"] == text
    assert service.store.client.get_run(april.run).data.tags["fselect.outdated"] == text
    frame = history(service.project, "panel")
    assert set(frame.loc[frame["version"] == 3, "outdated"]) == {text}
    (may,) = service.take("may.csv", cohort(5), **PASS)
    assert [(m.task, m.task_version) for m in may.arrival.history] == [("february", 1), ("march", 2), ("april", 1)]


def test_refused_and_rolled_back_sets_are_no_history(service):
    service.take("march.csv", cohort(3), **REFUSE)
    service.take("april.csv", cohort(4), **PASS)
    rollback(service.project, "panel")
    (may,) = service.take("may.csv", cohort(5), **PASS)
    assert [member.version for member in may.arrival.history] == [1]
    assert may.arrival.champion.version == 1


def test_a_machine_that_has_only_the_registry_selects_the_same(service, tmp_path):
    import shutil

    (here,) = service.take("march.csv", cohort(3), **REFUSE)
    for name in ("tables", "tasks", "results"):
        shutil.rmtree(service.root / "data" / name)
    shutil.rmtree(service.root / ".fselect" / "store")
    (known,) = service.take("march.csv", cohort(3))
    assert known == Known("march", 1, 2)
    with pytest.raises(InputError, match="lacks column 'g7'"):
        service.take("april.csv", cohort(4).drop(columns="g7"))
    # and with what it had not seen before
    changed = cohort(3)
    changed.loc[0, "g1"] += 1e-9
    (there,) = service.take("march.csv", changed, **REFUSE)
    assert there.worked.summary.chosen.selected == here.worked.summary.chosen.selected


def test_an_arrival_that_broke_off_before_the_gate_is_taken_up_again(service, monkeypatch):
    class KilledError(BaseException):
        pass

    def die(*_, **__):
        raise KilledError

    for name in ("decide", "note_decision"):  # before the gate, and after the alias was moved
        with monkeypatch.context() as patch:
            patch.setattr(f"fselect.arrivals.judgement.{name}", die)
            with pytest.raises(KilledError):
                service.take("march.csv", cohort(3), **PASS)
    (march,) = service.take("march.csv", cohort(3), **PASS)
    assert march.verdict.outcome == "promoted"
    mine = [member for member in members(service.store, "panel") if member.task == "march"]
    assert [member.decision for member in mine][-1] == "promoted"
    assert {member.task_version for member in mine} == {1}


def test_a_promotion_that_broke_off_before_it_was_noted_is_noted_once_by_the_next_look(service, monkeypatch):
    class KilledError(BaseException):
        pass

    def die(store, name, entry):
        if entry.action == "promoted by the gate":
            raise KilledError
        note(store, name, entry)

    with monkeypatch.context() as patch:
        patch.setattr("fselect.registry.moves.note", die)
        with pytest.raises(KilledError):
            service.take("march.csv", cohort(3), **PASS)
    service.take("march.csv", cohort(3), **PASS)
    journal = history(service.project, "panel").query("version == 2")
    assert sorted(journal["action"]) == ["promoted by the gate", "registered as challenger"]
    now = standing(service.store, "panel")
    assert (now.champion, now.challenger) == (2, None)


def test_a_set_that_passes_may_be_left_to_a_person(service):
    (march,) = service.take("march.csv", cohort(3), **PASS, automatic=False)
    assert march.verdict.outcome == "passed"
    assert "fselect promote panel@2" in march.verdict.sentence
    promote_version(service.project, "panel@challenger", by_hand=True)
    assert members(service.store, "panel")[1].counts


def test_a_first_arrival_without_any_champion_is_unbiased_and_becomes_it(service):
    from dataclasses import replace

    from fselect import arrivals
    from tests.arrivals.conftest import _one, _with_gate

    project = _with_gate(service.project, PASS)
    promotion = project.config.promotion.model_copy(update={"name": "fresh"})
    project = replace(project, config=project.config.model_copy(update={"promotion": promotion}))
    cohort(9).to_csv(service.root / "first.csv", index=False)
    ledger = arrivals.open_ledger(project, service.store)
    (table,) = arrivals.read(project, service.root / "first.csv", ledger)
    first = _one(project, service.store, table)
    assert [point.label for point in first.worked.summary.points] == ["unbiased"]
    assert set(first.worked.comparison) == {"challenger"}
    assert first.verdict.outcome == "promoted"


def test_without_a_registered_name_the_sentence_says_what_to_write(service):
    from dataclasses import replace

    from fselect.arrivals import open_ledger

    promotion = service.project.config.promotion.model_copy(update={"name": None})
    nameless = replace(service.project, config=service.project.config.model_copy(update={"promotion": promotion}))
    with pytest.raises(InputError, match=r"promotion: \{name"):
        open_ledger(nameless, service.store)
