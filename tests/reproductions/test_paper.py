"""The study files say what the paper and its decisions say, and are found in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from fselect.errors import InputError
from fselect.reproductions.paper import STUDIES
from fselect.reproductions.papers import get_paper

PAPER = get_paper("hamer-dupont")
SINGLE = [study for study in PAPER.studies if not study.startswith("transfer")]
TRANSFER = [study for study in PAPER.studies if study.startswith("transfer")]


def test_every_study_file_belongs_to_a_study_and_the_other_way_round():
    assert {file.stem for file in (STUDIES / PAPER.name).glob("*.yaml")} == set(PAPER.studies)


@pytest.mark.parametrize("study", PAPER.studies)
def test_every_study_is_valid_and_reads_a_table_that_is_documented(study):
    config = PAPER.config(study, Path("tables"))
    assert config.study.name == study
    assert Path(config.tasks.table).name in {table.file for table in PAPER.tables}
    assert config.tasks.target == "target"


@pytest.mark.parametrize("study", SINGLE)
def test_single_task_studies_have_the_papers_numbers(study):
    selection = PAPER.config(study, Path()).selection
    assert (selection.n_features, selection.bootstraps, selection.penalty, selection.step) == (20, 30, 0.1, 0.2)
    assert selection.shapes == (None, 30, 10, 3, 1, 0.5, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01)
    expected = {"prostate": 100, "arcene": 100, "madelon": 30, "dexter": 5, "gisette": 100}
    assert selection.repeats == expected[study.removesuffix("-prior")]


@pytest.mark.parametrize("study", SINGLE)
def test_a_study_and_its_prior_differ_in_the_prior_only(study):
    base = study.removesuffix("-prior")
    without, given = (PAPER.study_values(name) for name in (base, f"{base}-prior"))
    assert given["selection"].pop("prior") == {"examples": 10, "features": 100}
    assert without["selection"].pop("prior") is None
    for values in (without, given):
        values["study"].pop("name")
    assert without == given


@pytest.mark.parametrize("study", TRANSFER)
def test_transfer_studies_have_the_papers_numbers_and_their_noise(study):
    config = PAPER.config(study, Path())
    selection = config.selection
    assert (selection.n_features, selection.penalty, config.tasks.n_tasks) == (10, 1.0, 8)
    assert selection.strengths == (0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 32)
    assert config.tasks.noise == float(study.rpartition("-")[2])
    assert selection.repeats == (500 if config.tasks.noise == 3 else 100)


def test_prostate_is_clipped_and_logarithmic_everywhere():
    for study in ("prostate", "prostate-prior", *TRANSFER):
        options = PAPER.config(study, Path()).data
        assert (options.clip, options.log) == ((10.0, 16000.0), 10.0)


def test_a_quick_run_takes_every_other_bias_and_keeps_the_units_of_the_full_one():
    quick, full = (PAPER.config("prostate", Path(), quick=flag) for flag in (True, False))
    assert quick.selection.shapes == full.selection.shapes[::2]
    assert quick.selection.repeats == 5
    assert quick.selection.bootstraps == full.selection.bootstraps
    assert quick.study.name == "prostate-quick"
    assert quick.study.seed == full.study.seed


def test_a_study_that_the_paper_does_not_have_is_named():
    with pytest.raises(InputError, match="hamer-dupont has no study 'prostat'; it has prostate,"):
        PAPER.config("prostat", Path())


def test_an_unknown_paper_is_named():
    with pytest.raises(InputError, match="no reproduction 'hamer'; there are comparison, contribution, hamer-dupont"):
        get_paper("hamer")
