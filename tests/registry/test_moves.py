"""Champion, previous and challenger move as they should, every move is noted, and a broken one is finished."""

from __future__ import annotations

import pytest

from fselect.errors import InputError
from fselect.registry import difference, history, load_panel, panels, promote, promote_version, prospect, rollback
from fselect.registry.challengers import Decided, note_decision
from fselect.registry.moves import standing
from fselect.tracking import open_store
from tests.registry.conftest import SET


def now(study, name="mixed"):
    found = standing(open_store(study.project), name)
    return found.champion, found.previous


def test_a_rollback_goes_back_one_champion_at_a_time(study):
    for run in (0, 1, 0):
        promote(study.project, study.ids[run], "mixed")
    assert now(study) == (3, 2)
    done = rollback(study.project, "mixed", why="a reagent changed")
    assert (done.version, done.rolled_back, done.previous) == (2, 3, 1)
    assert now(study) == (2, 1)
    assert rollback(study.project, "mixed").previous is None
    assert now(study) == (1, None)
    with pytest.raises(InputError, match="no previous champion to go back to"):
        rollback(study.project, "mixed")


def test_after_a_rollback_the_file_of_the_champion_is_its_own_again(study):
    first = promote(study.project, study.ids[0], "mixed")
    before = first.file.read_bytes()
    assert promote(study.project, study.ids[1], "mixed").file.read_bytes() != before
    rollback(study.project, "mixed")
    assert first.file.read_bytes() == before
    assert load_panel(study.project, "mixed@champion").version == 1


def test_the_journal_tells_who_when_what_and_why(study):
    promote(study.project, study.ids[0], "mixed")
    promote(study.project, study.ids[1], "mixed")
    rollback(study.project, "mixed", why="a reagent changed")
    frame = history(study.project, "mixed")
    assert frame["action"].tolist() == ["rolled back", "promoted by hand", "promoted by hand"]
    assert frame["version"].tolist() == [1, 2, 1]
    assert [str(number) for number in frame["replaced"]] == ["2", "1", "None"]
    assert frame["why"].tolist()[0] == "a reagent changed"
    assert frame["run_id"].tolist() == [study.ids[0], study.ids[1], study.ids[0]]
    assert set(frame["data_hash"]) == {study.data.content_hash}
    assert all("@" in who for who in frame["by"])
    assert frame["at"].is_monotonic_decreasing


def test_promoting_the_champion_again_is_noted_once(study):
    promote(study.project, study.ids[0], "mixed")
    promote(study.project, study.ids[0], "mixed")
    assert len(history(study.project, "mixed")) == 1


@pytest.mark.parametrize("fatal", ["set_model_version_tag", "set_registered_model_alias", "set_registered_model_tag"])
def test_a_promotion_that_broke_off_anywhere_is_finished_by_doing_it_again(study, monkeypatch, fatal):
    class KilledError(BaseException):
        pass

    promote(study.project, study.ids[0], "mixed")
    made = promote(study.project, study.ids[1], "mixed").version
    rollback(study.project, "mixed")

    def die(*_, **__):
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(f"mlflow.MlflowClient.{fatal}", die)
        with pytest.raises(KilledError):
            promote_version(study.project, f"mixed@{made}", by_hand=True)
    promote_version(study.project, f"mixed@{made}", by_hand=True)
    assert now(study) == (2, 1)
    assert history(study.project, "mixed")["action"].tolist()[0] == "promoted by hand"
    assert len(history(study.project, "mixed")) == 4


@pytest.mark.parametrize(("fatal", "call"), [("set_registered_model_alias", 2), ("set_registered_model_tag", 1)])
def test_a_rollback_that_broke_off_anywhere_is_finished_by_doing_it_again(study, monkeypatch, fatal, call):
    from mlflow import MlflowClient

    class KilledError(BaseException):
        pass

    for run in (0, 1, 0):
        promote(study.project, study.ids[run], "mixed")
    original, calls = getattr(MlflowClient, fatal), []

    def die(*words, **named):
        calls.append(words)
        if len(calls) == call:
            raise KilledError
        return original(*words, **named)

    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, fatal, die)
        with pytest.raises(KilledError):
            rollback(study.project, "mixed")
    assert now(study)[0] == 2
    if fatal == "set_registered_model_alias":  # the aliases are not all moved
        done = rollback(study.project, "mixed", why="again")
        assert (done.version, done.rolled_back, done.previous) == (2, 3, 1)
        assert history(study.project, "mixed")["action"].tolist()[0] == "rolled back"
    assert now(study) == (2, 1)


