"""Promotion makes a version that any process with scikit-learn loads, and keeps the history."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap

import pandas as pd
import pytest

from fselect.errors import InputError, MissingExtra
from fselect.registry import load_panel, panels, promote
from fselect.tracking import log_study
from fselect.versioning import dvc_hash
from tests.factories import make_project, make_summary
from tests.registry.conftest import SET

CLEAN = """
    import sys

    class Blocker:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] == "fselect":
                raise ImportError(name)

    sys.meta_path.insert(0, Blocker())
    import mlflow, pandas as pd
    mlflow.set_tracking_uri(sys.argv[1])
    panel = mlflow.sklearn.load_model("models:/mixed@champion")
    table = pd.read_csv("new.csv")
    print(panel.transform(table).tolist())
    print(list(panel.get_feature_names_out()))
    try:
        panel.transform(table.drop(columns=["sex", "gene 7"]))
    except ValueError as error:
        print(error)
"""


def test_a_clean_process_without_fselect_loads_it_for_reordered_columns_and_hears_of_missing_ones(
    study, table, tmp_path
):
    promote(study.project, study.ids[0], "mixed")
    # Columns in another order, and one more.
    table[["gene 8", "stage", "target", "gene 7", "smoker", "sex", "age"]].head(2).to_csv(
        tmp_path / "new.csv", index=False
    )
    command = [sys.executable, "-I", "-c", textwrap.dedent(CLEAN), study.project.tracking_uri]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    values, names, missing = done.stdout.splitlines()
    # stage=II, age, sex (m is 1), smoker, stage=IV, gene 7, of the first two patients
    assert json.loads(values) == [[0, 30, 0, 1, 0, 0], [1, 41, 1, 0, 0, 1]]
    assert names == "['stage_II', 'age', 'sex', 'smoker', 'stage_IV', 'gene 7']"
    assert "'sex'" in missing
    assert "'gene 7'" in missing
    assert sorted(os.listdir(tmp_path)) == ["new.csv", "project"]  # no ./mlruns


def test_the_file_beside_it_holds_the_evidence(study):
    made = promote(study.project, "demo/strength 1", "mixed")
    assert made.file == study.project.root / "data" / "panels" / "mixed.json"
    evidence = json.loads(made.file.read_text(encoding="utf-8"))
    expected = {
        "name": "mixed",
        "version": 1,
        "run_id": study.ids[0],
        "study": "demo",
        "features": list(SET),
        "accuracy": 0.9,
        "accuracy_se": 0.01,
        "stability": 0.8,
        "stability_se": 0.02,
        "strength": 1.0,
        "data_hash": study.data.content_hash,
        "git_commit": "abc",
        "transformer": "selects and encodes columns only; the study clipped values to [0.0, 100.0]",
    }
    assert {name: evidence[name] for name in expected} == expected
    assert evidence["frequencies"]["texture"] == 0.9
    assert evidence["columns"][0] == {
        "feature": "stage=II",
        "column": "stage",
        "encoding": "indicator",
        "levels": ["I", "II", "III", "IV"],
        "level": "II",
    }
    assert not any("date" in key or "time" in key for key in evidence)


def test_promoting_the_same_run_again_changes_nothing(study):
    first = promote(study.project, study.ids[0], "mixed")
    before = first.file.read_bytes()
    second = promote(study.project, study.ids[0], "mixed")
    assert (second.version, second.replaced) == (1, None)
    assert second.file.read_bytes() == before
    assert len(study.client.search_model_versions("name = 'mixed'")) == 1


def test_the_old_champion_is_kept_as_previous_and_the_history_grows(study):
    promote(study.project, study.ids[0], "mixed")
    second = promote(study.project, study.ids[1], "mixed")
    third = promote(study.project, study.ids[0], "mixed")
    assert (second.version, second.replaced) == (2, 1)
    assert (third.version, third.replaced) == (3, 2)
    frame = panels(study.project)
    assert frame["version"].tolist() == [3, 2, 1]
    assert frame["aliases"].tolist() == ["champion", "previous", ""]
    assert frame["run_id"].tolist() == [study.ids[0], study.ids[1], study.ids[0]]
    assert frame["accuracy"].tolist() == [0.9, 0.88, 0.9]
    assert frame["accuracy_se"].isna().tolist() == [False, True, False]
    tags = [study.client.get_model_version("mixed", str(number)).tags for number in (1, 2, 3)]
    assert [tag.get("fselect.replaced") for tag in tags] == [None, "1", "2"]


def test_a_promotion_that_broke_off_before_the_alias_is_taken_up_again(study, monkeypatch):
    class KilledError(BaseException):
        pass

    def die(self, name, alias, version):
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr("mlflow.MlflowClient.set_registered_model_alias", die)
        with pytest.raises(KilledError):
            promote(study.project, study.ids[0], "mixed")
    assert promote(study.project, study.ids[0], "mixed").version == 1
    assert panels(study.project)["aliases"].tolist() == ["champion"]


def test_a_version_whose_files_are_lost_is_made_anew_by_promoting_again(study):
    promote(study.project, study.ids[0], "mixed")
    for folder in (study.project.state_dir / "artifacts" / "models").iterdir():
        shutil.rmtree(folder)
    again = promote(study.project, study.ids[0], "mixed")
    assert (again.version, again.replaced) == (2, 1)
    assert load_panel(study.project, "mixed@champion").version == 2


def test_a_set_of_numbers_is_the_plain_transformer_without_trusted_types(study):
    import mlflow.sklearn
    import yaml

    made = promote(study.project, study.ids[1], "numbers")
    place = study.client.get_model_version("numbers", "1").source.removeprefix("file://")
    with open(f"{place}/MLmodel", encoding="utf-8") as file:
        flavor = yaml.safe_load(file)
    assert flavor["flavors"]["sklearn"]["serialization_format"] == "skops"
    assert not flavor["flavors"]["sklearn"].get("skops_trusted_types")
    assert [entry["name"] for entry in json.loads(flavor["signature"]["inputs"])] == ["gene 8", "gene 7"]
    panel = mlflow.sklearn.load_model(place)
    assert panel.transformers == [("selected", "passthrough", ["gene 8", "gene 7"])]
    assert made.selected == ("gene 8", "gene 7")


def test_no_value_of_the_table_goes_into_the_registry(study):
    promote(study.project, study.ids[1], "numbers")
    place = study.client.get_model_version("numbers", "1").source.removeprefix("file://")
    assert sorted(os.listdir(place)) == sorted(
        ["MLmodel", "conda.yaml", "evidence.json", "model.skops", "python_env.yaml", "requirements.txt", "schema.json"]
    )
    with open(f"{place}/schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    assert schema == {
        "target": "target",
        "columns": ["age", "sex", "smoker", "stage", "gene 7", "gene 8"],
        "levels": {"sex": ["f", "m"], "smoker": ["False", "True"], "stage": ["I", "II", "III", "IV"]},
        "classes": ["ill", "well"],
    }


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("demo/first set", "is a trivial strategy, for comparison only"),
        ("demo/transfer front", "is a front and has no set"),
        ("demo/strength 3", "has no run 'strength 3'; did you mean 'strength 2' or 'strength 1'"),
        ("ffffffff", "there is no run 'ffffffff'"),
    ],
)
def test_only_points_of_the_trade_off_are_promoted(study, reference, sentence):
    with pytest.raises(InputError, match=sentence):
        promote(study.project, reference, "mixed")
    assert len(panels(study.project)) == 0
    assert not (study.project.root / "data" / "panels").exists()


@pytest.mark.parametrize("name", ["", " ", "a/b", "a:b", "a@b", "../up", ".hidden", "x" * 101, "it's"])
def test_names_that_are_none_are_refused(study, name):
    with pytest.raises(InputError, match="is no name for a promoted set"):
        promote(study.project, study.ids[0], name)


def test_a_run_whose_set_was_deleted_is_told_in_a_sentence(study, monkeypatch):
    def gone(self, run_id, path, dst_path):
        raise OSError("no such file")

    monkeypatch.setattr("mlflow.MlflowClient.download_artifacts", gone)
    with pytest.raises(InputError, match=r"the set of run 'transfer strength 1' \(\w{12}\) cannot be read: no such"):
        promote(study.project, study.ids[0], "mixed")


def test_without_skops_the_sentence_says_what_to_install(study, monkeypatch):
    monkeypatch.setitem(sys.modules, "skops", None)
    monkeypatch.setitem(sys.modules, "skops.io", None)
    with pytest.raises(MissingExtra, match=r"skops.* is not installed"):
        promote(study.project, study.ids[1], "numbers")
    assert len(panels(study.project)) == 0


def test_where_dvc_is_used_the_file_is_tracked(study):
    root = study.project.root
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run([sys.executable, "-m", "dvc", "init", "-q"], cwd=root, check=True)
    made = promote(study.project, study.ids[1], "numbers")
    assert made.tracked == made.file.with_name("numbers.json.dvc")
    assert made.tracked.is_file()
    assert dvc_hash(made.file, root) is not None


def test_a_project_that_was_moved_keeps_its_runs_and_panels(study, table):
    promote(study.project, study.ids[1], "numbers")
    before = study.project.root
    after = before.with_name("moved é")
    before.rename(after)
    moved = make_project(after)
    assert load_panel(moved, "numbers@champion").transform(table).shape == (12, 2)
    assert promote(moved, study.ids[0], "mixed").version == 1
    ids = log_study(moved, make_summary(digest="d1"))
    assert (after / ".fselect" / "artifacts" / ids[1] / "artifacts" / "set.json").is_file()
    assert not before.exists()


def test_without_dvc_the_file_is_all(study):
    assert promote(study.project, study.ids[1], "numbers").tracked is None


def test_other_peoples_models_are_no_panels(study):
    study.client.create_registered_model("theirs")
    study.client.create_model_version("theirs", study.project.root.as_uri(), tags={"a": "b"})
    promote(study.project, study.ids[1], "numbers")
    assert panels(study.project)["name"].tolist() == ["numbers"]


def test_an_empty_registry_gives_an_empty_list_with_the_same_columns(study):
    empty = panels(study.project)
    promote(study.project, study.ids[1], "numbers")
    assert isinstance(empty, pd.DataFrame)
    assert empty.dtypes.to_dict() == panels(study.project).dtypes.to_dict()
