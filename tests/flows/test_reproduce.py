"""`python -m flows.reproduce`: the same results as the command line, as a flow."""

from __future__ import annotations

import pytest

from flows.reproduce import main
from fselect.datasets import make_microarray


@pytest.fixture
def data(tmp_path):
    made = make_microarray(40, 120, n_relevant=5, block_size=4, random_state=1)
    (tmp_path / "data").mkdir()
    made.frame("target").to_parquet(tmp_path / "data" / "dexter.parquet", index=False)
    return tmp_path / "data"


@pytest.mark.usefixtures("prefect_server")
def test_the_flow_runs_studies_and_judges_their_claims(data, tmp_path, capsys):
    asked = ["hamer-dupont", "--data", str(data), "--only", "dexter", "--quick", "-o", str(tmp_path / "out")]
    assert main(asked) == 0
    assert "1a Prostate: not tested (the study was not run)" in capsys.readouterr().out
    assert (tmp_path / "out" / "data" / "results" / "dexter-quick" / "summary.json").is_file()
    assert (tmp_path / "out" / "report-quick.md").is_file()


def test_a_study_that_does_not_exist_is_refused_before_a_server_is_started(data, capsys):
    assert main(["hamer-dupont", "--data", str(data), "--only", "nothing"]) == 2
    assert "has no study 'nothing'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("prefect_server")
def test_the_comparison_of_all_methods_is_a_flow_that_goes_on_where_it_was(tmp_path):
    made = make_microarray(40, 8, n_relevant=3, block_size=2, random_state=1)
    made.frame("target").to_parquet(tmp_path / "glass.parquet", index=False)
    out = tmp_path / "out"
    asked = [
        "comparison",
        "--data",
        str(tmp_path),
        "--only",
        "glass",
        "--only",
        "vote",
        "-o",
        str(out),
        "--workers",
        "1",
    ]
    assert main([*asked, "--repeats", "1"]) == 0
    kept = {path: path.stat().st_mtime_ns for path in out.glob(".fselect/cells/*/*.json")}
    assert main([*asked, "--repeats", "2"]) == 0
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(list(out.glob(".fselect/cells/glass/*.json"))) == 2 * len(kept)
    assert "`vote.parquet`" in (out / "report.md").read_text(encoding="utf-8")
