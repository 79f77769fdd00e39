"""The quick reproduction on small made-up tables, end to end."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fselect.errors import InputError
from fselect.reproductions import run
from fselect.reproductions.paper import Table
from fselect.reproductions.papers import get_paper
from fselect.reproductions.run import Plan, fetch_missing, find_missing
from fselect.study.store import UnitStore
from tests.cli.conftest import fselect

__all__ = ["fselect"]

PAPER = get_paper("hamer-dupont")
QUICK = ["--quick", "--repeats", "5", "--only", "prostate", "--only", "transfer-noise-2", "--only", "gisette"]


@pytest.fixture(scope="module")
def done(tables, tmp_path_factory):
    """A quick reproduction by the library, with what it said."""
    folder, said = tmp_path_factory.mktemp("done"), []
    only = ("prostate", "transfer-noise-2", "madelon")
    plan = Plan(PAPER, tables, folder, only, quick=True, repeats=10, execution={"workers": 2})
    return run.reproduce(plan, said=said.append), said


def test_a_missing_table_is_told_and_its_claims_are_not_tested(done):
    outcome, said = done
    assert any("madelon: not run, there is no madelon.parquet" in sentence for sentence in said)
    found = {finding.data: finding for finding in outcome.findings if finding.claim == "1a"}
    assert found["Madelon"].verdict == "not tested"
    assert found["Madelon"].reason == "there is no madelon.parquet in the data folder"
    assert found["Gisette"].reason == "the study was not run"
    assert found["Prostate"].verdict != "not tested"
    assert found["Prostate"].repeats == 10


def test_a_table_of_another_size_than_the_papers_is_noticed(done):
    outcome, _ = done
    assert len(outcome.warnings) == 1
    assert "prostate_singh_12600.parquet has 40 rows and 110 columns, not the 102 and 12600" in outcome.warnings[0]


def test_seconds_are_those_of_the_units(done):
    outcome, _ = done
    store = UnitStore(outcome.plan.state_dir / "store")
    total = sum(store.read(key)[1]["seconds"] for key in sorted(store.keys()))
    assert sum(outcome.seconds.values()) == pytest.approx(total)


def test_the_report_has_claims_studies_and_figures(done):
    from fselect.reproductions.report import write_report

    outcome, _ = done
    text = write_report(outcome).read_text(encoding="utf-8")
    assert "| prostate | 10 | 1,800 |" in text  # 6 shapes, 10 repeats, 30 bootstraps
    assert "**not tested**: there is no madelon.parquet" not in text  # not the paper's data: not listed untested
    images = sorted(file.name for file in (outcome.plan.folder / "report-quick-images").iterdir())
    assert images == ["prostate.png", "transfer-course.png"]


def test_the_command_prints_the_claims_and_what_is_missing_and_goes_on_from_what_is_there(fselect, tables, tmp_path):
    first = fselect("reproduce", "hamer-dupont", "--data", tables, "-o", tmp_path / "out", *QUICK)
    assert first.code == 0, first.err
    assert "not tested without gisette.parquet" in first.out
    again = fselect("reproduce", "hamer-dupont", "--data", tables, "-o", tmp_path / "out", *QUICK, "--json")
    assert "41 of 41 units are finished already" in again.err
    answer = json.loads(again.out)
    tested = {(finding["claim"], finding["data"]) for finding in answer["claims"] if finding["verdict"] != "not tested"}
    assert ("1a", "Prostate") in tested
    assert answer["missing"] == ["gisette.parquet"]


def test_more_repeats_only_add_to_what_is_there(fselect, tables, tmp_path):
    common = ["reproduce", "hamer-dupont", "--data", tables, "-o", tmp_path / "out", "--only", "dexter", "--quick"]
    assert fselect(*common, "--repeats", "1").code == 0
    more = fselect(*common, "--repeats", "2")
    assert "13 of 20 units are finished already; 7 to go" in more.err  # 6 shapes and the random set; 6 sets


def test_bad_names_and_folders_are_refused_in_a_sentence(fselect, tables, tmp_path):
    cases = {
        ("hamer-dupont", "--data", str(tmp_path / "none")): "there is no folder",
        ("hamer", "--data", str(tables)): "there is no reproduction 'hamer'",
        ("hamer-dupont", "--data", str(tables), "--only", "gisete"): "has no study 'gisete'",
    }
    for arguments, sentence in cases.items():
        outcome = fselect("reproduce", *arguments)
        assert outcome.code == 2
        assert sentence in outcome.err
        assert len(outcome.err.strip().splitlines()) == 1


class _Fetched:
    n_features = 3

    def frame(self, target):
        import pandas as pd

        return pd.DataFrame({**{name: np.arange(4.0) for name in "abc"}, target: list("xyxy")})


def test_a_missing_table_is_fetched_by_its_number_and_checked(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(run, "load_dataset", lambda name: asked.append(name) or _Fetched())
    table = Table("g.parquet", "G: digits", 4, 3, openml=7)
    fetch_missing({"g": table, "g-prior": table, "other": Table("o.parquet", "O", 1, 1)}, tmp_path)
    assert asked == ["openml:7"]
    assert (tmp_path / "g.parquet").is_file()
    with pytest.raises(InputError, match="openml:8 has 3 columns, not the 5 of H: digits"):
        fetch_missing({"h": Table("h.parquet", "H: digits", 4, 5, openml=8)}, tmp_path)


def test_only_studies_that_are_asked_for_count_as_missing(tables, tmp_path):
    assert set(find_missing(Plan(PAPER, tables, tmp_path, ("gisette", "prostate")))) == {"gisette"}
