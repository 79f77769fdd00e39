"""The commands answer, and refuse bad input with one sentence and exit code 2."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

QUICK = ["--repeats", "3", "--bootstraps", "4", "--no-track", "--json"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((40, 6)), columns=list("abcdef"))
    frame["y"] = np.where(frame["b"] + 0.5 * frame["e"] > 0, "yes", "no")
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path


def refused(outcome, sentence):
    assert outcome.code == 2, outcome
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_select_finds_the_columns_that_made_the_labels(fselect, table):
    outcome = fselect("select", table, "--target", "y", "-k", "2", *QUICK)
    assert outcome.code == 0, outcome.err
    answer = json.loads(outcome.out)
    assert set(answer["selected"]) == {"b", "e"}
    assert answer["frequencies"]["b"] == 1.0
    assert 0.7 < answer["accuracy"] <= 1


def test_tradeoff_lists_every_shape_and_the_random_set(fselect, table):
    outcome = fselect("tradeoff", table, "-t", "y", "-k", "2", "--shapes", "none,1,0.2", *QUICK)
    labels = [point["label"] for point in json.loads(outcome.out)["points"]]
    assert labels == ["unbiased", "shape 1", "shape 0.2", "random set"]


def test_the_point_is_chosen_by_the_rule_that_is_asked_for(fselect):
    common = ["tradeoff", "wine", "-t", "target", "-k", "2", "--shapes", "none,3,1", *QUICK]
    accurate, stable = (json.loads(fselect(*common, "--operating-point", f"weight={one}").out) for one in (0, 1))
    points = {one["label"]: one for one in accurate["points"] if one["on_front"] and one["label"] != "random set"}
    assert accurate["point"] == max(points, key=lambda label: points[label]["accuracy"])
    assert stable["point"] == max(points, key=lambda label: points[label]["stability"])
    assert stable["point"] != accurate["point"]


def test_transfer_takes_several_tables_a_task_column_or_noise(fselect, table, tmp_path):
    frame = pd.read_csv(table)
    frame.assign(batch=np.tile(["m", "n"], 20)).to_csv(tmp_path / "batches.csv", index=False)
    frame.to_csv(tmp_path / "second.csv", index=False)
    common = ["-t", "y", "-k", "2", "--strengths", "0,2", *QUICK]
    for arguments in (
        ["table.csv", "second.csv"],
        ["batches.csv", "--task-column", "batch"],
        ["table.csv", "--noisy-tasks", "2", "--noise", "1"],
    ):
        outcome = fselect("transfer", *arguments, *common)
        assert outcome.code == 0, outcome.err
        assert json.loads(outcome.out)["point"] == "strength 2"


def test_the_outcome_for_people_names_front_set_and_report(fselect, table, tmp_path):
    arguments = ["-k", "2", "--repeats", "3", "--bootstraps", "4", "--no-track"]
    outcome = fselect("select", table, "-t", "y", *arguments, "-o", "out")
    assert outcome.code == 0, outcome.err
    for part in ("Accuracy and stability of table-select", "Dominance area", "Chosen: unbiased", "Report: "):
        assert part in outcome.out
    assert (tmp_path / "out" / "table-select.html").is_file()
    assert (tmp_path / "out" / "table-select" / "archive.parquet").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["select", "nowhere.csv", "-t", "y"], "nowhere.csv"),
        (["select", "table.csv", "-t", "z"], "'z'"),
        (["select", "table.csv", "-t", "y", "-k", "6"], "6 columns"),
        (["select", "table.csv", "-t", "y", "-k", "0"], "n_features"),
        (["select", "table.csv", "-t", "y", "-k", "2", "--method", "magic"], "magic"),
        (["select", "table.csv", "-t", "y", "-k", "2", "--ranked"], "--prior"),
        (["select", "table.csv", "-t", "y", "-k", "2", "--prior", "known.txt"], "give --shape 0.5, say"),
        (["tradeoff", "table.csv", "-t", "y", "--shapes", "none", "--prior", "known.txt"], "give --shapes 0.5, say"),
        (["select", "table.csv", "-t", "y", "-k", "2", "--log", "10"], "log"),
        (["tradeoff", "table.csv", "-t", "y", "-k", "2", "--shapes", "none,x"], "'x' is not a number"),
        (["tradeoff", "table.csv", "-t", "y", "-k", "2", "--shapes", "-1"], "shapes"),
        (["transfer", "table.csv", "-t", "y", "-k", "2"], "no sequence of tasks"),
        (["transfer", "table.csv", "-t", "y", "-k", "2", "--task-column", "w"], "'w'"),
        (["transfer", "table.csv", "table.csv", "-t", "y", "--noisy-tasks", "3"], "one table"),
        (["transfer", "table.csv", "-t", "y", "-k", "2", "--noisy-tasks", "1"], "n_tasks"),
        (["transfer", "table.csv", "-t", "y", "-k", "2", "--noise", "1"], "--noisy-tasks"),
        (["transfer", "table.csv", "table.csv", "-t", "y", "-k", "2", "--order", "a,b"], "--task-column"),
        (["tradeoff", "wine", "-t", "kind", "-k", "2"], "'kind'"),
        (["select", "", "-t", "y"], "no name"),
        (["tradeoff", "table.csv", "-t", "y", "--operating-point", "kneee"], "no rule 'kneee'; did you mean 'knee'?"),
        (["tradeoff", "table.csv", "-t", "y", "--operating-point", "weight"], "say weight=0.6"),
        (["tradeoff", "table.csv", "-t", "y", "--operating-point", "weight=2"], "a value from 0 to 1"),
        (["tradeoff", "wine", "-t", "target", "--operating-point", "knee=1"], "takes no value; leave out '=1'"),
        (["run"], "no study file"),
        (["stability", "nowhere.csv"], "cannot read nowhere.csv"),
    ],
)
def test_bad_input_is_refused_by_one_sentence(fselect, table, arguments, sentence):
    refused(fselect(*arguments, *(["--no-track"] if arguments[0] != "stability" else [])), sentence)


@pytest.mark.parametrize("tracked", [[], ["--no-track"]], ids=["tracked", "untracked"])
def test_a_refused_command_leaves_nothing_where_nothing_was(fselect, table, tmp_path, tracked):
    refused(fselect("select", table, "-t", "y", "-k", "9", *tracked), "6 columns")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert fselect("select", table, "-t", "y", "-k", "2", *QUICK).code == 0
    kept = sorted(path for path in (tmp_path / ".fselect").rglob("*") if path.is_file())
    refused(fselect("select", table, "-t", "y", "-k", "9", *tracked), "6 columns")
    assert set(kept) <= {path for path in (tmp_path / ".fselect").rglob("*") if path.is_file()}


@pytest.mark.parametrize("override", ["selection.repeats=[1", "selection=2", "repeats=3", "selection.repeats=x"])
def test_an_override_that_cannot_be_used_is_refused(fselect, tmp_path, override):
    (tmp_path / "params.yaml").write_text("tasks: {source: noisy, table: wine, target: target}\n")
    refused(fselect("run", "--no-track", "--set", override), override.split("=")[0].split(".")[-1])


def test_strengths_that_differ_in_the_tenth_digit_are_points_of_their_own(fselect, table):
    outcome = fselect(
        "transfer", table, "-t", "y", "-k", "2", "--noisy-tasks", "3", "--strengths", "1,1.0000000001", *QUICK
    )
    labels = [point["label"] for point in json.loads(outcome.out)["points"]]
    assert labels == ["strength 1", "strength 1.0000000001", "first set"]


def test_an_interrupted_command_says_that_finished_work_is_kept(fselect, table, monkeypatch):
    from fselect import stages

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(stages, "run_study", interrupt)
    outcome = fselect("select", table, "-t", "y", "-k", "2", "--no-track")
    assert outcome.code == 130
    assert "finished units are kept" in outcome.err


def test_run_promotes_where_the_study_file_asks_for_it(fselect, tmp_path):
    (tmp_path / "params.yaml").write_text(
        "tasks: {source: noisy, table: wine, target: target, n_tasks: 2}\n"
        "selection: {n_features: 2, repeats: 2, bootstraps: 2, strengths: [0, 1]}\npromotion: {name: panel}\n"
    )
    assert "Promoted: panel version 1" in fselect("run").out
    assert json.loads(fselect("panels", "--json").out)[0]["label"] == "strength 1"


def test_a_file_in_the_place_of_the_output_folder_is_refused(fselect, table, tmp_path):
    (tmp_path / "out").write_text("")
    refused(fselect("select", table, "-t", "y", "-k", "2", "--no-track", "-o", "out"), "cannot write")


def test_a_server_that_does_not_answer_is_refused_before_work_starts(fselect, tmp_path):
    (tmp_path / "params.yaml").write_text(
        "tasks: {source: noisy, table: wine, target: target}\ntracking: {uri: 'http://127.0.0.1:9'}\n"
    )
    started = time.monotonic()
    outcome = fselect("run")
    refused(outcome, "http://127.0.0.1:9")
    assert time.monotonic() - started < 20
    assert not (tmp_path / ".fselect" / "store").exists()


def test_stability_of_sets_by_other_tools_matches_the_worked_example(fselect, tmp_path):
    rows = ["110010", "101010", "110001", "110110"]
    (tmp_path / "sets.csv").write_text("\n".join(["a,b,c,d,e,f", *(",".join(row) for row in rows)]))
    answer = json.loads(fselect("stability", "sets.csv", "--json").out)
    assert answer["stability"] == pytest.approx(0.1608391608391609, abs=1e-15)
    assert answer["high"] == pytest.approx(0.4308317106299531, abs=1e-12)
    lines = [" ".join(str(place + 1) for place, mark in enumerate(row) if mark == "1") for row in rows]
    (tmp_path / "lines.txt").write_text("\n".join(lines))
    assert json.loads(fselect("stability", "lines.txt", "--features", "6", "--json").out) == answer


def test_methods_and_datasets_are_listed(fselect):
    assert any(row["name"] == "rfe" for row in json.loads(fselect("methods", "--json").out))
    assert any(row["name"] == "breast_cancer" for row in json.loads(fselect("datasets", "--json").out))


def test_every_command_has_an_example_in_its_help(fselect):
    listed = fselect("--help").out
    for command in [
        "run",
        "select",
        "tradeoff",
        "transfer",
        "stability",
        "methods",
        "datasets",
        "runs",
        "panels",
        "promote",
        "apply",
        "ui",
    ]:
        assert command in listed
        assert f"fselect {command}" in fselect(command, "--help").out


def test_the_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['fselect', '--help']\n"
        "from fselect.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'pandas', 'sklearn', 'numba', 'mlflow', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--runner", "dask"], "needs execution.address"),
        (["--runner", "threads", "--address", "tcp://127.0.0.1:9"], "threads run on this machine"),
        (["--address", "tcp://127.0.0.1:9", "--workers", "3"], "--workers is for threads and processes"),
        (["--address", "127.0.0.1"], "needs protocol, host and port"),
    ],
)
def test_a_runner_that_its_options_do_not_fit_is_refused(fselect, table, options, sentence):
    refused(fselect("select", table, "-t", "y", "-k", "2", *options, *QUICK), sentence)


def test_half_an_edit_of_the_study_file_keeps_nobody_from_runs_and_panels(fselect, tmp_path):
    (tmp_path / "params.yaml").write_text("tasks: {source: table}\n")
    outcome = fselect("panels")
    assert outcome.code == 0
    assert "only its tracking.uri is used" in outcome.err


def test_no_deprecation_inside_another_package_is_printed(fselect, capsys):
    import warnings

    import fselect.cli as package

    class TheirDeprecationWarning(DeprecationWarning):
        pass

    theirs, ours = "/site-packages/mlflow/store.py", package.__file__
    fselect("--version")  # from here on the command line prints what is warned of
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        for category in (DeprecationWarning, PendingDeprecationWarning, TheirDeprecationWarning):
            warnings.warn_explicit("old inside", category, theirs, 1)
        warnings.warn_explicit("old here", DeprecationWarning, ours, 1)
        warnings.warn_explicit("a quarrel", UserWarning, theirs, 1)
    assert capsys.readouterr().err.splitlines() == ["warning: old here", "warning: a quarrel"]


def test_missing_values_are_kept_for_a_method_that_takes_them_and_only_for_one(fselect, table):
    frame = pd.read_csv(table)
    frame.loc[3, "a"] = np.nan
    frame.to_csv(table, index=False)
    common = ["select", table, "-t", "y", *QUICK, "--missing", "keep"]
    kept = fselect(*common, "--method", "relieff", "-k", "2")
    assert kept.code == 0, kept.err
    assert "b" in json.loads(kept.out)["selected"]
    refused(fselect(*common, "-k", "2"), "column 'a' has missing values, with which method 'rfe' cannot work")


def test_defaults_in_the_help_stand_without_brackets_of_their_own(fselect):
    for command in ("select", "tradeoff", "transfer"):
        told = " ".join(fselect(command, "--help").out.replace("│", " ").split())  # wherever a line ends
        assert "[default: (" not in told
        assert "0.2 if not given" in told


def test_an_address_that_is_none_of_this_machine_is_told_from_a_port_that_is_taken(fselect):
    refused(fselect("ui", "--host", "192.0.2.1", "--port", 7799), "correct --host")
    assert fselect("ui", "--port", 99999).code == 2


def test_a_port_that_is_taken_is_refused(fselect):
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        refused(fselect("ui", "--port", other.getsockname()[1]), "cannot listen on 127.0.0.1")


def test_stability_lists_all_measures_and_counts_stand_ins(fselect, tmp_path):
    from scipy.stats import spearmanr

    from fselect.evaluation.stability import kappa, sechidis

    rows = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    (tmp_path / "sets.csv").write_text("a,b,c,d\n" + "\n".join(",".join(map(str, row)) for row in rows))
    rng = np.random.default_rng(0)
    values = pd.DataFrame(rng.normal(size=(40, 4)), columns=list("dcba"))
    values.assign(b=values["a"] * -3, y="label").to_csv(tmp_path / "values.csv", index=False)
    outcome = fselect("stability", "sets.csv", "--correlation", "values.csv", "--json")
    measures = json.loads(outcome.out)["measures"]
    twins = np.eye(4)
    twins[0, 1] = twins[1, 0] = 1
    assert measures["sechidis"] == pytest.approx(sechidis(rows, twins))
    assert measures["kappa"] == pytest.approx(kappa(rows))
    assert "kappa" in fselect("stability", "sets.csv").out
    (tmp_path / "weights.csv").write_text("a,b,c,d\n.9,0,.1,0\n.9,.1,,0\n")
    outcome = fselect("stability", "weights.csv", "--importances", "--json")
    # deviations (.65, -.25, -.15, -.25) and (.65, -.15, -.25, -.25): .56 over .57
    assert json.loads(outcome.out)["measures"]["importance"] == pytest.approx(0.56 / 0.57)
    outcome = fselect("stability", "weights.csv", "--importances", "--correlation", "values.csv", "--json")
    between = abs(spearmanr(values["a"], values["c"]).statistic)
    # .9 of a is shared, and the tenth that the one puts on c and the other on b as far as these correlate
    assert json.loads(outcome.out)["measures"]["shared"] == pytest.approx(0.9 + 0.1 * between)
    (tmp_path / "none.csv").write_text("a,b,c,d\n.9,0,.1,0\n0,0,,0\n")
    outcome = fselect("stability", "none.csv", "--importances", "--correlation", "values.csv")
    assert outcome.code == 0, outcome.err
    assert re.search(r"shared +undefined", outcome.out)
    refused(fselect("stability", "weights.csv"), "line 2: '.9' is neither 0 nor 1")
    refused(fselect("stability", "sets.csv", "--threshold", "0.5"), "--correlation, too")
    (tmp_path / "short.csv").write_text("a,b,c\n1,2,3\n2,3,5\n")
    refused(fselect("stability", "sets.csv", "--correlation", "short.csv"), "no column 'd'")


def test_a_method_with_parameters_of_its_own_is_selected_with(fselect, tmp_path):
    common = ["select", "wine", "--target", "target", "--method", "contribution", "--repeats", "1", "--bootstraps", "2"]
    own = ["-p", "estimator=naive_bayes", "-p", "direction=forward", "-p", "size=2", "-p", "step=3"]
    outcome = fselect(*common, *own, "--no-track", "--json", "-o", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    answer = json.loads(outcome.out)
    assert answer["point"] == "unbiased"
    assert "flavanoids" in answer["selected"]
    for wrong, sentence in {
        "size": "'size' is not of the form KEY=VALUE",
        "size=0": "size must be an integer of at least 1, not 0",
        "n_features=3": "has no parameter 'n_features'",
    }.items():
        refused = fselect(*common, "-p", wrong)
        assert refused.code == 2
        assert sentence in refused.err


def test_a_warning_that_many_units_raise_is_said_once(fselect, tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["a", "b", "c"])
    frame.assign(y=["p"] * 30 + ["q"] * 10).to_csv(tmp_path / "noise.csv", index=False)
    asked = ["--method", "contribution", "-p", "estimator=naive_bayes", "-p", "size=1", "-p", "threshold=0.5"]
    found = fselect("select", "noise.csv", "-t", "y", *asked, "-B", "2", "--bootstraps", "3", "--no-track", "-w", "1")
    assert found.code == 0, found.err
    assert found.err.count("nothing is selected") == 1
    assert "Its set is empty." in found.out


def test_a_share_is_refused_to_a_method_that_drops_none(fselect):
    found = fselect("select", "wine", "-t", "target", "--method", "contribution", "--step", "5", "--no-track")
    assert found.code == 2
    assert "--step is a share of the features, which method 'contribution' has not; give it its own" in found.err


def test_a_stability_of_nothing_but_rounding_is_printed_without_a_minus_sign(fselect, tmp_path):
    (tmp_path / "sets.csv").write_text("a,b,c\n1,0,1\n1,1,0\n1,0,1\n")
    said = fselect("stability", "sets.csv").out
    assert "stability 0.0000" in said
    assert "-0.0000" not in said
