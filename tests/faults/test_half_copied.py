"""A table that is still being copied is refused by name, or is a table of its own; once it is whole, all is well."""

from __future__ import annotations

import random

import pytest

from fselect import stages
from fselect.datasets import load_dataset
from fselect.errors import InputError
from fselect.study.config import parse_config
from fselect.study.project import Project
from tests.faults.studies import results

TABLES = ("jan", "feb")


def frames():
    whole = load_dataset("wine").frame("target")
    return dict(zip(TABLES, (whole.iloc[::2], whole.iloc[1::2]), strict=True))


def write(frame, path):
    frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path, index=False)


def study(root, kind):
    (root / "data" / "tables").mkdir(parents=True)
    for name, frame in frames().items():
        write(frame, root / "data" / "tables" / f"{name}.{kind}")
    tables = [f"data/tables/{name}.{kind}" for name in TABLES]
    values = {
        "tasks": {"source": "files", "tables": tables, "target": "target"},
        "selection": {"n_features": 3, "strengths": [0, 1], "repeats": 2, "bootstraps": 2},
    }
    return Project(root, parse_config(values))


@pytest.fixture(scope="module", params=["csv", "parquet"])
def undisturbed(request, tmp_path_factory):
    project = study(tmp_path_factory.mktemp("undisturbed"), request.param)
    stages.run_study(project)
    return request.param, results(project)


def refused(project):
    """The sentence in which a study is refused, if it is."""
    try:
        stages.run_study(project)
    except InputError as error:
        return str(error)
    return None


INSTANTS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 21))]


@pytest.mark.parametrize("seed", INSTANTS)
def test_a_half_copied_table_is_refused_by_name_or_leaves_no_trace(tmp_path, undisturbed, seed):
    kind, wanted = undisturbed
    project = study(tmp_path, kind)
    table = project.tables_dir / f"feb.{kind}"
    whole = table.read_bytes()
    table.write_bytes(whole[: random.Random(seed).randrange(len(whole))])
    refusal = refused(project)
    if refusal is None:
        assert kind == "csv"  # a text that ends after a row is a table; half a Parquet file never is
        assert results(project) != wanted
    else:
        assert "feb" in refusal
        assert "\n" not in refusal
    table.write_bytes(whole)
    stages.run_study(project)
    assert results(project) == wanted
