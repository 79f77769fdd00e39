"""A method without bias, with parameters of its own and rounds that are kept, in the single-task protocol."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from fselect.datasets import load_dataset
from fselect.errors import InputError
from fselect.evaluation.comparison import compare_areas
from fselect.selectors.contribution.checkpoints import RoundFiles
from fselect.stages import make_tasks, open_study, report, run_study, select
from fselect.study.archive import read_archive
from fselect.study.config import OPERATION, parse_config
from fselect.study.plan import make_plan, study_digest
from fselect.study.project import Project
from fselect.study.unit_rows import run_unit
from fselect.tracking.describe import describe_study
from tests.studies import SINGLE, changed

PARAMETERS = {"estimator": "naive_bayes", "direction": "forward", "size": 3, "step": 2}
CONTRIBUTION = {
    "study": {"name": "contribution", "seed": 3, "protocol": "single"},
    "tasks": {"source": "table", "table": "wine", "target": "target"},
    "selection": {"method": "contribution", "n_features": 4, "parameters": PARAMETERS, "repeats": 2, "bootstraps": 4},
}
RFE = changed(CONTRIBUTION, study={"name": "rfe"}, selection={"method": "rfe", "parameters": {}, "shapes": [None]})


def project_of(root, values, **execution):
    return Project(root, parse_config(changed(values, execution=execution)))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    root = tmp_path_factory.mktemp("both")
    return {name: (project_of(root, one), run_study(project_of(root, one))) for name, one in _both().items()}


def _both():
    return {"contribution": CONTRIBUTION, "rfe": RFE}


def test_it_has_one_point_without_bias_beside_the_random_set(done):
    _, summary = done["contribution"]
    assert [point.label for point in summary.points] == ["unbiased", "random set"]
    assert summary.points[0].n_features == len(summary.points[0].selected) > 0
    assert summary.points[1].n_features == 4
    assert summary.parameters["size"] == 3
    assert summary.parameters["step"] == 2  # its own, not the share of an elimination
    assert summary.parameters["threshold"] == 0.0  # by default
    assert "penalty" not in summary.parameters
    assert summary.parameters["final_penalty"] == 1.0
    assert 0.8 < summary.points[0].accuracy <= 1
    assert len(summary.points[0].frequencies) >= len(summary.points[0].selected)


def test_it_sees_the_bootstraps_that_rfe_sees_so_that_both_can_be_compared_in_pairs(done):
    random_sets = {}
    for name, (project, summary) in done.items():
        rows = read_archive(project.archive_path).to_pandas()
        random_sets[name] = rows[rows["method"] == "random set"].sort_values(["repeat", "sample"])["accuracy"]
        assert summary.points[0].pairs.shape == (2, 2)
    assert random_sets["rfe"].tolist() == random_sets["contribution"].tolist()
    sides = [[point.pairs for point in done[name][1].points] for name in ("contribution", "rfe")]
    found = compare_areas(sides[0], sides[1], level=0.95, rng=0)
    assert found.low <= found.difference <= found.high


@pytest.mark.parametrize(
    "execution",
    [{"workers": 5}, pytest.param({"workers": 2, "runner": "processes"}, marks=pytest.mark.slow)],
    ids=["threads", "processes"],
)
def test_any_runner_and_number_of_workers_gives_the_same_bytes(done, tmp_path, execution):
    project = project_of(tmp_path, CONTRIBUTION, **execution)
    make_tasks(project)
    select(project)
    assert project.archive_path.read_bytes() == done["contribution"][0].archive_path.read_bytes()


def test_a_unit_that_was_interrupted_goes_on_from_its_rounds(done, tmp_path, monkeypatch):
    project, _ = done["contribution"]
    study = open_study(project)
    unit = next(unit for unit in study.units if unit.trivial is None)
    finished, _ = study.store.read(unit.key)
    kept, left = RoundFiles.keep, [9]

    def keep(self, number, one):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        kept(self, number, one)

    with monkeypatch.context() as patched:
        patched.setattr(RoundFiles, "keep", keep)
        with pytest.raises(KeyboardInterrupt):
            run_unit(unit, study.tasks, tmp_path)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/round-*.npz")}
    assert len(files) == 9
    assert run_unit(unit, study.tasks, tmp_path).equals(finished)
    assert all(path.stat().st_mtime_ns == written for path, written in files.items())


def test_the_history_goes_with_the_run_of_its_point_and_with_no_other(done):
    runs = {name: [record.files() for record in describe_study(*one, {})] for name, one in done.items()}
    (path,) = (done["contribution"][0].results_dir / "history").glob("*.parquet")
    assert [files.get("history.parquet") for files in runs["contribution"][:2]] == [path.read_bytes(), None]
    assert not any("history.parquet" in files for files in runs["rfe"])


def test_the_history_of_the_set_that_is_shown_lies_beside_the_archive(done):
    project, summary = done["contribution"]
    (path,) = (project.results_dir / "history").glob("*.parquet")
    history = pd.read_parquet(path)
    assert set(history.loc[history["moved"], "feature"]) == set(summary.points[0].selected)
    assert list(history) == ["round", "feature", "contribution", "standard_error", "draws", "moved"]
    assert not (done["rfe"][0].results_dir / "history").exists()


def test_a_finished_unit_leaves_no_scratch(done):
    project, _ = done["contribution"]
    assert not [path for path in (project.state_dir / "scratch").glob("*") if path.is_dir()]


@pytest.mark.parametrize(
    ("sections", "sentence"),
    [
        ({"selection": {"shapes": [None, 1]}}, "takes no bias: leave selection.shapes out"),
        ({"selection": {"prior": {"examples": 10, "features": 2}}}, "takes no prior"),
        ({"selection": {"parameters": {"sizes": 3}}}, "has no parameter 'sizes'; it has estimator, direction"),
        ({"selection": {"parameters": {"estimator": "oracle"}}}, "there is no classifier 'oracle'"),
        ({"selection": {"parameters": {"step": 0}}}, "step must be an integer of at least 1"),
        ({"selection": {"method": "shapley"}}, "there is no method 'shapley'"),
    ],
)
def test_what_the_method_cannot_do_is_refused(sections, sentence):
    with pytest.raises(InputError, match=sentence):
        make_plan(parse_config(changed(CONTRIBUTION, **sections)), [load_dataset("wine")])


def test_ordered_tasks_are_refused():
    values = {
        "tasks": {"source": "noisy", "table": "wine", "target": "target"},
        "selection": {"method": "contribution"},
    }
    with pytest.raises(InputError, match="takes no bias from earlier tasks"):
        make_plan(parse_config(values), [load_dataset("wine")] * 2)


def test_another_parameter_is_another_unit_and_another_study():
    tasks = [load_dataset("wine")]
    one = parse_config(CONTRIBUTION)
    other = parse_config(changed(CONTRIBUTION, selection={"parameters": PARAMETERS | {"size": 4}}))
    keys = [{unit.key for unit in make_plan(config, tasks)} for config in (one, other)]
    assert not keys[0] & keys[1]
    assert study_digest(one, tasks) != study_digest(other, tasks)


def test_studies_without_parameters_keep_the_digest_they_had():
    config = parse_config(SINGLE)
    values = config.model_dump(mode="json", exclude={*OPERATION, "tasks"})
    assert values["selection"].pop("parameters") == {}
    from fselect.study.plan import digest_of

    assert study_digest(config, []) == digest_of([values, []])


def test_sets_that_are_all_empty_or_all_full_count_as_stable(tmp_path):
    values = changed(CONTRIBUTION, selection={"parameters": PARAMETERS | {"threshold": 2.0}})
    project = project_of(tmp_path, values, workers=1)
    with pytest.warns(UserWarning, match="nothing is selected"):
        summary = run_study(project)
    assert summary.points[0].stability == 1
    assert summary.points[0].selected == ()
    assert np.isfinite(summary.points[0].accuracy)
    assert "unbiased" in report(project).read_text(encoding="utf-8")  # a page can be made of them
    point, trivial = (record.files() for record in describe_study(project, summary, {})[:2])
    assert json.loads(point["set.json"])["features"] == []
    assert trivial == {}
