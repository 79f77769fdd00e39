"""The catalogue of methods."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.selectors import catalogue
from fselect.selectors.elimination import eliminate


def test_rfe_selects_what_the_elimination_selects():
    rng = np.random.default_rng(0)
    X, bias = rng.normal(size=(30, 40)), rng.normal(size=40)
    codes = (X[:, 0] > 0).astype(np.int64)
    method = catalogue.get_method("rfe", n_features=4, penalty=0.1)
    found = eliminate(X, codes, np.ones(30), n_features=4, step=0.2, penalty=0.1, n_classes=2, log_shrinkage=bias)
    assert method.support(X, codes, np.ones(30), bias, rng).tolist() == found.support.tolist()


def test_parameters_hold_the_defaults_and_go_through_json():
    method = catalogue.get_method("rfe", n_features=4)
    assert json.loads(json.dumps(method.parameters)) == {
        "n_features": 4,
        "step": 0.2,
        "penalty": 1.0,
        "standardize": True,
    }
    assert (method.name, method.bias, method.keeps_missing) == ("rfe", ("shape", "strength"), False)
    assert isinstance(method.ALGORITHM_VERSION, int)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("nothing", {}, "no method 'nothing'; there are .*rfe"),
        ("rfe", {"n_features": 2, "speed": 9}, "no parameter 'speed'; it has n_features, step"),
        ("rfe", {}, "needs a value for n_features"),
    ],
)
def test_wrong_names_are_refused_with_the_right_ones(name, parameters, message):
    with pytest.raises(InputError, match=message):
        catalogue.get_method(name, **parameters)


def test_the_table_tells_what_a_list_of_methods_needs():
    row = next(row for row in catalogue.method_table() if row["name"] == "rfe")
    assert row["parameters"] == {"n_features": None, "step": 0.2, "penalty": 1.0, "standardize": True}
    assert row["summary"].endswith(".")


def test_two_classes_cannot_bear_one_name(monkeypatch):
    monkeypatch.setattr(catalogue, "_METHODS", dict(catalogue._METHODS))

    @dataclass
    class Other:
        """Another."""

    with pytest.raises(InputError, match="'rfe' is taken"):
        catalogue.method("rfe")(Other)


def test_a_process_that_only_selects_does_not_import_scikit_learn():
    code = (
        "import sys; from fselect.selectors.catalogue import get_method; get_method('rfe', n_features=1);"
        "print('sklearn' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"


def test_to_look_one_method_up_imports_no_other():
    code = (
        "import sys; from fselect.selectors.catalogue import method_class; method_class('rfe'); "
        "print('fselect.selectors.weights.relief' in sys.modules, 'pandas' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False False\n"