def test_a_prospect_says_what_would_happen_and_changes_nothing(study):
    promote(study.project, study.ids[0], "mixed")
    would = prospect(study.project, study.ids[1], "mixed")
    assert (would.version, would.is_new, would.replaces) == (2, True, 1)
    assert prospect(study.project, study.ids[1], "other").replaces is None
    assert len(panels(study.project)) == 1
    assert len(history(study.project, "mixed")) == 1
    done = promote(study.project, study.ids[1], "mixed")
    assert (done.version, done.replaced) == (would.version, would.replaces)


def test_a_difference_tells_who_came_and_went_and_the_evidence(study):
    promote(study.project, study.ids[0], "mixed")
    promote(study.project, study.ids[1], "mixed")
    frame = difference(study.project, "mixed@1", "mixed@2").set_index("feature")
    assert frame.loc["gene 8", "change"] == "came"
    assert frame.loc["gene 7", "change"] == "stayed"
    assert set(frame.index[frame["change"] == "went"]) == set(SET) - {"gene 7"}
    assert frame.index[0] == "gene 8"  # what changed comes first
    assert frame.loc["age", "weight_old"] == 1.0
    assert frame.loc["age", "weight_new"] is None
    back = difference(study.project, "mixed@2", "mixed@1").set_index("feature")
    assert back.loc["gene 8", "change"] == "went"


def test_ranks_are_by_frequency_with_ties_at_the_best():
    from fselect.registry.difference import _rank

    shares = {"a": 1.0, "b": 0.5, "c": 0.5, "d": 0.1}
    assert [_rank(name, shares) for name in "abcde"] == [1, 2, 2, 4, None]


def test_a_version_beside_itself_is_refused(study):
    promote(study.project, study.ids[0], "mixed")
    with pytest.raises(InputError, match="are the same version"):
        difference(study.project, "mixed@1", "mixed@champion")


@pytest.mark.parametrize("change", ["cloudpickle", "trusted", "code", "no zip"])
def test_a_version_that_might_run_code_is_refused_before_it_is_loaded(study, tmp_path, change):
    """What a registry serves is not trusted: a pickle in it would run whatever it says."""
    import pickle
    from pathlib import Path

    import yaml

    promote(study.project, study.ids[1], "numbers")
    place = Path(study.client.get_model_version("numbers", "1").source.removeprefix("file://"))
    witness = tmp_path / "it ran"

    class Evil:
        def __reduce__(self):
            return (open, (str(witness), "w"))

    described = yaml.safe_load((place / "MLmodel").read_text())
    flavor = described["flavors"]["sklearn"]
    if change == "trusted":
        flavor["skops_trusted_types"] = ["posix.system"]
    elif change == "code":
        flavor["code"] = "code"
    else:
        (place / flavor["pickled_model"]).write_bytes(pickle.dumps(Evil()))
        flavor["serialization_format"] = "cloudpickle" if change == "cloudpickle" else "skops"
    (place / "MLmodel").write_text(yaml.safe_dump(described))
    with pytest.raises(InputError, match="might run code when it is loaded"):
        load_panel(study.project, "numbers@champion")
    assert not witness.exists()


def test_a_decision_that_is_noted_again_because_it_was_broken_off_is_one_entry(study):
    promote(study.project, study.ids[0], "mixed")
    store = open_store(study.project)
    for _ in range(2):
        note_decision(store, Decided.read(store, "mixed", 1), "refused", "not stable enough")
    assert history(study.project, "mixed")["action"].tolist() == ["refused by the gate", "promoted by hand"]
    assert store.client.get_run(study.ids[0]).data.tags["fselect.decision"] == "refused"
