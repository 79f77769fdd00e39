"""The measures of the operating point are means over its repeats."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.evaluation.stability import jaccard
from fselect.stages import open_study, report, run_study
from fselect.study.archive import read_archive
from fselect.study.chosen_measures import chosen_measures


def test_they_are_means_over_the_repeats_and_the_page_shows_them(transfer_project):
    summary = run_study(transfer_project)
    study, archive = open_study(transfer_project), read_archive(transfer_project.archive_path)
    label = summary.chosen.label
    found = chosen_measures(label, study.tasks, study.units, archive)
    assert found["stability"] == pytest.approx(summary.chosen.stability)
    assert found["stability"] == pytest.approx(found["kuncheva"])  # all sets are of one size
    frame = archive.to_pandas()
    keys = [unit.key for unit in study.units if unit.label == label and unit.repeat is not None]
    names = study.tasks[0].names
    by_hand = [
        jaccard([[name in chosen for name in names] for chosen in frame[frame["unit"] == key]["selected"]])
        for key in keys
    ]
    assert found["jaccard"] == pytest.approx(np.mean(by_hand))
    page = report(transfer_project).read_text(encoding="utf-8")
    assert f"{found['jaccard']:.3f}" in page
    assert "by other measures" in page
