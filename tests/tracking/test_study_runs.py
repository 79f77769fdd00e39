"""A study becomes flat runs that hold the summary's numbers, and never twice."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import mlflow
import pytest

from fselect.errors import InputError
from fselect.tracking import list_runs, log_study, open_store
from fselect.tracking.describe import describe_study, short
from fselect.tracking.record import finite
from fselect.tracking.sending import send
from tests.factories import make_point, make_project, make_summary


def test_every_point_and_front_is_a_run_of_the_studys_experiment(logged, store):
    ids = logged.ids
    names = [store.client.get_run(run).info.run_name for run in ids]
    points = ["transfer strength 0", "transfer strength 1", "transfer strength 4", "transfer first set"]
    assert names == [*points, "transfer front", "trivial front"]
    runs = [store.client.get_run(run) for run in ids]
    assert {store.client.get_experiment(run.info.experiment_id).name for run in runs} == {"demo"}
    assert {run.info.status for run in runs} == {"FINISHED"}
    assert not any("mlflow.parentRunId" in run.data.tags for run in runs)


def test_a_point_holds_the_summarys_numbers(logged, store):
    _, summary, ids = logged[:3]
    metrics = store.client.get_run(ids[2]).data.metrics
    point = summary.points[2]
    names = ("accuracy", "accuracy_se", "stability", "stability_se", "balanced_accuracy", "roc_auc")
    assert metrics == {name: getattr(point, name) for name in (*names, "strength", "n_features")}


def test_parameters_and_tags_say_how_and_on_what(logged, store):
    _, summary, ids = logged[:3]
    data = store.client.get_run(ids[1]).data
    assert data.params["penalty"] == "1.0"
    assert data.params["repeats"] == "6"
    assert data.params["protocol"] == "transfer"
    assert data.params["tasks.table"] == "wine"
    wanted = {
        "fselect.study": "demo",
        "fselect.kind": "point",
        "fselect.key": summary.points[1].key,
        "fselect.data_hash": summary.tasks[-1].data_hash,
        "fselect.git_commit": "0123456789abcdef-dirty",
        "fselect.dvc_hash": "fedcba9876543210.dir",
        "fselect.digest": "d0",
        "fselect.operating_point": "true",
        "mlflow.source.git.commit": "0123456789abcdef",
    }
    assert {name: data.tags.get(name) for name in wanted} == wanted
    assert "fselect.operating_point" not in store.client.get_run(ids[2]).data.tags


def test_the_tasks_are_the_runs_inputs_by_content_hash(logged, store):
    _, summary, ids = logged[:3]
    inputs = store.client.get_run(ids[1]).inputs.dataset_inputs
    assert {(item.dataset.name, item.dataset.digest) for item in inputs} == {
        (task.name, task.data_hash) for task in summary.tasks
    }
    assert json.loads(inputs[0].dataset.profile)["num_rows"] == 178


def test_the_set_is_an_artifact_and_never_a_parameter(logged, store, tmp_path):
    _, summary, ids = logged[:3]
    path = store.client.download_artifacts(ids[1], "set.json", str(tmp_path))
    with open(path, encoding="utf-8") as file:
        written = json.load(file)
    assert written["features"] == list(summary.points[1].selected)
    assert written["weights"]["texture"] == -0.5
    assert written["frequencies"] == dict(summary.points[1].frequencies)
    assert written["data_hash"] == summary.tasks[-1].data_hash
    assert [task["data_hash"] for task in written["tasks"]] == [task.data_hash for task in summary.tasks]
    params = store.client.get_run(ids[1]).data.params
    assert not any("mean radius" in value for value in params.values())


def test_the_frequencies_are_a_table_that_mlflow_reads(logged, store, request):
    ids = logged.ids
    experiment = store.client.get_run(ids[1]).info.experiment_id
    request.addfinalizer(lambda: mlflow.set_tracking_uri(None))
    mlflow.set_tracking_uri(store.uri)  # load_table takes runs from there, whatever the client's own address
    table = store.client.load_table(experiment, "frequencies.json", run_ids=[ids[1]])
    assert table["feature"].tolist() == ["mean radius", "texture", "area", "smoothness", "worst area"]
    assert table["frequency"].tolist() == pytest.approx([1.0, 0.9, 0.6, 0.3, 0.2])  # pandas reads to 1e-16
    assert table["selected"].tolist() == [True, True, True, False, False]


def test_a_front_has_its_area_with_interval_and_the_curves_by_step(logged, store):
    _, summary, ids = logged[:3]
    metrics = store.client.get_run(ids[4]).data.metrics
    front = summary.fronts[0]
    assert (metrics["dominance_area"], metrics["dominance_area_low"]) == (front.area, front.area_low)
    assert metrics["dominance_area_high"] == front.area_high
    assert metrics["dominance_area_bootstrap_low"] == front.bootstrap_low
    curve = store.client.get_metric_history(ids[4], "curve/accuracy")
    assert [(item.step, item.value) for item in curve] == [(0, 0.92), (1, 0.9)]
    strengths = store.client.get_metric_history(ids[4], "curve/strength")
    assert [item.value for item in strengths] == [1.0, 4.0]


def test_a_single_studys_curve_goes_from_no_bias_to_the_smallest_shape(tmp_path):
    project = make_project(tmp_path, protocol="single")
    front = describe_study(project, make_summary(protocol="single"), {})[4]
    assert front.name == "single front"
    assert front.curves["curve/stability"] == [(0, 0.4), (1, 0.7), (2, 0.9)]
    assert front.curves["curve/shape"] == [(1, 1.0), (2, 0.1)]


def test_the_plots_need_no_network(logged):
    project, _, ids = logged[:3]
    folder = project.state_dir / "artifacts" / ids[4] / "artifacts"
    assert (folder / "front.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "front.html").read_text(encoding="utf-8")
    assert 'src="http' not in page
    assert len(page) > 1_000_000  # plotly.js is inside


def test_undefined_metrics_are_named_in_a_tag_and_never_sent(logged, store):
    ids = logged.ids
    run = store.client.get_run(ids[5])
    assert run.data.tags["fselect.undefined"] == "dominance_area_bootstrap_high, dominance_area_bootstrap_low"
    assert "dominance_area_bootstrap_low" not in run.data.metrics
    assert finite([("a", float("inf")), ("b", float("nan")), ("c", None), ("d", 1)]) == ({"d": 1.0}, ["a", "b"])


def test_the_experiment_explains_its_metrics_and_shows_them_as_columns(logged, store):
    tags = store.client.get_experiment_by_name("demo").tags
    assert "`dominance_area`" in tags["mlflow.note.content"]
    assert tags["mlflow.experimentKind"] == "custom_model_development"
    columns = json.loads(tags["mlflow.sharedViewState.fselect"])["selectedColumns"]
    assert columns[:3] == ["metrics.`accuracy`", "metrics.`stability`", "metrics.`dominance_area`"]
    assert columns[3:6] == ["tags.`fselect.operating_point`", "tags.`fselect.dvc_hash`", "tags.`fselect.digest`"]


def test_the_source_of_a_run_which_every_list_shows_names_its_data_and_its_study(logged, store):
    tags = store.client.get_run(logged.ids[1]).data.tags
    assert tags["mlflow.source.name"] == "d0, data fedcba98"


def test_a_note_that_was_edited_in_the_browser_is_kept(fresh, plain_plots):
    project = fresh()
    log_study(project, make_summary())
    client = open_store(project).client
    experiment = client.get_experiment_by_name("demo").experiment_id
    assert f"#/experiments/{experiment}/runs?" in client.get_experiment(experiment).tags["mlflow.note.content"]
    client.set_experiment_tag(experiment, "mlflow.note.content", "ours")
    log_study(project, make_summary(digest="d1"))
    assert client.get_experiment(experiment).tags["mlflow.note.content"] == "ours"


def test_global_state_of_mlflow_is_left_alone(logged):
    assert mlflow.active_run() is None
    assert str(logged.project.root) not in mlflow.get_tracking_uri()


def test_logging_the_same_study_again_adds_nothing(logged):
    project, summary, ids = logged[:3]
    assert log_study(project, summary) == ids
    assert len(list_runs(project, "demo")) == len(ids)


def test_a_run_that_was_left_unfinished_is_replaced(fresh, plain_plots, monkeypatch):
    project, summary = fresh(), make_summary()

    class KilledError(BaseException):
        pass

    def die(*words):
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr("fselect.tracking.sending._log_files", die)
        with pytest.raises(KilledError):
            log_study(project, summary)
    assert list_runs(project)["status"].tolist() == ["RUNNING"]
    ids = log_study(project, summary)
    runs = list_runs(project)
    assert sorted(runs["run_id"]) == sorted(ids)
    assert set(runs["status"]) == {"FINISHED"}


def test_several_at_once_log_a_study_once(fresh, plain_plots):
    project = fresh()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: log_study(project, make_summary()), range(4)))
    assert len({tuple(ids) for ids in answers}) == 1
    assert sorted(list_runs(project)["run_id"]) == sorted(answers[0])


def test_another_operating_point_moves_the_tag_and_makes_no_run(fresh, plain_plots):
    project, summary = fresh(), make_summary()
    ids = log_study(project, summary)
    assert log_study(project, replace(summary, operating_point=2, reason="the knee")) == ids
    runs = list_runs(project)
    assert runs.loc[runs["operating_point"], "name"].tolist() == ["transfer strength 4"]


def test_a_changed_study_is_logged_beside_the_old_one(fresh, plain_plots):
    project = fresh()
    first = log_study(project, make_summary())
    second = log_study(project, make_summary(digest="d1"))
    assert len(set(first) | set(second)) == len(first) + len(second) == len(list_runs(project))


def test_an_experiment_deleted_in_the_browser_comes_back(fresh, plain_plots):
    project = fresh()
    record = describe_study(project, make_summary(), {})[0]
    store = open_store(project)
    send(store, record)
    store.client.delete_experiment(store.client.get_experiment_by_name("demo").experiment_id)
    send(store, record)
    assert list_runs(project, "demo")["status"].tolist() == ["FINISHED"]


def test_long_parameters_become_a_count():
    names = [f"gene {i}" for i in range(500)]
    assert short(names).startswith("500 items, blake2b ")
    assert short("x" * 251).startswith("251 characters, blake2b ")
    assert short("x" * 250) == "x" * 250


def test_a_run_that_mlflow_refuses_is_told_in_a_sentence(fresh, plain_plots):
    summary = make_summary(points=[make_point("strength 1", 0.9, 0.5)])
    bad = replace(summary, parameters={"a[0]": 1}, fronts=())
    with pytest.raises(InputError, match="MLflow refuses the run 'transfer strength 1': "):
        log_study(fresh(), bad)
