"""params.yaml is validated, and every mistake is told in one sentence that names the key."""

from __future__ import annotations

import pytest
import yaml

from fselect.errors import InputError
from fselect.study.config import parse_config, read_config

TASKS = {"source": "noisy", "table": "wine", "target": "target"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"tasks": {**TASKS, "tabel": "x"}}, "unknown key 'tasks.tabel'; did you mean 'table'"),
        ({"tasks": TASKS, "selektion": {}}, "unknown key 'selektion'; did you mean 'selection'"),
        ({"tasks": TASKS, "selection": {"repeats": "many"}}, "selection.repeats 'many'"),
        ({"tasks": TASKS, "selection": {"repeats": 0}}, "selection.repeats 0"),
        ({"tasks": TASKS, "selection": {"penalty": -1}}, "selection.penalty -1"),
        ({"tasks": TASKS, "selection": {"step": 1.0}}, "selection.step 1.0"),
        ({"tasks": TASKS, "selection": {"strengths": [0, 1, 1]}}, "selection.strengths"),
        ({"tasks": TASKS, "selection": {"strengths": [0]}}, "selection.strengths"),
        ({"tasks": {"source": "files", "target": "y"}}, "needs tasks.tables"),
        ({"study": {"name": "x"}}, "key 'tasks' is missing"),
        ({"tasks": TASKS, "study": {"name": "../../x"}}, "study.name '../../x'"),
        ({"tasks": TASKS, "study": {"protocol": "single"}}, "does not go with tasks.source"),
        ({"tasks": TASKS, "operating_point": {"rule": "weight"}}, "needs operating_point.value"),
        ({"tasks": TASKS, "evaluation": {"weight": [[0.5, 0.2], [0, 1]]}}, "evaluation.weight"),
        ({"tasks": TASKS, "selection": {"prior": {"ranked": True}}}, "either a file or examples"),
        ({"tasks": TASKS, "selection": {"prior": {"file": "a"}}}, "selection.prior goes with study.protocol 'single'"),
        (
            {
                "study": {"protocol": "single"},
                "tasks": {"source": "table", "table": "t.csv", "target": "y"},
                "selection": {"shapes": [None], "prior": {"file": "a"}},
            },
            "selection.prior steers a bias, and selection.shapes has none",
        ),
        ({"tasks": TASKS, "execution": {"address": "tcp://x:1"}}, "threads run on this machine"),
        ({"tasks": TASKS, "execution": {"runner": "dask"}}, "'dask' needs execution.address"),
        ({"tasks": TASKS, "execution": {"runner": "dask", "address": "x"}}, "execution.address 'x': needs protocol"),
        ({"tasks": TASKS, "study": {"seed": True}}, "study.seed True"),
        ({"tasks": TASKS, "study": "x"}, "study 'x': needs its keys below it"),
        ([1, 2], "expected sections"),
    ],
)
def test_a_wrong_study_file_is_refused_by_one_sentence_with_the_key(values, sentence):
    with pytest.raises(InputError) as caught:
        parse_config(values)
    message = str(caught.value)
    assert sentence in message
    assert "\n" not in message


def test_the_defaults_are_those_of_an_empty_section():
    config = parse_config({"tasks": TASKS, "selection": {}})
    assert config == parse_config({"tasks": TASKS})
    assert config.selection.final_model_penalty == config.selection.penalty


def test_a_file_that_is_no_yaml_is_named(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("tasks: [1, 2\n")
    with pytest.raises(InputError, match=r"params\.yaml is not valid YAML"):
        read_config(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no study file"):
        read_config(tmp_path / "params.yaml")


def test_a_written_configuration_reads_back_the_same(tmp_path):
    config = parse_config({"tasks": TASKS, "evaluation": {"weight": [[0.5, 1], [0, 1]]}})
    path = tmp_path / "params.yaml"
    path.write_text(yaml.safe_dump(config.model_dump(mode="json")))
    assert read_config(path) == config


def test_a_key_that_stands_twice_is_refused(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("tasks: {source: noisy, table: wine, target: target, table: iris}\n")
    with pytest.raises(InputError, match="key 'table' stands twice"):
        read_config(path)


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot read the study file"):
        read_config(tmp_path)
