"""What a study offers every night fills an empty name, and overrules neither people nor the gate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fselect.errors import InputError
from fselect.registry import history, offer, panels, promote, promote_version, rollback
from fselect.study.config import TrackingConfig
from fselect.tracking import log_study, open_store
from tests.factories import make_point, make_summary


@pytest.fixture
def project(study):
    """The study, which asks for its set to be promoted as `auto`."""
    promotion = study.project.config.promotion.model_copy(update={"name": "auto"})
    return replace(study.project, config=study.project.config.model_copy(update={"promotion": promotion}))


def champion(project):
    frame = panels(project)
    (row,) = frame[frame["aliases"] == "champion"].to_dict("records")
    return row["version"], row["run_id"]


def test_the_first_set_is_promoted_and_the_same_set_again_is_left_alone(project, study):
    assert offer(project, study.ids[0]).promotion.version == 1
    again = offer(project, study.ids[0])
    assert (again.promotion, again.sentence) == (None, "auto version 1 is champion already")
    assert history(project, "auto")["action"].tolist() == ["promoted by its study"]


def test_the_set_of_a_changed_study_replaces_the_one_of_its_earlier_state(project, study):
    offer(project, study.ids[0])
    assert offer(project, study.ids[1]).promotion.replaced == 1
    assert champion(project) == (2, study.ids[1])


def test_a_set_that_a_person_chose_stays_and_the_sentence_says_how_to_replace_it(project, study):
    promote(project, study.ids[1], "auto")
    told = offer(project, study.ids[0])
    assert told.promotion is None
    assert "version 1 was promoted by hand, and stays champion" in told.sentence
    assert f"fselect promote '{study.ids[0]}' --name 'auto'" in told.sentence
    assert champion(project) == (1, study.ids[1])


def test_a_set_that_passed_the_gate_stays(project, study):
    offer(project, study.ids[0])
    promote(project, study.ids[1], "auto", by_hand=False)
    rollback(project, "auto")
    promote_version(project, "auto@2", by_hand=False)
    assert "version 2 was promoted by the gate" in offer(project, study.ids[0]).sentence
    assert champion(project) == (2, study.ids[1])


def test_a_rollback_is_not_undone_the_next_night(project, study):
    offer(project, study.ids[0])
    offer(project, study.ids[1])
    rollback(project, "auto", why="a reagent changed")
    assert "version 1 was brought back by a rollback" in offer(project, study.ids[1]).sentence
    assert champion(project) == (1, study.ids[0])
    assert len(panels(project)) == 2


def test_a_server_that_is_away_is_told_and_no_error(project, study):
    away = replace(
        project, config=project.config.model_copy(update={"tracking": TrackingConfig(uri="http://127.0.0.1:9")})
    )
    told = offer(away, study.ids[0])
    assert told.promotion is None
    assert told.sentence.startswith("not promoted as auto now, the next run does it: no MLflow server answers")


def test_an_empty_set_is_offered_in_vain_and_refused_to_a_person(project, tmp_path):
    point = make_point("unbiased", 0.6, 1.0, digest="empty", selected=(), frequencies={}, weights={}, n_features=0)
    summary = make_summary(digest="empty", points=[point])
    store = open_store(project)
    ids = log_study(project, summary, store=store)
    assert offer(project, ids[0]).sentence == (
        "not promoted as auto: the chosen set is empty, and an empty set selects nothing"
    )
    with pytest.raises(InputError, match="has an empty set; promote a point of the trade-off"):
        promote(project, ids[0], "auto")
